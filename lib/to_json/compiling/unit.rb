# frozen_string_literal: true

# Layer: compiling. What a Plan is made of: a class, its Definition, views and restrictions. A Plan
# is kept under this key.

module ToJson
  class Compiler
    UNRESTRICTED = [].freeze
    private_constant :UNRESTRICTED

    # - `serializer_class`: its methods and its context serve the fields
    # - `definition`: that of the class, or of an inline block
    # - `views`: the resolved names
    # - `restrictions`: pairs of Selections (only, except) that are part of the declaration
    # - `form`: `:object`; `:pairs`, which are added to the object at hand; `:masked` and
    #   `:masked_pairs`, all entries, of which a Mask says which are written
    # - `uncached`: true for the Plan that writes the text that a cache keeps
    Unit = Struct.new(:serializer_class, :definition, :views, :restrictions, :form, :uncached) do
      # @return [Unit] of calls without `view:`, `only:` and `except:`
      def self.of(serializer_class, view = nil, form = :object)
        definition = serializer_class.definition
        new(serializer_class, definition, definition.resolve_views(view), UNRESTRICTED, form)
      end

      # Whether a cache keeps the text of its objects.
      def cached? = !uncached && !pairs? && !definition.cache.nil?

      # @return [Unit] the same without the cache
      def without_cache = Unit.new(serializer_class, definition, views, restrictions, form, true)

      def pairs? = form == :pairs || form == :masked_pairs
      def masked? = form == :masked || form == :masked_pairs
      def inline? = !definition.equal?(serializer_class.definition)

      # Whether its fields are read from another object than the one of the serializer. Then a
      # method of the serializer does not replace the field of its name.
      def elsewhere? = definition.elsewhere?

      # @return [Array<Field>] that are written; of a masked Unit all entries, in the order of the
      #   bits of a Mask
      def fields
        return definition.entries if masked?

        fields = definition.fields(views)
        restrictions.empty? ? fields
                            : fields.select { |field| Restrictions.keep?(restrictions, field) }
      end

      # The Unit that writes the value of an association, `nested` or `flatten`. `inner_class` is
      # nil for an inline block.
      def inner(field, inner_class, form,
                restrictions = Restrictions.inner(self.restrictions, field))
        if field.definition
          return Unit.new(serializer_class, field.definition, [], restrictions, form)
        end

        definition = inner_class.definition
        views = views_of(field, definition)
        derived = self.definition.derive(inner_class, views, form)
        return Unit.new(inner_class, derived, [], restrictions, form) if derived

        Unit.new(inner_class, definition, views, restrictions, form)
      end

      # @return [String] where the field was declared, for messages
      def place(field)
        "#{definition.label}: #{Field::Wording::WORDS.fetch(field.kind)} #{field.name.inspect}"
      end

      private

      def views_of(field, definition)
        definition.resolve_views(field.view)
      rescue UnknownViewError => error
        raise UnknownViewError, "#{place(field)}: view: #{error.message}"
      end
    end

    # Applies `only:` and `except:` of declarations and of a call.
    module Restrictions
      class << self
        # @param restrictions [Array<Array(Selection, Selection)>]
        def keep?(restrictions, field)
          # With `through`, the fields inside are asked one by one.
          return true if restrictions.empty? || field.through

          name = field.name.name
          restrictions.all? do |only, except|
            (only.nil? || only.key?(name)) && !(except&.key?(name) && except[name].nil?)
          end
        end

        # The restrictions inside a field: what the outer restrictions say of it in parentheses, and
        # its own.
        def inner(restrictions, field)
          own = alone?(restrictions) ? [] : [[field.only, field.except]]
          [*of_call(restrictions, field), *own].reject(&:none?)
        end

        # @see Selection#alone?
        def alone?(restrictions) = restrictions.any? { |only, _| only&.alone? }

        # The restrictions of a call inside a field, without the field's own.
        def of_call(restrictions, field)
          return [] if field.through == :always
          return restrictions if field.through

          name = field.name.name
          inner = restrictions.map { |pair| pair.map { |selection| selection && selection[name] } }
          inner.reject(&:none?)
        end

        # Refuses names that no view has, whatever the data is. It also looks inside those fields
        # that are written, if declarations tell their serializer. If a Hash tells serializers for
        # several classes, one of them must know the name: values of the others are written
        # without it. `place`: that of the declaration with the `only:` or `except:`.
        # @raise [UnknownFieldError]
        def check(definition, views, restrictions, place = nil)
          return if restrictions.empty?

          label = [place, definition.label].compact.join(": ")
          restrictions.each do |pair|
            pair.compact.each { |selection| check_names(label, definition, views, selection) }
          end
        end

        # @return [Array<Class>, nil] the serializers of a Hash; nil: no Hash of classes tells them
        def alternatives(field)
          classes = field.serializer.values if ::Hash === field.serializer
          classes if classes&.all?(Class)
        end

        private

        def check_names(label, definition, views, selection)
          known, complete = known_names(definition)
          chosen, = named(definition.fields(views)) do |inner, inner_views|
            inner.fields(inner_views)
          end
          selection.tree.each do |name, part|
            unknown(label, name, known.keys) unless known.key?(name) || !complete
            next unless part

            check_part(label, name, chosen[name] || known[name])
            (chosen[name] || []).each { |field| check_inside("#{label}: #{name}", field, part) }
          end
        end

        def known_names(definition) = named(definition.entries) { |inner, _| inner.entries }

        def unknown(label, name, known)
          raise UnknownFieldError, "#{label}: #{Suggestion.unknown("field", name, known)}"
        end

        def check_inside(label, field, part)
          inner, views = inside(field)
          return check_names(label, inner, views, part) if inner

          names = alternatives(field)&.map { |one| known_names(one.definition) }
          return if names.nil? || names.any? { |_, complete| !complete }

          known = names.map(&:first).inject { |all, one| all.merge(one) { |_, *two| two.flatten } }
          part.tree.each do |name, inner_part|
            unknown(label, name, known.keys) unless known.key?(name)
            check_part(label, name, known[name]) if inner_part
          end
        end

        # Refuses names inside an attribute, because all of it would be written.
        def check_part(label, name, fields)
          return if fields.nil? || fields.any? { |field| field.kind != :attribute }

          raise UnknownFieldError,
                "#{label}: #{Suggestion.shown(name)} is an attribute and has no fields inside. " \
                "Name it without fields."
        end

        # @param around [Hash{Field => true}] the flattened fields around, since a serializer may be
        #   flattened into itself
        # @return [Array(Hash{String => Array<Field>}, Boolean)] the fields of each name, with those
        #   of flattened serializers; whether these are all. They are not if only a value tells a
        #   flattened serializer
        def named(fields, around = {}.compare_by_identity, &inner_fields)
          complete = true
          names = fields.each_with_object({}) do |field, found|
            next (found[field.name.name] ||= []) << field unless field.through

            next if around.key?(field) || field.through == :always

            inner = inside(field)
            next complete = false unless inner

            merged, inner_complete = named(inner_fields.call(*inner),
                                           around.merge(field => true), &inner_fields)
            complete &&= inner_complete
            found.merge!(merged) { |_, one, other| one + other }
          end
          [names, complete]
        end

        # @return [Array(Definition, Array<Symbol>), nil] the Definition of the value, and its
        #   views; nil if only a value tells
        def inside(field)
          return [field.definition, []] if field.definition

          if field.serializer.is_a?(Class)
            [field.serializer.definition, field.serializer.definition.resolve_views(field.view)]
          end
        end
      end
    end
  end
