# frozen_string_literal: true

# nil, true, false, Integer and Float.

require_relative "value_case"

class ScalarsTest < ValueCase
  writes("nil is null", "null") { nil }
  writes("true is true", "true") { true }
  writes("false is false", "false") { false }
  writes("0 is 0", "0") { 0 }
  writes("a negative Integer keeps its sign", "-7") { -7 }
  writes("the scalars stand in an array side by side", "[null,true,false,0,-1]") do
    [nil, true, false, 0, -1]
  end
  writes("the scalars stand in an object side by side", '{"a":null,"b":true,"c":false,"d":1}') do
    { a: nil, b: true, c: false, d: 1 }
  end

  # Where the number of digits, the machine word or the Fixnum ends.
  BOUNDARIES = [
    *(0..20).map { |n| 10**n },
    *[7, 8, 15, 16, 30, 31, 32, 53, 61, 62, 63, 64, 65, 127, 128].map do |n|
      2**n
    end
  ].freeze

  test "an Integer at any boundary plus or minus 2 is what to_s gives" do
    numbers = BOUNDARIES.flat_map { |at| (-2..2).flat_map { |by| [at + by, -at - by] } }.uniq
    assert_operator numbers.size, :>, 300
    numbers.each { |number| assert_equal number.to_s, ToJson.generate(number) }
    assert_document("[#{numbers.join(",")}]") { |**out| ToJson.generate(numbers, **out) }
  end

  test "an Integer of up to 10,000 digits is what to_s gives" do
    random = Random.new(6)
    sizes = [19, 20, 21, 38, 39, 40, 64, 100, 255, 256, 257, 1000, 4095, 4096, 4097, 9_999, 10_000]
    numbers = sizes.flat_map { |digits| n = random.rand(10**(digits - 1)...10**digits); [n, -n] }
    numbers.each { |number| assert_equal number.to_s, ToJson.generate(number) }
    assert_equal "[#{numbers.join(",")}]", ToJson.generate(numbers)
  end

  writes("a bignum as a member and as a key", "{\"#{10**300}\":#{-(10**300)}}") do
    { 10**300 => -(10**300) }
  end

  {
    0.0 =>
      "0.0", 1.0 => "1.0", -1.5 => "-1.5", 0.1 => "0.1", 100.0 => "100.0",
      0.1 + 0.2 => "0.30000000000000004",
    123_456_789.125 =>
      "123456789.125", 1e14 => "100000000000000.0", 1e15 => "1.0e+15",
      1234567890123456.7 => "1234567890123456.8", 1e16 => "1.0e+16", 1.5e300 => "1.5e+300",
    0.0001 =>
      "0.0001", 0.00001 => "1.0e-05", 5e-324 => "5.0e-324", Float::MAX => "1.7976931348623157e+308",
    Float::MIN =>
      "2.2250738585072014e-308", Float::EPSILON => "2.220446049250313e-16",
      9007199254740993.0 => "9.007199254740992e+15"
  }.each do |float, json|
    writes("the Float #{float.inspect} is #{json}", json) { float }
  end

  writes("negative zero keeps its sign", "-0.0") { -0.0 }

  # The value, its neighbours and its negatives: all must be what Float#to_s gives, which is
  # shortest.
  def assert_like_to_s(floats)
    wrong = floats.reject do |float|
      ToJson.generate(float) == float.to_s && float.to_s.to_f == float
    end
    assert_empty wrong.first(5).map { |float| [float.to_s, ToJson.generate(float)] }
    assert_equal "[#{floats.join(",")}]", ToJson.generate(floats)
  end

  FLOATS = Figures.of("Floats of random bits")

  test "#{FLOATS} Floats of random bits are the shortest digits that read back" do
    random = Random.new(5)
    floats = Array.new(FLOATS) { [random.rand(2**64)].pack("Q").unpack1("D") }.select(&:finite?)
    assert_operator floats.size, :>, FLOATS * 0.99
    assert_like_to_s floats
    Figures.reached("Floats of random bits", FLOATS)
  end

  test "each power of 2 and of 10, its neighbours and its negative are the shortest digits that " \
       "read back" do
    powers = (-1074..1023).map { |n| Math.ldexp(1.0, n) } + (-323..308).map { |n| "1e#{n}".to_f }
    floats = powers.flat_map do |float|
      [float, float.next_float, float.prev_float, -float]
    end.select(&:finite?)
    assert_operator floats.size, :>, 10_000
    assert_like_to_s floats
  end

  test "Floats of few digits are the shortest digits that read back" do
    random = Random.new(55)
    assert_like_to_s(
      Array.new(20_000) { random.rand(10**random.rand(1..17)).fdiv(10**random.rand(0..20)) }
    )
  end

  test "subnormal Floats are the shortest digits that read back" do
    random = Random.new(555)
    assert_like_to_s(Array.new(10_000) { [random.rand(2**52)].pack("Q").unpack1("D") })
  end

  test "whole Floats around 2**53 and 10**16 are the shortest digits that read back" do
    assert_like_to_s(
      [2.0**53, 1e15, 1e16, 1e17].flat_map { |at| (-50..50).map { |by| at + (by * 2) } }
    )
  end

  { Float::NAN => "Float::NAN", Float::INFINITY => "Float::INFINITY",
    -Float::INFINITY => "-Float::INFINITY" }.each do |float, name|
    refuses("#{name} raises and says what to pass", ToJson::NumberError, path: "$.users[3].score",
            message: "#{name} is not valid JSON. Pass nan: :null") do
      { users: [1, 2, 3, { score: float }] }
    end
    writes("#{name} under nan: :null is null", '{"a":[null,1.0]}', nan: :null) do
      { a: [float, 1.0] }
    end
  end

  refuses("NaN as the root raises", ToJson::NumberError) { Float::NAN }
end
