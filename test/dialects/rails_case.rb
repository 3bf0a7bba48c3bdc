# frozen_string_literal: true

# What the tests of :rails share: values of every kind, and the one question: are we ActiveSupport,
# byte for byte?

require "test_helper"
require "bigdecimal"
require "date"
require "delegate"
require "set"
require "active_support/all"
require "active_support/json"
require "to_json/active_support"

ToJson::ActiveSupportEncoder.uninstall

# What the tests of the dialect :rails inherit from.
class RailsCase < ToJsonTest
  # Only named classes have named Structs.
  module Samples
    Point = Struct.new(:x, :y)
    class Named < Struct.new(:a)
      def to_h = { own: "h" }
    end
    class AsJson
      attr_reader :given

      def as_json(options = nil)
        (@given = options) && { "given" => options.to_a.map(&:to_s), 3 => Time.at(0).utc }
      end
    end
    class Plain
      def initialize
        @number = 1.5
        @list = [nil, :symbol, { at: Time.at(1).utc }]
      end
    end
    class WithHash
      def to_hash = { "a" => { b: 1, c: [2] }, d: 3 }
    end
    class Each
      include Enumerable
      def each
        yield 1
        yield({ a: 2 })
      end
    end
    class Text < String
      def as_json(*) = "as_json of #{self}"
    end
    class List < Array
      def as_json(*) = ["as_json"] + to_a
    end
    class Table < Hash
      def as_json(*) = { "as_json" => size }
    end
    class Mapped < Array
      def map = super.reverse
    end
    class EachPair < Hash
      def each = yield("only", 1)
    end
    class Money < Numeric
      def as_json(*) = { amount: 1, at: Time.at(0).utc }
    end
    class Odd < Numeric
      def to_s = "odd<"
      def coerce(other) = [other, 1]
    end
    class Chain
      def initialize(left) = @left = left
      def as_json(*) = @left.zero? ? { done: true } : self.class.new(@left - 1)
    end
    class Key
      def to_s = "a key>"
    end
    Told = Struct.new(:text) { def to_s = text }
    class Shouting < String
      def to_s = "#{upcase}!"
    end
    class Shown < String
      def to_json(*) = '"shown"'
    end
    Coordinates = defined?(Data) && Data.respond_to?(:define) ? Data.define(:lat, :at) : nil
  end

  # {name => value}: each is written alone, in an Array, in a Hash and as a member.
  def self.values
    s = Samples
    {
      "nil" =>
        nil, "true" => true, "false" => false, "one" => 1, "minus" => -2**62, "bignum" => 2**70,
        "symbol" => :sym, "odd symbol" => :"a<b>\u2028",
      "dynamic symbol" =>
        "dyn#{rand(1 << 40)}".to_sym, "string" => "text", "empty" => "",
        "markup" => "<a href='x'>&\u2028\u2029/</a>", "unicode" => "\u00e9\u{1F600}\u07ff",
      "controls" =>
        "\x00\x1f\b\f\n\r\t\"\\\x7f", "long" => "<x>\u2028" * 3000,
        "latin" => "\xe9".dup.force_encoding("ISO-8859-1"), "utf16" => "\u00e9<".encode("UTF-16LE"),
      "ascii binary" => "ascii".b, "frozen" => "frozen", **floats,
      "array" => [1, [2, [nil]], []], "hash" => { a: { "b" => [1], c: {} } }, "empty hash" => {},
      "integer keys" =>
        { 1 => 2, 3 => 4 },
        "mixed keys" => { 1 => "a", "2" => "b", c: 3, nil => 4, 1.5 => 5, true => 6 },
      "keys by identity" =>
        {}.compare_by_identity
          .tap { |hash| ["a", "b", "a".dup, :a].each_with_index { |key, i| hash[key] = [i] } },
      "plain rows" =>
        Array
          .new(40) do |i|
            { "id" => i,
              "n" => { "f" => i / 8.0, "s" => :sym, "list" => [nil, true, "<#{i}>", Float::NAN] } }
          end,
      "plain rows, deep" => Array.new(9) { |i| [[[{ "id" => [i, { a: [i] * 20 }] }]]] },
      "rows with one that is asked" =>
        Array.new(40) { |i| { id: i, at: (Time.at(i).utc if i == 37), text: "t" } },
      "colliding keys" =>
        { 1 => "a", "b" => 2, "1" => { c: Time.at(0).utc } },
        "object key" => { s::Key.new => 1, [1] => 2, Time.at(0).utc => 3 },
      **keys, "markup key" => { "<k>&" => 1, "<s>": 2, "\u2028" => 3 },
      "string subclass key" => { s::Shouting.new("k") => 1 }, "one odd key" => { 2.5 => 1 },
      "range" =>
        1..3, "range of strings" => "a"..."c", "regexp" => /a<b/i, "rational" => 1/3r,
        "complex" => Complex(1, 2),
      "set" =>
        Set[1, :b, [nil]], "enumerator" => [1, 2].each, "lazy" => (1..3).lazy.map { |n| n * 2 },
        "enumerable" => s::Each.new,
      "struct" =>
        s::Point.new(1, { a: 1.5, "a" => 2 }),
        "struct in struct" => s::Point.new(s::Point.new(nil, 1.5), Set[1]),
        "struct with to_h" => s::Named.new(1),
      "module" =>
        Comparable, "class" => String, "nameless class" => Class.new,
        "exception" => ArgumentError.new("a <b>"),
        "own exception" => Class.new(StandardError).new("x"),
      "uri" =>
        URI("http://example.org/a?b&c"), "pathname" => Pathname.new("/a/<b>"),
        "ip" => IPAddr.new("10.0.0.0/8"), "ip host" => IPAddr.new("::1"),
      "io" =>
        $stdout.class.allocate.class, "status" => s::WithHash.new,
        "decimal" => BigDecimal("1234567890.0987654321"), "small decimal" => BigDecimal("1e-20"),
        "decimal nan" => BigDecimal("NaN"),
      "decimal infinity" => BigDecimal("-Infinity"), **times,
      "own as_json" =>
        s::AsJson.new, "plain object" => s::Plain.new, "to_hash" => s::WithHash.new,
        "object" => Object.new, "chain" => s::Chain.new(2),
      "delegator" =>
        SimpleDelegator.new({ a: 1 }), "delegated time" => SimpleDelegator.new(Time.at(0).utc),
      "string subclass" =>
        Class.new(String).new("sub<"), "string with as_json" => s::Text.new("t"),
        "string with to_json" => s::Shown.new("t"),
        "safe buffer" => ActiveSupport::SafeBuffer.new("<b>"),
      "array subclass" =>
        Class.new(Array).new([1, { a: 1 }]), "array with as_json" => s::List.new([1]),
        "array with map" => s::Mapped.new([1, 2]),
      "hash subclass" =>
        Class.new(Hash).new.merge!(a: Time.at(0).utc), "hash with as_json" => s::Table[a: 1],
        "hash with each" => s::EachPair[a: 1],
      "indifferent" =>
        ActiveSupport::HashWithIndifferentAccess.new(a: 1, b: { c: [{ d: 2 }] }),
        "options" => ActiveSupport::OrderedOptions.new.tap { |o| o.a = 1 },
      "ordered hash" =>
        ActiveSupport::OrderedHash[a: 1], "money" => s::Money.new, "odd number" => s::Odd.new,
        "duration" => 5.minutes, "month" => 1.month,
        "chars" => ActiveSupport.deprecator.silence { ActiveSupport::Multibyte::Chars.new("abc") },
      "json fragment" =>
        (JSON::Fragment.new('{"f":"<"}') if defined?(JSON::Fragment)),
        "data" => s::Coordinates&.new(lat: 1.5, at: Time.at(0).utc), "encoding" => Encoding::UTF_8,
      "singleton" =>
        Time.at(0).utc.tap { |t| t.define_singleton_method(:as_json) { |*| "mine" } },
        "method_missing" => ActiveSupport::InheritableOptions.new({ a: 1 })
    }
  end

  # Keys that read the same, and keys in other encodings: alone, and behind another.
  def self.keys
    decimal, object = BigDecimal("1.5"), Samples::Key.new
    colliding = {
      "numbers" => [1.5, decimal], "numbers, turned" => [decimal, 1.5],
      "a number, a String" => [1, "1"], "a String, a number" => ["1", 1],
      "a Symbol, a number" => [:"1", 1], "a number, a Symbol" => [1, :"1"], "nil" => [nil, ""],
      "objects" => [object, Samples::Key.new], "an object, a String" => [object, "a key>"]
    }
    texts = {
      "UTF-16" => "\u00e9".encode("UTF-16LE"), "UTF-16 of ASCII" => "a".encode("UTF-16LE"),
      "Latin" => "\u00e9".encode("ISO-8859-1"), "ASCII in Latin" => "a".encode("ISO-8859-1"),
      "Shift_JIS" => "\u3042".encode("Shift_JIS"), "binary" => "\u00e9".b, "broken" => "\xff"
    }
    colliding.to_h { |what, names| ["keys that collide: #{what}",
                                    names.each_with_index.to_h] }.merge(
      texts.to_h { |what, text| ["a key in #{what}", { text => 1 }] },
      texts.to_h { |what, text| ["a second key in #{what}", { 1 => 2, text => [text.b] }] },
      texts.to_h { |what, text| ["a key whose to_s is #{what}", { Samples::Told.new(text) => 1 }] }
    )
  end

  def self.floats
    list = [0.0, -0.0, 1.0, 1.5, 100.0, 1e15, 1e16, 1e17, 123_456_789_012_345_680.0, 1e20, 1e21,
            1e22, 1e23, 1e-4, 1e-5, 1.5e-7, 0.1 + 0.2, 1 / 3.0,
            Float::MAX, Float::MIN, 5e-324, -1.5e300, 12_345.678, Float::NAN, Float::INFINITY,
            -Float::INFINITY]
    list.to_h { |float| ["float #{float}", float] }
  end

  def self.times
    zone = ActiveSupport::TimeZone["Europe/Berlin"]
    {
      "time" =>
        Time.at(0, 123_456_789, :nsec).utc,
        "local time" => Time.new(2026, 1, 2, 3, 4, 5.5r, "+05:30"),
        "odd offset" => Time.new(1890, 1, 2, 3, 4, 5, "+00:53:28"),
      "negative offset" =>
        Time.new(2026, 1, 2, 3, 4, 5, "-03:30"),
        "negative odd offset" => Time.new(1890, 1, 2, 3, 4, 5, "-00:44:30"),
        "gmt" => Time.at(0).getlocal("+00:00"),
      "before 1970" =>
        Time.at(-1.5).utc, "year 1" => Time.utc(1, 1, 1), "year 0" => Time.utc(0, 1, 1),
        "year -5" => Time.utc(-5, 1, 1), "year 9999" => Time.utc(9999, 12, 31, 23, 59, 59),
      "year 12345" =>
        Time.utc(12_345, 1, 1), "date" => Date.new(2026, 1, 2), "julian" => Date.new(1500, 2, 29),
        "date -1" => Date.new(-1, 1, 1), "date 12345" => Date.new(12_345, 1, 1),
      "date time" =>
        DateTime.new(2026, 1, 2, 3, 4, 5.25r, "+01:00"), "zoned" => zone.at(1_700_000_000.125),
        "zoned summer" => zone.local(2026, 7, 1), "zoned utc" => Time.at(0.5).in_time_zone("UTC"),
      "zoned etc" =>
        Time.at(0).in_time_zone("Etc/UTC"), "zoned lmt" => zone.local(1880, 1, 1),
        "zoned half" => Time.at(0).in_time_zone("Asia/Kolkata"),
        "time subclass" => Class.new(Time).at(0).utc,
      "date subclass" => Class.new(Date).new(2026, 1, 2), "date infinity" => Date::Infinity.new
    }
  end

  SETTINGS = {
    "as ActiveSupport comes" =>
      {}, "without HTML escapes" => { escape_html_entities_in_json: false },
      "without the standard time format" => { use_standard_json_time_format: false },
    "with whole seconds" =>
      { time_precision: 0 }, "with nanoseconds" => { time_precision: 9 },
      "with a precision that is none" => { time_precision: nil },
    "with more digits than there are" => { time_precision: 12 },
    **(ActiveSupport::JSON::Encoding.respond_to?(:escape_js_separators_in_json=) ? {
      "without separators' escapes" => { escape_js_separators_in_json: false },
      "without any escapes" =>
        { escape_js_separators_in_json: false, escape_html_entities_in_json: false }
    } : {})
  }.freeze

  # ActiveSupport with these settings, until the block ends.
  def with_settings(settings)
    encoding = ActiveSupport::JSON::Encoding
    before = settings.to_h { |name, _| [name, encoding.public_send(name)] }
    settings.each { |name, value| encoding.public_send("#{name}=", value) }
    yield
  ensure
    before.each { |name, value| encoding.public_send("#{name}=", value) }
  end

  # What a call gives: its text, or the class of what it raised.
  def self.outcome
    verbose, $VERBOSE = $VERBOSE, nil # json 2 tells of binary Strings
    text = yield
    text.encoding == Encoding::UTF_8 ? text : [text.encoding, text]
  rescue Exception => error # rubocop:disable Lint/RescueException
    error.class.name.encode(Encoding::UTF_8)
  ensure
    $VERBOSE = verbose
  end

  # ActiveSupport's own encoder, whatever is set.
  def self.theirs(value, options = nil)
    encoding = ActiveSupport::JSON::Encoding
    type =
      if encoding.const_defined?(:JSONGemCoderEncoder)
        encoding::JSONGemCoderEncoder
      else
        encoding::JSONGemEncoder
      end
    deprecated = Warning[:deprecated]
    Warning[:deprecated] = false # json tells of keys that read the same
    outcome { type.new(options).encode(value) }
  ensure
    Warning[:deprecated] = deprecated
  end

  def self.ours(value) = outcome { ToJson.generate(value, rules: :rails) }
  def self.encoded(value, options = nil)
    outcome { ToJson::ActiveSupportEncoder.new(options).encode(value) }
  end

  %i[theirs ours encoded].each do |name|
    define_method(name) { |*arguments| self.class.public_send(name, *arguments) }
  end

  # The value by itself and within containers of every kind.
  def self.around(value)
    { "itself" => value, "in an Array" => [value], "in a Hash" => { "k" => value },
      "by a Symbol" => { k: [value] }, "as a member" => Samples::Point.new(value, [value]) }
  end

  def assert_rails(value, what)
    assert_equal(theirs(value), ours(value), what)
  end
end
