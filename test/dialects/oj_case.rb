# frozen_string_literal: true

# Values for the dialects :oj and :oj_strict, and what both say of them.

require "bigdecimal"
require "date"
require "delegate"
require "oj"
require "pathname"
require "set"
require "uri"

# Used by the test's process, and by those without json.
module OjCase
  # Only named classes have named Structs.
  Point = Struct.new(:x, :y)
  class ToJson0
    def to_json = '{"zero":<>}'.tr("<>", "0 ")
  end
  class ToJsonAny
    def to_json(*arguments) = "[#{arguments.size}]"
    def to_s = "to_s"
  end
  class Shown
    def to_json(*arguments) = arguments.inspect.to_s.tr("{}=>", "")
  end
  class ToHash
    def to_hash = { a: 1 }
    def as_json(*) = { b: 2 }
    def to_s = "to_hash<"
  end
  class Each
    include Enumerable
    def each = yield(1)
    def to_s = "each"
  end
  class Text < String
    def to_s = "other"
  end
  class Table < Hash
    def to_json(*) = '"table"'
  end
  class List < Array
    def to_json(*) = '"list"'
  end
  class Key
    def to_s = "key\u00e9\""
  end

  FLOATS = [0.0, -0.0, 1.0, -3.0, 1.5, 0.1, 0.1 + 0.2, 1 / 3.0, 100.0, 1e15, 1e16, 1e18, 9.2e18,
            9.223372036854775807e18, -9.223372036854775808e18, 1e19, 1e20, 1e22, 1e23,
            123_456_789.123456789,
            1e-4, 1e-5, 2.5e-7, 1.1e-300, Float::MAX, Float::MIN, 5e-324, 0.30000000000000004,
            1.0000000000000002, 4.35, 4.349999999999999, 2.675, 1_234_567.8900000001].freeze

  def self.values
    {
      "nil" =>
        nil, "true" => true, "false" => false, "integer" => 1, "minus" => -2**62, "bignum" => 2**70,
        "symbol" => :sym, "odd symbol" => :"a\"<\n", "string" => "text", "empty" => "",
      "markup" =>
        "<a>&\u2028/\u2029", "controls" => "\x00\x01\x1f\b\f\n\r\t\"\\\x7f",
        "unicode" => "\u00e9\u{1F600}", "binary text" => "\u00e9".b,
        "latin" => "\xe9".dup.force_encoding("ISO-8859-1"),
      "utf16" =>
        "\u00e9<\u0000".encode("UTF-16LE"), "no text" => "ab\xFFcd\"\n",
        "no binary text" => "a\xC3\x00".b, "no utf16" => "\xD8<".dup.force_encoding("UTF-16LE"),
        "ascii beyond" => "a\xE9".dup.force_encoding("US-ASCII"),
      "long no text" =>
        "#{"x\n" * 3000}\xFF", **FLOATS.to_h { |float| ["float #{float}", float] },
        "nan" => Float::NAN, "infinity" => Float::INFINITY, "minus infinity" => -Float::INFINITY,
      "array" =>
        [1, [2, [nil]], []], "hash" => { a: { "b" => nil }, "c" => {} },
        "keys" => { nil => 1, 2 => 3, 1.5 => 4, [1] => 5, Key.new => 6, true => 7 },
        "equal keys" => { a: 1, "a" => 2, 1 => 3, "1" => 4 },
      "key of a subclass" =>
        { Text.new("k") => 1 }, "key that is no text" => { "k\xFF" => 1 }, "range" => 1..3,
        "range without its end" => 1.5...2, "endless range" => (1..), "set" => Set[1],
        "struct" => Point.new(1, nil),
      "to_json without arguments" =>
        ToJson0.new, "to_json" => ToJsonAny.new,
        "what to_json is given" => [Shown.new, { a: Shown.new }], "to_hash" => ToHash.new,
        "each" => Each.new, "text" => Text.new("t<"), "table" => Table[a: 1],
        "list" => List.new([1]),
      "plain subclasses" =>
        [Class.new(String).new("s"), Class.new(Array).new([1]), Class.new(Hash)[a: 1]],
        "decimal" => BigDecimal("1.10"), "large decimal" => BigDecimal("-1e50"),
        "decimal nan" => BigDecimal("NaN"),
      "rational" =>
        1/3r, "complex" => Complex(1, 2), "time" => Time.at(0, 123_456, :usec).utc,
        "date" => Date.new(2026, 1, 2), "date time" => DateTime.new(2026, 1, 2, 3, 4, 5),
        "module" => Comparable, "class" => Point,
      "exception" =>
        ArgumentError.new("x<"), "pathname" => Pathname.new("/a"), "uri" => URI("http://a/b?c&d"),
        "regexp" => /a"/, "io" => $stderr, "match" => "a".match(/a/),
        "delegator" => SimpleDelegator.new({ a: 1 }),
      "encoding" =>
        Encoding::UTF_8, "deep" => Array.new(999).reduce([]) { |inner, _| [inner] },
        "deep hash" => Array.new(500).reduce({}) do |inner, _|
        { a: inner }
      end
    }
  end

  def self.around(value)
    { "itself" => value, "in an Array" => [value], "in a Hash" => { "k" => value, l: [value] } }
  end

  # The text, bytes as they are, or the class of what was raised.
  def self.outcome
    text = yield
    [text.encoding, text.b]
  rescue Exception => error # rubocop:disable Lint/RescueException
    error.class.name
  end

  def self.theirs(value, dialect)
    outcome { Oj.dump(value, mode: dialect == :oj ? :compat : :strict) }
  end
  def self.ours(value, dialect) = outcome { ToJson.generate(value, rules: dialect) }

  # What differs, as [dialect, name, where, theirs, ours].
  def self.differences
    %i[oj oj_strict].flat_map do |dialect|
      values.flat_map do |name, value|
        around(value).filter_map do |where, document|
          expected, actual = theirs(document, dialect), ours(document, dialect)
          [dialect, name, where, expected, actual] if expected != actual
        end
      end
    end
  end
end
