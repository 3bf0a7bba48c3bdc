# frozen_string_literal: true

# Layer: compiling. Writes associations whose serializer depends on the value, and all associations
# under a Mask.

module ToJson
  class Compiler
    # One association of a compiled Unit. A {SharedSite} calls it, in the main Ractor only. Frozen.
    class Site
      # @param cache [#handle]
      # @param unit [Unit] that declares the field
      # @param epoch [Integer] that of the Plan
      def initialize(cache, unit, field, epoch)
        @cache, @unit, @field = cache, unit, field
        @from = [unit, field].freeze
        @static = cache.inner_class(unit, field)
        @restrictions = Restrictions.inner(unit.restrictions, field)
        @map = field.serializer unless field.serializer.is_a?(Proc)
        if field.serializer.is_a?(Proc)
          @choose = Blocks.called_for(unit.serializer_class, field.serializer)
        end
        @by_class = @static.nil? && @choose.nil?
        @context = context_method
        @kept = PartCache.of_field(cache, unit, field, epoch) if field.cache
        freeze
      end

      # Writes the value, which is not nil, into the slot at hand. `left`: the fields that a Mask
      # leaves of it; `object`: the object that has the association.
      def write(w, s, value, left, object)
        many = @field.kind == :many || (@field.kind == :any && w.many?(value))
        return nothing(w, value) if many && Array === value && value.empty?

        within(w, context(s, object)) do |context|
          many ? many(w, s, value, left, context) : one(w, s, value, left, context, :object)
        end
      end

      # Writes the text that the store has. Else it writes the value that the block reads, which may
      # be nil.
      def cached(w, s, left, object)
        @kept.one(w, s, object, left) do
          value = yield
          nil == value ? w.splice("null") : write(w, s, value, left, object)
        end
      end

      # Tells a {Prefetch} the key that `cached` will look up. If the store does not have it, the
      # value that the block reads is searched for parts inside.
      def ahead(w, s, left, object, ahead, &read)
        @kept.want(w, s, object, left, ahead,
                   read && -> { ahead_inside(w, s, read.call, left, ahead) })
      end

      # Tells a {Prefetch} the keys of the parts inside the value.
      def ahead_inside(w, s, value, left, ahead)
        return if nil == value || SKIP.equal?(value)

        many = @field.kind == :many || (@field.kind == :any && w.many?(value))
        values = many ? PartsInside.list(value) : [value]
        return if values.empty?

        code, helper, mask = ahead.once(self, s, left) { code_inside(w, s, left) }
        return unless code

        ahead.deeper do
          values.each { |one| code.ahead(w, helper, one, mask, ahead) unless nil == one }
        end
      end

      # Writes the fields of the value as pairs of the object at hand.
      def flatten(w, s, value, left, object)
        return if nil == value || SKIP.equal?(value)

        chosen = @static || serializer_class(s, value)
        within(w, context(s, object)) do |context|
          if @field.definition || !PlanCache.imperative?(chosen)
            next one(w, s, value, left, context, :pairs)
          end

          w.merge(chosen, s, value, context, selected(w, chosen, left))
        end
      end

      private

      # @return [Array] the code that looks for parts inside values, and the arguments for it; empty
      #   if there are none
      def code_inside(w, s, left)
        plan, mask = plan_for(w, @static, left, :object)
        PartsInside.asks?(plan.code) ? [plan.code, w.helper(plan.serializer_class, s), mask] : []
      end

      # Writes an empty array. No context and no serializer is asked for.
      def nothing(w, values)
        w.many(values)
        w.close
      end

      def many(w, s, values, left, context)
        elements = w.many(values)
        if @static && (@field.definition || !PlanCache.imperative?(@static))
          plan, mask = plan_for(w, @static, left, :object)
          helper = helper(w, s, plan, context)
          w.iterate(plan, helper, elements || values, mask)
        else
          w.each(elements || values) { |value| one(w, s, value, left, context, :object) }
        end
        w.close
      end

      def one(w, s, value, left, context, form)
        return w.one(nil, nil, nil, nil) if nil == value

        if @by_class && left.nil? && form == :object && (plan = looked_up(w, value))
          return w.one(plan, helper(w, s, plan, context), value, nil)
        end
        chosen = @static || serializer_class(s, value)
        if @field.definition.nil? && PlanCache.imperative?(chosen)
          return run(w, s, chosen, value, left, context)
        end

        plan, mask = plan_for(w, chosen, left, form)
        w.one(plan, helper(w, s, plan, context), value, mask)
      end

      # Looks up the serializer once in a document for each class of values. The next document may
      # find another one, so a helper of the document keeps the answers.
      # @return [Plan, false] false: a serializer with its own serialize
      def looked_up(w, value)
        type = Lookup.class_of(value)
        plans = plans_of(w.helper(Serializer, nil, nil))
        plans.fetch(type) do
          chosen = Lookup.of_class(@unit.serializer_class, @map, type)
          plans[type] = !PlanCache.imperative?(chosen) && plan_of(chosen, nil, :object).first
        end
      end

      # @return [Hash{Class => Plan, false}] the answers for this association
      def plans_of(helper)
        kept = helper.instance_variable_get(:@to_json_found) ||
               helper.instance_variable_set(:@to_json_found, {}.compare_by_identity)
        kept[self] ||= {}.compare_by_identity
      end

      # Writes by a serializer with its own `serialize`, and gives it the fields that are left.
      def run(w, s, chosen, value, left, context)
        w.run(chosen, s, value, context, selected(w, chosen, left))
      end

      def selected(w, chosen, left)
        return selection(chosen, nil) unless left

        left.once(w, chosen, !@static.nil?, :selected) { selection(chosen, left) }
      end

      def selection(chosen, left)
        return unless chosen.declared?

        unit = @unit.inner(@field, chosen, :pairs, restrictions(left))
        return Mask.over(@cache, unit, left) if left&.restrictions

        unless unit.restrictions.empty? && unit.views == unit.definition.default_views
          [@cache.handle(unit, @from).plan, nil]
        end
      end

      def restrictions(left)
        left&.restrictions ? [*left.restrictions, *@restrictions] : @restrictions
      end

      def plan_for(w, serializer_class, left, form)
        return plan_of(serializer_class, nil, form) unless left

        left.once(w, serializer_class, !@static.nil?, form) do
          plan_of(serializer_class, left, form)
        end
      end

      def plan_of(serializer_class, left, form)
        unit = @unit.inner(@field, serializer_class, form, restrictions(left))
        left&.restrictions ? Mask.over(@cache, unit, left) : [@cache.handle(unit, @from).plan, nil]
      end

      def serializer_class(s, value)
        Lookup.serializer_for(@unit.serializer_class,
                              @choose ? Blocks.call(s, @choose, value) : @map, value)
      end

      def helper(w, s, plan, context)
        return w.helper(plan.serializer_class, s, context) unless SKIP.equal?(context)

        plan.serializer_class == @unit.serializer_class ? s : w.helper(plan.serializer_class, s)
      end

      # @return [Object] the context of the field, or the method that returns the context
      def context_method
        @field.context.is_a?(Proc) ? Blocks.called_for(@unit.serializer_class, @field.context)
                                   : @field.context
      end

      # Enters the context for the block, so that serializers that are values inside have it too.
      def within(w, context)
        return yield(context) if SKIP.equal?(context)

        w.enter(context)
        yield context
        w.leave
      end

      # @return [Object] SKIP: the context at hand is used
      def context(s, object)
        return SKIP if @field.context.equal?(Field::NONE)

        @field.context.is_a?(Proc) ? Blocks.call(s, @context, object) : @context
      end
    end
  end
end
