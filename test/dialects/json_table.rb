# frozen_string_literal: true

# What :json and :json2 are compared with the live library on: every option that its generator has,
# and every kind of value. A value is a lambda, called anew for each comparison.

require "bigdecimal"
require "date"
require "delegate"
require "ostruct"
require "set"
require "time"

module JsonTable
  # Objects that json asks in ways of its own.
  class Named
    def initialize(name) = @name = name
    def to_s = "named #{@name}"
  end

  class OwnJson < Named
    def to_json(*) = '{"own": 1}'
  end

  class Asking < Named
    def to_json(state)
      %("#{state.class.name.split("::").last} #{state.depth} #{state.indent.inspect.delete('"')}")
    end
  end

  class Delegating < Named
    def to_json(*arguments) = { inner: [@name], n: nil }.to_json(*arguments)
  end

  class Colliding < Named
    def to_json(*arguments) = { "a" => 1, a: 2 }.to_json(*arguments)
  end

  class NoArgument < Named
    def to_json = "1"
  end

  class WrongJson < Named
    def to_json(*) = 1
  end

  class NoJson < Named
    def to_json(*) = "not json"
  end

  class Hashed < Named
    def to_h = { h: 1 }
    def to_hash = to_h
  end

  class WrongText
    def to_s = 1
  end

  class Listed
    include Enumerable
    def each = yield(1)
    def to_a = [1]
    def to_ary = to_a
  end

  class Missing < BasicObject
    def method_missing(name, *) = name.to_s
    def respond_to_missing?(*) = true
  end

  class MyString < String; end
  class MyHash < Hash; end
  class MyArray < Array; end

  class LoudString < String
    def to_s = upcase
    def to_json(*) = '"loud"'
  end

  class LoudHash < Hash
    def to_json(*) = '"hash"'
  end

  class LoudArray < Array
    def to_json(*) = '"array"'
  end

  Point = Struct.new(:x, :y)
  LoudPoint = Struct.new(:x) { def to_json(*) = "[0]" }
  Pair = defined?(Data) ? Data.define(:x) : Struct.new(:x)
  Colour = Module.new

  NASTY = "q\" b\\ s/ <&> \b\f\n\r\t\u0001\u001f\u007f é \u2028\u2029 \u{1F600} \uFFFD \u0000"

  VALUES = {
    "nil" => -> {}, "true" => -> { true }, "false" => -> { false },
    "0" =>
      -> { 0 }, "a negative" => -> { -42 }, "the largest Fixnum" => -> { 2**62 - 1 },
      "a Bignum" => -> { -(2**200) },
    "Floats" =>
      -> {
        [0.0, -0.0, 1.0, 1.5, 100.0, 1e14, 1e15, 123456789012345.0, 1e16, 1e20, 1e21, 1e22, 1e23,
         -1.5e300, 5e-324, 2.2e-308]
      },
    "small Floats" =>
      -> {
        [0.1, 0.001, 1e-4, 1e-5, 1.25e-5, 1e-6, 1e-7, 1.5e-7, 1e-9, 1.234e-9, 1e-10,
         1.2345678901234567e-8, 0.1 + 0.2]
      },
    "Floats that are not the shortest there" =>
      -> { [-4.914633095807629e-46, 1.961771794688198e-23, 81401743412524.12, 1099191038213643.2] },
    "NaN" =>
      -> { Float::NAN }, "Infinity" => -> { [1, Float::INFINITY] },
      "-Infinity" => -> { { a: -Float::INFINITY } },
    "an empty String" =>
      -> { "" }, "a String" => -> { "Fred" }, "a nasty String" => -> { NASTY },
      "a long one" => -> { NASTY * 40 },
    "a frozen one" =>
      -> { "Fred/é".dup.freeze }, "ASCII in US-ASCII" => -> { "a/".dup.force_encoding("US-ASCII") },
    "ASCII in binary" =>
      -> { "a/".b }, "UTF-8 in binary" => -> { "é".b }, "bytes in binary" => -> { "\xff\x00".b },
    "broken UTF-8" =>
      -> { ["ab\xff"] }, "broken US-ASCII" => -> { "\xe9".dup.force_encoding("US-ASCII") },
    "ISO-8859-1" =>
      -> { "\xe9/".dup.force_encoding("ISO-8859-1") },
      "UTF-16" => -> { "é\u2028".encode("UTF-16LE") },
    "UTF-16 with a BOM" =>
      -> { "é".encode("UTF-16") }, "broken UTF-16" => -> { "\xd8".dup.force_encoding("UTF-16LE") },
    "Shift_JIS" =>
      -> { "日本".encode("Shift_JIS") },
      "Windows-1252 without a form" => -> { "\x81".dup.force_encoding("Windows-1252") },
    "UTF-7, a dummy" =>
      -> { "a".dup.force_encoding("UTF-7") },
      "surrogates" => -> { "\xed\xa0\x80".dup.force_encoding("UTF-8") },
    "a Symbol" =>
      -> { :sym }, "Symbols again" => -> { [:é, :é, { "a/b": :"a/b", é: :"a/b" }] },
      "a nasty Symbol" => -> { [:"q\"/é\u2028", :"", :sym] },
      "a dynamic Symbol" => -> { "dyn#{rand(9**9) * 0}amic".to_sym },
    "a Symbol in UTF-16" =>
      -> { "é".encode("UTF-16LE").to_sym }, "a broken Symbol" => -> { "\xff".b.to_sym },
    "an empty Array" =>
      -> { [] }, "an empty Hash" => -> { {} }, "nested empties" => -> { [[], {}, [[]], { a: {} }] },
    "an Array" =>
      -> { [1, "a", nil, [2, [3]], { b: [true] }] },
      "a Hash" => -> { { a: 1, b: { c: [], d: { e: "f" } } } },
    "String keys" =>
      -> { { "a/é\u2028" => 1, "" => 2, NASTY => 3 } },
      "other keys" => -> { { 1 => 1, nil => 2, 1.5 => 3, true => 4, [1] => 5, (1..2) => 6 } },
    "object keys" =>
      -> {
        { Named.new("k") => 1, String => 2, Time.utc(2020) => 3, BigDecimal("1.5") => 4,
          Rational(1, 2) => 5 }
      },
    "NaN as a key" =>
      -> { { Float::NAN => 1, 1e20 => 2, -0.0 => 3 } },
      "a String subclass as a key" => -> { { MyString.new("k") => 1, LoudString.new("l") => 2 } },
    "a key without text" =>
      -> { { WrongText.new => 1 } },
      "a BasicObject as a key" => -> { {}.compare_by_identity.tap { |h| h[BasicObject.new] = 1 } },
    "binary keys" =>
      -> { { "é".b => 1 } }, "broken keys" => -> { { "\xff" => 1 } },
      "UTF-16 keys" => -> { { "é".encode("UTF-16LE") => 1 } },
    "a Hash by identity" =>
      -> { { "a".dup => 1, "a".dup => 2 }.compare_by_identity },
      "a default proc" => -> { Hash.new { |h, k| h[k] = 1 }.merge!(a: 2) },
    "colliding keys" =>
      -> { [{ "a" => 1, a: 2 }] }, "colliding Symbol first" => -> { { x: 0, a: 1, "a" => 2 } },
      "mixed keys that differ" => -> { { "a" => 1, b: 2 } },
    "1 and \"1\"" =>
      -> { { 1 => 1, "1" => 2 } }, "\"1\" and 1" => -> { { "1" => 2, 1 => 1 } },
      "nil and \"\"" => -> { { nil => 1, "" => 2 } },
    "nil and :\"\"" =>
      -> { { :"" => 1, nil => 2 } }, "Float and String" => -> { { 1.0 => 1, 1 => 2, "1.0" => 3 } },
    "sorting" =>
      -> { { "b" => 1, "a" => [{ "d" => 1, "c" => 2 }], "\u{1F600}" => 3, "\uFFFD" => 4 } },
      "sorting Symbols" => -> { { b: 1, a: 2 } },
    "sorting what has no order" => -> { { "b" => 1, a: 2, 1 => 3 } },
    "a Time" =>
      -> { Time.utc(2020, 1, 2, 3, 4, 5.5) }, "a Date" => -> { Date.new(2020, 1, 2) },
      "a DateTime" => -> { DateTime.new(2020, 1, 2, 3, 4, 5) },
    "a BigDecimal" =>
      -> { [BigDecimal("1.50"), BigDecimal("1e-30"), BigDecimal("NaN"), BigDecimal("-Infinity")] },
    "a Rational" =>
      -> { Rational(1, 3) }, "a Complex" => -> { Complex(1, 2) }, "a Range" => -> { 1..3 },
      "an endless Range" => -> { 1.. },
    "a Set" =>
      -> { Set[1, "a"] }, "a Struct" => -> { Point.new(1, nil) },
      "a Data" => -> { Pair.new(x: 1) rescue Pair.new(1) },
    "a Struct with to_json" =>
      -> { [LoudPoint.new(1)] }, "an OpenStruct" => -> { OpenStruct.new(a: 1).to_s },
      "a Class" => -> { [String, Colour] },
    "a Regexp" =>
      -> { /a"b/ }, "an Exception" => -> { ArgumentError.new("bad") },
      "a Proc's to_s" => -> { Named.new(:x.to_proc.arity) },
      "an Encoding" => -> { Encoding::UTF_8 },
    "an Enumerator" =>
      -> { Hashed.new([1].each.size) }, "an object with to_s" => -> { Named.new("n/é") },
      "with to_h" => -> { Hashed.new(1) },
    "with to_ary" =>
      -> { Listed.new.to_a }, "with to_json" => -> { [OwnJson.new(1), { a: OwnJson.new(2) }] },
      "with to_json that asks" => -> { [[Asking.new(1)], { a: [Asking.new(2)] }] },
    "with to_json that delegates" =>
      -> { [{ a: Delegating.new("x/é\u2028") }, Delegating.new(nil)] },
      "with to_json that collides" => -> { [Colliding.new(1)] },
      "with to_json of no argument" => -> { NoArgument.new(1) },
    "with to_json that gives no String" =>
      -> { WrongJson.new(1) }, "with to_json that gives no JSON" => -> { [NoJson.new(1)] },
    "with to_s that gives no String" =>
      -> { Class.new { def to_s = 1 }.new.then { |o| o.class.name } },
      "method_missing" => -> { [Missing.new] },
    "a BasicObject" =>
      -> { [BasicObject.new] },
      "a singleton to_json" => -> { Named.new(1).tap { |o| def o.to_json(*) = "[1]" } },
    "a String with a singleton to_json" =>
      -> { "abc".dup.tap { |o| def o.to_json(*) = "[1]" } },
      "a Hash with a singleton to_json" => -> { { a: 1 }.tap { |o| def o.to_json(*) = "[2]" } },
    "a String subclass" =>
      -> { [MyString.new("my/é"), LoudString.new("x")] },
      "a broken String subclass" => -> { MyString.new("\xff") },
    "a Hash subclass" =>
      -> { MyHash[a: [1], "b" => { c: MyHash[d: 1] }] },
      "a Hash subclass with to_json" => -> { [LoudHash[a: 1]] },
    "an Array subclass" =>
      -> { MyArray[1, MyArray[], [MyArray[2]]] },
      "an Array subclass with to_json" => -> { { a: LoudArray[1] } },
    "a delegator" =>
      -> { SimpleDelegator.new(Named.new(1)).to_s },
      "a Fragment of json" =>
        -> { [JSON::Fragment.new('{"f": 1}'), { a: JSON::Fragment.new("no") }] },
    "a Fragment of ours" =>
      -> { [ToJson::Fragment.new('{"f": 1}')] },
      "100 deep" => -> { (1..99).inject([]) { |a, _| [a] } },
      "101 deep" => -> { (1..100).inject({}) { |a, _| { a: a } } },
    "itself" =>
      -> { [].tap { |a| a << a } },
      "a Hash in itself" => -> { {}.tap { |h| h[:a] = MyHash[h: h] } },
      "subclasses 101 deep" => -> { (1..100).inject(MyArray[]) { |a, _| MyArray[a] } },
    "many kinds" => -> do
      { id: 1, name: NASTY, tags: %w[a b], at: Time.at(0).utc, ratio: 1e20,
        sub: [{ a: MyString.new("x") }, Point.new(1, 2), :sym] }
    end
  }.freeze

  # Without max_nesting json itself ends the process in these.
  ENDLESS = ["itself", "a Hash in itself"].freeze

  COLLIDING = ["colliding keys", "colliding Symbol first", "1 and \"1\"", "\"1\" and 1",
               "nil and \"\"", "nil and :\"\"", "Float and String"].freeze

  # The values that may be tried under some options.
  def self.values(options, dialect)
    values =
      if options.key?(:max_nesting) && [nil, false, 0].include?(options[:max_nesting])
        VALUES.except(*ENDLESS)
      else
        VALUES
      end
    values = values.except("a Fragment of ours") if options[:strict] # written, as everywhere
    # json 3.1 asks the as_json that is not there.
    values = values.except(*COLLIDING) if options[:rfc8785] && !options[:as_json]
    # 2.x takes whatever as_json makes of such a Symbol for the bytes of a String, and asks such a
    # key for its to_s to warn.
    if dialect == :json2 && options[:as_json]
      values.except("a Symbol in UTF-16", "a broken Symbol", "a BasicObject as a key")
    else
      values
    end
  end

  AS_JSON = ->(object, is_key) do
    if is_key
      "key #{object}"
    else
      (object.is_a?(Named) ? { n: object.to_s } :
         object.to_s.dup.force_encoding("UTF-8").scrub("?"))
    end
  end
  LAYOUT = { indent: "\t", space: " ", space_before: "_", object_nl: "\n", array_nl: "\r\n" }.freeze

  # Options of both lines. Every name that the live State has must stand here, or in NEW or OLD.
  OPTIONS = [
    {}, LAYOUT, { indent: "  " }, { indent: "  ", object_nl: "\n" },
    { indent: "  ", array_nl: "\n" }, { space: "  " }, { space_before: " " },
    { object_nl: "\n" }, { array_nl: "\n" }, { indent: "é", array_nl: "/" },
    { indent: nil, space: nil, object_nl: "", array_nl: nil },
    { depth: 3, indent: " ", array_nl: "\n", object_nl: "\n" },
    { depth: 98 }, { max_nesting: 3 }, { max_nesting: 0 }, { max_nesting: nil },
    { max_nesting: false }, { max_nesting: 1, indent: " " },
    { allow_nan: true }, { allow_nan: false }, { allow_nan: nil }, { ascii_only: true },
    { script_safe: true }, { ascii_only: true, script_safe: true },
    { ascii_only: true, indent: " ", object_nl: "\n" }, { script_safe: nil }, { strict: true },
    { strict: true, allow_nan: true }, { strict: true, as_json: AS_JSON },
    { strict: true, as_json: ->(object, _) { object } },
    { strict: true, as_json: ->(object, _) { [object.to_s.b.size, :sym, 1.5, nil, { a: [] }] } },
    { strict: true, as_json: ->(_, _) { "\xff" } },
    { strict: true, as_json: proc { |object| object.class.to_s } },
    { strict: true, as_json: :to_s }, { as_json: AS_JSON },
    { strict: true, as_json: false, **LAYOUT },
    { strict: true, as_json: AS_JSON, ascii_only: true }, { allow_duplicate_key: true },
    { allow_duplicate_key: false },
    { sort_keys: true }, { sort_keys: false },
    { sort_keys: ->(hash) { hash.sort_by { |k, _| k.to_s }.reverse.to_h } },
    { sort_keys: true, strict: true, as_json: AS_JSON },
    { sort_keys: proc { 1 } }, { buffer_initial_length: 8 }
  ].freeze

  # Of 3.x alone, and of 2.x alone.
  NEW = [{ rfc8785: true }, { rfc8785: true, strict: true },
         { rfc8785: true, strict: true, as_json: AS_JSON }, { rfc8785: false }].freeze
  OLD = [{ escape_slash: true }, { escape_slash: false, ascii_only: true }].freeze

  # What a Coder of either library is made with.
  CODERS = [
    [{}, nil], [{}, AS_JSON], [{ as_json: AS_JSON }, nil],
    [LAYOUT, proc { |object| object.class.to_s }],
    [{ allow_nan: true, script_safe: true }, proc(&:to_s)],
    [{ max_nesting: 4 }, AS_JSON], [{ strict: true }, nil], [{ strict: false }, nil],
    [{ ascii_only: true, sort_keys: true }, AS_JSON]
  ].freeze

  # What applications do to Ruby's own classes.
  PATCHES = { Symbol =>
                '"patched Symbol"', Time => '"patched Time"', NilClass => '"patched nil"',
                Integer => '"patched Integer"', Float => '"patched Float"',
              String =>
                '"patched String"', Array => '"patched Array"', Hash => '"patched Hash"',
                Struct => '"patched Struct"', Object => '"patched Object"' }.freeze

  def self.options(dialect) = OPTIONS + (dialect == :json ? NEW : OLD)
end
