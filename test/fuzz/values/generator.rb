# frozen_string_literal: true

# Fuzz. Random values on paper.

require_relative "specials"
require_relative "../kit/dice"
require_relative "../kit/shrinker"

module Fuzz
  # Makes trees of Specs.
  class ValueGenerator
    CHARACTERS = [*"a".."z", *"A".."Z", *"0".."9", " ", '"', "\\", "/", "<", ">", "&", "\n", "\t",
                  "\r", "\b", "\f", "\0", "\x1f",
                  "\x7f", "é", "ß", "漢", "\u2028", "\u2029", "\uFFFD", "😀", "\u{10FFFF}"].freeze
    KINDS = Dice.weights(plain: 10, string: 6, list: 4, table: 4, special: 3, own: 2)
    LEAVES = Dice.weights(plain: 10, string: 6, special: 2)
    EDGES = [0, -1, 2**31 - 1, -2**31, 2**53 + 1, 2**62 - 1, 2**62, -2**62, 2**63, 2**64, 10**30,
             -10**30].freeze

    # Every row of the table that values reach.
    ROWS = ["nil, true, false", "Integer", "Float", "String", "Symbol", "Hash", "Hash keys by to_s",
            "Hash keys that collide",
            *List::KINDS.keys, *OwnMethod::CLASSES.keys,
            *Specials::ALL.map { |special| special.instance_variable_get(:@row) }].uniq.freeze

    # @param depth [Integer] containers inside each other at most
    # @param errors [Boolean] whether values that raise come too
    def initialize(dice, depth: 4, errors: true)
      @dice = dice
      @depth = depth
      @specials = errors ? Specials::ALL : Specials::FINE
    end

    def value(depth = @depth)
      case @dice.weighted(depth.positive? ? KINDS : LEAVES)
      when :plain then Plain.new(plain)
      when :string then Plain.new(string)
      when :list then collection(@dice.once_in(3) ? @dice.pick(List::KINDS.keys) : "Array", depth)
      when :table then table(depth)
      when :special then @dice.pick(@specials)
      else own(depth)
      end
    end

    # A value that stays small.
    def leaf = Plain.new(plain)

    # A Set drops equal elements: only of plain ones is it plain which those are.
    def collection(kind, depth)
      List.new(kind, kind == "Set" ? Array.new(size) { leaf } : list(depth))
    end

    def list(depth) = Array.new(size) { value(depth - 1) }

    def table(depth)
      Table.new(Array.new(size) { key }.uniq.map { |key| [Plain.new(key), value(depth - 1)] })
    end

    def key
      case @dice.below(8)
      when 0 then string
      when 1 then @dice.pick([1, 2.5, nil, true, "1", :"1"])
      else @dice.pick(%i[a b c id name longer_name])
      end
    end

    def string
      length = @dice.once_in(12) ? @dice.below(400) : @dice.below(14)
      plain_only = @dice.once_in(2)
      String.new(capacity: length).tap do |text|
        length.times { text << (plain_only ? CHARACTERS[@dice.below(62)] : @dice.pick(CHARACTERS)) }
      end
            .force_encoding(Encoding::UTF_8)
    end

    private

    def size = @dice.once_in(30) ? 20 + @dice.below(60) : @dice.below(5)

    def plain
      case @dice.below(9)
      when 0, 1 then @dice.pick([nil, true, false])
      when 2 then @dice.pick(EDGES) + @dice.between(-2, 2)
      when 3, 4 then @dice.below(1000)
      when 5 then @dice.pick(%i[a name two three])
      when 6 then float
      else @dice.pick(["", "Fred", "x" * 20])
      end
    end

    def float
      if @dice.once_in(3)
        return @dice
          .pick([0.0, -0.0, 1.5, 1e15, 1e16, 1e-4, 1e-5, 5e-324, 1.7976931348623157e308, 0.1 + 0.2])
      end

      bits = @dice.bytes(8).unpack1("G")
      bits.finite? ? bits : @dice.float
    end

    def own(depth)
      kind = @dice.pick(OwnMethod::CLASSES.keys)
      given = case kind
              when "own to_hash", "own to_h" then table(depth - 1)
              when "own to_s" then Plain.new(string)
              when "own to_json"
                ValueGenerator.new(@dice, errors: false).value([depth - 1, 1].min)
              else value(depth - 1)
              end
      OwnMethod.new(kind, given)
    end
  end
end
