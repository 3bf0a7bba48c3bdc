# frozen_string_literal: true

# Layer: compiling. Finds out why a Plan can be used in the main Ractor only.

module ToJson
  class Compiler
    # A block that sees local variables, or whose self cannot be shared, cannot run in another
    # Ractor. Neither can an `as:` that is not shareable. A Plan raises before anything is written,
    # because later a part of the document could be delivered already.
    module MainRactorOnly
      # The most Units that are looked at for one answer, and the most restrictions around one. A
      # serializer that is flattened into itself, with fewer fields each time, has no end of Units,
      # and each of them has one restriction more. Fields further inside raise when they run.
      MOST_UNITS = 2_000
      MOST_RESTRICTIONS = 100
      private_constant :MOST_RESTRICTIONS

      class << self
        # What {Inside} asks of a Unit.
        # @return [Array(String, Array<Unit>), Array(nil, Array<Unit>)] the first field that other
        #   Ractors cannot run, and why; the Units inside, if declarations tell their serializers
        def look(unit)
          found = reason_within(unit) and return found, []
          associations = unit.fields.reject { |field| field.kind == :attribute }
          [nil, associations.filter_map { |field| inner(unit, field) }]
        end

        private

        def reason_within(unit)
          unit.fields.each do |field|
            each_callable(field) do |word, callable|
              why = why(callable) and return "#{unit.place(field)}: its #{word} #{why}"
            end
          end
          meta = unit.definition.meta unless unit.inline?
          why = why(meta) if meta.is_a?(Proc)
          "#{unit.serializer_class}: meta: its block #{why}" if why
        end

        # Yields the objects that the field calls, each with the word that declares it. Most fields
        # have none, so no Array is made.
        def each_callable(field)
          block = field.reader and yield "block", block
          return if field.plain?

          yield "as:", field.as unless FieldAccess.native_as?(field)
          block = proc_or_nil(field.default) and yield "default:", block
          block = proc_or_nil(field.serializer) and yield "serializer:", block
          block = proc_or_nil(field.context) and yield "context:", block
          field.conditions.each { |word, test| yield "#{word}:", test if test.is_a?(Proc) }
        end

        def proc_or_nil(given) = (given if Proc === given)

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
          return if unit.restrictions.size >= MOST_RESTRICTIONS

          PlanCache.inner_unit(unit, field, :object)
        end
      end
    end
  end
end
