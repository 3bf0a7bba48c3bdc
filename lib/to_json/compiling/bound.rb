# frozen_string_literal: true

# Layer: compiling. Finds the reason why a Plan works in the main Ractor only.

module ToJson
  class Compiler
    # A block that sees local variables, or whose self cannot be shared, cannot run in another
    # Ractor, nor can an `as:` that is not shareable. A Plan says so before anything is written: in
    # mid-document a part could be delivered already.
    module Bound
      # Units that are looked at. A serializer that is flattened into itself, with less each time,
      # has no end of them; what stands further inside fails where it runs.
      MOST_UNITS = 200
      private_constant :MOST_UNITS

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
          unit.fields.each do |field|
            callables(field).each do |word, callable|
              why = why(callable) and return "#{unit.place(field)}: its #{word} #{why}"
            end
          end
          meta = unit.definition.meta unless unit.inline?
          why = why(meta) if meta.is_a?(Proc)
          "#{unit.serializer_class}: meta: its block #{why}" if why
        end

        # @return [Array(String, Object)] what the field calls, each with the word that declares it
        def callables(field)
          blocks = [["block", field.reader], ["default:", field.default],
                    ["serializer:", field.serializer], ["context:", field.context],
                    *field.conditions.map { |word, condition| ["#{word}:", condition] }]
          [["as:", field.as], *blocks.select { |_, block| block.is_a?(Proc) }]
        end

        # @return [String, nil] why another Ractor cannot run it; nil: it can
        def why(callable)
          return if Ractor.shareable?(Blocks.shareable(callable))
          return "cannot be shared" unless callable.is_a?(Proc)

          around = callable.binding
          return "sees local variables" unless around.local_variables.empty?

          "has a self that cannot be shared (#{words(around.receiver)})"
        rescue ArgumentError
          "is a Proc without Ruby code, made by a method such as Proc#curry"
        end

        def words(receiver)
          type = Reflection.class_of(receiver)
          "an instance of #{Reflection.name_of(type) || "a class without a name"}"
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
