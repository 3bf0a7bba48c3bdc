# frozen_string_literal: true

# Fuzz. Random rows for the classes of a case, and random calls.

require_relative "choices"
require_relative "rows"

module Fuzz
  module Definitions
    # Values for what a class reads, deep enough for its associations.
    class ObjectGenerator
      # Rows in one object at most: what is beyond is nil.
      MOST = 30
      VALUES = {
        string: ["12", ":word", "1.5", '"text"', "nil", 'BigDecimal("12.50")', "true"],
        integer: ["0", '"42"', '"-7"', "12.9", "nil", "2**70", 'BigDecimal("3.7")',
                  "Rational(7, 2)", "Time.at(77)"],
        float: ["1", '"1.25"', "0.1", "nil", "Rational(1, 4)", 'BigDecimal("1.5")', '"1e3"'],
        boolean: ["nil", "false", "true", "0", '""', "[]"],
        date: ["nil", "Date.new(2026, 11, 20)", "Time.utc(2026, 1, 2, 23, 59)",
               "DateTime.new(2025, 2, 3, 4, 5)", '"2024-02-29"'],
        time: ["nil", "Time.utc(2026, 11, 20, 10, 0, 0.25r)",
               'Time.new(2026, 11, 20, 10, 0, 0, "+05:30")', "DateTime.new(2026, 11, 20, 10, 0, 0)",
               "Time.at(0).utc"],
        fragment: ["nil", '""', "'[1,2.50]'", "'{\"a\":\"\\\\u00e9\"}'",
                   "ToJson::Fragment.new('7')", "'null'", "'\"<b>\"'"],
        flag: ["nil", "true", "true", "false", "1"]
      }.transform_values { |list| list.map { |source| Special.new("", source, nil) }.freeze }.freeze
      KINDS = Dice.weights(plain: 4, getters: 4, struct: 3, symbols: 4, strings: 2, both: 1,
                           open: 1, delegator: 1, missing: 1, unsaid: 1, row: 1,
                           **(defined?(::Data) ? { data: 2 } : {}))
      COLLECTIONS = Dice.weights(array: 10, set: 1, enumerator: 1, lazy: 1, enumerable: 1,
                                 to_ary: 1, delegator: 1)
      # What these kinds cannot be asked for.
      UNFIT = { struct: [:"", :`], data: [:"", :`, :object_id], open: %i[class],
                missing: %i[class object_id], unsaid: %i[class object_id],
                delegator: %i[class object_id] }.freeze

      def initialize(dice, model)
        @dice = dice
        @model = model
        @values = ValueGenerator.new(dice, errors: false)
        @left = MOST
      end

      # For a class; kinds: where only some will do.
      def row(ids, keys = [], depth: 3, kinds: nil)
        keys = (ids.flat_map { |id| @model.keys(id) } | keys)
        keys |= [:id] if keys.empty?
        kind = kinds ? @dice.pick(kinds) : @dice.weighted(KINDS)
        kind = :plain if UNFIT.fetch(kind, []).intersect?(keys)
        @left -= 1
        small = keys.size > 40
        Row.new(kind,
                keys.filter_map { |key| [key, value(key, depth, small)] unless absent?(kind) }.to_h)
      end

      def rows(ids, keys = [], depth: 3, kinds: nil)
        count = @dice.once_in(6) ? 0 : 1 + @dice.below(3)
        Rows.new(@dice.weighted(COLLECTIONS),
                 Array.new([count, [@left, 0].max].min) do
                   @dice.once_in(10) ? Plain.new(nil) : row(ids, keys, depth: depth, kinds: kinds)
                 end)
      end

      private

      def absent?(kind) = %i[symbols strings both open].include?(kind) && @dice.once_in(15)

      def value(key, depth, small)
        case kind = Keys.kind(key)
        when :value
          small || @dice.once_in(2) ? @values.leaf : blank || @values.value(@dice.below(2))
        when :one, :list, :any then associated(key, kind, depth)
        else @dice.pick(VALUES.fetch(kind))
        end
      end

      # Now and then what skip_blank is about.
      def blank = @dice.once_in(8) ? Plain.new(@dice.pick([nil, "", " \u3000", false])) : nil

      def associated(key, kind, depth)
        ids, keys = @model.targets(key)
        kind = @dice.pick(%i[one list]) if kind == :any || %i[parent children].include?(key)
        return Plain.new(nil) if @left <= 0 || @dice.once_in(8)
        return kind == :one ? Plain.new(nil) : Rows.new(:array, []) if depth.zero?

        kinds = { looked: %i[row row row page],
                  mapped: %i[symbols strings row] }[Keys::ROWS_OF[key]]
        if kind == :one
          row(ids, keys, depth: depth - 1, kinds: kinds)
        else
          rows(ids, keys, depth: depth - 1, kinds: kinds)
        end
      end
    end
  end
end
