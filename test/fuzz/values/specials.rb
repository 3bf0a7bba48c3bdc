# frozen_string_literal: true

# Fuzz. Values with one right answer each, written down by hand from docs/values.md.

require_relative "spec"

module Fuzz
  # Row of the table, Ruby, and the tree or the name of the error.
  module Specials
    def self.pairs(hash) = Pairs.new(hash.to_a)

    TABLE = [
      ["NaN and Infinity", "Float::NAN", :NumberError],
      ["NaN and Infinity", "-Float::INFINITY", :NumberError],
      ["BigDecimal", 'BigDecimal("12.50")', "12.5"],
      ["BigDecimal", 'BigDecimal("-1e20")', "-100000000000000000000.0"],
      ["BigDecimal", 'BigDecimal("NaN")', :NumberError],
      ["String transcoded", '"caf\xE9".dup.force_encoding("ISO-8859-1")', "café"],
      ["String transcoded", '"\u6F22\u{1F600}".encode("UTF-16LE")', "漢😀"],
      ["String that is no text", '"\xFF"', :EncodingError],
      ["String that is no text", '"ab\xC3"', :EncodingError],
      ["String", '"plain".b', "plain"],
      ["Symbol", ":\"two words\"", "two words"],
      ["Time", "Time.at(0, 123_999, :microsecond).utc", "1970-01-01T00:00:00.123Z"],
      ["Time", 'Time.new(2026, 11, 20, 10, 0, 0, "+01:00")', "2026-11-20T10:00:00.000+01:00"],
      ["DateTime", "DateTime.new(2026, 11, 20, 10, 0, 0)", "2026-11-20T10:00:00.000+00:00"],
      ["Date", "Date.new(2026, 11, 20)", "2026-11-20"],
      ["Rational", "Rational(1, 3)", "1/3"],
      ["Module", "Comparable", "Comparable"],
      ["Struct", "Fuzz::Couple.new(1, [nil])", pairs("left" => 1, "right" => [nil])],
      ["Fragment", "ToJson::Fragment.new('{\"a\":[1,2.50]}')", Raw.new('{"a":[1,2.50]}')],
      ["own method raises", "Fuzz::Raising.new", :Boom],
      ["own to_json that is no JSON", "Fuzz::ToJsonText.new('{')", :FragmentError],
      ["unsupported", "Object.new", :UnsupportedTypeError],
      ["unsupported", "Complex(1, 2)", :UnsupportedTypeError],
      ["unsupported", "->(x) { x }", :UnsupportedTypeError]
    ].freeze
    # Ruby >= 3.2
    OF_DATA = [["Data", "Data.define(:x, :y).new(x: 1, y: 2)", pairs("x" => 1, "y" => 2)]].freeze

    SPANS = [Span.new("Range", "(1..3)", [1, 2, 3]), Span.new("Range", "(3...3)", []),
             Span.new("endless Range", "(1..)", nil)].freeze

    ALL =
      ((defined?(::Data) ? TABLE + OF_DATA : TABLE)
                     .map { |row, source, expected| Special.new(row, source, expected) } + SPANS)
        .freeze
    # Those that write something, for where an error would be the only thing a case shows.
    FINE = ALL.reject { |special| special.instance_variable_get(:@expected).is_a?(Symbol) }.freeze
  end
end
