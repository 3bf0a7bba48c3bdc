# frozen_string_literal: true

require_relative "declaration_case"
require "date"

# What `as:` makes of values.
class ConversionTest < DeclarationCase
  TIME = Time.utc(2026, 11, 20, 10, 0, 1, 987_654)
  BEHIND = Time.new(2026, 11, 20, 23, 30, 0, "-05:00")
  ZERO = Time.new(2026, 11, 20, 10, 0, 0, "+00:00")
  DATE = Date.new(2026, 11, 20)
  DATE_TIME = DateTime.new(2026, 11, 20, 10, 0, Rational(1_987, 1000), "+01:00")
  TO_I = Class.new { def to_i = 7 }
  TO_INT = Class.new { def to_int = 8; def to_i = 7 }
  TO_F = Class.new { def to_f = 1.5 }
  NO_TEXT = Class.new { def to_s = nil }
  PLAIN = Class.new
  PLAIN.define_singleton_method(:to_s) { "Plain" }

  # conversion => [value, result] pairs
  GIVES = {
    string: [[nil, nil], ["a", "a"], [:a, "a"], [1, "1"], [1.5, "1.5"], [true, "true"],
             [false, "false"],
             [Rational(1, 3), "1/3"], [DATE, "2026-11-20"], [[1, nil], "[1, nil]"],
             [String, "String"]],
    integer: [[nil, nil], [1, 1], [2**70, 2**70], [1.9, 1], [-1.9, -1], ["12", 12], [" 12 ", 12],
              ["-1_000", -1000], ["010", 10],
              [Rational(7, 2), 3], [TIME, TIME.to_i], [TO_I.new, 7], [TO_INT.new, 8],
              [Complex(2, 0), 2]],
    float: [[nil, nil], [1, 1.0], [1.5, 1.5], ["1.5", 1.5], ["1e3", 1000.0], [" 2 ", 2.0],
            [Rational(1, 4), 0.25], [TO_F.new, 1.5],
            [TIME, TIME.to_f]],
    boolean: [[nil, nil], [false, false], [true, true], [0, true], ["", true], ["false", true],
              [[], true]],
    date: [[nil, nil], [DATE, "2026-11-20"], [DATE_TIME, "2026-11-20"], [TIME, "2026-11-20"],
           [BEHIND, "2026-11-20"], ["2026-11-20", "2026-11-20"],
           ["2026-11-20T23:00:00-05:00", "2026-11-20"], ["20261120", "2026-11-20"],
           [Date.new(-5, 1, 1), "-0005-01-01"]],
    time: [[nil, nil], [TIME, TIME], [DATE_TIME, DATE_TIME], [DATE, Time.utc(2026, 11, 20)]],
    fragment: [[nil, nil], ["", nil], ["[1]", ToJson::Fragment.new("[1]")],
               [" 1 ", ToJson::Fragment.new(" 1 ")],
               [ToJson::Fragment.new("{}"), ToJson::Fragment.new("{}")]]
  }.freeze

  GIVES.each do |conversion, pairs|
    pairs.each do |value, expected|
      test "as: #{conversion.inspect} of #{value.class} #{value.inspect} is #{expected.inspect}" do
        given = ToJson::Conversion.public_send(conversion, value)
        if expected.nil?
          assert_nil(given)
        else
          assert_equal([expected.class, expected], [given.class, given])
        end
      end
    end
  end

  # format => what TIME, BEHIND, ZERO, DATE_TIME and DATE are
  FORMATS = {
    iso8601: ["2026-11-20T10:00:01.987Z", "2026-11-20T23:30:00.000-05:00",
              "2026-11-20T10:00:00.000+00:00", "2026-11-20T10:00:01.987+01:00",
              "2026-11-20T00:00:00.000Z"],
    utc: ["2026-11-20T10:00:01.987Z", "2026-11-21T04:30:00.000Z", "2026-11-20T10:00:00.000Z",
          "2026-11-20T09:00:01.987Z", "2026-11-20T00:00:00.000Z"],
    unix: [1_795_168_801, 1_795_235_400, 1_795_168_800, 1_795_165_201, 1_795_132_800],
    unix_ms: [1_795_168_801_987, 1_795_235_400_000, 1_795_168_800_000, 1_795_165_201_987,
              1_795_132_800_000],
    "%d.%m.%y %H" => ["20.11.26 10", "20.11.26 23", "20.11.26 10", "20.11.26 10", "20.11.26 00"]
  }.freeze

  FORMATS.each do |format, expected|
    test "as: :time, format: #{format.inspect}" do
      values = [TIME, BEHIND, ZERO, DATE_TIME, DATE]
      assert_equal expected, (values.map { |value| ToJson::Conversion.time(value, format) })
      # What the Rules make of the same times is the same.
      assert_equal ToJson.generate(values.first(4), time: format),
                   ToJson
                     .generate(
                       values.first(4).map { |value| ToJson::Conversion.time(value, format) }
                     )
      assert_nil ToJson::Conversion.time(nil, format)
    end
  end

  test "times before 1970 and beyond 9999" do
    { Time.utc(1969, 12, 31, 23, 59, 59, 999_000) => [-1, -1],
      Time.utc(12_345) => [327_403_382_400, 327_403_382_400_000] }.each do |time, expected|
      assert_equal ToJson.generate(time, time: :unix_ms),
                   ToJson.generate(ToJson::Conversion.time(time, :unix_ms))
      assert_equal expected[0], ToJson::Conversion.time(time, :unix)
      assert_equal ToJson.generate(time), ToJson.generate(ToJson::Conversion.time(time, :iso8601))
    end
  end

  TAKES = {
    integer: "numbers, their text in base 10, times, and objects with to_int or to_i",
    float: "numbers, their text, times, and objects with to_f",
    date: "dates, times, and text that Date.iso8601 reads", time: "times and dates",
    fragment: "JSON text and ToJson::Fragment", string: "objects with to_s"
  }.freeze

  # conversion => [value, how the message names it] pairs
  REFUSES = {
    string: [[NO_TEXT.new, NO_TEXT.to_s]],
    integer: [["1.5", 'String "1.5"'], ["", 'String ""'], ["0x1A", 'String "0x1A"'],
              ["12a", 'String "12a"'], [:a, "Symbol :a"], [true, "TrueClass"],
              [Float::NAN, "Float NaN"],
              [Float::INFINITY, "Float Infinity"], [PLAIN.new, "Plain"], [Complex(1, 2), "Complex"],
              [[], "Array"], ["x" * 100, "String \"#{"x" * 39}…"]],
    float: [["x", 'String "x"'], ["", 'String ""'], [:a, "Symbol :a"], [false, "FalseClass"],
            [PLAIN.new, "Plain"], [Complex(1, 2), "Complex"]],
    date: [["20.11.2026", 'String "20.11.2026"'], ["", 'String ""'], [1, "Integer"],
           [:a, "Symbol :a"], ["2026-13-01", 'String "2026-13-01"'],
           ["1" * 200, "String \"#{"1" * 39}…"]],
    time: [["2026-11-20T10:00:00Z", 'String "2026-11-20T10:00:00Z"'], [1, "Integer"],
           [PLAIN.new, "Plain"]],
    fragment: [[1, "Integer"], [:a, "Symbol :a"], [[1], "Array"], [PLAIN.new, "Plain"]]
  }.freeze

  REFUSES.each do |conversion, pairs|
    pairs.each do |value, shown|
      test "as: #{conversion.inspect} refuses #{shown}" do
        assert_refused("as: #{conversion.inspect} takes #{TAKES.fetch(conversion)}; got #{shown}.",
                       ToJson::UnsupportedTypeError) do
          ToJson::Conversion.public_send(conversion, value)
        end
      end
    end
  end

  WIDE = { integer: "1", date: "2026-11-20" }.freeze

  WIDE.each do |conversion, text|
    test "as: #{conversion.inspect} refuses text in UTF-16" do
      assert_refused("as: #{conversion.inspect} takes #{TAKES.fetch(conversion)}; " \
                     "got String #{text.inspect}.", ToJson::UnsupportedTypeError) do
        ToJson::Conversion.public_send(conversion, text.encode("UTF-16LE"))
      end
    end
  end

  test "text that is no JSON is no fragment, with the offset" do
    assert_raises(ToJson::FragmentError) { ToJson::Conversion.fragment("[1,]") }
    assert_raises(ToJson::FragmentError) { ToJson::Conversion.fragment(" ") }
  end

  test "exceptions of a value's own methods pass through" do
    failing = Class.new do
      %i[to_s to_i to_f].each { |name| define_method(name) { raise IOError, "gone" } }
    end.new
    %i[string integer float].each do |conversion|
      assert_raises(IOError) { ToJson::Conversion.public_send(conversion, failing) }
    end
  end

  test "a String's date needs nobody to have required the library" do
    script =
      "p defined?(Date).nil?; p ToJson::Conversion.time(Time.at(0).utc, :iso8601), " \
      'ToJson::Conversion.date("2026-11-20")'
    out = IO.popen([RbConfig.ruby, "--disable-gems", "-rrbconfig",
                    "-I#{File.join(Project::ROOT, "lib")}", "-rto_json", "-e", script], &:read)
    assert_equal "true\n\"1970-01-01T00:00:00.000Z\"\n\"2026-11-20\"\n", out
  end

  if Without.library?("bigdecimal")
    test "a BigDecimal is text in plain notation, and a number like others" do
      assert_equal ["10.5", "0.0000001", "10.0"],
                   (%w[10.50 1e-7 10].map { |text| ToJson::Conversion.string(BigDecimal(text)) })
      assert_equal [12, 1.25],
                   [ToJson::Conversion.integer(BigDecimal("12.9")),
                    ToJson::Conversion.float(BigDecimal("1.25"))]
      assert_refused(/got BigDecimal\.\z/, ToJson::UnsupportedTypeError) do
        ToJson::Conversion.integer(BigDecimal("NaN"))
      end
    end
  end

  if Without.library?("active_support")
    test "ActiveSupport's times are written in their own zone" do
      require "active_support"
      require "active_support/time"
      time = ActiveSupport::TimeZone["Berlin"].local(2026, 11, 20, 0, 30, 1.5)
      assert_equal ["2026-11-20", "2026-11-20T00:30:01.500+01:00", "2026-11-19T23:30:01.500Z",
                    1_795_131_001, 1_795_131_001_500],
                   [ToJson::Conversion.date(time),
                    *%i[iso8601 utc unix unix_ms].map do |format|
                      ToJson::Conversion.time(time, format)
                    end]
      assert_equal [time.to_i, "00:30"],
                   [ToJson::Conversion.integer(time), ToJson::Conversion.time(time, "%H:%M")]
      assert_same time, ToJson::Conversion.time(time)
    end
  end
end
