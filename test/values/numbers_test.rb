# frozen_string_literal: true

# BigDecimal, Rational, Complex, Module: the rows of the table that become strings, and those that
# do not.

require_relative "value_case"
require "bigdecimal"

class NumbersTest < ValueCase
  # {what BigDecimal() reads => plain notation}
  PLAIN = {
    "0" =>
      "0.0", "-0" => "-0.0", "1" => "1.0", "1.10" => "1.1", "-12.5" => "-12.5",
      "123456789.987654321" => "123456789.987654321",
    "1e20" =>
      "100000000000000000000.0", "1e-20" => "0.00000000000000000001", "-1.5e-7" => "-0.00000015",
    "9" * 60 => "#{"9" * 60}.0", "0.#{"3" * 60}" => "0.#{"3" * 60}"
  }.freeze

  PLAIN.each do |text, plain|
    writes("BigDecimal #{text[0, 30]} is a string in plain notation", "[\"#{plain}\"]") do
      [BigDecimal(text)]
    end
    writes("BigDecimal #{text[0, 30]} under decimal: :number is a number in plain notation",
           "[#{plain}]", decimal: :number) do
      [BigDecimal(text)]
    end
  end

  writes("a BigDecimal of 5,000 places is written whole", "\"1#{"0" * 5000}.0\"") do
    BigDecimal("1e5000")
  end

  test "a BigDecimal longer than a chunk is written whole" do
    assert_equal "[\"1#{"0" * 100_000}.0\"]", ToJson.generate([BigDecimal("1e100000")])
  end

  { "NaN" => "NaN", "Infinity" => "Infinity", "-Infinity" => "-Infinity" }.each do |text, name|
    [{}, { decimal: :number }].each do |options|
      refuses("BigDecimal #{text} raises #{options.inspect}", ToJson::NumberError, path: "$.a",
              **options,
              message: "BigDecimal #{name} is not valid JSON. Pass nan: :null") do
                { a: BigDecimal(text) }
              end
      writes("BigDecimal #{text} under nan: :null is null #{options.inspect}", "[null]", nan: :null,
             **options) do
        [BigDecimal(text)]
      end
    end
  end

  test "a BigDecimal is a key by its to_s" do
    # ActiveSupport gives it another
    assert_equal "{\"#{BigDecimal("1.5")}\":1}", ToJson.generate({ BigDecimal("1.5") => 1 })
  end

  writes("a Rational is numerator and denominator", '["1/3","-1/3","2/1","0/1"]') do
    [1/3r, -1/3r, 2r, 0r]
  end
  writes("a Rational of bignums", "\"#{10**30}/#{(10**30) + 1}\"") do
    Rational(10**30, (10**30) + 1)
  end

  writes("a Module is its name", '["Comparable","ToJson","ToJson::Rules","Integer"]') do
    [Comparable, ToJson, ToJson::Rules, Integer]
  end
  refuses("a Class without a name raises", ToJson::UnsupportedTypeError, path: "$.a",
          message: "has no name") do
    { a: Class.new }
  end
  refuses("a Module without a name raises", ToJson::UnsupportedTypeError, message: "has no name") do
    Module.new
  end
  writes("a Module that lies about its name is known by the true one", '"NumbersTest::Liar"') do
    Liar
  end

  # Says another name than it has.
  module Liar
    def self.name = "Honest"
    def self.to_s = "Honest"
  end

  refuses("a Complex raises", ToJson::UnsupportedTypeError, path: "$[1]",
          message: "Complex has no JSON form") do
    [1, Complex(1, 2)]
  end
  writes("a Complex with a rule of its own is that", "[[1,2]]",
         convert: { Complex => ->(c) { c.rectangular } }) do
    [Complex(1, 2)]
  end

  test "what was patched into BigDecimal, Rational and Module does not matter" do
    with_patched([BigDecimal, Rational, Module], :as_json, "patched") do
      assert_equal '["1.5","1/2","Kernel"]', ToJson.generate([BigDecimal("1.5"), 1/2r, Kernel])
    end
  end
end
