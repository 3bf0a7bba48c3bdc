# frozen_string_literal: true

# Layer: compiler. What keeps a Plan in the main Ractor.

module ToJson
  class Compiler
    # A block that sees local variables cannot run in another Ractor. A Plan says so before anything
    # is written: in mid-document a part could be delivered already.
    module Bound
      class << self
        # @param unit [Unit]
        # @return [String, nil] the place of the first field with such a block, also inside its
        #   associations, as far as declarations tell their serializers; nil: there is none
        def place(unit, seen = {})
          return if seen.key?(unit)

          seen[unit] = true
          unit.fields.each do |field|
            return unit.place(field) if blocks(field).any? { |block| bound?(block) }

            inner = inner(unit, field) and found = place(inner, seen) and return found
          end
          nil
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
