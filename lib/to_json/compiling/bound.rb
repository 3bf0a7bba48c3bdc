# frozen_string_literal: true

# Layer: compiler. What keeps a Plan in the main Ractor.

module ToJson
  class Compiler
    # A block that sees local variables cannot run in another Ractor. A Plan says so before anything
    # is written: in mid-document a part could be delivered already.
    module Bound
      # Units that are looked at. A serializer that is flattened into itself, with less each time, has
      # no end of them; what stands further inside fails where it runs.
      MOST_UNITS = 200
      private_constant :MOST_UNITS

      class << self
        # @param unit [Unit]
        # @return [String, nil] the place of the first field with such a block, also inside its
        #   associations, as far as declarations tell their serializers; nil: there is none
        def place(unit)
          seen = { unit => true }
          units = [unit]
          while (unit = units.shift)
            fields = unit.fields
            field = fields.find { |one| blocks(one).any? { |block| bound?(block) } }
            return unit.place(field) if field

            fields.filter_map { |one| inner(unit, one) }.each do |inside|
              next if seen.key?(inside) || seen.size == MOST_UNITS

              seen[inside] = true
              units << inside
            end
          end
        end

        private

        def bound?(block) = !Ractor.shareable?(Blocks.shareable(block))

        def blocks(field)
          [field.reader, field.default, field.serializer, field.context, *field.conditions.map(&:last)].grep(Proc)
        end

        def inner(unit, field)
          serializer_class = field.serializer if field.serializer.is_a?(Class)
          return unless field.definition || (serializer_class && !PlanCache.imperative?(serializer_class))

          unit.inner(field, serializer_class, :object)
        end
      end
    end
  end
end
