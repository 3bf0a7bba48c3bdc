# frozen_string_literal: true

require "stringio"
require_relative "../test_helper"

# `json!` of one object reads the usual keywords by tj_run_with_keywords
# (ext/to_json/documents/direct.c). With `collection: false` it goes the general way. Both write the
# same, and say the same when something is wrong.
class KeywordsTest < ToJsonTest
  Author = Struct.new(:id, :name)
  Post = Struct.new(:id, :title, :author)

  class AuthorSerializer < ToJson::Serializer
    attributes :id, :name
  end

  class PostSerializer < ToJson::Serializer
    attributes :id
    attribute(:mark) { |_post| context.is_a?(Hash) ? context[:mark] : context }
    view(:full) do
      attributes :title
      has_one :author, serializer: AuthorSerializer
    end
  end

  # The fields ask for no serializer.
  class PlainSerializer < ToJson::Serializer
    attributes :id, :title
    has_one :author, serializer: AuthorSerializer
    view(:short) { remove :author }
  end

  class RootedSerializer < PlainSerializer
    root :post, :posts
  end

  class AboutSerializer < PlainSerializer
    root :post
    meta { |post| { id: post.id } }
  end

  Text = Class.new(String)

  # Values of each keyword. A Proc makes what the call changes.
  GIVEN = {
    view: [:full, :short, "short", nil, [:short], :nothing],
    only: [%i[id title], "id,author(name)", { author: :id }, [], nil, :unknown, 7],
    except: [:id, %w[author title], nil, "author(", Object],
    root: [:data, "data", "a\"b", nil, false, true, { one: :a, many: :b }, Text.new("t"), "", 5],
    context: [nil, { mark: 1 }, :word, false],
    into: [-> { +"a" }, -> { "a" }, -> { ToJson::Buffer.new }, -> { StringIO.new }, -> {},
           -> { Object.new }, -> { (+"a").encode("UTF-16LE") }],
    rules: [nil, ToJson::Rules.new(html_safe: true), { ascii_only: true }, :json, 5],
    meta: [nil, false, { a: 1 }, 5],
    max_depth: [nil, 1, 2, 0],
    chunk: [nil, 64],
    flush: [nil],
    other: [1]
  }.freeze

  CLASSES = [PostSerializer, PlainSerializer, RootedSerializer, AboutSerializer].freeze

  def post = Post.new(1, "<Hi>", Author.new(2, "Ann"))

  def outcome(serializer_class, keywords, *more)
    keywords = keywords.transform_values { |value| value.is_a?(Proc) ? value.call : value }
    object = more.first.is_a?(Hash) ? post : more.shift
    written = serializer_class.json!(object, **keywords, **more.first)
    case written
    when StringIO then [written.string]
    when ToJson::Buffer then [:buffer, written.to_s]
    else [written.class, written.encoding, written.to_s]
    end
  rescue StandardError => error
    [error.class, error.message.gsub(/0x\h+/, "0x")]
  end

  def told
    yield
  rescue StandardError => error
    [error.class, error.message.gsub(/0x\h+/, "0x")]
  end

  def assert_same_way(serializer_class, keywords, object = post)
    2.times do # the second time finds what the first one has kept
      assert_equal outcome(serializer_class, keywords, object, { collection: false }),
                   outcome(serializer_class, keywords, object, {}),
                   "#{serializer_class} #{keywords.inspect}"
    end
  end

  GIVEN.each do |keyword, values|
    test "#{keyword}: alone is what the general way makes of it" do
      CLASSES.product(values) { |it, value| assert_same_way(it, { keyword => value }) }
    end
  end

  test "two keywords are what the general way makes of them" do
    GIVEN.keys.combination(2) do |one, other|
      GIVEN.fetch(one).product(GIVEN.fetch(other)) do |values|
        assert_same_way(PlainSerializer, [one, other].zip(values).to_h)
      end
    end
  end

  test "new takes them too, and its document is that of the class" do
    class_way = ->(it, given) { it.json!(post, **given) }
    ways = [->(it, given) { it.new(post, **given).json! },
            ->(it, given) { [made = it.new(post, **given), made.json!].last }]
    CLASSES.each do |it|
      GIVEN.except(:into, :chunk, :flush, :other).each do |keyword, values|
        values.each do |value|
          due = told { class_way.call(it, { keyword => value }) }
          ways.each { |way| assert_equal(due, told { way.call(it, { keyword => value }) }) }
        end
      end
    end
  end

  test "an instance with a method of its own writes its fields itself, with keywords too" do
    it = Class.new(ToJson::Serializer) do
      attributes :id
      view(:full) { attribute :mark }
      def mark(_post) = @mark
      def initialize(*objects, mark: nil, **options)
        super(*objects, **options)
        @mark = mark
      end
    end
    assert_equal '{"id":1}', it.new(post, mark: 5).json!
    assert_equal '{"id":1,"mark":5}', it.new(post, mark: 5, view: :full).to_json
    assert_equal '{"mark":5}', it.new(post, mark: 5, view: :full, only: :mark).to_json
  end

  test "keywords of what is not one object" do
    [nil, { id: 3, "title" => "a" }].each do |object|
      [{ root: :data }, { only: :id }, { view: :short }, { into: -> { +"" } }].each do |keywords|
        assert_same_way(PlainSerializer, keywords, object)
      end
    end
    assert_equal '{"posts":[{"id":1}]}', RootedSerializer.json!([post], only: :id)
    assert_equal '{"data":[{"id":1}]}', PlainSerializer.json!([post].each, only: :id, root: :data)
  end

  test "keywords from a Hash with many pairs, and from none" do
    many = { view: nil, only: %i[id], except: nil, root: :a, meta: nil, collection: nil,
             context: nil, into: nil, rules: nil, max_depth: nil }
    assert_equal '{"a":{"id":1}}', PlainSerializer.json!(post, **many)
    assert_equal PlainSerializer.json!(post), PlainSerializer.json!(post, **{})
  end

  test "a keyword that is no Symbol of ours is refused" do
    { "view" => '"view", did you mean :view?', 1 => "1.", nil => "nil.", :"vie w" => '"vie w"',
      "o" * 70 => '"ooo', "\xFF" => '"\xFF".' }.each do |key, words|
      error = assert_raises(ArgumentError) { PlainSerializer.json!(post, key => :short) }
      assert_includes error.message, "unknown keyword #{":" if key.is_a?(Symbol)}#{words}"
    end
    name = "only#{post.id}".to_sym # a dynamic Symbol
    assert_raises(ArgumentError) { PlainSerializer.json!(post, name => :id) }
  end

  test "a document inside a getter's call does not change the keywords of the one outside" do
    inner = Post.new(2, "b")
    reading = Class.new(Struct.new(:id, :author)) do
      define_method(:title) { PlainSerializer.json!(inner, view: :short, root: :in) }
    end
    text = PlainSerializer.json!(reading.new(1), except: :author, root: :out)
    assert_equal '{"out":{"id":1,"title":"{\"in\":{\"id\":2,\"title\":\"b\"}}"}}', text
  end
end
