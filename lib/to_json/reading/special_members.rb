# frozen_string_literal: true

# Layer: reading. Reads the members of objects that are not fields: the type, and `_destroy`.

module ToJson
  module Reading
    # Takes the place of generated code for the objects of an association of several types. Chooses
    # the code by the type that an object names.
    # @api private
    class CodeByType
      # A document may name a type by the name of its class, by that name in snake case, or by its
      # type in JSON:API.
      # @param field [Field]
      # @param key_case [Symbol, #call, nil] that of the class which declares the field
      # @param serializers [Hash{Module => Class}]
      # @param codes [Hash{Module => Module}]
      # @return [CodeByType] frozen
      def self.build(field, key_case, serializers, codes)
        names = {}
        serializers.each do |type, serializer|
          names_of(type, serializer).each { |name| names[name] ||= [type.name, codes.fetch(type)] }
        end
        name = field.writable[:type] || :type
        Ractor.make_shareable(new(name, KeyCase.apply(key_case, name.name), names))
      end

      # @return [Array<String>]
      def self.names_of(type, serializer)
        FirstUse.of(:Names, JsonApi)
        told = serializer.definition.resource[:type]
        name = Reflection.name_of(type).to_s
        snake = KeyCase.apply(:snake, name[/[^:]*\z/])
        [told, name, snake, (JsonApi::Names.type(snake) unless snake.empty?)].compact.uniq
      end

      # @param name [Symbol] of the attribute that gets the type
      # @param key [String] where the object says its type
      # @param types [Hash{String => Array(String, Module)}]
      def initialize(name, key, types)
        @name, @key, @types = name, key, types
      end

      # Reads as generated code does, and adds the name of the class to the attributes.
      # @return [Hash]
      def read(object, session, attributes)
        given = object[@key]
        type, code = @types[given]
        unless code
          known = @types.keys.map(&:inspect).join(", ")
          message = if object.key?(@key)
                      "takes the name of a type; got #{Pointer.shown(given)}. Known: #{known}."
                    else
                      "is missing. It names the type of the object: #{known}."
                    end
          return session.wrong(@key, message, object.key?(@key) ? :choice : :missing)
        end

        code.read(object.except(@key), session, attributes)
        attributes[@name] = type
        attributes
      end
    end

    # Takes the place of generated code for resources of JSON:API, which have one type. `code`:
    # reads such a resource. `id`: the attribute whose value is written as the id.
    # @api private
    CodeOfType = Struct.new(:type, :code, :id) do
      # @return [Hash]
      def read(object, session, attributes)
        given = object["type"]
        return code.read(object, session, attributes) if given == type

        session.wrong("type", "takes #{type.inspect}; got #{Pointer.shown(given)}.", :choice)
      end
    end

    # Takes the place of generated code for the objects of a field with `destroy: true`. They may
    # have the key `_destroy`, as for accepts_nested_attributes_for of Rails.
    # @api private
    class CodeWithDestroy
      KEY = "_destroy"
      private_constant :KEY

      def initialize(code)
        @code = code
      end

      # @return [Hash]
      def read(object, session, attributes)
        return @code.read(object, session, attributes) unless object.key?(KEY)

        destroy = truth(object[KEY], session)
        @code.read(object.except(KEY), session, attributes)
        attributes[:_destroy] = destroy
        attributes
      end

      private

      # @return [Boolean, nil, NOTHING] NOTHING if the value is wrong: then only `_destroy` is left
      #   out, and not the other attributes
      def truth(given, session)
        return given if true == given || false == given || nil == given

        found = Values.truth_of(given.to_s)
        return found unless found.nil?

        session.wrong(KEY, "takes true or false; got #{Pointer.shown(given)}.", :type)
      end
    end
  end
end
