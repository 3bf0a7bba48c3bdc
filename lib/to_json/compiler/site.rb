# frozen_string_literal: true

# Layer: compiler. Associations whose serializer is told by the value, and all associations under a Mask.

module ToJson
  class Compiler
    # One association of a compiled unit. Called by generated code. Frozen.
    class Site
      # @param cache [#handle]
      # @param unit [Unit] that declares the field
      def initialize(cache, unit, field)
        @cache, @unit, @field = cache, unit, field
        @static = cache.inner_class(unit, field)
        @restrictions = Restrictions.inner(unit.restrictions, field)
        @map = field.serializer unless field.serializer.is_a?(Proc)
        @choose = Blocks.method_for(unit.serializer_class, field.serializer) if field.serializer.is_a?(Proc)
        @context = context_method
        freeze
      end

      # Writes the value, not nil, into the slot at hand. `left`: what a Mask leaves of it; `object`: whose field it is.
      def write(w, s, value, left, object)
        many = @field.kind == :many || (@field.kind == :any && w.many?(value))
        return nothing(w, value) if many && Array === value && value.empty?

        within(w, context(s, object)) do |context|
          many ? many(w, s, value, left, context) : one(w, s, value, left, context, :object)
        end
      end

      # Writes its fields as pairs of the object at hand.
      def flatten(w, s, value, left, object)
        return if value.nil? || SKIP.equal?(value)

        chosen = @static || serializer_class(s, value)
        within(w, context(s, object)) do |context|
          next one(w, s, value, left, context, :pairs) if @field.definition || !PlanCache.imperative?(chosen)

          w.merge(chosen, s, value, context, selected(chosen, left))
        end
      end

      private

      # Nobody is asked for a context or a serializer.
      def nothing(w, values)
        w.many(values)
        w.close
      end

      def many(w, s, values, left, context)
        walked = w.many(values)
        if @static && (@field.definition || !PlanCache.imperative?(@static))
          plan, mask = plan_for(@static, left, :object)
          helper = helper(w, s, plan, context)
          w.walk(plan, helper, walked || values, mask)
        else
          w.each(walked || values) { |value| one(w, s, value, left, context, :object) }
        end
        w.close
      end

      def one(w, s, value, left, context, form)
        return w.one(nil, nil, nil, nil) if value.nil?

        chosen = @static || serializer_class(s, value)
        return run(w, s, chosen, value, left, context) if @field.definition.nil? && PlanCache.imperative?(chosen)

        plan, mask = plan_for(chosen, left, form)
        w.one(plan, helper(w, s, plan, context), value, mask)
      end

      # By a serialize of its own, which is told what is left of the declared fields.
      def run(w, s, chosen, value, left, context)
        w.run(chosen, s, value, context, selected(chosen, left))
      end

      def selected(chosen, left)
        return unless chosen.declared?

        unit = @unit.inner(@field, chosen, :pairs, restrictions(left))
        return Mask.over(@cache, unit, left) if left&.restrictions

        [@cache.handle(unit).plan, nil] unless unit.restrictions.empty? && unit.views == unit.definition.default_views
      end

      def restrictions(left) = left&.restrictions ? [*left.restrictions, *@restrictions] : @restrictions

      def plan_for(serializer_class, left, form)
        unit = @unit.inner(@field, serializer_class, form, restrictions(left))
        left&.restrictions ? Mask.over(@cache, unit, left) : [@cache.handle(unit).plan, nil]
      end

      def serializer_class(s, value)
        Lookup.serializer_for(@unit.serializer_class, @choose ? s.__send__(@choose, value) : @map, value)
      end

      def helper(w, s, plan, context)
        return w.helper(plan.serializer_class, s, context) unless SKIP.equal?(context)

        plan.serializer_class == @unit.serializer_class ? s : w.helper(plan.serializer_class, s)
      end

      # The value, or the name of the method that gives it.
      def context_method
        return @field.context unless @field.context.is_a?(Proc)

        [Blocks.method_for(@unit.serializer_class, @field.context), Blocks.arity(@field.context)].freeze
      end

      # What is in place below, as a value, has that context too.
      def within(w, context)
        return yield(context) if SKIP.equal?(context)

        w.enter(context)
        yield context
        w.leave
      end

      # SKIP: the one at hand.
      def context(s, object)
        return SKIP if @field.context.equal?(Field::NONE)
        return @context unless @field.context.is_a?(Proc)

        name, arity = @context
        arity.zero? ? s.__to_json_with(object, name) : s.__send__(name, object)
      end
    end
  end
end
