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
end
