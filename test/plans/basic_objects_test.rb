# frozen_string_literal: true

require "test_helper"

# Objects below BasicObject, which have no nil?, is_a?, respond_to? or to_s: they are written where
# a serializer reads them, and are refused with their path elsewhere.
class BasicObjectsTest < ToJsonTest
  class Bare < BasicObject
    def name = "n"
  end

  class Told < BasicObject
    def to_s = "told"
  end

  class BareSerializer < ToJson::Serializer
    attributes :name
  end

  NAMED = { serializer: BareSerializer }.freeze
  LAMBDA = { serializer: ->(_) { BareSerializer } }.freeze
  MAP = { serializer: { Bare => BareSerializer } }.freeze

  def self.one(&) = [-> { { bare: Bare.new } }, Class.new(ToJson::Serializer, &)]
  def self.many(&) = [-> { { bare: [Bare.new] } }, Class.new(ToJson::Serializer, &)]

  # What holds the object => [row, serializer, document].
  WRITTEN = {
    "flatten of a serializer" => [*one { flatten :bare, **NAMED }, '{"name":"n"}'],
    "flatten under a condition" =>
      [*one { flatten :bare, **NAMED, if: ->(_) { true } }, '{"name":"n"}'],
    "flatten of a block" => [*one { flatten(:bare) { attributes :name } }, '{"name":"n"}'],
    "flatten of a lambda" => [*one { flatten :bare, **LAMBDA }, '{"name":"n"}'],
    "flatten by lookup" => [*one { flatten :bare }, '{"name":"n"}'],
    "has_one of a serializer" => [*one { has_one :bare, **NAMED }, '{"bare":{"name":"n"}}'],
    "has_one with a default" =>
      [*one { has_one :bare, **NAMED, default: 1 }, '{"bare":{"name":"n"}}'],
    "has_one of a block" => [*one { has_one(:bare) { attributes :name } }, '{"bare":{"name":"n"}}'],
    "has_one of a lambda" => [*one { has_one :bare, **LAMBDA }, '{"bare":{"name":"n"}}'],
    "has_one of a map" => [*one { has_one :bare, **MAP }, '{"bare":{"name":"n"}}'],
    "has_one by lookup" => [*one { has_one :bare }, '{"bare":{"name":"n"}}'],
    "association of one" => [*one { association :bare }, '{"bare":{"name":"n"}}'],
    "has_many by lookup" => [*many { has_many :bare }, '{"bare":[{"name":"n"}]}'],
    "association of many" => [*many { association :bare }, '{"bare":[{"name":"n"}]}'],
    "as: :boolean" => [*one { attribute :bare, as: :boolean }, '{"bare":true}'],
    "a cached element" => [*many {
      has_many :bare, **NAMED, cache: { key: ->(_) { 1 }, store: -> { {} } }
    },
                           '{"bare":[{"name":"n"}]}']
  }.freeze

  WRITTEN.each do |what, (row, serializer, due)|
    const_set(:"W#{what.gsub(/\W+/, "_")}Serializer", serializer)
    test "a BasicObject is written: #{what}" do
      3.times { assert_equal due, serializer.json!(row.call) }
      assert_equal "[#{due}]", serializer.json!([row.call])
      assert_equal due, serializer.json!(row.call, only: [due[/\w+/]])
      assert_equal JSON.parse(due), serializer.to_h(row.call) if Without.library?("json")
    end
  end

  %i[string integer float date time fragment].each do |type|
    test "a BasicObject under as: #{type.inspect} is refused with its path" do
      serializer = Class.new(ToJson::Serializer) { attribute :bare, as: type }
      3.times do
        error = assert_raises(ToJson::UnsupportedTypeError) { serializer.json!({ bare: Bare.new }) }
        assert_match(/\A\$\.bare: as: :#{type} takes .*; got #{Bare}\.\z/, error.message)
      end
    end
  end

  test "a BasicObject has a cache key by a method of its own, and none without" do
    store = {}
    kept = Class.new(BareSerializer) { cache key: :name, store: store }
    2.times do
      assert_equal '{"name":"n"}', kept.json!(Bare.new)
      assert_equal '[{"name":"n"}]', kept.json!([Bare.new])
    end
    assert_equal 1, store.size
    error = assert_raises(ToJson::CacheError) do
      Class.new(BareSerializer) { cache store: store }.json!(Bare.new)
    end
    assert_includes error.message, "an instance of #{Bare} has no cache_key_with_version of its "
  end

  test "a BasicObject with a to_s is written under as: :string" do
    serializer = Class.new(ToJson::Serializer) { attribute :bare, as: :string }
    3.times { assert_equal '{"bare":"told"}', serializer.json!({ bare: Told.new }) }
  end
end
