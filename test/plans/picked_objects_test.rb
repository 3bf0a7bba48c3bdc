# frozen_string_literal: true

require "test_helper"
require "json"
require "stringio"

# A has_one of a few attributes is written in the native call of its parent, also where only: or
# except: leave a part of it, or a part of the parent.
class PickedObjectsTest < ToJsonTest
  Author = Struct.new(:id, :name, :mail, :phone)
  Post = Struct.new(:id, :title, :author, :draft, keyword_init: true)

  class AuthorSerializer < ToJson::Serializer
    attributes :id, :name
    attribute :mail, default: "none"
    attribute :phone, skip_nil: true
    attribute(:shout) { |author| author[:name].upcase }
    attribute :kind, as: :string
    view(:tiny) { remove :shout }
    def kind(author) = "#{author[:id]} #{context[:who]}"
  end

  class PostSerializer < ToJson::Serializer
    attributes :id, :title
    has_one :author, serializer: AuthorSerializer
    has_one :writer, source: :author, serializer: AuthorSerializer, view: :tiny, except: :kind
    has_one :told, source: :author, if: ->(post) { post[:draft] } do
      attributes :id, name: "na\"me"
    end
    attribute :draft
  end

  ANN = Author.new(1, "Ann", nil)
  BOB = { id: 2, name: "Bob", "mail" => "b@c.d", phone: 7 }.freeze
  POSTS = [Post.new(id: 1, title: "a", author: ANN, draft: true),
           Post.new(id: 2, title: "b", author: nil, draft: false),
           Post.new(id: 3, title: "c", author: BOB, draft: true),
           { id: 4, title: "d", author: ANN, draft: false }.freeze,
           { id: 5, title: nil, author: BOB, "draft" => true }.freeze].freeze
  CONTEXT = { who: "me" }.freeze

  # What is left of a parsed document. Inside, a Hash or true.
  def left(document, kept)
    return document.map { |one| left(one, kept) } if document.is_a?(Array)
    return document if document.nil? || kept == true

    document.each_with_object({}) do |(name, value), made|
      made[name] = left(value, kept[name]) if kept[name]
    end
  end

  INSIDE = { "author" => %w[id name mail shout kind phone], "writer" => %w[id name mail phone],
             "told" => ["id", "na\"me"] }.freeze
  PARTS = [nil, true, 1, 2, 5, 8, 35, 47].freeze

  def part(name, bits)
    return bits unless bits.is_a?(Integer)

    names = INSIDE.fetch(name).each_with_index.select { |_, index| bits[index] == 1 }
    names.to_h { |inner, _| [inner, true] }
  end

  # All combinations of parts of two associations, and some of the third.
  def choices
    PARTS.product(PARTS).each_with_index.map do |(author, writer), index|
      all = { "id" => index.odd? || nil, "title" => index % 3 == 0 || nil,
              "author" => part("author", author), "writer" => part("writer", writer),
              "told" => part("told", PARTS[index % PARTS.size]) }
      all.compact
    end
  end

  RULES = [{}, { html_safe: true }, { indent: "  " }].freeze

  test "each part is what a call without only: writes of it" do
    POSTS.product(RULES).each do |post, rules|
      all = JSON.parse(PostSerializer.json!(post, context: CONTEXT))
      choices.each do |kept|
        text = PostSerializer.json!(post, only: kept, context: CONTEXT, rules: rules)
        assert_equal left(all, kept), JSON.parse(text), kept.inspect
        assert_equal ToJson.generate(JSON.parse(text), **rules), text
      end
    end
  end

  test "lists of all kinds of objects have the same parts" do
    all = JSON.parse(PostSerializer.json!(POSTS, context: CONTEXT))
    choices.each do |kept|
      [POSTS, POSTS.each, POSTS.reverse.reverse].each do |many|
        text = PostSerializer.json!(many, only: kept, context: CONTEXT)
        assert_equal left(all, kept), JSON.parse(text), kept.inspect
      end
      io = StringIO.new
      PostSerializer.json!(POSTS, only: kept, context: CONTEXT, into: io)
      assert_equal left(all, kept), JSON.parse(io.string)
    end
  end

  test "except: leaves the rest" do
    all = JSON.parse(PostSerializer.json!(POSTS, context: CONTEXT))
    { "author" => %w[title], "writer(id)" => [], "author(shout,kind),told(id)" => [] }
      .each_key do |text|
        written = JSON.parse(PostSerializer.json!(POSTS, except: text, context: CONTEXT))
        refute_equal all, written
        assert_equal(all.map { |one| one.keys - [text] }, written.map(&:keys))
      end
    some = JSON.parse(PostSerializer.json!(POSTS, except: "author(shout,kind)", context: CONTEXT))
    assert_equal({ "id" => 1, "name" => "Ann", "mail" => "none" }, some[0]["author"])
    assert_nil some[1]["author"]
  end

  test "getters that the Mask does not leave are not called" do
    called = []
    author = Object.new
    %i[id name mail].each { |name| author.define_singleton_method(name) { called << name } }
    author.define_singleton_method(:[]) { |name| public_send(name).last.to_s }
    post = Post.new(id: 1, author: author)
    assert_equal '{"author":{"id":["id"]}}', PostSerializer.json!(post, only: "author(id)")
    assert_equal %i[id], called
    PostSerializer.json!(post, only: "id")
    assert_equal %i[id], called
  end

  test "an exception says the field inside, and the next document is whole" do
    broken = Post.new(id: 1, author: Object.new)
    error = assert_raises(NoMethodError) { PostSerializer.json!(broken, only: "author(name)") }
    assert_equal "$.author.name", ToJson.location(error)
    many = [POSTS[0], broken]
    error = assert_raises(NoMethodError) { PostSerializer.json!(many, only: "writer") }
    assert_equal "$[1].writer.id", ToJson.location(error)
    assert_equal '{"author":{"name":"Ann"}}', PostSerializer.json!(POSTS[0], only: "author(name)")
  end

  test "an object that is itself inside is written by code of its own" do
    node = Struct.new(:id, :above)
    klass = Class.new(ToJson::Serializer) { attributes :id }
    klass.has_one :above, serializer: klass
    tree = node.new(1, node.new(2, node.new(3)))
    assert_equal '{"id":1,"above":{"id":2,"above":{"id":3}}}',
                 klass.json!(tree, only: "id,above(id,above(id))")
    assert_equal '{"above":{"above":{"above":null}}}',
                 klass.json!(tree, only: "above(above(above))")
  end
end
