# frozen_string_literal: true

# Layer: rails. Checks what a client passes as `view:`, `only:` and `except:`, before any record is
# read.

module ToJson
  module Rendering
    # The classes of records, as far as they can be told without reading any.
    # @api private
    module Models
      class << self
        # @param object [Object] a relation, an Array or a record
        # @return [Class, nil] nil: none, or several
        def of(object)
          return object.klass if relation?(object)
          return (Lookup.class_of(object) unless object.nil?) unless Array === object

          types = object.map { |one| Lookup.class_of(one) }.uniq
          types.first if types.size == 1
        end

        # Whether it is an ActiveRecord::Relation, also with the extensions of Kaminari, Pagy or
        # WillPaginate, or looks like one. A record does not, though it can have a column `klass`.
        def relation?(object)
          Object === object && object.respond_to?(:klass) && object.respond_to?(:to_ary) &&
            Class === object.klass
        end

        # @param model [Class] of a relation
        # @return [Boolean] whether its rows can have several classes (STI). A row of a base class
        #   may have a subclass that is not loaded yet. The query of another class names the loaded
        #   subclasses, so its rows have no others
        def share_table?(model)
          model.respond_to?(:inheritance_column) && model.respond_to?(:has_attribute?) &&
            model.has_attribute?(model.inheritance_column) &&
            (model.base_class? || model.subclasses.any?)
        end

        # @param type [Class] a serializer
        # @param model [Class, nil] of the records that it writes
        # @return [Array(Class, Boolean), nil] the model of an association, and whether each of its
        #   records has that class; nil: only values can tell
        def inside(type, field, model)
          return [model, true] if field.kind == :nested
          return if field.reader || !model.respond_to?(:reflect_on_association)
          return if type.public_method_defined?(field.source)

          reflection = model.reflect_on_association(field.source)
          return if reflection.nil? || reflection.polymorphic?

          [reflection.klass, !several?(reflection.klass)]
        end

        private

        def several?(model)
          share_table?(model) || (model.respond_to?(:subclasses) && model.subclasses.any?)
        end
      end
    end

    # Makes a {Selection} of what a client wrote. The client may name fields as the document has
    # them, after `transform_keys`. A field that no view of the call has raises an error. So does an
    # unknown field inside an association, if the model tells the serializer of the association.
    # @api private
    class ClientFields
      class << self
        # @param serializer_class [Class]
        # @param keywords [Hash] of `json!`
        # @param model [Class, nil] of the records
        # @yieldreturn [Hash{Class => Class}] the serializers that records of the document can have,
        #   by the classes of the records. A field that only one of these has is no error, and
        #   is left out of the Selections
        # @return [Hash] the same, with Selections
        # @raise [UnknownFieldError, UnknownViewError, SelectionError]
        def checked(serializer_class, keywords, model, &others)
          given = keywords.slice(:view, :only, :except).compact
          return keywords if given.empty?

          check_view(given[:view])
          chosen = given.slice(:only, :except).transform_values { |value| plain(value) }
          all = chosen.key?(:only) && nothing?(chosen[:only]) # ?fields=
          return keywords.merge(chosen).except(*(:only if all)) unless serializer_class.declared?

          chosen[:only] = nil if all
          fields = of(serializer_class, given[:view], model)
          beside = chosen.values.any? && others ? beside(others.call, given[:view]) : []
          selected = chosen.to_h do |word, value|
            [word, value && fields.selection(word, value, beside)]
          end
          keywords.merge(selected)
        end

        private

        def of(serializer_class, view, model)
          new(serializer_class, serializer_class.definition.resolve_views(view), model)
        end

        def beside(types, view)
          types.filter_map do |type, found|
            of(found, view, type) if found.declared?
          rescue UnknownViewError
            nil # a record of this class raises it, if there is one
          end
        end

        # Refuses views that are not names, such as the Hash of `?view[a]=b`.
        def check_view(view)
          return if Array(view).all? { |name| name.is_a?(Symbol) || name.is_a?(String) }

          raise UnknownViewError, "a view is a name, or a list of names; got #{view.class}."
        end

        # Makes Hashes of ActionController::Parameters, to any depth.
        def plain(value, depth = 0)
          value = value.to_unsafe_h if value.respond_to?(:to_unsafe_h)
          return value unless Hash === value || Array === value

          Selection.check_depth(depth)
          if Hash === value then value.transform_values { |part| plain(part, depth + 1) }
          else value.map { |part| plain(part, depth + 1) }
          end
        end

        def nothing?(only)
          blank = ->(name) { name.nil? || (String === name && blank?(name)) }
          Array === only ? only.any? && only.all?(&blank) : blank.call(only)
        end

        # Whether a name is blank. A name with invalid bytes or with a NUL is not: it is refused.
        def blank?(name)
          name.valid_encoding? && name.strip.empty? && name.each_codepoint.none?(0)
        end
      end

      # @param type [Class] the serializer
      # @param views [Array<Symbol>]
      # @param model [Class, nil]
      def initialize(type, views, model)
        @type, @definition, @views, @model = type, type.definition, views, model
      end

      # @param word [:only, :except]
      # @param given [Object] see {Selection.parse}
      # @param beside [Array<ClientFields>] of other serializers. A field that only one of these has
      #   is left out
      # @return [Selection]
      def selection(word, given, beside)
        tree = Selection.parse(given).tree.reject do |name, _|
          lacks?(word, name) && !beside.all? { |other| other.lacks?(word, name) }
        end
        selection = Selection.parse(named(word, tree, top))
        Compiler::Restrictions.check(@definition, @views, [[selection, nil]])
        selection
      end

      # @param given [String] a name, or a key of the document
      # @return [Boolean] whether the name is an error for this serializer: it surely has no such
      #   field in the views of the call
      def lacks?(word, given) = missing?(word, name_in(top, given), top)

      private

      # The fields of the serializer itself.
      def top = @top ||= scope(@type, @definition, @views, @model)

      # The fields that names can mean. `known`: the fields of all views, by their names. `chosen`:
      # the fields of the views of the call. `keys`: the names, by the keys of the document.
      # `complete`: false if there may be other fields. `sure`: false if a record may have another
      # serializer, because its class may be a subclass (STI).
      Scope = Struct.new(:label, :definition, :known, :chosen, :keys, :complete, :sure)
      # A field, the serializer that declares it, and the model of the object from which it is read.
      Place = Struct.new(:field, :type, :model)
      # The serializer of the objects inside a field, its definition and views, and their model.
      # `sure`: as for a Scope.
      Inside = Struct.new(:type, :definition, :views, :model, :sure)
      private_constant :Scope, :Place, :Inside

      def scope(type, definition, views, model, sure = true)
        scope = Scope.new(definition.label, definition, {}, {}, {}, true, sure)
        collect(scope, scope.known, type, definition, :entries, [], model)
        collect(scope, scope.chosen, type, definition, :fields, views, model)
        scope
      end

      # @param which [Symbol] `:entries` or `:fields`, of that and of flattened definitions
      def collect(scope, found, type, definition, which, views, model, around = [])
        fields = which == :entries ? definition.entries : definition.fields(views)
        fields.each do |field|
          if field.kind == :flatten
            next if around.include?(field)

            inner = inside(Place.new(field, type, model))
            next scope.complete = false unless inner

            scope.sure &&= inner.sure
            collect(scope, found, inner.type, inner.definition, which, inner.views, inner.model,
                    [*around, field])
          else
            name = field.name.name
            found[name] ||= Place.new(field, type, model)
            scope.keys[KeyCase.apply(type.definition.key_case, name)] ||= name
          end
        end
      end

      # @return [Hash] the tree, with the names that the declaration has
      def named(word, tree, scope)
        tree.to_h do |given, part|
          name = name_in(scope, given)
          check(word, given, name, scope)
          inner = inside(scope.chosen[name]) if part && scope.chosen.key?(name)
          [name, part ? named_inside(word, part.tree, inner, scope.sure) : true]
        end
      end

      def name_in(scope, given)
        scope.known.key?(given) ? given : scope.keys.fetch(given, given)
      end

      def named_inside(word, tree, inner, sure)
        if inner
          sure &&= inner.sure
          return named(word, tree,
                       scope(inner.type, inner.definition, inner.views, inner.model, sure))
        end

        tree.transform_values { |part| part ? named_inside(word, part.tree, nil, sure) : true }
      end

      def check(word, given, name, scope)
        return unless missing?(word, name, scope)

        keys = scope.chosen.keys.map { |known| key(scope, known) }
        problem = of_another_view(given, name, scope) || Suggestion.unknown("field", given, keys)
        raise UnknownFieldError, "#{scope.label}: #{problem}"
      end

      def missing?(word, name, scope)
        scope.complete && scope.sure && !scope.chosen.key?(name) &&
          !(word == :except && scope.known.key?(name))
      end

      def of_another_view(given, name, scope)
        views = scope.definition.view_names.select do |view|
          scope.definition.names_in_view(view).any? { |known| known.name == name }
        end
        return unless scope.known.key?(name) && views.any?

        "the field #{Suggestion.shown(given)} stands only in the view#{"s" if views.size > 1} " \
          "#{views.map(&:inspect).join(", ")}, which this call has not."
      end

      def key(scope, name) = (scope.keys.key(name) || name).to_sym

      # @param place [Place]
      # @return [Inside, nil] nil: only values can tell
      def inside(place)
        field = place.field
        model, one_class = Models.inside(place.type, field, place.model)
        return Inside.new(place.type, field.definition, [], model, true) if field.definition

        type = serializer(place.type, field, model)
        return unless type&.declared?

        views = type.definition.resolve_views(field.view)
        Inside.new(type, type.definition, views, model, one_class || !field.serializer.nil?)
      end

      def serializer(type, field, model)
        case field.serializer
        when Class then field.serializer
        when String then Lookup.of_class(type, field.serializer, nil)
        when nil then Lookup.of_class(type, nil, model) if model && field.kind != :attribute
        end
      rescue SerializerNotFound
        nil # the document says so, with its path
      end
    end
  end
end
