# frozen_string_literal: true

require_relative "json_api_case"

# Primary data, relationships and what is included.
class JsonApiDocumentTest < JsonApiCase
  def setup
    @blog = blog
    @serializer = @blog::PostSerializer
  end

  test "one object is one resource, without data of relationships" do
    assert_equal '{"data":{"type":"posts","id":"5","attributes":{"title":"Tea","body":"Hot."}}}',
                 @serializer.json_api!(post)
  end

  test "many objects are many resources, none an empty array, and nil null" do
    assert_equal '{"data":[{"type":"people","id":"1","attributes":{"name":"Ann"}},' \
                 '{"type":"people","id":"2","attributes":{"name":"Bob"}}]}',
                 @blog::PersonSerializer.json_api!([ann, bob].each)
    assert_equal '{"data":[]}', @serializer.json_api!([])
    assert_equal '{"data":null}', @serializer.json_api!(nil)
    assert_equal '{"data":[]}', @serializer.json_api!(nil, collection: true)
  end

  test "a Hash is a resource too" do
    assert_equal '{"data":{"type":"people","id":"1","attributes":{"name":"Ann"}}}',
                 @blog::PersonSerializer.json_api!({ "id" => 1, name: "Ann" })
  end

  test "what include names is linked and included, once, in the order met" do
    document = parsed([post], include: "author,comments.author")
    assert_equal({ "author" => { "data" => { "type" => "people", "id" => "1" } },
                   "comments" => { "data" => [{ "type" => "comments", "id" => "8" },
                                              { "type" => "comments", "id" => "9" }] } },
                 document["data"][0]["relationships"])
    assert_equal %w[people:1 comments:8 comments:9 people:2], identities(document["included"])
    assert_equal({ "author" => { "data" => { "type" => "people", "id" => "2" } } },
                 document["included"][1]["relationships"])
  end

  test "include is a String, a Symbol, an Array or a Hash" do
    one = post
    expected = @serializer.json_api!(one, include: "author,comments.author")
    [%w[author comments.author], [:author, { comments: :author }],
     { author: nil, comments: [:author] }].each do |given|
      assert_equal expected, @serializer.json_api!(one, include: given), given.inspect
    end
    assert_equal @serializer.json_api!(one), @serializer.json_api!(one, include: "")
  end

  test "a to-one of nil is null, a to-many of nil or nothing an empty array" do
    document = parsed(Post.new(1, "", "", nil, nil), include: "author,comments")
    assert_equal({ "author" => { "data" => nil }, "comments" => { "data" => [] } },
                 document["data"]["relationships"])
    assert_equal [], document["included"]
  end

  test "primary data is never included, wherever it is met" do
    first, second = post(5), post(6)
    document = parsed([first, second], include: "author.posts")
    assert_equal %w[posts:5 posts:6], identities(document["data"])
    assert_equal %w[people:1], identities(document["included"])
    assert_equal %w[posts:5 posts:6],
                 identities(document.dig("included", 0, "relationships", "posts", "data"))
  end

  test "a resource that primary data repeats is written once if something is included" do
    one = post
    assert_equal 1, parsed([one, one], include: "author")["data"].size
    assert_equal 2, JSON.parse(@serializer.json_api!([one, one]))["data"].size
  end

  test "of two objects with one identity the first is written, and conflicts says so" do
    other = Person.new(1, "Anna", [])
    one = post
    one.comments[0].author = other
    document = parsed(one, include: "author,comments.author")
    assert_equal "Ann", document.dig("included", 0, "attributes", "name")
    ToJson::JsonApi.conflicts = :warn
    _, log = capture_io { parsed(one, include: "author,comments.author") }
    assert_match(/PersonSerializer: two objects are people 1, and differ.*"Ann".*"Anna"/, log)
    ToJson::JsonApi.conflicts = :raise
    error = assert_raises(ToJson::Error) do
      @blog::PersonSerializer.json_api!([ann, other], include: "posts")
    end
    assert_match(/two objects are people 1/, error.message)
    other.name = "Ann"
    parsed(one, include: "author,comments.author")
    assert_raises(ArgumentError) { ToJson::JsonApi.conflicts = true }
  ensure
    ToJson::JsonApi.conflicts = :ignore
  end

  test "cycles end" do
    document = parsed(post, include: "author.posts.author.posts.comments.post.author")
    assert_equal %w[people:1 comments:8 comments:9], identities(document["included"])
    assert_linked document
  end

  test "primary data that a path leads back to shows what the rest of the path includes" do
    document = parsed(post, include: "author.posts.comments")
    assert_equal %w[people:1 comments:8 comments:9], identities(document["included"])
    assert_linked document
  end

  test "a resource that two paths meet has the relationships of both" do
    one = post
    document = parsed(one, include: "comments.author.posts,author")
    ann = document["included"].find { |one| one.values_at("type", "id") == %w[people 1] }
    assert_equal [{ "type" => "posts", "id" => "5" }], ann.dig("relationships", "posts", "data")
    assert_linked document
  end

  test "fields chooses attributes and relationships of each type" do
    document = parsed(post, include: "author", fields: { posts: "title,author", people: [] })
    assert_equal({ "title" => "Tea" }, document["data"]["attributes"])
    assert_equal %w[author], document["data"]["relationships"].keys
    assert_equal({ "type" => "people", "id" => "1" }, document["included"][0])
    document = parsed(post, include: "author", fields: { "posts" => %w[title] })
    refute document["data"].key?("relationships")
    assert_equal %w[people:1], identities(document["included"])
  end

  test "fields may name any type that a path could lead to" do
    expected = parsed(post, fields: { posts: "title" })
    fields = { posts: "title", comments: "body", people: "name" }
    assert_equal expected, parsed(post, fields: fields)
    [{ comments: "bdy" }, { cats: "name" }].each do |fields|
      assert_raises(ToJson::JsonApi::ParameterError) { @serializer.json_api!(post, fields: fields) }
    end
  end

  test "links, meta and jsonapi stand beside the data" do
    assert_equal '{"jsonapi":{"version":"1.1"},"links":{"self":"/posts"},"data":[],"meta":{"n":0}}',
                 @serializer.json_api!([], links: { self: "/posts" }, meta: { n: 0 }, jsonapi: true)
    assert_equal '{"jsonapi":{"ext":["a"]},"links":{"n":0},"data":[],"meta":{"n":0}}',
                 @serializer.json_api!([], jsonapi: { ext: ["a"] },
                                           links: ->(all) { { n: all.size } },
                                           meta: ->(all) { { n: all.size } })
  end

  test "meta of the class is that of the document, unless the call says otherwise" do
    @serializer.meta { |all| { count: all.size, by: context[:by] } }
    assert_equal({ "count" => 0, "by" => 3 }, parsed([], context: { by: 3 })["meta"])
    refute parsed([], meta: false).key?("meta")
  end

  test "an instance writes what the class writes" do
    one = post
    expected = @serializer.json_api!(one, include: "author", meta: { a: 1 })
    assert_equal expected, @serializer.new(one).json_api!(include: "author", meta: { a: 1 })
    assert_equal expected, @serializer.new(one, include: "author", meta: { a: 1 }).json_api!
    assert_equal expected,
                 @serializer.new(one, include: "comments", root: :a).json_api!(include: "author",
                                                                               meta: { a: 1 })
    @serializer.attribute(:admin) { context[:admin] }
    made = @serializer.new(one, context: { admin: true }).json_api!
    assert_equal true, JSON.parse(made).dig("data", "attributes", "admin")
    assert_raises(ArgumentError) { @serializer.new(one, only: :title).json_api! }
  end

  test "a stream, an IO and a Buffer get the same bytes" do
    one = post
    expected = @serializer.json_api!([one], include: "author,comments")
    body = @serializer.json_api_stream([one], include: "author,comments", chunk: 10)
    assert_equal "application/vnd.api+json", body.content_type
    assert_equal expected, body.each.to_a.join
    io = StringIO.new
    assert_same io, @serializer.json_api!([one].each, include: "author,comments", into: io,
                                                      chunk: 1)
    assert_equal expected, io.string
    assert_raises(ArgumentError) { @serializer.json_api_stream([one], into: +"") }
  end

  test "a flush that is due after each resource changes no byte" do
    one = post
    options = { include: "author,comments" }
    expected = @serializer.json_api!([one, nil, one], **options)
    [[one, nil, one], [one, nil, one].each].each do |given|
      io = StringIO.new
      @serializer.json_api!(given, **options, into: io, flush: 0.000001)
      assert_equal expected, io.string
    end
    lone = @serializer.json_api!(one, **options)
    assert_equal lone, @serializer.json_api!(one, **options, into: StringIO.new, flush: 5).string
    io = StringIO.new
    @serializer.json_api!([], **options, into: io, flush: 0.000001)
    assert_equal '{"data":[],"included":[]}', io.string
  end

  test "a stream keeps one object for each resource that is to be included, none for others" do
    GC.start
    before = ObjectSpace.each_object(ToJson::JsonApi::Linking::Entry).count
    kept = 0
    posts = Enumerator.new do |all|
      1000.times { |id| all << Post.new(id, "T", "B", ann, []) }
      GC.start
      kept = ObjectSpace.each_object(ToJson::JsonApi::Linking::Entry).count - before
    end
    document = JSON.parse(@serializer.json_api!(posts, include: "author,comments"))
    assert_equal [1000, 1], [document["data"].size, document["included"].size]
    assert_operator kept, :<, 10
  end

  test "NDJSON has a resource in each line" do
    assert_equal "{\"type\":\"posts\",\"id\":\"5\",\"attributes\":{\"title\":\"Tea\"}}\n" * 2,
                 @serializer.json_api_ndjson([post, post], fields: { posts: "title" })
  end

  test "pretty Rules lay the document out" do
    rules = { indent: "  ", object_nl: "\n", array_nl: "\n", space: " " }
    text = @serializer.json_api!(post, include: "author", rules: rules)
    assert_equal JSON.parse(@serializer.json_api!(post, include: "author")), JSON.parse(text)
    assert_includes text, "\n      \"title\": \"Tea\""
  end

  test "an unknown keyword is refused" do
    error = assert_raises(ArgumentError) { @serializer.json_api!([], includes: "a") }
    assert_includes error.message, "unknown keyword :includes, did you mean :include?"
  end

  { links: [5, "u", []], meta: [1.5, :a, [1]], jsonapi: [5, "1.1", []] }.each do |name, values|
    test "#{name}: takes a Hash" do
      values.each do |value|
        given = name == :jsonapi ? [value] : [value, ->(_) { value }]
        given.each do |one|
          error = assert_raises(ArgumentError) { @serializer.json_api!(post, name => one) }
          assert_equal "#{name}: takes a Hash; got #{value.class}", error.message
        end
      end
    end
  end

  test "an error says where it happened" do
    error = assert_raises(NoMethodError) do
      @serializer.json_api!([Struct.new(:id).new(1)], include: "author")
    end
    assert_match(/\$\.data\[0\]/, ToJson.location(error))
  end

  # Every included resource is named by an identifier, and every identifier of a relationship that
  # is included leads somewhere.
  def assert_linked(document)
    all = [document["data"], document["included"]].flatten.compact
    related = all.flat_map { |one| one.fetch("relationships", {}).values }
    named = identities(related.flat_map { |one| one["data"] }.compact)
    assert_empty identities(document["included"]) - named
    assert_equal identities(all).uniq, identities(all)
  end
end
