# frozen_string_literal: true

# Layer: declaring. Finds the serializer of a value if the declaration names none. Only names are
# kept, not the classes: each call looks the constants up again. So reloading, autoload and a class
# that is defined later need no care, and no class is kept alive. Code that asks for many values may
# remember the answers for one document, as ext/to_json/documents/value_site.c does. That file
# also keeps the few Plans that it found last, and uses one of them if the constants still lead to
# the same serializer class.

module ToJson
  # A value of class Chat::User, in Api::V1::PostSerializer, is written by the first of
  # Api::V1::PostSerializer::Chat::UserSerializer, Api::V1::Chat::UserSerializer,
  # Api::Chat::UserSerializer and Chat::UserSerializer that exists and is a serializer. If there is
  # none, the name of the superclass is tried in the same way. UserSerializer is never tried: it is
  # for another class, User.
  #
  # Each Ractor has a Lookup, which keeps the parts of names.
  # @api private
  class Lookup
    # The most names that are kept. Beyond that, all are dropped.
    MOST_KEPT = 1_000
    # Where the superclasses of a value's class end.
    ENDS = [Object, BasicObject, Struct, *(defined?(Data) ? [Data] : [])].freeze # Data: Ruby >= 3.2
    # The most milliseconds to wait for another thread that loads a constant. Most files take less.
    # They are counted, since a program may stub its clock. Then Ruby's own autoload waits. It does
    # not end if that thread, which did not begin by autoload, comes to a `class` statement with the
    # name of the constant.
    MOST_WAITS = 1_000
    CONSTANT_PLACE = Module.instance_method(:const_source_location)
    CONSTANT_DEFINED = Module.instance_method(:const_defined?)
    private_constant :MOST_KEPT, :ENDS, :MOST_WAITS, :CONSTANT_PLACE, :CONSTANT_DEFINED

    class << self
      # @return [String, nil] the command that creates a serializer, with %s for the name of the
      #   class: Rails' generator
      attr_accessor :command

      # @param serializer_class [Class] whose namespaces are searched, the innermost first
      # @param value [Object] the serializer is named after its class, or after a superclass. The
      #   search ends at an abstract class of ActiveRecord, at one without a name, and at Object
      # @return [Class]
      # @raise [SerializerNotFound] with the names that were tried
      def find(serializer_class, value) = here.find(serializer_class, class_of(value))

      # @return [Serializer] of a model that is a value, without a root
      # @raise [SerializerNotFound]
      def instance_for(serializer_class, value)
        found = find(serializer_class, value)
        found.declared? ? found.new(value, root: false) : found.new(value)
      end

      # @param namespace [Module, String, nil] is searched, and then what is around it
      # @param type [Class] the serializer is named after it, or after a superclass
      # @return [Class, nil]
      def in_namespace(namespace, type) = here.in_namespace(home_name(namespace), type)

      # @param name [String] of a serializer
      # @return [Class, nil]
      def named_in_namespace(namespace, name)
        here.named_in_namespace((home_name(namespace) unless name.start_with?("::")),
                                name.delete_prefix("::"))
      end

      # @return [Array<String>] the names that {in_namespace} tries, in their order
      def names_in(namespace, type) = here.names_in(home_name(namespace), type)

      # @return [String] advice for the error if a model is written while no serializer is at work
      def words_for(value)
        found = find(Serializer, value)
        name = Reflection.name_of(class_of(value))[/\w+\z/]
        argument = name.gsub(/(?<=[[:lower:]])[[:upper:]]/) { |letter| "_#{letter}" }.downcase
        "#{found}.new(#{argument})"
      rescue SerializerNotFound
        "a serializer"
      end

      # @param name [String] of a class; with "::" in front, no namespace is searched
      # @param place [String, nil] the declaration with that `serializer:`, for the message
      # @return [Class]
      # @raise [SerializerNotFound] with the names that were tried
      def resolve(serializer_class, name, place = nil) = here.resolve(serializer_class, name, place)

      # Returns the serializer of a value in an association with that `serializer:`.
      #
      # @param given [Class, String, Hash{Module => Class, String}, nil] the option, or what its
      #   lambda returned; nil: {find}
      # @return [Class]
      # @raise [SerializerNotFound]
      def serializer_for(serializer_class, given, value)
        of_class(serializer_class, given, (class_of(value) if given.nil? || Hash === given))
      end

      # The same for a class of values.
      # @param type [Class]
      # @return [Class]
      # @raise [SerializerNotFound]
      def of_class(serializer_class, given, type)
        case given
        when Class then given < Serializer ? given : refuse(given)
        when nil then here.find(serializer_class, type)
        when String then resolve(serializer_class, given)
        when Hash then of_class(serializer_class, of_map(given, type), type)
        else refuse(given)
        end
      end

      # @!method follow(path)
      #   In ext/to_json/documents/lookup.c.
      #   @param path [Array] see {path}
      #   @return [Class, nil] the serializer that it leads to in the innermost module that has one

      # Takes two names apart for {follow}.
      # @param home [String, nil] the name whose namespaces are searched
      # @param name [String] of the class of a value
      # @return [Array, nil] the number of names of modules, these names, and the names of the
      #   serializer; nil if no constant can have such a name
      def path(home, name) = here.path(home, name)

      # @return [Class] the class that the value's `class` returns, which may be another one for a
      #   proxy
      def class_of(value)
        said = value.class if Object === value
        said.is_a?(Class) ? said : Reflection.class_of(value)
      end

      # Waits while another thread loads a constant that is left to autoload. The child of a fork
      # has no other thread that could.
      # @return [Boolean] false: the scope itself has no such constant
      def awaited?(scope, name) = here.awaited?(scope, name)

      # @return [String, nil] the name of the class, or of the nearest superclass that has one, in
      #   whose namespaces its serializers are searched
      def home_of(serializer_class) = here.home_of(serializer_class)

      # @return [Integer] names that this Ractor has kept
      def kept = here.kept

      private

      def home_name(namespace)
        return namespace if namespace.nil? || namespace.is_a?(String)

        Reflection.name_of(namespace) unless namespace.equal?(Object)
      end

      def here = Ractor.current[:to_json_lookup] ||= new

      # Finds the entry of the nearest ancestor.
      def of_map(map, type)
        key = map.key?(type) ? type : type.ancestors.find { |ancestor| map.key?(ancestor) }
        return map.fetch(key) if key

        raise SerializerNotFound,
              "the Hash of serializer: has no serializer for #{type}. Known: " \
              "#{map.keys.join(", ")}."
      end

      def refuse(given)
        raise SerializerNotFound,
              "serializer: returned " \
              "#{given.is_a?(Class) ? given : "an instance of #{class_of(given)}"}. It must " \
              "return a subclass " \
              "of ToJson::Serializer, or its name."
      end
    end

    def initialize
      @parts = {}
      @serializers = {}
      @late = {}
    end

    def find(serializer_class, type)
      home = home_of(serializer_class)
      in_namespace(home, type) or raise SerializerNotFound, not_found(type, home)
    end

    def in_namespace(home, type)
      each_name(type) do |names|
        found = there(home, names)
        return found if found
      end
      nil
    end

    def named_in_namespace(home, name) = (names = parts(name)) && there(home, names)

    def names_in(home, type)
      names = []
      each_name(type) { |parts| names << parts.join("::") }
      list_tried(home, names)
    end

    def resolve(serializer_class, name, place = nil)
      home = home_of(serializer_class) unless name.start_with?("::")
      path = name.delete_prefix("::")
      named_in_namespace(home, path) or
        raise SerializerNotFound,
              "#{"#{place}: " if place}no serializer #{name}: tried #{tried(home, [path])}. " \
              "Define one of these as a subclass of ToJson::Serializer."
    end

    def path(home, name) = (names = serializer_parts(name)) && path_to(home, names)

    # Ruby >= 3.3 has temporary names, which no constant can have.
    def home_of(serializer_class)
      until serializer_class == Serializer
        name = Reflection.name_of(serializer_class)
        return name if name && !name.start_with?("#") && parts(name)

        serializer_class = serializer_class.superclass
      end
    end

    def kept = [@parts.size, @serializers.size, @late.size].max

    def awaited?(scope, name)
      return false unless CONSTANT_PLACE.bind_call(scope, name, false)

      path = [Reflection.name_of(scope), name].freeze
      MOST_WAITS.times do
        return true if CONSTANT_DEFINED.bind_call(scope, name, false) || Thread.list.size == 1
        return true if @late.key?(path) # perhaps its file was loaded, and did not define it

        sleep 0.001
        return false unless CONSTANT_PLACE.bind_call(scope, name, false)
      end
      give_up(path)
      true
    end

    private

    # @yieldparam names [Array<Symbol>] the parts of a serializer's name
    def each_name(type)
      own = type
      until type.nil? || ENDS.include?(type)
        name = Reflection.name_of(type)
        names = name && serializer_parts(name) or break
        break unless type.equal?(own) || !abstract?(type, name)

        yield names
        type = type.superclass
      end
    end

    # Asked about superclasses only, not about the class of a value: no object is directly of an
    # abstract class.
    def abstract?(type, name)
      name == "ActiveRecord::Base" || (type.respond_to?(:abstract_class?) && type.abstract_class?)
    end

    def give_up(path)
      @late.clear if @late.size >= MOST_KEPT
      @late[path] = true
    end

    def there(home, names) = Lookup.follow(path_to(home, names))

    def path_to(home, names)
      outer = (home && parts(home)) || []
      [outer.size, *outer, *names].freeze
    end

    # @return [Array<Symbol>, nil] nil: no name that a constant could have, such as an anonymous
    #   class's constants have
    def parts(name) = @parts.fetch(name) { keep(@parts, name, name) }
    def serializer_parts(name)
      @serializers.fetch(name) { keep(@serializers, name, "#{name}Serializer") }
    end

    def keep(names, name, full)
      names.clear if names.size >= MOST_KEPT
      names[name] =
        if FieldOptions::CONSTANT.match?(name)
          full.split("::").map(&:to_sym).freeze
        else
          nil
        end
    end

    def tried(home, names) = list_tried(home, names).join(", ")

    def list_tried(home, names)
      outer = home.to_s.split("::")
      names.flat_map do |name|
        outer.size.downto(0).map { |depth| [*outer.first(depth), name].join("::") }
      end
    end

    def not_found(type, home)
      names = []
      each_name(type) { |parts| names << parts.join("::") }
      advice =
        "pass serializer: (a serializer, or a Hash from classes to serializers), or a block with " \
        "the fields"
      return "#{type} has no name, so no serializer can be found for it: #{advice}." if names.empty?

      create = "Define one of these"
      create = format(Lookup.command, names.first.delete_suffix("Serializer")) if Lookup.command
      "no serializer for #{type}: tried #{tried(home, names)}. #{create}, or #{advice}."
    end
  end
end
