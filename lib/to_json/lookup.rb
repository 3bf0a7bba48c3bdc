# frozen_string_literal: true

# Layer: serializer. Which serializer a value has where none was named. Only names are kept, never what they led to: each
# call asks Ruby's constants anew, so that reloading, autoload and a nearer class defined later need no care, and no class
# is kept alive.

module ToJson
  # A value of class Chat::User, in Api::V1::PostSerializer, is written by the first of Api::V1::PostSerializer::Chat::UserSerializer,
  # Api::V1::Chat::UserSerializer, Api::Chat::UserSerializer and Chat::UserSerializer that is there and a serializer; then its
  # superclass's name is tried the same way. UserSerializer is not: it is for another class, User.
  # @api private
  module Lookup
    # Names whose parts are kept, per Ractor; more start anew.
    MOST_KEPT = 1_000
    CLASS_OF = Kernel.instance_method(:class)
    NAME_OF = Module.instance_method(:name)
    # Where the superclasses of a value's class end.
    ENDS = [Object, BasicObject].freeze
    private_constant :MOST_KEPT, :CLASS_OF, :NAME_OF, :ENDS

    class << self
      # @param serializer_class [Class] in whose namespaces it is looked for, inside out
      # @param value [Object] whose class's name it bears, or a superclass's: up to an abstract one of ActiveRecord, one
      #   without a name, or Object
      # @return [Class]
      # @raise [SerializerNotFound] with the names that were tried
      def find(serializer_class, value)
        type = CLASS_OF.bind_call(value)
        scopes = scopes_of(home_of(serializer_class))
        each_name(type) do |name|
          found = first_there(scopes, parts(name, "Serializer"))
          return found if found
        end
        raise SerializerNotFound, not_found(type, home_of(serializer_class))
      end

      # @param name [String] of a class; "::" in front: from the top
      # @return [Class]
      # @raise [SerializerNotFound] with the names that were tried
      def resolve(serializer_class, name)
        from_top = name.start_with?("::")
        home = from_top ? nil : home_of(serializer_class)
        first_there(scopes_of(home), parts(from_top ? name.delete_prefix("::") : name)) or
          raise SerializerNotFound, "no serializer #{name}: tried #{tried(home, [name.delete_prefix("::")])}. Define one of these as a ToJson::Serializer."
      end

      # What an association's `serializer:` means for a value; of a lambda, what it gave.
      #
      # @param given [Class, String, Hash{Module => Class, String}, nil] nil: {find}
      # @return [Class]
      # @raise [SerializerNotFound]
      def serializer_for(serializer_class, given, value)
        case given
        when Class then given < Serializer ? given : refuse(given)
        when nil then find(serializer_class, value)
        when String then resolve(serializer_class, given)
        when Hash then serializer_for(serializer_class, of_map(given, value), value)
        else refuse(given)
        end
      end

      private

      # The nearest ancestor counts.
      def of_map(map, value)
        type = CLASS_OF.bind_call(value)
        key = map.key?(type) ? type : type.ancestors.find { |ancestor| map.key?(ancestor) }
        return map.fetch(key) if key

        raise SerializerNotFound, "serializer: has none for #{type}. Known: #{map.keys.join(", ")}."
      end

      def refuse(given)
        raise SerializerNotFound, "serializer: gave #{given.is_a?(Class) ? given : "an instance of #{CLASS_OF.bind_call(given)}"}. A class that inherits " \
                                  "from ToJson::Serializer is due, or its name."
      end

      # The name of the class, or of the nearest superclass that has one.
      def home_of(serializer_class)
        until serializer_class == Serializer
          name = NAME_OF.bind_call(serializer_class)
          return name if name && parts(name)

          serializer_class = serializer_class.superclass
        end
      end

      def each_name(type)
        until type.nil? || ENDS.include?(type)
          name = NAME_OF.bind_call(type)
          break if name.nil? || !parts(name) || name == "ActiveRecord::Base" || (type.respond_to?(:abstract_class?) && type.abstract_class?)

          yield name
          type = type.superclass
        end
      end

      # The modules that the name leads through, as far as they are there, inside out; Object is the last.
      def scopes_of(home)
        return [Object] unless home

        scopes = [Object]
        parts(home).each do |name|
          inner = constant(scopes.first, name)
          break unless inner.is_a?(Module)

          scopes.unshift(inner)
        end
        scopes
      end

      def first_there(scopes, names)
        scopes.each do |scope|
          found = names.inject(scope) { |within, name| constant(within, name) or break }
          return found if found.is_a?(Class) && found < Serializer
        end
        nil
      end

      # Nothing is inherited on the way: Api::String is not ::String.
      def constant(scope, name) = scope.is_a?(Module) && scope.const_defined?(name, false) ? scope.const_get(name, false) : nil

      # @return [Array<Symbol>, nil] nil: no name that a constant could have, such as an anonymous class's constants have
      def parts(name, suffix = nil)
        kept = Ractor.current[suffix ? :to_json_lookup_suffixed : :to_json_lookup] ||= {}
        kept.fetch(name) do
          kept.clear if kept.size >= MOST_KEPT
          kept[name] = FieldOptions::CONSTANT.match?(name) ? "#{name}#{suffix}".split("::").map(&:to_sym).freeze : nil
        end
      end

      def tried(home, names)
        outer = home.to_s.split("::")
        names.flat_map { |name| outer.size.downto(0).map { |depth| [*outer.first(depth), name].join("::") } }.join(", ")
      end

      def not_found(type, home)
        names = []
        each_name(type) { |name| names << "#{name}Serializer" }
        advice = "name one (serializer: SomeSerializer, or a Hash of classes to them), or give a block with the fields"
        return "#{type} has no name to find a serializer by: #{advice}." if names.empty?

        "no serializer for #{type}: tried #{tried(home, names)}. Define one of these, #{advice}."
      end
    end
  end
end
