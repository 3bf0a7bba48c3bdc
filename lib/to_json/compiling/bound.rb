# frozen_string_literal: true

# Layer: compiler. What keeps a Plan in the main Ractor.

module ToJson
  class Compiler
    # A block that sees local variables cannot run in another Ractor, nor can an `as:` that is not
    # shareable. A Plan says so before anything is written: in mid-document a part could be delivered
    # already.
    module Bound
      # Units that are looked at. A serializer that is flattened into itself, with less each time, has
      # no end of them; what stands further inside fails where it runs.
      MOST_UNITS = 200
      BLOCK = "its block sees local variables"
      private_constant :MOST_UNITS, :BLOCK

      class << self
        # @param unit [Unit]
        # @return [String, nil] what is bound, and the place of the first field with it, also inside
        #   its associations, as far as declarations tell their serializers; nil: there is none
        def reason(unit)
          seen = { unit => true }
          units = [unit]
          while (unit = units.shift)
            found = reason_within(unit) and return found
            unit.fields.filter_map { |field| inner(unit, field) }.each do |inside|
              next if seen.key?(inside) || seen.size == MOST_UNITS

              seen[inside] = true
              units << inside
            end
          end
        end

        private

        def reason_within(unit)
          unit.fields.each { |field| what = what(field) and return "#{unit.place(field)}: #{what}" }
          meta = unit.definition.meta unless unit.inline?
          "#{unit.serializer_class}: meta: #{BLOCK}" if meta.is_a?(Proc) && bound?(meta)
        end

        def what(field)
          return "its as: cannot be shared" if bound?(field.as)

          BLOCK if blocks(field).any? { |block| bound?(block) }
        end

        def bound?(callable) = !Ractor.shareable?(Blocks.shareable(callable))

        def blocks(field)
          [field.reader, field.default, field.serializer, field.context, *field.conditions.map(&:last)].grep(Proc)
        end

        def inner(unit, field)
          serializer_class = PlanCache.inner_class(unit, field) or return
          return unless field.definition || !PlanCache.imperative?(serializer_class)

          unit.inner(field, serializer_class, :object)
        end
      end
    end
  end
end
