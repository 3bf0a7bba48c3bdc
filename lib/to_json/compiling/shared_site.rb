# frozen_string_literal: true

# Layer: compiling. Stands for a {Site} in generated code. Every Ractor can see it, but only the
# main one can see the Definition inside.

module ToJson
  class Compiler
    # One association of a compiled Unit. Frozen and shareable. In another Ractor it can only write
    # a value by the Plan of the value's serializer, without a cache or a choice of fields.
    class SharedSite
      # @param unit [Unit] that declares the field
      # @param epoch [Integer] that of the Plan
      def initialize(unit, field, epoch)
        @site = Module.new # shareable, whatever it keeps
        @site.instance_variable_set(:@to_json_site, Site.new(PlanCache, unit, field, epoch))
        @serializer_class, @kind, @place =
          unit.serializer_class, field.kind, unit.place(field).freeze
        @given = field.serializer unless field.serializer.is_a?(Proc)
        if field.serializer.is_a?(Proc)
          @choose = Blocks.called_for(@serializer_class, field.serializer)
        end
        @simple = field.definition.nil? && field.context.equal?(Field::NONE) && field.view.nil? &&
                  Restrictions.inner(unit.restrictions, field).empty?
        freeze
      end

      # The next five methods are those of {Site}.
      def write(w, s, value, left, object)
        main? ? site.write(w, s, value, left, object) : write_elsewhere(w, s, value)
      end

      def cached(w, s, left, object, &read)
        return site.cached(w, s, left, object, &read) if main?

        value = yield
        nil == value ? w.splice("null") : write_elsewhere(w, s, value)
      end

      # These two are called in the main Ractor only.
      def ahead(w, s, left, object, ahead, &read) = site.ahead(w, s, left, object, ahead, &read)
      def ahead_inside(w, s, value, left, ahead) = site.ahead_inside(w, s, value, left, ahead)

      def flatten(w, s, value, left, object)
        main? ? site.flatten(w, s, value, left, object) : refuse
      end

      private

      def main? = Ractor.current.equal?(Ractor.main)
      def site = @site.instance_variable_get(:@to_json_site)

      def refuse
        raise Error,
              "#{@place}: works only in the main Ractor. If the value decides the serializer, " \
              "other Ractors cannot use view:, only:, except:, context:, inline fields or flatten."
      end

      def write_elsewhere(w, s, value)
        refuse unless @simple
        return one(w, s, value) unless @kind == :many || (@kind == :any && w.many?(value))

        walked = w.many(value)
        w.each(walked || value) { |element| one(w, s, element) }
        w.close
      end

      def one(w, s, value)
        return w.one(nil, nil, nil, nil) if nil == value

        chosen = Lookup.serializer_for(@serializer_class,
                                       @choose ? Blocks.call(s, @choose, value) : @given, value)
        return w.run(chosen, s, value) if PlanCache.imperative?(chosen)

        w.one(PlanCache.plan_of(chosen), w.helper(chosen, s), value, nil)
      end
    end
  end
end
