# frozen_string_literal: true

# The :strict dialect: JSON's own types only.

require_relative "../values/value_case"
require "bigdecimal"
require "date"
require "set"

class StrictTest < ValueCase
  STRICT = { rules: :strict }.freeze

  {
    "nil" =>
      [nil, "null"], "true" => [true, "true"], "false" => [false, "false"],
      "an Integer" => [1, "1"], "a bignum" => [2**70, (2**70).to_s],
    "a Float" =>
      [1.5, "1.5"], "a String" => ["é\"", '"é\""'], "a Symbol" => [:a, '"a"'],
      "an Array" => [[1, [2]], "[1,[2]]"],
    "a Hash" =>
      [{ a: 1, "b" => { c: [] } }, '{"a":1,"b":{"c":[]}}'],
      "transcoded text" => ["é".encode("UTF-16LE"), '"é"']
  }.each do |what, (value, json)|
    writes("#{what} is written under :strict", json, **STRICT) { value }
  end

  writes("a Fragment is written in place under :strict", "[[ 1 ]]", **STRICT) do
    [ToJson::Fragment.new("[ 1 ]")]
  end
  writes("a serializer is written in place under :strict", '[{"a":1}]', **STRICT) do
    [Class.new(ToJson::Serializer) { def serialize = put(:a, 1) }.new]
  end

  {
    "a Time" =>
      -> { Time.at(0) }, "a Date" => -> { Date.new }, "a BigDecimal" => -> { BigDecimal("1") },
      "a Rational" => -> { 1r }, "a Complex" => -> { 1i },
    "a Module" =>
      -> { Kernel }, "a Set" => -> { Set[1] }, "a Range" => -> { 1..2 },
      "an Enumerator" => -> { [1].each }, "a Struct" => -> { Struct.new(:a).new(1) },
    "an object with its own as_json" =>
      -> { object_with(as_json: 1) },
      "an object with its own to_json" => -> { object_with(to_json: "1") },
    "an object with its own to_h" =>
      -> { object_with(to_h: {}) }, "an object with its own to_s" => -> { object_with(to_s: "s") },
    "a subclass of String" =>
      -> { Class.new(String).new("s") }, "a subclass of Array" => -> { Class.new(Array).new },
      "a subclass of Hash" => -> { Class.new(Hash).new },
    "a bare object" => -> { Object.new }, "an Exception" => -> { IOError.new("x") }
  }.each do |what, value|
    refuses("#{what} is refused under :strict", ToJson::UnsupportedTypeError, path: "$.a[0]",
            message: "The :strict dialect writes nil, true", **STRICT) do
      { a: [instance_exec(&value)] }
    end
    writes("#{what} is written under :strict with a rule of its own", "[\"ok\"]",
           rules: { dialect: :strict,
                    convert:
                      {
                        Object => ->(o) do
                          o.instance_of?(String) || o.instance_of?(Array) ? o : "ok"
                        end
                      } }) do
      [instance_exec(&value)]
    end
  end

  [1, 1.5, nil, true, [1], Time.at(0), Object].each do |key|
    refuses("a key that is #{key.inspect} is refused under :strict", ToJson::UnsupportedTypeError,
            path: nil, message: "cannot be a key under the :strict dialect. Use a String or Symbol",
            **STRICT) do
      { key => 1 }
    end
  end

  [Float::NAN, Float::INFINITY, -Float::INFINITY].each do |float|
    refuses("#{float} is refused under :strict", ToJson::NumberError, path: "$[0]", **STRICT) do
      [float]
    end
    writes("#{float} is null under :strict with nan: :null", "[null]", nan: :null, **STRICT) do
      [float]
    end
  end

  refuses("broken text is refused under :strict", ToJson::EncodingError, path: "$[0]", **STRICT) do
    ["\xff"]
  end
  writes("the options of :standard hold under :strict", "[\"\\u003c\",\"\uFFFD\"]", rules: :strict,
         html_safe: true, invalid: :replace) do
    ["<", "\xff"]
  end
  refuses("keys that read the same raise under :strict with duplicates: :raise",
          ToJson::DuplicateKeyError, path: "$.a", rules: :strict, duplicates: :raise) do
    { "a" => 1, a: 2 }
  end

  # The fast path of a Part once wrote it, and the slow one refused it.
  test "as: :time without a format: is refused under :strict, whatever stands beside it" do
    [1, 5000].each do |size|
      made = Class.new(ToJson::Serializer) do
        attribute :at, as: :time
        attribute(:text) { |_| "x" * size }
      end
      error = assert_raises(ToJson::UnsupportedTypeError) do
        made.json!({ at: Time.at(0) }, rules: :strict)
      end
      assert_equal "$.at", error.path
    end
  end

  test "as: :time with a format: is written under :strict" do
    made = Class.new(ToJson::Serializer) { attribute :at, as: :time, format: :unix }
    assert_equal '{"at":5}', made.json!({ at: Time.at(5) }, rules: :strict)
  end

  if Without.library?("json")
    test "what :strict takes it writes as JSON.generate does" do
      values = [nil, true, [1, -2, 2**64], { a: [:b, "c\n\"é\u2028</"] }, [[], {}],
                { "x" => { "y" => nil } }, 0.5, -1.25]
      values.each do |value|
        assert_equal JSON.generate(value), ToJson.generate(value, rules: :strict)
      end
    end
  end
end
