# frozen_string_literal: true

# ToJson::Testing: what passes, and what a failure says. rspec_test.rb runs the matchers in RSpec.

require_relative "../test_helper"
require "set" # Ruby < 3.2
require "to_json/testing"

class TestingAssertionsTest < ToJsonTest
  include ToJson::Testing

  class AuthorSerializer < ToJson::Serializer
    attributes :name
  end

  class PostSerializer < ToJson::Serializer
    root :post, :posts
    attribute :id, as: :integer
    attribute :title, as: :string
    attribute :at, as: :date, skip_nil: true
    has_one :author, serializer: "AuthorSerializer"
    has_many(:tags) { attributes :name }
    flatten(:profile) { attributes :bio }
    view(:full) { attributes :body }
  end

  POST = { id: 1, title: "Hi", author: { name: "Ann" }, tags: [{ name: "a" }], body: "B",
           profile: { bio: "x" } }.freeze
  DOCUMENT = { post: { id: 1, title: "Hi", author: { name: "Ann" }, tags: [{ name: "a" }],
                       bio: "x" } }.freeze

  FULL = %i[id title at author tags body].freeze

  # The text of a failure.
  def failure(&)
    assert_raises(Minitest::Assertion, &).message
  end

  # What a process of its own prints.
  def output_of(code)
    command = [*PlainRuby.start, "-Ilib", "-e", code]
    IO.popen(command, chdir: Project::ROOT, err: %i[child out], &:read)
  end

  # The first line of a failure of assert_document.
  def difference(expected, document)
    failure { assert_document(expected, document) }.lines.first.chomp
  end

  test "a document is that of a class and its arguments, a serializer, text, a response, a Hash" do
    json = PostSerializer.json!(POST)
    response = Struct.new(:status, :body).new(200, json)
    [[PostSerializer, POST], [PostSerializer.new(POST)], [json], [response],
     [PostSerializer.to_h(POST)]].each do |given|
      assert_equal true, assert_document(DOCUMENT, *given)
    end
    assert_document({ post: { id: 1 } }, PostSerializer, POST, only: :id)
    assert_document([{ "title" => "Hi" }], PostSerializer.new([POST], only: :title, root: false))
    assert_document(nil, PostSerializer.new(nil, root: false))
    assert_document(3, "3")
  end

  test "the order of keys does not count, numbers and keys are compared by what they mean" do
    assert_document({ "b" => 1.0, a: 2 }, '{"a":2,"b":1}')
  end

  test "an expected value stands for what to_json writes of it" do
    at = Time.utc(2026, 11, 20, 10)
    document = { at: at, set: Set[1], name: :fred, row: Struct.new(:id).new(3) }
    assert_document(document, ToJson.generate(document))
    assert_equal '$.at: expected "2026-11-20T10:00:00.000Z", got "now".',
                 difference({ at: at }, '{"at":"now"}')
  end

  test "Modules, Regexps, Ranges, Procs and matchers are asked" do
    between = Struct.new(:description) do
      def matches?(value) = value == 7
    end.new("be seven")
    expected = { a: Integer, b: /x/, c: 1..3, d: ->(value) { value.size == 2 }, e: between }
    assert_document(expected, '{"a":1,"b":"axb","c":3,"d":[1,2],"e":7}')
    { a: ["Integer", "null"], b: ["/x/", '"y"'], c: ["1..3", "4"],
      d: ["what the block takes", "[1]"], e: ["be seven", "8"] }.each do |key, (words, value)|
      assert_equal "$.#{key}: expected #{words}, got #{value}.",
                   difference({ key => expected[key] }, "{\"#{key}\":#{value}}")
    end
  end

  {
    [{ a: { b: [1, { c: 2 }] } }, '{"a":{"b":[1,{"c":3}]}}'] => "$.a.b[1].c: expected 2, got 3.",
    [{ "x y" => 1 }, '{"x y":2}'] => '$["x y"]: expected 1, got 2.',
    [{ a: 1 }, "{}"] => "$.a: missing, expected 1.",
    [{ title: 1 }, '{"titel":1}'] => '$.title: missing, expected 1. There is "titel".',
    [{}, '{"a":[1]}'] => "$.a: not expected, got [1].",
    [[1, 2], "[1]"] => "$: expected 2 elements, got 1.",
    [[1], "[1,2]"] => "$: expected 1 element, got 2.",
    [{ a: {} }, '{"a":[]}'] => "$.a: expected an object, got [].",
    [{ a: [] }, '{"a":{}}'] => "$.a: expected an array, got {}.",
    [{ a: nil }, '{"a":false}'] => "$.a: expected null, got false.",
    [{ a: "1" }, '{"a":1}'] => '$.a: expected "1", got 1.',
    [nil, "[]"] => "$: expected null, got [].",
    [{ a: "x" * 300 }, '{"a":1}'] => "$.a: expected \"#{"x" * 199}…, got 1."
  }.each do |(expected, document), message|
    test "#{document} differs from #{expected.inspect[0, 40]}: #{message[0, 60]}" do
      assert_equal message, difference(expected, document)
    end
  end

  test "a failure lists further differences, and shows the document" do
    text = failure { assert_document({ a: 1, b: 2, c: 3 }, '{"a":0,"b":0,"c":3}') }
    assert_equal <<~TEXT.chomp, text
      $.a: expected 1, got 0.
      Further differences:
        $.b: expected 2, got 0.
      The document: {"a":0,"b":0,"c":3}
    TEXT
    many = (0...30).to_h { |index| ["k#{index}", 1] }
    assert_includes failure { assert_document(many, {}) }, "\n  and 20 more\n"
  end

  test "what is no document raises" do
    assert_raises(ToJson::FragmentError) { assert_document({}, "{") }
    assert_raises(ToJson::FragmentError) { assert_document({}, "<html>") }
    assert_raises(ArgumentError) { assert_document({}, 5) }
    assert_raises(ArgumentError) { assert_document({}, "{}", view: :full) }
    error = assert_raises(ArgumentError) { assert_document({}, PostSerializer, POST, into: +"") }
    assert_match(/into:/, error.message)
    assert_raises(ToJson::UnknownViewError) { assert_document({}, PostSerializer, POST, view: :f) }
  end

  test "fields, views and associations are those of the declaration" do
    assert_fields(%w[tags id title at author], PostSerializer)
    assert_fields(FULL, PostSerializer, view: "full")
    assert_views([:full], PostSerializer)
    assert_views([], AuthorSerializer)
    assert_associations(%i[author tags profile], PostSerializer)
    assert_associations({ author: AuthorSerializer, "tags" => nil, profile: nil }, PostSerializer)
  end

  test "a failure says that nothing is declared, or no serializer named" do
    name = "TestingAssertionsTest::AuthorSerializer"
    assert_equal "#{name}: views: it does not declare :all. Declared: none.",
                 failure { assert_views([:all], AuthorSerializer) }
    klass = Class.new(ToJson::Serializer) { has_one :author }
    assert_match(/has_one :author: expected serializer: #{name}, got no serializer:\.\z/,
                 failure { assert_associations({ author: AuthorSerializer }, klass) })
  end

  test "a failure says what is declared and what is not" do
    name = "TestingAssertionsTest::PostSerializer"
    assert_equal "#{name}, view :full: fields: it does not declare :slug. " \
                 "Declared: :id, :title, :at, :author, :tags, :body.",
                 failure { assert_fields([*FULL, :slug], PostSerializer, view: :full) }
    assert_equal "#{name}: views: it does not declare :all, and also declares :full. " \
                 "Declared: :full.",
                 failure { assert_views([:all], PostSerializer) }
    assert_equal "#{name}: associations: it also declares :tags, :profile. " \
                 "Declared: :author, :tags, :profile.",
                 failure { assert_associations([:author], PostSerializer) }
    expected = { author: PostSerializer, tags: nil, profile: nil }
    assert_equal "#{name}: has_one :author: expected serializer: #{name}, got serializer: " \
                 "TestingAssertionsTest::AuthorSerializer.",
                 failure { assert_associations(expected, PostSerializer) }
    expected = { author: AuthorSerializer, tags: AuthorSerializer, profile: nil }
    assert_match(/has_many :tags: expected serializer: .*AuthorSerializer, got an inline block\.\z/,
                 failure { assert_associations(expected, PostSerializer) })
    assert_raises(ArgumentError) { assert_fields([], String) }
    assert_raises(ToJson::UnknownViewError) { assert_fields([], PostSerializer, view: :ful) }
  end

  test "a missing object or array is named so" do
    assert_match(/\$\.a: missing, expected an object\./, difference({ a: { b: 1 } }, "{}"))
    assert_match(/\$\.a: missing, expected an array\./, difference({ a: [1] }, "{}"))
  end

  test "a document is compared with the schema of its serializer" do
    assert_schema(PostSerializer, PostSerializer.json!(POST))
    assert_schema(PostSerializer, PostSerializer.json!([POST, POST]))
    plain = { root: false, view: :full }
    assert_schema(PostSerializer, PostSerializer.json!([POST], **plain), **plain)
    assert_schema(PostSerializer, PostSerializer.new(POST))
    assert_schema(PostSerializer, PostSerializer.json!(POST, root: :it, meta: { n: 1 }), root: :it)
  end

  {
    '{"id":1}' => "$.title: missing, but required.",
    '{"id":"1","title":"","author":null,"tags":[]}' => '$.id: expected integer or null, got "1".',
    '{"id":1,"title":"","author":{},"tags":[]}' => "$.author.name: missing, but required.",
    '{"id":1,"title":"","author":3,"tags":[]}' => "$.author: expected object, got 3.",
    '{"id":1,"title":"","author":null,"tags":[{"name":1},{"nme":2}]}' =>
      "$.tags[1].name: missing, but required.",
    '{"id":1,"title":"","author":null,"tags":null,"secret":2}' => "$.secret: not declared, got 2.",
    '{"id":1,"title":"","author":null,"tags":null,"at":null}' => "$.at: expected string, got null.",
    '{"id":1,"title":"","author":null,"tags":null,"at":"soon"}' =>
      '$.at: expected a date, got "soon".',
    "[]" => nil, "[3]" => "$[0]: expected object, got 3.", "3" => "$: expected object, got 3."
  }.each do |document, problem|
    test "#{document} beside the schema: #{problem || "nothing wrong"}" do
      check = -> { assert_schema(PostSerializer, document, root: false) }
      problem ? assert_equal(problem, failure(&check)) : check.call
    end
  end

  test "a document of JSON:API is checked, and each problem is a line" do
    assert_json_api({ data: nil })
    assert_json_api('{"data":{"type":"posts"}}', kind: :create)
    message = failure { assert_json_api({ data: { type: "posts" }, links: [] }) }
    assert_equal "/links: must be an object, got [].\n/data: must have the member \"id\".", message
  end

  test "a test of what is loaded says that it needs ActiveRecord" do
    code = <<~'RUBY'
      require "to_json/testing"
      class S < ToJson::Serializer; attributes :id; end
      begin
        Object.new.extend(ToJson::Testing).assert_loads_nothing(S, { id: 1 })
      rescue ToJson::Error => error
        puts error.message
      end
    RUBY
    assert_equal "a test of what a document loads needs ActiveRecord, which is not loaded\n",
                 output_of(code)
  end

  test "nothing loads ToJson::Testing but its require" do
    assert_equal "nil\n",
                 output_of('require "to_json"; ToJson.eager_load!; p defined?(ToJson::Testing)')
  end
end
