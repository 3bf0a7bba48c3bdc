# frozen_string_literal: true

require "test_helper"
require_relative "../caching/caching_case"
require_relative "../support/other_ractor"

# What other Ractors are told, or get without a store: the main one, taken for another.
class OtherRactorsTest < CachingCase
  Pair = Struct.new(:id, :one, :list)

  class OneSerializer < ToJson::Serializer
    attributes :id, :title
  end

  class PairSerializer < ToJson::Serializer
    attributes :id
    has_one :one, serializer: OneSerializer, cache: { key: ->(post) { post.id } }
    has_many :list, serializer: OneSerializer
  end

  class KeptSerializer < ToJson::Serializer
    cache key: ->(post) { post.id }
    attributes :id, :title
  end

  {
    "ToJson.cache_store can be set only in the main Ractor. Set it at boot" =>
      -> { ToJson.cache_store = nil },
    "ToJson.cache_context can be set only in the main Ractor. Set it at boot" =>
      -> { ToJson.cache_context = nil },
    "ToJson.default_rules can be set only in the main Ractor. Set it at boot" =>
      -> { ToJson.default_rules = {} },
    "ToJson.eager_load!: only the main Ractor can load files" => -> { ToJson.eager_load! },
    "OtherRactorsTest::OneSerializer: digest: works only in the main Ractor" =>
      -> { OneSerializer.digest }
  }.each do |words, call|
    test "another Ractor is told: #{words}" do
      error = assert_raises(ArgumentError, ToJson::Error) { OtherRactor.run(&call) }
      assert_operator error.message, :start_with?, words
    end
  end

  test "another Ractor writes cached documents anew, and asks no store" do
    KeptSerializer.compile!
    one = posts(1).first
    assert_equal '{"id":0,"title":"t0"}', OtherRactor.run { KeptSerializer.json!(one) }
    assert_equal '[{"id":0,"title":"t0"},null]',
                 OtherRactor.run { KeptSerializer.json!([one, nil]) }
    assert_equal "{\"id\":0,\"title\":\"t0\"}\n", OtherRactor.run { KeptSerializer.ndjson([one]) }
    assert_empty @store.calls
  end

  test "another Ractor writes cached parts anew, null where there is nothing" do
    [OneSerializer, PairSerializer].each(&:compile!)
    pairs = [Pair.new(1, posts(1).first, []), Pair.new(2, nil, [])]
    assert_equal '[{"id":1,"one":{"id":0,"title":"t0"},"list":[]},{"id":2,"one":null,"list":[]}]',
                 OtherRactor.run { PairSerializer.json!(pairs) }
    assert_equal 2, OtherRactor.run { PairSerializer.ndjson(pairs) }.lines.size
    assert_empty @store.calls
  end

  test "a class is compiled and frozen by the main Ractor alone" do
    klass = Class.new(ToJson::Serializer) { attributes :id }
    error = assert_raises(ToJson::Error) { OtherRactor.run { klass.json!(posts(1).first) } }
    assert_match(/no Plan can be used in this Ractor\. Call ToJson\.compile! in the main/,
                 error.message)
    error = assert_raises(ToJson::DefinitionError) do
      OtherRactor.run { Class.new(ToJson::Serializer).json!(posts(1).first) }
    end
    assert_match(/declares no fields and does not define serialize/, error.message)
    OtherRactor.run { klass.dup.freeze }
    assert_equal '{"id":0}', klass.json!(posts(1).first)
  end
end
