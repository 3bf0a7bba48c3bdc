# frozen_string_literal: true

# Layer: compiling. One attempt to compile a unit, together with the units that it refers to.

module ToJson
  class Compiler
    # Builds everything aside, and publishes it at the end. If it ends early, nothing is published.
    # One call of one thread uses it.
    class Compilation
      # The most Units that are compiled inside each other, which takes stack. What is further
      # inside is compiled afterwards. In an application whose serializers name each other, the
      # way through all of them may be as long as their number.
      DEEPEST = 24
      # The most Units inside each other if some must be compiled at once, as those of a flatten. A
      # class that is flattened into itself, with fewer fields each time, has no end of Units.
      DEEPEST_AT_ONCE = 100
      private_constant :DEEPEST, :DEEPEST_AT_ONCE

      # @param epoch [Integer] of the Plans. If a class changes meanwhile, they serve this call only
      def initialize(epoch)
        @epoch, @handles, @waiting, @depth = epoch, {}, [], 0
        @parts = Inside.new { |unit| PartsInside.look(unit) }
        @reasons = Inside.new(MainRactorOnly::MOST_UNITS) { |unit| MainRactorOnly.look(unit) }
      end

      # @return [Integer]
      attr_reader :epoch

      # @param unit [Unit]
      # @param from [Array(Unit, Field), nil] the association that leads to it, for messages
      # @return [Handle]
      def run(unit, from)
        handle = handle(unit, from)
        while (next_one = @waiting.shift)
          finish(*next_one)
        end
        publish if @epoch == PlanCache.epoch
        handle
      end

      # @param at_once [Boolean] whether the Plan must not wait. That of a flatten is checked with
      #   the fields around it, and inline blocks are only as deep as the source
      # @return [Handle] that of a Unit; without a Plan if this Compilation is compiling the Unit
      #   just now, or will do so later
      def handle(unit, from = nil, at_once: false)
        unit = IMPERATIVE[unit.serializer_class] if imperative?(unit)
        PlanCache.kept(unit, @epoch) || @handles[unit] || compile(unit, from, at_once)
      end

      # @return [Handle, nil] for the value of a field; nil if only the value tells its serializer
      def inner(unit, field, form)
        serializer_class = PlanCache.inner_class(unit, field) or return
        handle(unit.inner(field, serializer_class, form), [unit, field],
               at_once: form == :pairs || !field.definition.nil?)
      end

      # @return [Boolean] whether the field is a cached part, or has cached parts inside, as far as
      #   declarations tell
      def parts?(unit, field)
        field.cache ? field.cache.batch > 1 : parts_inside?(unit, field)
      end

      # @return [Boolean] whether a field has cached parts inside. Those of a cached field are
      #   looked up if the store does not have the field
      def parts_inside?(unit, field)
        inner = PartsInside.inside(unit, field)
        !inner.nil? && !@parts[inner].nil?
      end

      # @return [String, nil] the first field that other Ractors cannot run, and why; nil: none.
      #   Fields inside associations count, if declarations tell their serializers
      def main_ractor_only(unit) = @reasons[unit]

      private

      # Stands for all units of a class whose own `serialize` writes.
      IMPERATIVE = Struct.new(:serializer_class)
      private_constant :IMPERATIVE

      def imperative?(unit)
        !unit.inline? && !unit.pairs? && PlanCache.imperative?(unit.serializer_class)
      end

      def compile(unit, from, at_once)
        return @handles[unit] = imperative(unit.serializer_class) if unit.is_a?(IMPERATIVE)

        handle = @handles[unit] = Handle.new(unit, Compiler.new_code)
        return finish(handle, from) if at_once || @depth < DEEPEST

        handle.later = true
        @waiting << [handle, from]
        handle
      end

      def finish(handle, from)
        @depth += 1
        handle.later = false
        unit = handle.unit
        if @depth > DEEPEST_AT_ONCE
          raise DefinitionError, "#{unit.definition.label}: it is flattened more than " \
                                 "#{DEEPEST_AT_ONCE} deep. Is it flattened into itself?"
        end

        compiler = unit.cached? ? CachedPlan : unit.definition.compiler || Compiler
        compiler.new(handle, self, from).compile
        @depth -= 1 # after an exception this Compilation is at its end
        handle.freeze
      end

      def imperative(serializer_class)
        PlanCache.refuse_cache(serializer_class)
        Imperative.handle(serializer_class, @epoch).freeze
      end

      def publish
        if @handles.size == 1 # as of most classes
          return PlanCache.publish(@handles.each_key.first.serializer_class, @epoch, @handles)
        end

        @handles.group_by { |unit, _| unit.serializer_class }.each do |serializer_class, handles|
          PlanCache.publish(serializer_class, @epoch, handles.to_h)
        end
      end
    end
  end
end
