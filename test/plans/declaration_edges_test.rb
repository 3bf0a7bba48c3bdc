# frozen_string_literal: true

require "test_helper"

# Declarations at the edge of what is allowed, and classes that change or fail while they compile.
class DeclarationEdgesTest < ToJsonTest
  def serializer(parent = ToJson::Serializer, &body) = Class.new(parent, &body)

  # Two that refer to each other, of which one refers to nothing.
  class OneSerializer < ToJson::Serializer; end

  class OtherSerializer < ToJson::Serializer
    has_one :one, serializer: OneSerializer
    has_one :missing, serializer: "MissingSerializer"
  end

  class OneSerializer < ToJson::Serializer
    attributes :id
    has_one :other, serializer: OtherSerializer
  end

  test "what was compiled on the way to a failure fails the same way, not with half a Plan" do
    [OtherSerializer, OneSerializer, OtherSerializer, OneSerializer].each do |made|
      error = assert_raises(ToJson::SerializerNotFound) do
        made.json!({ id: 1, other: { one: { id: 2 } } })
      end
      assert_match(/OtherSerializer: has_one :missing: no serializer MissingSerializer/,
                   error.message)
    end
    self.class.const_set(:MissingSerializer, Class.new(ToJson::Serializer) { attributes :id })
    assert_equal '{"id":1,"other":{"one":{"id":2,"other":null},"missing":null}}',
                 OneSerializer.json!({ id: 1, other: { one: { id: 2 } } })
  ensure
    if self.class.const_defined?(:MissingSerializer, false)
      self.class.__send__(:remove_const, :MissingSerializer)
    end
  end

  test "a lambda of serializer: without parameter sees the value as object" do
    inner = serializer { attributes :id }
    other = serializer { attribute(:other, :id) }
    made = serializer do
      has_many :a, serializer: -> { object[:id] == 1 || context[:all] ? inner : other }
    end
    assert_equal '{"a":[{"id":1},{"other":2},null]}', made.json!({ a: [{ id: 1 }, { id: 2 }, nil] })
    assert_equal '{"a":[{"id":1},{"id":2}]}',
                 made.json!({ a: [{ id: 1 }, { id: 2 }] }, context: { all: true })
  end

  test "text that is no name, from a lambda of serializer:, is a serializer that is not found" do
    ["foo", "", "a b", "::", "Foo::", "é"].each do |name|
      made = serializer { has_one :a, serializer: ->(_) { name } }
      error = assert_raises(ToJson::SerializerNotFound) { made.json!({ a: 1 }) }
      assert_equal "$.a", error.path
    end
  end

  test "an exception of a value's class, when its serializer is looked up, has the field's path" do
    liar = Class.new { def class = raise("no class") }.new
    found = serializer { has_one :a }
    told = serializer { has_one :a, serializer: { String => found } }
    [found, told].each do |made|
      error = assert_raises(RuntimeError) { made.json!({ a: liar }) }
      assert_equal "$.a", ToJson.location(error)
      assert_equal '{"a":null}', made.json!({ a: nil })
    end
  end

  # Each path was followed, and ten serializers have millions.
  test "serializers without keys that are flattened into each other are compiled at once" do
    all = Array.new(10) { serializer { attributes :id; view(:none) { remove :id } } }
    all.each do |one|
      all.each_with_index do |other, i|
        one.flatten :"f#{i}", serializer: other, view: :none, context: 1 unless one == other
      end
    end
    assert_equal '{"id":1}', all.first.json!({ id: 1 })
  end

  test "only: of a serializer that is flattened into itself ends" do
    made = serializer do
      attributes :id
      flatten :parent, serializer: self, view: :full, context: 1, only: :title
      view(:full) { attributes :title }
    end
    assert_equal '{"id":1}', made.json!({ id: 1, title: "a", parent: nil }, only: :id)
    assert_raises(ToJson::UnknownFieldError) { made.json!({ id: 1, parent: nil }, only: :none) }
    without_end = serializer { attributes :id; flatten :parent, serializer: self, except: :id }
    assert_raises(ToJson::DefinitionError) { without_end.json!({ id: 1, parent: nil }) }
  end

  test "two names that have one key in different views are no error under a Mask, unless both " \
       "are written" do
    made = serializer do
      transform_keys :camel_lower
      attributes :id, :user_name
      view(:old) { remove :user_name; attribute :userName, :legacy }
      view(:both) { attribute :userName, :legacy }
    end
    row = { id: 1, user_name: "new", legacy: "old" }
    assert_equal '{"userName":"new"}', made.json!(row, only: "user_name")
    assert_equal '{"userName":"old"}', made.json!(row, view: :old, only: "userName")
    assert_equal '{"userName":"new"}', made.json!(row, view: :both, only: "user_name")
    assert_raises(ToJson::DefinitionError) { made.json!(row, view: :both, except: :id) }
    if made.definition.fields(%i[old both]).size > 2
      assert_raises(ToJson::DefinitionError) do
        made.json!(row, view: %i[old both], only: %i[user_name userName])
      end
    end
  end

  test "a frozen class goes on after a serializer that it refers to has changed" do
    inner = serializer { attributes :id }
    made = serializer { attributes :id; has_one :inner, serializer: inner }
    made.compile!
    made.freeze
    inner.attributes :name
    assert_equal '{"id":1,"inner":{"id":2,"name":null}}', made.json!({ id: 1, inner: { id: 2 } })
    assert_equal 1, made.compile!
  end

  # A block with more than the object => the word before the message.
  {
    "attribute :a, if: ->(x, y) { }" =>
      "attribute :a", "attribute :a, default: ->(x, y) { }" => "attribute :a",
    "attribute(:a) { |x, y:| }" =>
      "attribute :a", "has_one :a, context: ->(x, y) { }" => "has_one :a",
    "has_one :a, serializer: ->(x, y) { }" =>
      "has_one :a", "nested(:a, unless: proc { |x, y| }) { }" => "nested :a"
  }.each do |source, place|
    test "#{source} is refused where it is declared" do
      error = assert_raises(ToJson::DefinitionError) do
        serializer { class_eval(source, __FILE__, __LINE__) }
      end
      assert_operator error.message, :end_with?,
                      ": #{place}: a block receives one argument, the object; context and " \
                      "helpers are methods in it. This block requires 2."
    end
  end

  test "a block may have more parameters that it does not require" do
    type = serializer do
      attribute(:a) { |x, y = 3| [x, y] }
      attribute(:b) { |x, *y, z: 4| [x, y, z] }
      attribute :c, ->(x, y = 3) { [x, y] }
      cache key: ->(x, z: 4) { [x, z] }, store: {}
    end
    assert_equal '{"a":[1,3],"b":[1,[],4],"c":[1,3]}', type.json!(1)
  end

  test "meta's block takes one argument, and two sources are refused however they are given" do
    assert_match(/meta: a block receives one argument/,
                 assert_raises(ToJson::DefinitionError) do
                   serializer { meta { |a, b| { a => b } } }
                 end.message)
    assert_equal '{"p":{"id":1},"meta":{"of":1}}', serializer {
      root :p; attributes :id; meta { |post| { of: post[:id] } }
    }.json!({ id: 1 })
    ["attribute :a, :b, source: :a", "attribute :a, :b, source: :b",
     "attribute :a, :b, name: :a"].each do |source|
      assert_match(/attribute :a: two sources: /,
                   assert_raises(ToJson::DefinitionError) {
                     serializer { class_eval(source, __FILE__, __LINE__) }
                   }.message)
    end
  end
end
