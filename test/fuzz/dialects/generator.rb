# frozen_string_literal: true

# Fuzz. Random trees with what libraries disagree about: encodings, floats of random bits, keys that
# collide, subclasses, objects with methods of their own, values that raise.

require "dialects/json_table"
require_relative "paper"
require_relative "../kit/dice"

module Fuzz
  # Makes Papers.
  class PaperGenerator
    CHARACTERS = [*"a".."z", *"0".."9", " ", '"', "\\", "/", "<", ">", "&", "'", "\n", "\t", "\r",
                  "\b", "\f", "\0", "\x1f", "\x7f", "\u0080", "é", "ß", "漢",
                  "\u2028", "\u2029", "\uFEFF", "\uFFFD", "\u{1F600}", "\u{10FFFF}"].freeze
    KINDS = Dice.weights(leaf: 10, array: 5, hash: 6)
    LEAVES = Dice.weights(plain: 6, integer: 3, bignum: 1, float: 5, string: 7, encoded: 1,
                          symbol: 3, library: 2, object: 2, wrong: 1)
    ARRAYS = { "Array" =>
                 "%s", "Array subclass" => "JsonTable::MyArray.new(%s)", "Set" => "Set.new(%s)",
                 "Array subclass with to_json" => "JsonTable::LoudArray.new(%s)",
               "Array in a Struct" => "JsonTable::Point.new(%s, nil)" }.freeze
    HASHES = { "Hash" =>
                 "%s", "Hash subclass" => "JsonTable::MyHash[%s]",
                 "Hash by identity" => "%s.compare_by_identity",
               "Hash subclass with to_json" =>
                 "JsonTable::LoudHash[%s]",
                 "Hash with a default" => "Hash.new(1).merge(%s)" }.freeze
    ENCODINGS =
      %w[ISO-8859-1 Windows-1252 UTF-16LE UTF-16BE UTF-32LE Shift_JIS EUC-JP US-ASCII BINARY UTF-8]
        .freeze
    LIBRARY = ["Time.at(0, 123_456_789, :nsec).utc", 'Time.new(2026, 11, 20, 10, 0, 0, "+01:00")',
               "Date.new(2026, 11, 20)", "DateTime.new(2026, 11, 20, 10, 0, 0.5)",
               'BigDecimal("12.50")', 'BigDecimal("-1e-30")', "Rational(1, 3)", "Complex(1, -2)",
               "(1..3)", "(1..)", 'Set[1, "a"]', "String", "/a\\/b/",
               "JsonTable::Point.new(1, [nil])",
               "JsonTable::Pair.instance_method(:x).name", 'ArgumentError.new("é")',
               "Encoding::UTF_8"].freeze
    OBJECTS = ['JsonTable::Named.new("n/é")', "JsonTable::OwnJson.new(1)",
               "JsonTable::Asking.new(1)", 'JsonTable::Delegating.new("d\u2028")',
               "JsonTable::NoJson.new(1)",
               "JsonTable::Hashed.new(1)", 'JsonTable::MyString.new("my\u2029")',
               'JsonTable::LoudString.new("l")', "JsonTable::LoudPoint.new(1)",
               "JsonTable::Listed.new.to_a", 'JSON::Fragment.new("[1, 2]")',
               "JsonTable::Colour"].freeze
    WRONG = ["Float::NAN", "Float::INFINITY", "-Float::INFINITY", '"\xff"', '"ab\xc3"',
             "JsonTable::WrongJson.new(1)", "JsonTable::NoArgument.new(1)", "BasicObject.new",
             "{ JsonTable::WrongText.new => 1 }", '{ "\xff" => 1 }', '"\xed\xa0\x80"'].freeze
    EDGES = [0, -1, 2**31, 2**53 + 1, 2**62 - 1, 2**62, -2**62, -2**62 - 1].freeze
    POWERS = [15, 16, 17, 20, 21, 22, -4, -5, -6, -7, -9, -10].freeze
    KEYS = %w[:a :b "a" "b" :id "id" 1 1.0 nil true "1" "" :"" 1.5 :"q\ " "/\u2028é"].freeze
    ROWS = ["nil", "true, false", "Integer", "Bignum", "Float", "String", "String in an encoding",
            "Symbol", "library", "object", "wrong", *ARRAYS.keys, *HASHES.keys].freeze

    def initialize(dice, depth: 4)
      @dice = dice
      @depth = depth
    end

    def value(depth = @depth)
      case depth.positive? ? @dice.weighted(KINDS) : :leaf
      when :leaf then leaf
      when :array then container(ARRAYS, Array.new(size) { value(depth - 1) })
      else container(HASHES, Array.new(size) { [key, value(depth - 1)] })
      end
    end

    private

    def size = @dice.once_in(40) ? 30 : @dice.below(5)

    def container(kinds, parts)
      row = @dice.once_in(4) ? @dice.pick(kinds.keys) : kinds.keys.first
      if parts.empty?
        return Paper.new(row, kinds[row].sub("%s") { row.start_with?("Hash") ? "{}" : "[]" })
      end

      Paper.new(row, parts: parts, around: kinds[row])
    end

    def key = Paper.new("key", @dice.once_in(6) ? literal(string) : @dice.pick(KEYS))

    def leaf
      case @dice.weighted(LEAVES)
      when :plain
        if @dice.once_in(3)
          Paper.new("nil", "nil")
        else
          Paper.new("true, false", @dice.pick(%w[true false]))
        end
      when :integer
        Paper.new("Integer",
                  (@dice.once_in(3) ? @dice.pick(EDGES) + @dice.between(-2, 2) :
                     @dice.below(10**@dice.between(1, 18)))
                    .to_s)
      when :bignum
        Paper.new("Bignum", (@dice.pick([1, -1]) * (2**@dice.between(63, 300))).to_s)
      when :float then Paper.new("Float", float)
      when :string then Paper.new("String", literal(string))
      when :encoded then Paper.new("String in an encoding", encoded)
      when :symbol
        Paper.new("Symbol",
                  @dice.once_in(4) ? "#{literal(string)}.to_sym" :
                    @dice.pick(%w[:a :name :"two\ words" :"q\"/é"]))
      when :library then Paper.new("library", @dice.pick(LIBRARY))
      when :object then Paper.new("object", @dice.pick(OBJECTS))
      else Paper.new("wrong", @dice.pick(WRONG))
      end
    end

    def float
      case @dice.below(4)
      when 0 then bits = @dice.bytes(8)
                  if bits.unpack1("G").finite?
                    "[#{bits.unpack1("H*").inspect}].pack('H*').unpack1('G')"
                  else
                    "1.5"
                  end
      when 1 then (@dice.below(10**9) / 1000.0).to_s
      when 2 then "#{@dice.between(-99, 99)}e#{@dice.pick(POWERS)}"
      else (@dice.float * (10**@dice.between(-12, 25))).to_s
      end
    end

    def string
      length = @dice.once_in(12) ? @dice.below(300) : @dice.below(14)
      text = +""
      length.times { text << @dice.pick(@dice.once_in(2) ? CHARACTERS : CHARACTERS.first(37)) }
      text
    end

    def literal(text) = "#{text.b.inspect}.dup.force_encoding('UTF-8')"

    def encoded
      name = @dice.pick(ENCODINGS)
      bytes =
        if @dice.once_in(3)
          @dice.bytes(@dice.below(6))
        else
          @dice.pick(["plain", "caf\u00e9", "\u65e5\u672c", "\u2028"]).encode(
            name, undef: :replace, invalid: :replace
          )
        end
      "#{bytes.b.inspect}.dup.force_encoding(#{name.inspect})"
    rescue EncodingError
      '"plain".b'
    end
  end
end
