# frozen_string_literal: true

# Documents of each dialect that take user code, or text of their own, small enough for a garbage
# collection at every allocation. What the libraries themselves write is compared in test/dialects;
# here it stands in tables, so that no library runs under the collector.

require_relative "../test_helper"
require "bigdecimal"
require "json" unless Without.banned?("json")

class StressDialectsTest < ToJsonTest
  class Asked
    def initialize(value) = @value = value
    def to_json(*given) = +"{\"given\":#{given.size},\"value\":#{@value}}"
    def to_s = +"asked #{@value}"
  end

  class Plain
    def to_s = +"plain"
  end

  class RatioSerializer < ToJson::Serializer
    rules dialect: :json, script_safe: true
    attributes :ratio, :unit
  end

  # Making Rules allocates much: none are made under the collector.
  OJ_STRICT, JSON3 = %i[oj_strict json].map { |dialect| ToJson::Rules.new(dialect: dialect) }
  DOUBLED = JSON3.with(allow_duplicate_key: true)
  CODER = ToJson::Coder.new(space: " ") { |value| +"coded #{value.class}" }
  RatioSerializer.json!({ ratio: 1.5, unit: "m" })

  # A dialect's document of `value`: the options, the text.
  LIBRARIES = %i[json json2 oj].freeze
  ROWS = {
    "objects with to_json" =>
      [-> { [Asked.new(1), { a: Asked.new(2) }] }, {},
       '[{"given":1,"value":1},{"a":{"given":1,"value":2}}]', LIBRARIES],
    "objects without to_json" =>
      [-> { [Plain.new, { a: 1r }] }, {}, '["plain",{"a":"1/1"}]', %i[json json2]],
    "Floats" =>
      [-> { [1e20, 1.5, 1e-5, 0.1 + 0.2] }, {}, "[1e+20,1.5,0.00001,0.30000000000000004]",
       %i[json json2]],
    "Floats as Oj has them" =>
      [-> { [1e20, 1.5, 1e15] }, {}, "[1.0e+20,1.5,1000000000000000.0]", %i[oj]],
    "Floats in fifteen digits" =>
      [-> { [0.1 + 0.2, 1e15] }, {}, "[0.3,1000000000000000.0]", %i[oj_strict]],
    "keys of any kind" =>
      [-> { { 1 => +"a", nil => 2, Plain.new => 3, 1.5 => 4 } }, {},
       '{"1":"a","":2,"plain":3,"1.5":4}', LIBRARIES],
    "text in other encodings, as keys too" => [-> {
      { +"é".encode("ISO-8859-1") => [+"日本".encode("UTF-16LE"), "ü".encode("Windows-1252").to_sym] }
    }, {},
                                               '{"é":["日本","ü"]}', LIBRARIES],
    "bytes that are no text" =>
      [-> { [+"a\xff", { +"\xfe" => 1 }] }, {}, "[\"a\xff\",{\"\xfe\":1}]", %i[oj oj_strict]],
    "ranges" => [-> { [1..2, 1.5...3] }, {}, '["1..2","1.5...3"]', %i[oj]],
    "a layout" => [-> { { a: [+"b", {}], c: [] } }, { indent: "  ", space: " ", object_nl: "\n",
                                                      array_nl: "\n" },
                   "{\n  \"a\": [\n    \"b\",\n    {}\n  ],\n  \"c\": []\n}", %i[json json2]],
    "ascii_only and script_safe" =>
      [-> { { "é/" => [+"\u2028", +"日\u{1F600}", :"ü"] } },
       { ascii_only: true, script_safe: true },
       '{"\u00e9\/":["\u2028","\u65e5\ud83d\ude00","\u00fc"]}', %i[json json2]],
    "sorted keys" =>
      [-> { { +"b" => 1, +"a" => { +"d" => [+"x"], +"c" => 2 } } }, { sort_keys: true },
       '{"a":{"c":2,"d":["x"]},"b":1}', %i[json json2]],
    "keys in an order of the caller's" =>
      [-> { { +"b" => 1, +"a" => +"x" } }, { sort_keys: ->(hash) { hash.to_a.reverse.to_h } },
       '{"a":"x","b":1}', %i[json json2]],
    "the canonical form" => [-> {
      { "\uFFFD".dup => 1, "\u{1F600}".dup => 1e21, 1 => 2**70 }
    }, { rfc8785: true },
                             "{\"1\":1.1805916207174113e+21,\"\u{1F600}\":1e+21,\"\uFFFD\":1}",
                             %i[json]],
    "strict with as_json" => [-> { [Plain.new, { Plain.new => 1 }, 2r] }, {
      strict: true, as_json: ->(value, key) { +"#{value.class} #{key}" }
    },
                              '["StressDialectsTest::Plain false",{"StressDialectsTest::Plain ' \
                              'true":1},"Rational false"]',
                              %i[json json2]],
    "converted values" => [-> { [Plain.new, { a: 1r }] }, { convert: {
      Plain => ->(_) { [+"new"] }, Rational => ->(r) { +"r#{r}" }
    } },
                           '[["new"],{"a":"r1/1"}]', %i[json json2 oj]],
    "more than one chunk" => [-> { Array.new(3) { |i| { "key #{i}" => "é" * 12_000 } } }, {},
        "[#{Array.new(3) { |i| "{\"key #{i}\":\"#{"é" * 12_000}\"}" }.join(",")}]",
                              LIBRARIES]
  }.freeze

  ROWS.each do |name, (value, options, text, dialects)|
    rules = dialects.to_h { |dialect| [dialect, ToJson::Rules.new(dialect: dialect, **options)] }
    test "#{name} under dialects, under a busy collector" do
      rules.each do |dialect, of_dialect|
        assert_equal text.b, ToJson.generate(value.call, rules: of_dialect, into: +"").b, dialect
        assert_equal text.b, ToJson.generate(value.call, rules: of_dialect).b, dialect
      end
    end
  end

  test "a BigDecimal as its to_s has it, which ActiveSupport changes, under a busy collector" do
    assert_equal "[#{BigDecimal("1.50")}]", ToJson.generate([BigDecimal("1.50")], rules: OJ_STRICT)
  end

  test "keys that collide are refused with their text, under a busy collector" do
    assert_equal '{"a":1,"a":2}', ToJson.generate({ +"a" => 1, a: 2 }, rules: DOUBLED)
    expected = [ToJson::DuplicateKeyError,
                *(defined?(JSON::GeneratorError) && JSON::GeneratorError)]
    error = assert_raises(*expected) { ToJson.generate([{ +"a" => 1, a: 2 }], rules: JSON3) }
    assert_match(/\A\$\[0\]/, error.message)
  end

  test "a Coder with a block, and a declared serializer of a dialect, under a busy collector" do
    2.times do
      assert_equal '{"a": ["coded StressDialectsTest::Plain",1]}', CODER.dump({ a: [Plain.new, 1] })
    end
    2.times do
      assert_equal '{"ratio":1e+20,"unit":"m\/s"}',
                   RatioSerializer.json!({ ratio: 1e20, unit: +"m/s" })
    end
  end

  # Its objects make each collection five times as long.
  unless Without.banned?("active_support") || GcModes::MODE == "stress"
    require "active_support"
    require "active_support/json"
    require "active_support/core_ext/time"

    class Celsius
      def initialize(degrees) = @degrees = degrees
      def as_json(options = nil)
        { "degrees" => @degrees, "given" => options ? options.keys.map(&:to_s) : nil }
      end
    end

    Pair = Struct.new(:x, :y)

    test "values under :rails, with options too, under a busy collector" do
      value = lambda do
        { at: Time.utc(2026, 1, 2), html: +"<b>\u2028", range: 1..2, price: BigDecimal("1.5"),
          pair: Pair.new(1, +"é"), nan: 0.0 / 0, list: [Celsius.new(1)] }
      end
      text =
        '{"at":"2026-01-02T00:00:00.000Z","html":"\u003cb\u003e\u2028","range":"1..2","price":' \
        '"1.5","pair":{"x":1,"y":"é"},"nan":null,' \
             '"list":[{"degrees":1,"given":null}]}'
      assert_equal text, ToJson.generate(value.call, dialect: :rails)
      assert_equal text, ToJson.generate(value.call, dialect: :rails, into: +"")
      given = ToJson::Dialects::Rails.encode({ list: [Celsius.new(2)] }, { prefixes: [] }, nil,
                                             ToJson::Rules.new(dialect: :rails))
      assert_equal '{"list":[{"degrees":2,"given":["prefixes"]}]}', given
    end
  end
end
