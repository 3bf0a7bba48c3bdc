# frozen_string_literal: true

require_relative "reading_case"
require "date"

# Documents of JSON:API and HAL.
class EnvelopesTest < ReadingCase
  Person = Struct.new(:id, :name)
  Post = Struct.new(:id, :title, :day, :author, :comments, :address)
  Comment = Struct.new(:id, :body)

  def setup
    super
    @post = serializer do
      type :posts
      attribute :id, as: :integer, writable: true
      attributes :title, writable: true
      attribute :day, as: :date, writable: true
      nested(:place) { attributes :address, writable: true }
      has_one :author, serializer: "PersonSerializer", writable: true
      has_many :comments, serializer: "CommentSerializer", writable: true
      link(:self) { |post| "/posts/#{post.id}" }
    end
    Blog.const_set(:PersonSerializer, Class.new(ToJson::Serializer) do
      attributes :id
      attributes :name, writable: true
    end)
    Blog.const_set(:CommentSerializer, Class.new(ToJson::Serializer) do
      attributes :id, :body, writable: true
    end)
    @written = Post.new(7, "Tea", Date.new(2026, 11, 20), Person.new(1, "Ann"),
                        [Comment.new(5, "Yes"), Comment.new(6, "No")], "here")
  end

  def resource(**members) = { data: { type: "posts", **members } }

  test "what json_api! wrote is read, with ids of what is related" do
    text = @post.json_api!(@written, include: "author,comments")
    assert_equal({ id: 7, title: "Tea", day: Date.new(2026, 11, 20), address: "here",
                   author_id: "1", comment_ids: %w[5 6] }, @post.parse(text))
    texts = @post.json_api!([@written], include: "author,comments")
    assert_equal [7], @post.parse(texts, collection: true).map { |one| one[:id] }
  end

  test "what hal! wrote is read" do
    expected = { id: 7, title: "Tea", day: Date.new(2026, 11, 20), address: "here",
                 author: { name: "Ann" },
                 comments: [{ id: 5, body: "Yes" }, { id: 6, body: "No" }] }
    text = @post.hal!(@written, except: { author: :id })
    assert_equal expected, @post.parse(text)
    many = @post.hal!([@written], except: { author: :id }, links: { self: "/posts" })
    assert_equal [expected], @post.parse(many, collection: true)
    assert_equal [expected], @post.parse(many, collection: nil)
    assert_equal({ title: "a" }, @post.parse({ _links: {}, title: "a" }, unknown: :ignore))
    missing = assert_raises(ToJson::ReadError) do
      @post.parse({ _links: {}, title: "a" }, missing: :raise, errors: :all)
    end
    assert_equal %w[/id /day /place], missing.problems.map(&:pointer)
  end

  test "a resource must be of the serializer's type" do
    assert_problems(["/data/type", :choice, "takes \"posts\"; got String \"people\"."]) do
      @post.parse({ data: { type: "people", attributes: {} } })
    end
    assert_problems(["/data/type", :choice]) do
      @post.parse({ data: { attributes: {} } }, envelope: :json_api)
    end
  end

  Draft = Struct.new(:title)

  test "a document that names another object changes nothing, as a PATCH must not" do
    made = serializer do
      type :posts
      attributes :id
      attributes :title, writable: true
    end
    given = ->(id) { resource(id: id, attributes: { title: "new" }) }
    post = Post.new(7, "old")
    error = assert_problems(["/data/id", :choice]) { made.read(given["8"], into: post) }
    assert_equal "takes \"7\", the id of the object; got String \"8\".", error.problems[0].message
    assert_equal made, error.serializer
    assert_equal "old", post.title
    assert_problems(["/data/id", :choice]) { made.read(given[nil], into: post) }
    assert_problems(["/data/id", :choice]) { made.read(given["8"], into: { id: 7 }) }
    assert_equal "new", made.read(given["7"], into: post).title
    assert_equal "new", made.read(resource(attributes: { title: "new" }), into: post).title
    [Post.new, Draft.new, {}].each do |other|
      assert_equal "new", made.read(given["8"], into: other)[:title]
    end
    assert_equal "new", made.read(given["8"], into: Draft).title
  end

  test "the id that is compared is the one that documents of the object have" do
    made = serializer do
      type :posts
      attribute :id, source: :title, writable: true
      attributes :day, writable: true
      view(:signed) { attribute :id, ->(post) { "no-#{post.id}" } }
    end
    post = Post.new(7, "tea")
    made.read(resource(id: "tea", attributes: { day: 1 }), into: post)
    assert_problems(["/data/id", :choice]) { made.read(resource(id: "7"), into: post) }
    assert_equal 1, post.day
    assert_same post, made.read(resource(id: "no-7"), into: post, view: :signed)
    assert_problems(["/data/id", :choice]) do
      made.read(resource(id: "7"), into: post, view: :signed)
    end
  end

  test "problems of a resource have pointers from the top of the document" do
    {
      { attributes: { title: [] } } => ["/data/attributes/title", :type],
      { attributes: { titel: 1 } } => ["/data/attributes/titel", :unknown],
      { attributes: [] } => ["/data/attributes", :type],
      { attributes: { place: { address: {} } } } => ["/data/attributes/place/address", :type],
      { id: "x" } => ["/data/id", :type],
      { relationships: { author: 5 } } => ["/data/relationships/author", :type],
      { relationships: { author: { data: [] } } } => ["/data/relationships/author/data", :type],
      { relationships: { author: { data: { type: "posts", id: "1" } } } } =>
        ["/data/relationships/author/data/type", :choice],
      { relationships: { author: { data: { type: "people", id: 1 } } } } =>
        ["/data/relationships/author/data/id", :type],
      { relationships: { comments: { data: {} } } } =>
        ["/data/relationships/comments/data", :type],
      { relationships: { comments: { data: [{ type: "comments", id: "1" }, 5] } } } =>
        ["/data/relationships/comments/data/1", :type],
      { relationships: { owner: { data: nil } } } => ["/data/relationships/owner", :unknown],
      { title: "a" } => ["/data/title", :unknown]
    }.each do |members, problem|
      assert_problems(problem) { @post.parse(resource(**members)) }
    end
  end

  test "a relationship says null, one, many, or nothing" do
    nobody = { author: { data: nil } }
    assert_equal({ author_id: nil }, @post.parse(resource(relationships: nobody)))
    assert_equal({}, @post.parse(resource(relationships: { author: { links: {} } })))
    assert_equal({ comment_ids: [] },
                 @post.parse(resource(relationships: { comments: { data: [] } })))
    assert_equal({}, @post.parse(resource))
  end

  test "an identifier with a lid stands for a resource of the document" do
    given = resource(relationships: {
                       author: { data: { type: "people", lid: "a" } },
                       comments: { data: [{ type: "comments", lid: "b" },
                                          { type: "comments", id: "9" }] }
                     })
    given[:included] = [{ type: "people", lid: "a", attributes: { name: "Ann" } },
                        { type: "comments", lid: "b", attributes: { body: "Yes" } }]
    assert_equal({ author: { name: "Ann" }, comment_ids: ["9"], comments: [{ body: "Yes" }] },
                 @post.parse(given))
    given[:included][0][:attributes][:name] = []
    assert_problems(["/included/0/attributes/name", :type]) { @post.parse(given) }
    given[:included].clear
    assert_problems(["/data/relationships/author/data/lid", :invalid]) { @post.parse(given) }
  end

  test "local ids that lead in a circle are refused" do
    Blog.const_get(:PersonSerializer).has_many :posts, serializer: "PostSerializer", writable: true
    given = resource(relationships: { author: { data: { type: "people", lid: "a" } } })
    given[:included] = [
      { type: "people", lid: "a",
        relationships: { posts: { data: [{ type: "posts", lid: "p" }] } } },
      { type: "posts", lid: "p", relationships: { author: { data: { type: "people", lid: "a" } } } }
    ]
    assert_problems(["/included/1/relationships/author/data/lid", :depth]) { @post.parse(given) }
  end

  test "a polymorphic relationship gives the type too" do
    made = serializer do
      type :posts
      has_one :subject, serializer: { Person => "PersonSerializer", Post => "PageSerializer" },
                        writable: true
      has_one :owner, serializer: "PersonSerializer", writable: true, linkage: :holder_id
      has_many :tags, serializer: "PersonSerializer", writable: { id: :label_ids }
    end
    Blog.const_set(:PersonSerializer, Class.new(ToJson::Serializer) { attributes :id, :name })
    Blog.const_set(:PageSerializer, Class.new(ToJson::Serializer) { attributes :id })
    given = resource(relationships: { subject: { data: { type: "pages", id: "3" } },
                                      owner: { data: { type: "people", id: "4" } },
                                      tags: { data: [{ type: "people", id: "5" }] } })
    assert_equal({ subject_type: "EnvelopesTest::Post", subject_id: "3", holder_id: "4",
                   label_ids: ["5"] }, made.parse(given))
  end

  test "the document says what it is, unless the class has such keys itself" do
    assert_problems(["/data", :unknown]) { @post.parse('{"data":{"title":"a"}}') }
    assert_problems(["/data", :unknown]) { @post.parse(resource, envelope: :plain) }
    assert_problems(["/data", :missing]) { @post.parse('{"title":"a"}', envelope: :json_api) }
    assert_equal({ title: "a" }, @post.parse('{"title":"a"}', envelope: :hal))
    assert_problems(["/more", :unknown]) { @post.parse(resource.merge(more: 1)) }
    made = serializer do
      attribute :data, writable: { as: :any }
      attribute :_links, writable: { as: :any }
    end
    assert_equal({ data: { "type" => "a" } }, made.parse('{"data":{"type":"a"}}'))
    assert_equal({ _links: {} }, made.parse('{"_links":{}}'))
  end

  test "HAL has associations in _embedded, or beside the fields" do
    [{ author: { name: "a" } }, { _embedded: { author: { name: "a" } } }].each do |given|
      assert_equal({ author: { name: "a" } }, @post.parse({ _links: {}, **given }))
    end
    assert_problems(["/_embedded/author/name", :type]) do
      @post.parse({ _embedded: { author: { name: [] } } })
    end
    assert_problems(["/_embedded/owner", :unknown]) { @post.parse({ _embedded: { owner: {} } }) }
    assert_problems(["/_embedded", :missing]) { @post.parse({ _links: {} }, collection: true) }
  end

  test "ids of English plurals" do
    { "comments" => "comment", "categories" => "category", "boxes" => "box", "people" => "person",
      "news_items" => "news_item", "old_boxes" => "old_box", "class" => "class" }
      .each { |many, one| assert_equal one, ToJson::Reading::Linkage.singular(many) }
  end
end
