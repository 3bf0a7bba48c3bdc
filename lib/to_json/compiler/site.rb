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
        if @field.kind == :many || (@field.kind == :any && w.many?(value)) then many(w, s, value, left, object)
        else one(w, s, value, left, object, :object)
        end
      end

      # Writes its fields as pairs of the object at hand.
      def flatten(w, s, value, left, object)
        return if value.nil? || SKIP.equal?(value)

        chosen = @static || serializer_class(s, value)
        return one(w, s, value, left, object, :pairs) if @field.definition || !PlanCache.imperative?(chosen)

        @context.equal?(Field::NONE) ? w.merge(chosen, s, value) : w.merge(chosen, s, value, context(s, object))
      end

      private

      def many(w, s, values, left, object)
        walked = w.many(values)
        if @static
          plan, mask = plan_for(@static, left, :object)
          helper = helper(w, s, plan, object)
          w.walk(plan, helper, walked || values, mask)
        else
          w.each(walked || values) { |value| one(w, s, value, left, object, :object) }
        end
        w.close
      end

      def one(w, s, value, left, object, form)
        return w.one(nil, nil, nil, nil) if value.nil?

        plan, mask = plan_for(@static || serializer_class(s, value), left, form)
        w.one(plan, helper(w, s, plan, object), value, mask)
      end

      def plan_for(serializer_class, left, form)
        unit = @unit.inner(@field, serializer_class, form, left&.restrictions ? [*left.restrictions, *@restrictions] : @restrictions)
        left&.restrictions ? Mask.over(@cache, unit, left) : [@cache.handle(unit).plan, nil]
      end

      def serializer_class(s, value)
        Lookup.serializer_for(@unit.serializer_class, @choose ? s.__send__(@choose, value) : @map, value)
      end

      def helper(w, s, plan, object)
        return w.helper(plan.serializer_class, s, context(s, object)) if @context != Field::NONE

        plan.serializer_class == @unit.serializer_class ? s : w.helper(plan.serializer_class, s)
      end

      # The value, or the name of the method that gives it.
      def context_method
        return @field.context unless @field.context.is_a?(Proc)

        [Blocks.method_for(@unit.serializer_class, @field.context), Blocks.arity(@field.context)].freeze
      end

      def context(s, object)
        return @context unless @field.context.is_a?(Proc)

        name, arity = @context
        arity.zero? ? s.__to_json_with(object, name) : s.__send__(name, object)
      end
    end
  end
end
