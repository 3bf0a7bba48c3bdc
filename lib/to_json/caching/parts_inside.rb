# frozen_string_literal: true

# Layer: caching. Tells which fields have cached texts, and how a serializer that is not cached
# itself writes collections of objects with such fields.

module ToJson
  class Compiler
    # Extends generated code whose fields have cached parts inside. `ahead(w, s, o, m, a)` calls the
    # generated `ahead_object` or `ahead_row`, which give the {Prefetch} `a` the keys of the parts
    # of `o`. Collections are written batch by batch.
    module PartsInside
      # Rows of a database. One object shows all of them in turn, so none may be kept for later.
      # They never have cached parts: a selection left these out.
      ROWS = Rows.const_get(:List)
      private_constant :ROWS

      class << self
        # What {Inside} asks of a Unit.
        # @return [Array(Boolean, Array<Unit>)] whether it is a cached part or has one, and the
        #   Units inside that may have some
        def look(unit)
          fields = unit.cached? ? [unit.definition] : ahead(unit)
          return true, [] if fields.any? { |field| field.cache && field.cache.batch > 1 }

          [false, fields.filter_map { |field| inside(unit, field) unless field.cache }]
        end

        # @return [Unit, nil] that writes the value of the field, if its cached parts are looked up
        #   ahead, as far as declarations tell
        def inside(unit, field)
          return if %i[attribute flatten].include?(field.kind) || !field.context.equal?(Field::NONE)

          PlanCache.inner_unit(unit, field, :object)
        rescue Error # which is raised again when the field is compiled or written
          nil
        end

        # Yields the records of NDJSON, which the block writes.
        # @param lenient [Boolean] whether the document goes on after a record that fails
        def records(w, code, s, collection, mask, lenient, size, &)
          return w.each(collection, &) if size < 2

          CacheBatches.each(w, collection, size) do |batch|
            Prefetch.each(w, code, s, batch, mask, lenient, &)
          end
        end

        # Whether code has the method `ahead` of this gem. `respond_to?` cannot tell: an application
        # may define an `ahead` for all objects.
        def asks?(code) = PartsInside === code || CachedPlan::Methods === code

        # @return [Array] the elements if they are in memory, else an empty Array, so that the
        #   database is not asked twice
        def list(values)
          return values if Array === values
          return [] unless values.respond_to?(:to_ary)
          if values.respond_to?(:loaded?) && !values.loaded? &&
               !values.respond_to?(:proxy_association)
            return []
          end

          values.to_ary
        end

        # Whether a value may be read ahead. Only a getter of the object may be called twice; blocks
        # and methods of the serializer must be called once.
        def readable?(owner, field)
          !owner.computes?(field) && field.default.equal?(Field::NONE) && field.as.nil?
        end

        private

        # @return [Array<Field>] those whose parts are looked up ahead
        def ahead(unit)
          owner = Owner.new(unit.serializer_class, "s", !unit.elsewhere?)
          unit.fields.select { |field| field.cache || readable?(owner, field) }
        end
      end

      def ahead(w, s, o, m, a) = Hash === o ? ahead_row(w, s, o, m, a) : ahead_object(w, s, o, m, a)

      def items(w, s, c, m = nil) = many(w, s, c, m)
      def iterate(w, s, c) = many(w, s, c, nil)

      # Writes a collection. If an outer Prefetch has room, it has looked up these parts already. If
      # not, they are looked up here.
      def many(w, s, c, m)
        if ROWS === c || w.ahead&.room? || !Ractor.current.equal?(Ractor.main)
          return w.each(c) { |o| w.one(@to_json_plan, s, o, m) }
        end

        CacheBatches.each(w, c, Prefetch::MOST) do |batch|
          Prefetch.each(w, self, s, batch, m) do |o|
            w.apart { w.one(@to_json_plan, s, o, m) }
            w.flush_if_due
          end
        end
      end

      # Other Ractors see no store, and could not load the file of {Prefetch}.
      def records(w, s, c, m, lenient, &)
        return w.each(c, &) unless Ractor.current.equal?(Ractor.main)

        PartsInside.records(w, self, s, c, m, lenient, Prefetch::MOST, &)
      end
    end
  end
end
