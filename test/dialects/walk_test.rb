# frozen_string_literal: true

# Trees under a dialect go by the walk of ext/to_json/values/tree.c too, as far as its ways are
# everybody's: where they are the dialect's own, within such a tree and beside what was walked.

require_relative "../test_helper"

unless Without.banned?("active_support")
  require "active_support"
  require "active_support/json"
end

class DialectWalkTest < ToJsonTest
  DIALECTS = %i[json json2 oj oj_strict rails].freeze
  DEPTHS = [0, 1, 2, 7, 47, 48, 49, 60].freeze

  # `value` in so many containers, each with elements before and behind.
  def around(value, depth)
    (0...depth).inject(value) do |inner, level|
      level.odd? ? [level, "x", inner, 1.5] : { "a" => level, "in" => inner, "b" => nil }
    end
  end

  def text_around(text, depth)
    (0...depth).inject(text) do |inner, level|
      level.odd? ? "[#{level},\"x\",#{inner},1.5]" : "{\"a\":#{level},\"in\":#{inner},\"b\":null}"
    end
  end

  # What is written into an object whose write takes all it is given, in chunks of some 64 bytes.
  def delivered(value, **options)
    all = +""
    sink = Object.new
    sink.define_singleton_method(:write) { |bytes| all << bytes; bytes.bytesize }
    ToJson::Writer.sizes(64, 64)
    ToJson.generate(value, into: sink, **options)
    all
  ensure
    ToJson::Writer.sizes(4096, 64 * 1024)
  end

  def assert_within(text, value, dialect)
    DEPTHS.each do |depth|
      expected = text_around(text, depth)
      assert_equal(expected, ToJson.generate(around(value, depth), dialect: dialect),
                   "#{dialect}, #{depth} deep")
      assert_equal(expected, delivered(around(value, depth), dialect: dialect),
                   "#{dialect}, #{depth} deep, delivered")
    end
  end

  ROWS = {
    "keys of one kind" => ['{"k":[{"a":1},{"a":2}]}', { k: [{ a: 1 }, { "a" => 2 }] }, DIALECTS],
    "Symbols made at run time" =>
      ['{"walked now":1,"and now":"so"}', { "walked now".to_sym => 1, "and now".to_sym => "so" },
       DIALECTS],
    "keys of both kinds" =>
      ['{"a":1,"b":[2,{"c":3}]}', { "a" => 1, b: [2, { "c" => 3 }] }, DIALECTS],
    "the same key twice, where both are written" =>
      ['{"a":1,"a":2}', { "a" => 1, a: 2 }, %i[oj oj_strict json2]],
    "numbers as keys" =>
      ['{"1":[2],"x":{"y":3}}', { 1 => [2], "x" => { "y" => 3 } }, %i[json json2 oj rails]],
    "Floats as json has them" => ["[1e+20,0.00001]", [1e20, 1e-5], %i[json]],
    "Floats as Oj has them" => ["[1000000000000000.0,1.0e-05,0.1]", [1e15, 1e-5, 0.1], %i[oj]],
    "long text" => ["[\"#{"é" * 500}\"]", ["é" * 500], DIALECTS],
    "text in another encoding" => ['["é",{"é":1}]',
                                   ["\xE9".dup.force_encoding("ISO-8859-1"),
                                    { "\xE9".dup.force_encoding("ISO-8859-1") => 1 }],
                                   %i[json json2 oj]],
    "a big Integer" =>
      ["[18446744073709551616,{\"n\":18446744073709551616}]", [2**64, { "n" => 2**64 }], DIALECTS],
    "a value that is asked" =>
      ['[1,"a..b",{"k":"a..b"}]', [1, "a".."b", { "k" => "a".."b" }], %i[json json2]]
  }.freeze

  ROWS.each do |name, (text, value, dialects)|
    dialects.each do |dialect|
      next if dialect == :rails && Without.banned?("active_support")

      test "#{name}: #{dialect.inspect}, at any depth" do
        assert_within(text, value, dialect)
      end
    end
  end

  unless Without.banned?("active_support")
    # ActiveSupport 7 makes one of them, 8.1 only where as_json is given options.
    test "keys that read the same are what ActiveSupport makes of them under :rails, at any " \
         "depth" do
      value = { "1" => "first", "x" => [{ 2 => false, "2" => true }], 1 => "last" }
      assert_within(ActiveSupport::JSON.encode(value), value, :rails)
    end

    test "NaN is null under :rails, at any depth" do
      assert_within("[null,{\"n\":null}]", [Float::NAN, { "n" => -Float::INFINITY }], :rails)
    end
  end

  test "a key that collides raises under :json, at any depth, with its path" do
    [0, 1, 2, 7, 11].each do |depth|
      error = assert_raises(StandardError) do
        ToJson.generate(around({ "ok" => 1, ok: 2 }, depth), dialect: :json)
      end
      assert_includes(error.message, 'detected duplicate key "ok" in {')
      path = (0...depth).reverse_each.map { |level| level.odd? ? "[2]" : ".in" }.join
      assert_equal("$#{path}.ok", ToJson.location(error), "#{depth} deep")
    end
  end

  test "binary Strings that are no ASCII raise under :json wherever they stand, also as keys " \
       "that other Rules wrote before" do
    key = "cl\xC3\xA9".b.freeze
    assert_equal('[{"clé":1},{"clé":1}]', ToJson.generate([{ key => 1 }, { key => 1 }]))
    [[{ key => 1 }], [key], { "k" => [1, key * 100] }].each do |value|
      assert_raises(StandardError) { ToJson.generate(value, dialect: :json) }
      assert_includes(ToJson.generate(value, dialect: :json2), "clé")
    end
  end

  test "sorted keys and RFC 8785 hold within trees" do
    tree = [{ "b" => [{ "d" => 1, "c" => 2 }], "a" => 1.0 }]
    assert_equal('[{"a":1.0,"b":[{"c":2,"d":1}]}]',
                 ToJson.generate(tree, dialect: :json, sort_keys: true))
    assert_equal('[{"a":1,"b":[{"c":2,"d":1}]}]',
                 ToJson.generate(tree, dialect: :json, rfc8785: true))
  end

  test "an option that asks for every key holds within trees" do
    assert_equal('[{"a":1}]', ToJson.generate([{ a: 1 }], duplicates: :raise, dialect: :oj))
    assert_raises(StandardError) do
      ToJson.generate([[{ "a" => 1, a: 2 }]], duplicates: :raise, dialect: :oj)
    end
  end
end
