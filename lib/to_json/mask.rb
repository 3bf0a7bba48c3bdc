# frozen_string_literal: true

# Layer: compiler. What one call leaves of a serializer's fields: composed views, only: and except:. Made for the call and
# gone with it, so that what a client chooses makes nothing grow and nothing compile.

module ToJson
  # A bit for every entry of a Definition, and the Masks of what stands inside. Generated code asks it.
  # @api private
  class Mask
    # What is left inside a field: the restrictions of the call, and of `view:`s that were composed.
    Left = Struct.new(:restrictions)
    ALL = Left.new(nil).freeze

    class << self
      # @param unit [Compiler::Unit] whose restrictions are the call's and the declaration's
      # @return [Array(Plan, Mask)] the Plan that asks a Mask, and that
      def over(cache, unit, left = nil)
        Compiler::Restrictions.check(unit.definition, unit.views, left ? left.restrictions : unit.restrictions) unless left && unit.pairs?
        masked = Compiler::Unit.new(unit.serializer_class, unit.definition, [], [], unit.pairs? ? :masked_pairs : :masked)
        [cache.handle(masked).plan, new(unit)]
      end
    end

    def initialize(unit)
      @entries, @restrictions, @bits = unit.definition.entries, unit.restrictions, 0
      chosen = {}.compare_by_identity
      unit.definition.fields(unit.views).each { |field| chosen[field] = true if Compiler::Restrictions.keep?(@restrictions, field) }
      @entries.each_with_index { |field, index| @bits |= 1 << index if chosen[field] }
    end

    # @return [Integer] 1 for an entry that is written
    def [](index) = @bits[index]

    # @return [Left] of an association
    def inner(index)
      inner = Compiler::Restrictions.of_call(@restrictions, @entries[index])
      inner.empty? ? ALL : Left.new(inner)
    end
  end
end
