# frozen_string_literal: true

require "json"
require_relative "../test_helper"

# Documents of HAL from declared serializers.
class HalTest < ToJsonTest
  Post = Struct.new(:id, :title, :author, :comments)
  Person = Struct.new(:id, :name, :posts)

  class PersonSerializer < ToJson::Serializer
    attributes :name
    link(:self) { |person| "/people/#{person.id}" }
    has_many :posts, serializer: "PostSerializer"
    view(:bare) { remove :posts }
    default_view :bare
  end

  class PostSerializer < ToJson::Serializer
    attributes :id, :title
    link(:self) { |post| "/posts/#{post.id}" }
    link :search, href: "/posts{?q}", templated: true
    link(:tags) { |post| ["/tags/1", { href: "/tags/2", title: "Two" }] if post.id == 1 }
    link :curies, [{ name: "doc", href: "/doc/{rel}", templated: true }]
    has_one :author, serializer: PersonSerializer
    has_many(:comments) { attributes :body }
    view(:short) { remove :comments }
  end

  def person = Person.new(7, "Ann", [])

  # Those of `encode!` wrote {"data":null} and {}.
  test "an instance without an object is refused, also by JSON:API; nil is an object" do
    [PersonSerializer.new, PersonSerializer.new(context: 1),
     PersonSerializer.encode!(person)].each do |one|
      assert_match(/received no object.*\.hal!\(object\)/,
                   assert_raises(ArgumentError) { one.hal! }.message)
      assert_match(/received no object.*\.json_api!\(object\)/,
                   assert_raises(ArgumentError) { one.json_api! }.message)
    end
    assert_equal '{"data":null}', PersonSerializer.new(nil, context: 1).json_api!
  end

  # The user was written in place of the object.
  test "an instance writes the object of new, whatever scope of its class returns" do
    viewed = Class.new(ToJson::Serializer) do
      type :posts
      attributes :id
      def scope = context[:user]
    end
    one = viewed.new(Post.new(1), context: { user: Person.new(7) })
    assert_equal '{"id":1}', one.hal!
    assert_equal '{"data":{"type":"posts","id":"1"}}', one.json_api!
  end
  def post(id = 1, author = person) = Post.new(id, "Tea", author, [{ body: "Hm" }])
  def parsed(...) = JSON.parse(PostSerializer.hal!(...))

  LINKS = { "self" => { "href" => "/posts/1" },
            "search" => { "href" => "/posts{?q}", "templated" => true },
            "tags" => [{ "href" => "/tags/1" }, { "href" => "/tags/2", "title" => "Two" }],
            "curies" => [{ "name" => "doc", "href" => "/doc/{rel}", "templated" => true }] }.freeze
  ANN = { "_links" => { "self" => { "href" => "/people/7" } }, "name" => "Ann" }.freeze

  test "links are link objects, one or many, and associations are embedded" do
    assert_equal({ "_links" => LINKS, "id" => 1, "title" => "Tea",
                   "_embedded" => { "author" => ANN, "comments" => [{ "body" => "Hm" }] } },
                 parsed(post))
  end

  test "a link of nil and an object that is not there are left out" do
    document = parsed(post(2, nil))
    assert_equal LINKS.keys - ["tags"], document["_links"].keys
    assert_equal %w[comments], document["_embedded"].keys
  end

  test "many objects are embedded in a resource with the links and fields of the call" do
    text = PostSerializer.hal!([post].each, links: { self: "/posts", next: nil },
                                            meta: { total: 1 }, view: :short)
    assert_equal '{"_links":{"self":{"href":"/posts"}},"total":1,"_embedded":{"posts":[' \
                 "#{PostSerializer.hal!(post, view: :short)}]}}", text
    assert_equal '{"_embedded":{"posts":[]}}', PostSerializer.hal!([])
    assert_equal '{"_embedded":{"items":[]}}',
                 PostSerializer.hal!(nil, collection: true, as: :items)
    assert_equal "{}", PostSerializer.hal!(nil)
  end

  test "only and except name fields and associations, as in plain documents" do
    assert_equal({ "_links" => LINKS, "title" => "Tea", "_embedded" => { "author" => ANN } },
                 parsed(post, only: "title,author"))
    document = parsed(post, except: [:id, :comments, { author: [:name] }])
    assert_equal({ "_links" => LINKS, "title" => "Tea",
                   "_embedded" => { "author" => ANN.slice("_links") } }, document)
    error = assert_raises(ToJson::UnknownFieldError) { parsed(post, only: "titel") }
    assert_includes error.message, 'unknown field "titel", did you mean "title"'
  end

  test "an association's own view, only and serializer by value count" do
    serializer = Class.new(PostSerializer) do
      remove :comments
      has_one :author, serializer: PersonSerializer, view: []
      has_one :editor, source: :author, serializer: ->(_) { PersonSerializer }, only: []
    end
    ann = person
    ann.posts << post(2, nil)
    document = JSON.parse(serializer.hal!(post(1, ann)))["_embedded"]
    assert_equal(2, document.dig("author", "_embedded", "posts", 0, "id"))
    assert_equal ANN.slice("_links"), document["editor"]
  end

  test "views, and classes that change" do
    serializer = Class.new(PostSerializer)
    assert_equal %w[author], JSON.parse(serializer.hal!(post, view: :short))["_embedded"].keys
    serializer.link :search, false
    serializer.attribute(:more) { context[:more] }
    document = JSON.parse(serializer.hal!(post, context: { more: 5 }))
    refute document["_links"].key?("search")
    assert_equal 5, document["more"]
  end

  test "an instance, and an IO" do
    assert_equal PostSerializer.hal!(post), PostSerializer.new(post).hal!
    assert_equal PostSerializer.hal!(post, view: :short, only: "id,author"),
                 PostSerializer.new(post, view: :short, only: "id").hal!(only: "id,author")
    io = StringIO.new
    assert_same io, PostSerializer.hal!([post], into: io, chunk: 1)
    assert_equal PostSerializer.hal!([post]), io.string
  end

  { "links: of one object" => [{ links: {} }, /links: works only with a collection/],
    "an unknown keyword" => [{ link: {} }, /unknown keyword :link, did you mean :links/],
    "views of a client" => [{ view: %i[short other] }, /hal! takes one view/] }
    .each do |name, (options, message)|
      test "#{name} is refused" do
        serializer = Class.new(PostSerializer) { view(:other) { attributes :x } }
        error = assert_raises(ArgumentError) { serializer.hal!(post, **options) }
        assert_match message, error.message
      end
    end

  test "what is cached, has a default or a serializer that is found, and Rules of the class" do
    store = {}
    serializer = Class.new(ToJson::Serializer) do
      rules time: :unix
      attributes :at
      has_one :writer, serializer: PersonSerializer, default: Person.new(7, "Ann", [])
      has_one :editor, serializer: PersonSerializer, skip_nil: true
      cache key: ->(one) { one[:id] }, store: store
    end
    one = { id: 1, at: Time.at(5) }
    2.times do
      assert_equal({ "at" => 5, "_embedded" => { "writer" => ANN } },
                   JSON.parse(serializer.hal!(one)))
    end
    assert_equal 1, store.size
    assert_equal '{"_embedded":{"things":[{"at":7}]}}',
                 serializer.hal!([{ id: 2, at: 7 }], only: :at, as: "things")
                           .gsub(/,"_embedded":{}/, "")
    error = assert_raises(ToJson::DefinitionError) { serializer.hal!([]) }
    assert_match(/a class without a name needs as: or a root/, error.message)
    serializer.root :one, :ones
    assert_equal '{"_embedded":{"ones":[]}}', serializer.hal!([])
  end

  test "a class that writes itself has no HAL" do
    serializer = Class.new(ToJson::Serializer) { def serialize(post) = put(:id, post.id) }
    assert_match(/HAL works only with declared fields/,
                 assert_raises(ToJson::DefinitionError) { serializer.hal!(post) }.message)
  end

  # Each wrote {}, without a word.
  test "an association whose serializer writes itself is embedded as it writes itself" do
    inner = Class.new(ToJson::Serializer) { def serialize(one) = put(:name, one.name) }
    serializer = Class.new(ToJson::Serializer) do
      has_one :author, serializer: inner
      has_many :authors, serializer: inner
      def authors(post) = [post.author]
    end
    assert_equal '{"_embedded":{"author":{"name":"Ann"},"authors":[{"name":"Ann"}]}}',
                 serializer.hal!(post)
    assert_equal '{"_embedded":{"author":{"name":"Ann"}}}', serializer.hal!(post, only: :author)
  end

  # Its associations are told by a lambda, by a Hash, and by the classes of their values.
  class ToldSerializer < ToJson::Serializer
    has_one :author, serializer: ->(_) { PersonSerializer }
    has_one :first, source: :author, serializer: { Person => "PersonSerializer" }
    has_one :second, source: :author
    association :any, source: :author
  end

  test "resources whose serializer the value tells have links, too" do
    expected = { "author" => ANN, "first" => ANN, "second" => ANN, "any" => ANN }
    assert_equal({ "_embedded" => expected }, JSON.parse(ToldSerializer.hal!(post)))
    assert_equal({ "_embedded" => expected.slice("first", "any") },
                 JSON.parse(ToldSerializer.hal!(post, only: "first,any")))
    assert_equal expected.transform_values { { "name" => "Ann" } },
                 JSON.parse(ToldSerializer.json!(post))
  end

  test "what is flattened brings its fields, and no links" do
    serializer = Class.new(ToJson::Serializer) do
      link(:self) { |post| "/posts/#{post.id}" }
      flatten :author, serializer: PersonSerializer, view: []
      flatten(:itself) { attributes :title }
    end
    one = post(1, Person.new(7, "Ann", [post(2, person)]))
    text = serializer.hal!(one)
    assert_equal 1, text.scan('"_links":{"self":{"href":"/posts/1"}}').size
    document = JSON.parse(text)
    assert_equal %w[_links name posts title], document.keys
    assert_equal "/posts/2", document["posts"][0]["_links"]["self"]["href"]
  end

  { _links: ->(made) { made.link(:self) { "/" } },
    _embedded: ->(made) { made.has_one :author, serializer: PersonSerializer } }
    .each do |name, declare|
    test "a field named #{name} is a DefinitionError beside HAL's own" do
      serializer = Class.new(ToJson::Serializer) { attribute(name) { 5 } }
      assert_equal "{\"#{name}\":5}", serializer.hal!(post)
      declare.call(serializer)
      error = assert_raises(ToJson::DefinitionError) { serializer.hal!(post) }
      assert_match(/the key "#{name}" of the field :#{name} is reserved by HAL/, error.message)
    end
  end

  test "links: and meta: take a Hash, or a callable that gets the objects" do
    text = PostSerializer.hal!([post], view: :short, only: "id", as: :posts,
                                       links: ->(posts) { { self: "/p?n=#{posts.size}" } },
                                       meta: ->(posts) { { total: posts.size } })
    assert text.start_with?('{"_links":{"self":{"href":"/p?n=1"}},"total":1,"_embedded":{'), text
    { links: [5, "u", [], ->(_) { 5 }], meta: [5, [], ->(_) { "a" }] }.each do |name, values|
      values.each do |value|
        error = assert_raises(ArgumentError) { PostSerializer.hal!([post], name => value) }
        assert_match(/#{name}: takes a Hash, or a callable that returns one; got /, error.message)
      end
    end
    [:_links, "_embedded"].each do |name|
      error = assert_raises(ArgumentError) { PostSerializer.hal!([], meta: { name => 1 }) }
      assert_match(/meta: the key :?"?#{name}"? is reserved by HAL/, error.message)
    end
  end

  test "links that only HAL has are no links of JSON:API" do
    data = JSON.parse(PostSerializer.json_api!(post(2)))["data"]
    assert_equal({ "self" => "/posts/2", "tags" => nil }, data["links"])
  end
end