end

module ToJson
  class Compiler
    # Gives the keys of one object, and refuses a key that two fields have.
    class Names
      # @param unit [Unit] whose class has the key case
      # @param flattened [Array<Field>, nil] the `flatten` that puts the fields of the Unit among
      #   others, and those inside it that lead there
      def initialize(unit, flattened = nil, label = unit.definition.label, taken = {})
        @unit, @flattened, @label, @taken, @collide = unit, flattened, label, taken, false
        @key_case = unit.serializer_class.definition.key_case
      end

      # @return [Names] for another Unit, whose fields a `flatten` puts among these
      def beside(unit, *flattened) = Names.new(unit, flattened, @label, @taken)

      # @return [String]
      # @raise [DefinitionError] if another field has that key
      def key(field)
        key = field.key || KeyCase.apply(@key_case, field.name.name)
        taken = @taken[key]
        @taken[key] = [field, @flattened]
        return key if taken.nil? || alternatives?(taken.first, field)
        return collide(taken.first, field, key) if @unit.masked?

        raise DefinitionError,
              "#{@label}: #{words(*taken)} and #{words(field, @flattened)} would both be " \
              "written as #{key.inspect}. Rename one, or leave it " \
              "out#{" of the flatten" if @flattened} with only: or except:."
      end

      # Takes the keys of the fields that a `flatten` puts among these by code of its own. Those
      # that only a value tells are not compared. In a serializer that is flattened into itself,
      # only the first level inside is compared, since there is no last one.
      # @param unit [Unit] that declares the field
      # @param path [Array<Field>] the flattens around the field
      # @param around [Hash{Definition => true}] what these write
      # @param without [Hash{Unit => true}] gets Units without keys, so that none is read twice
      def take(unit, field, path = [], around = {}, without = {})
        inner = PlanCache.inner_unit(unit, field, :pairs)
        return if inner.nil? || around[inner.definition] || without[inner]

        path, around, before = [*path, field], { **around, inner.definition => true }, @taken.size
        names = beside(inner, *path)
        inner.fields.each do |one|
          one.kind == :flatten ? take(inner, one, path, around, without) : names.key(one)
        end
        without[inner] = true if @taken.size == before
      end

      # Whether two fields of different views have the same key. A Mask may leave both.
      def collide? = @collide

      private

      # Whether both write the same given value. Every Selection then names one of them at most.
      def alternatives?(one, other) = !one.given.nil? && one.given == other.given

      def collide(taken, field, key)
        @collide ||= taken.name != field.name
        key
      end

      def words(field, flattened)
        [field.name.inspect, *flattened&.reverse&.map { |one| "flatten #{one.name.inspect}" }]
          .join(" of ")
      end
    end
  end
end
