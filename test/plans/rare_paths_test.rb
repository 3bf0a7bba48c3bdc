# frozen_string_literal: true

# What compiling and cache keys do where something is rare: no free name, a name that is no
# identifier, a class that changed meanwhile, keys that are nested too deep.

require_relative "../test_helper"
require "set"

class RarePathsTest < ToJsonTest
  Row = Struct.new(:id)
  Keyed = Struct.new(:cache_key)
  Versioned = Struct.new(:cache_key_with_version)
  Length = Struct.new(:iso8601)

  test "code is defined where all names of GeneratedCode are taken" do
    free = ToJson::GeneratedCode.__send__(:const_get, :FREE)
    taken = Array.new(free.size) { free.pop }
    klass = Class.new(ToJson::Serializer) { attributes :id; attribute(:twice) { |row| row.id * 2 } }
    assert_equal('{"id":2,"twice":4}', klass.json!(Row.new(2)))
    assert_empty(free)
  ensure
    free.concat(taken)
  end

  test "what is no class raises, and does not crash" do
    cache = ToJson::PlanCache
    klass = Class.new(ToJson::Serializer)
    [-> { cache.plan_of("String") }, -> { cache.watch(1) }, -> { cache.keep("S", nil) },
     -> { cache.keep(klass, 1) }, -> { cache.block_number(nil, -> {}) },
     -> { cache.define_once(:a, :b, -> {}) }, -> { cache.define_once(klass, "b", -> {}) },
     -> { ToJson::Plan.new(3) }].each { |call| assert_raises(TypeError, &call) }
  end

  test "a block pattern with a name that is no identifier gets no filler" do
    klass = Class.new
    refute(ToJson::BlockFilling.define(klass, [:@a, :@é]))
    assert(ToJson::BlockFilling.define(klass, %i[@a @b]))
    filled = klass.new.tap { |one| one.__to_json_fill(1, 2) }
    assert_equal([1, 2], %i[@a @b].map { |name| filled.instance_variable_get(name) })
  end

  test "keys of objects, durations and Arrays that are nested too deep" do
    key = ToJson::CacheKey
    assert_equal("=RarePathsTest::Keyed(_posts/1)", key.own_text("here", Keyed.new("posts/1")))
    assert_equal("=RarePathsTest::Versioned(_posts/1-2)",
                 key.own_text("here", Versioned.new("posts/1-2")))
    assert_raises(ToJson::CacheError) { key.text("here", Length.new("PT5M")) }
    deep = [1]
    101.times { deep = [deep] }
    error = assert_raises(ToJson::CacheError) { key.text("here", deep) }
    assert_match(/more than 100 Arrays or Hashes/, error.message)
  end

  test "an error keeps the first place that it learns" do
    error = ToJson::Error.new("odd")
    %w[$.a $.b].each { |path| error.place(path) }
    assert_equal(["$.a", "$.a: odd"], [error.path, error.to_s])
  end

  test "cache: nil and false are no options, and a field says whether it has some" do
    assert_equal([nil, nil], [nil, false].map { |given| ToJson::CacheOptions.read("here", given) })
    fields = [true, { batch: 2 }].map do |given|
      Class.new(ToJson::Serializer) { has_one(:author, cache: given) { attributes :id } }
        .definition
        .fields([])
        .first
        .inspect
    end
    assert_match(/cache: true/, fields.first)
    assert_match(/cache: \{.*2.*\}/, fields.last)
  end

  # Each pair differs in its second value alone; the third equals the first.
  DEFAULTS = {
    "a Range" =>
      [1..2, 1...2, 1..2], "a Regexp" => [/a/, /a/i, /a/], "a Complex" => [2i, 3i, 2i],
      "a Rational" => [1r, 2r, 1r],
    "a Set" =>
      [Set[1], Set[2], Set[1]], "a Struct" => [Row.new(1), Row.new(2), Row.new(1)],
      "a Time" => [Time.at(0), Time.at(1), Time.at(0)],
    "a Hash" => [{ a: [1] }, { a: [2] }, { a: [1] }]
  }.freeze

  DEFAULTS.each do |kind, defaults|
    test "#{kind} as a default is part of the key of what is cached" do
      keys = defaults.map do |default|
        store = {}
        klass = Class.new(ToJson::Serializer) do
          attribute(:at, default: default); cache(store: store, key: :id)
        end
        RarePathsTest.const_set(:CachedSerializer, klass)
        assert_equal('{"at":"x"}', klass.json!({ id: 1, at: "x" }))
        store.keys
      ensure
        RarePathsTest.__send__(:remove_const, :CachedSerializer)
      end
      assert_equal([true, false], [keys[0] == keys[2], keys[0] == keys[1]])
    end
  end
end
