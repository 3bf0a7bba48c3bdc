# frozen_string_literal: true

# Layer: caching. Describes everything that a Plan is made of. If any of it changes, the keys of a
# cache change, in the same way in every process.

module ToJson
  class Compiler
    # Describes a Unit and the Units inside it, as far as declarations tell them: fields with their
    # options, the code of blocks and of the serializers' own methods (without line numbers), and
    # the variables around blocks. A value that is opaque for {Content} counts by its identity, in
    # this process only. A Signature does not see variables that change after the first use of the
    # class, what methods call outside their serializer, and serializers that only a value tells.
    class Signature
      LIBRARY = "#{File.expand_path("..", __dir__)}/".freeze
      private_constant :LIBRARY

      # @param place [String] for messages
      # @param cache [#inner_class]
      def initialize(place, cache)
        @cache, @seen, @waiting, @contextual = cache, {}, [], false
        @content = Content.new(place, {}.compare_by_identity,
                               opaque: ->(held) { Identity.of(held) },
                               modules: ->(type) { of_module(type) })
      end

      # Whether anything that it saw may look at a context.
      def contextual? = @contextual

      # @param unit [Unit]
      # @return [Array] for {CacheKey.tree}
      def of_unit(unit) = [reference(unit), *rest]

      # @param unit [Unit] that declares the field
      # @return [Array] the description of this field alone
      def of_association(unit, field)
        blocks = [field.reader, field.default, field.serializer, field.context].grep(Proc)
        owner = Owner.new(unit.serializer_class, "s", !unit.elsewhere?)
        methods = methods_of(unit.serializer_class) if blocks.any? || owner.computes?(field)
        [key_case(unit), restrictions(unit.restrictions), methods, of_field(unit, field), *rest]
      end

      # Call it last: a callable or a value may lead to serializers, too.
      # @return [Array] the descriptions of the Units that wait, and of those that they lead to
      def rest
        described = []
        while (unit = @waiting.shift)
          described << describe(unit)
        end
        described
      end

      # @param options [CacheOptions, nil]
      # @return [Object] of their `version:`
      def version(options) = @content.of(options&.version)

      # @param callable [Proc, Method, Object, nil] that gives a part of keys
      # @return [Object] its code. What it returns is a part of the key itself
      def body(callable) = @content.code(callable)

      # @return [Object] the name of a class, or its identity if it has none
      def name(klass) = CacheKey.name_of(klass) || Identity.of(klass)

      private

      # Units inside each other are described one after another, not one within the other, since
      # there may be hundreds.
      # @return [Array] stands for a Unit that was described, or waits for it
      def reference(unit)
        @seen.fetch(unit) do
          @waiting << unit
          @seen[unit] = [:unit, @seen.size]
        end
      end

      def describe(unit)
        definition = unit.definition
        [name(unit.serializer_class), key_case(unit), version(definition.cache), unit.views,
         unit.form, methods_of(unit.serializer_class), restrictions(unit.restrictions),
         unit.fields.map { |field| of_field(unit, field) }, resource(definition)]
      end

      # @param field [Field] of the unit
      def of_field(unit, field)
        return [field.name, field.source] if plain?(field)

        options = Field::COUNTED.slice(*field.options.keys)
                                .map { |name, counts| [name, send(counts, field.options[name])] }
        [field.kind, field.name, field.source, run(field.reader), options, inside(unit, field)]
      end

      # The next methods are those that Field::OPTIONS names. Each describes the value of an option.
      def literal(value) = value

      def conversion(as)
        @contextual = true if block?(as)
        called(as)
      end

      def called(as)
        return [:text, called(as.conversion)] if Conversion::ToText === as

        as.respond_to?(:call) ? @content.of_callable(as) : @content.of(as)
      end

      # Describes a block that runs on the serializer, or the value that an option has instead of a
      # block.
      def run(value)
        @contextual = true if block?(value)
        @content.of(value, elsewhere: true)
      end

      # Describes the declarations that only JSON:API and HAL use.
      def resource(definition)
        definition.resource.map do |name, given|
          next [name, given] unless given.is_a?(Field)

          options = given.options.map do |option, value|
            [option, option == :as ? called(value) : @content.of(value, elsewhere: true)]
          end
          [name, given.source, @content.of(given.reader, elsewhere: true), options]
        end
      end

      # Describes what decides the identifiers of a relationship of JSON:API. They are collected
      # before the resource is written, so the Unit of the resource does not have their code.
      # @param relates [Array(Unit, Field)] see {Field#relates}
      def relationship(relates)
        unit, field = relates
        choice = case given = field.serializer
                 when Proc then run(given)
                 when Hash then given.keys.map { |type| name(type) }
                 end
        [field.kind, field.source, field.linkage, run(field.reader), run(field.default), choice,
         related(unit, field).map { |klass| identity(klass, field.view) }]
      end

      # @return [Array<Class>] the serializers that objects of the association can have, as far as
      #   the declaration tells
      def related(unit, field)
        given = field.serializer
        @contextual = true unless given.is_a?(Class) || given.is_a?(String) # a value tells which
        given = given.is_a?(Hash) ? given.values : [given]
        given.filter_map { |one| @cache.chosen_class(unit, field, one) }
      end

      # Describes what decides the identifiers of the objects of a serializer.
      def identity(klass, view)
        definition = klass.definition
        unit = Unit.new(klass, definition, definition.resolve_views(view), [], :object)
        id = definition.resource[:id] || unit.fields.find { |field| field.name == :id }
        [name(klass), definition.resource[:type], methods_of(klass),
         [id, definition.resource[:lid]].compact.map { |field| of_field(unit, field) }]
      end

      # The Definition of a Unit for JSON:API or HAL is derived, and has no key case of its own.
      def key_case(unit) = @content.of(unit.serializer_class.definition.key_case)

      def plain?(field)
        field.kind == :attribute && field.reader.nil? &&
          field.options.keys.none? { |name| Field::COUNTED.key?(name) }
      end

      def block?(value)
        case value
        when Proc, Method then true
        when Array then value.any? { |one| block?(one) }
        when Hash then value.to_a.any? { |pair| block?(pair) }
        when Conversion::ToText then block?(value.conversion)
        else false
        end
      end

      # Names stay in their order. Another order gives another key, which does no harm.
      def restrictions(pairs) = pairs.map { |pair| pair.map { |one| selected(one) } }

      def selected(selection)
        selection && selection.tree.map { |name, part| [name, selected(part)] }
      end

      def of_module(value)
        return name(value) unless value.is_a?(Class) && value < Serializer

        of_serializer(value, nil)
      end

      def of_serializer(klass, field, unit = nil)
        inner = unit&.inner(field, klass, :object, [])
        inner ||= Unit.new(klass, klass.definition, klass.definition.default_views, [], :object)
        @contextual = true if @cache.imperative?(klass)
        reference(inner)
      end

      def inside(unit, field)
        return reference(unit.inner(field, unit.serializer_class, :object, [])) if field.definition
        return if field.kind == :attribute

        given = field.serializer
        case given
        when Class, String then of_serializer(@cache.inner_class(unit, field), field, unit)
        when Hash
          @contextual = true
          given.map { |type, one| [name(type), of_choice(one, unit, field)] }
        else
          @contextual = true # the value tells, or a lambda
          run(given)
        end
      end

      # @param given [Class, String, Object] the serializer that a Hash has for one type
      def of_choice(given, unit, field)
        found = @cache.chosen_class(unit, field, given)
        found ? of_serializer(found, field, unit) : given
      end

      # All methods that the user gave the class, because each may be called by one that serves a
      # field. A private method, or one that was undefined, serves none.
      def methods_of(klass)
        return if klass == Serializer || @seen[klass]

        @seen[klass] = true
        owners = klass.ancestors.reject { |owner| Blocks.everybodys?(owner) }
        methods = owners.flat_map { |owner| methods_in(owner) }
        names = methods.map(&:first).uniq
        [methods, names.group_by { |name| visibility(klass, name) }.to_a, class_methods_of(klass),
         Blocks::OURS.flat_map { |owner| methods_in(owner) }]
      end

      # Those whose code tells all. A `class_attribute` makes others.
      def class_methods_of(klass)
        line = klass.singleton_class.ancestors
        line.take_while { |owner| owner != Serializer.singleton_class }.flat_map do |owner|
          own_methods(owner).filter_map do |name, method|
            code = method && @content.plain_code(method) and [name, code]
          end
        end
      end

      def visibility(klass, name)
        if klass.public_method_defined?(name) then :public
        elsif klass.protected_method_defined?(name) then :protected
        else klass.private_method_defined?(name) ? :private : :undefined
        end
      end

      def methods_in(owner)
        methods = own_methods(owner)
        @contextual = true unless methods.empty?
        methods.map { |name, method| [name, method && @content.method_of(owner, method)] }
      end

      # @return [Array<Array(Symbol, UnboundMethod)>] nil instead of a method that a name no longer
      #   has: a module which the owner prepends undefined it, or the owner made that of its
      #   superclass private, which then lost it
      def own_methods(owner)
        names = owner.instance_methods(false) + owner.private_instance_methods(false)
        names.reject! { |method| method.start_with?(PlanCache::BLOCKS) }
        methods = names.sort.map { |name| [name, method_in(owner, name)] }
        methods.reject { |_, method| ours?(owner, method) }
      end

      # The owner's own method, also under that of a module which it prepends.
      def method_in(owner, name)
        found = owner.instance_method(name)
        found = found.super_method until found.nil? || found.owner == owner
        found || owner.instance_method(name)
      rescue NameError
        nil
      end

      # Also those of a module that this library includes into all serializers, as in Rails.
      def ours?(owner, method)
        file, = method&.source_location
        file ? file.start_with?(LIBRARY) : Blocks::OURS.include?(owner)
      end
    end
  end
end
