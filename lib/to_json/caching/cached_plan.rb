# frozen_string_literal: true

# Layer: caching. The Plan of a serializer with `cache`: it asks a {PartCache} first, and another
# Plan for the objects that the cache does not have.

module ToJson
  class Compiler
    # Compiles a cached {Unit}, as {Compiler} does others.
    class CachedPlan
      # The methods of its code: those that generated code has, and `many`.
      module Methods
        # Other Ractors cannot see a store. They write without it.
        def object(w, s, o, m = nil)
          return w.one(@to_json_anew, s, o, m) unless Ractor.current.equal?(Ractor.main)

          @to_json_cache.one(w, s, o, m) { w.one(@to_json_anew, s, o, m) }
        end
        alias row object

        def items(w, s, c, m = nil) = many(w, s, c, m)
        def iterate(w, s, c) = many(w, s, c, nil)

        def many(w, s, c, m)
          if Ractor.current.equal?(Ractor.main)
            inside = @to_json_anew.code
            if @to_json_cache.many(w, s, c, m, (inside if PartsInside === inside)) do |o|
                 w.one(@to_json_anew, s, o, m)
               end
              return
            end
          end

          w.iterate(@to_json_anew, s, c, m)
        end

        # Tells a {Prefetch} the key of the object. If the store does not have it, the parts inside
        # are looked for.
        def ahead(w, s, o, m, a)
          code = @to_json_anew.code
          inside = -> { code.ahead(w, s, o, m, a) } if PartsInside === code
          @to_json_cache.want(w, s, o, m, a, inside)
        end

        def records(w, s, c, m, lenient, &)
          return w.each(c, &) unless Ractor.current.equal?(Ractor.main)

          PartsInside.records(w, self, s, c, m, lenient, @to_json_cache.options.batch, &)
        end
      end

      # @param handle [Handle] to fill
      # @param compilation [Compilation] has the Handles of the Units that this one refers to
      # @param from [Array(Unit, Field), nil] the association that leads to the Unit
      def initialize(handle, compilation, from = nil)
        @handle, @compilation, @from = handle, compilation, from
      end

      # @return [Handle]
      def compile
        unit, code = @handle.unit, @handle.code
        anew = @compilation.handle(unit.without_cache, @from, at_once: true)
        code.extend(Methods)
        code.instance_variable_set(:@to_json_anew, anew.plan)
        code.instance_variable_set(:@to_json_cache,
                                   PartCache.of_unit(PlanCache, unit, @compilation.epoch))
        code.instance_variable_set(:@to_json_place,
                                   Ractor
                                     .make_shareable(FieldLines::Place.new("", {}, [anew.code])))
        @handle.source, @handle.notes, @handle.strategies, @handle.entries =
          anew.source, anew.notes, anew.strategies, anew.entries
        @handle.plan = plan(unit)
        code.instance_variable_set(:@to_json_plan, @handle.plan)
        @handle
      end

      private

      # Root and meta are not kept: they are written around the text.
      def plan(unit)
        definition = unit.definition
        meta = definition.meta
        meta = Blocks.meta_for(unit.serializer_class, meta) if meta.is_a?(Proc)
        Plan.new(code: @handle.code, row: nil, root_one: definition.root&.first,
                 root_many: definition.root&.last, meta: meta,
                 serializer_class: unit.serializer_class,
                 rules: PlanCache.rules(unit.serializer_class), serializer: true,
                 masked: unit.masked?, imperative: false, cached: true, epoch: @compilation.epoch)
      end
    end
  end
end
