# frozen_string_literal: true

# Layer: declaring. Checks the options of has_one, has_many, association and flatten, which have a
# serializer or fields of their own.

module ToJson
  # @api private
  class AssociationOptions < FieldOptions
    # Options that need another serializer class. An inline block has none.
    OF_SERIALIZERS = %i[view only except context].freeze

    # @param definition [Definition, nil] that of an inline block
    # @param block [Proc, nil] which gives the value
    # @return [Field]
    def association(kind, definition, block)
      if definition && (useless = (@options.keys & OF_SERIALIZERS).first)
        refuse("#{useless}: works only with serializer:, not with a block that declares fields. " \
               "Add serializer:, or remove #{useless}:.")
      end
      made = checked
      if made[:writable]
        WritableOptions.check_association(self, kind, made, definition.nil?)
      end
      computed(Field.new(kind, @name, @source, made, reader: reader(block),
                         definition: definition, declared_at: @declared_at))
    end

    # Whether a block gives the value, instead of declaring fields.
    def serializer? = @options.key?(:serializer)

    private

    def serializer
      given = @options[:serializer]
      case given
      when Proc then native(given)
      when Method then given.to_proc
      when Hash then map(given)
      else one_serializer(given)
      end
    end

    def map(given)
      if given.empty?
        refuse("serializer: the Hash is empty. Add a serializer for each class of value.")
      end
      given.each_key do |type|
        unless type.is_a?(Module)
          refuse("serializer: the keys of the Hash must be classes or modules; got #{type.inspect}")
        end
      end
      given.transform_values { |one| one_serializer(one) }.freeze
    end

    def one_serializer(given)
      case given
      when String
        unless CONSTANT.match?(given)
          refuse("serializer: #{given.inspect} is not the name of a class.")
        end
        given.dup.freeze
      when Class
        unless given < Serializer
          refuse("serializer: #{given} does not inherit from ToJson::Serializer.")
        end
        given
      else
        kind =
          if given.is_a?(Serializer)
            "an instance of #{given.class}, name the class"
          else
            given.inspect
          end
        refuse("serializer: takes a subclass of ToJson::Serializer, its name, a lambda that " \
               "returns one, or a Hash from classes to serializers; got #{kind}")
      end
    end

    # Refuses skip_nil and skip_blank, because a cached text is written without reading the value.
    def cache
      cache = CacheOptions.read("#{place}: cache", @options[:cache]) if @options[:cache]
      if cache && skip
        refuse("cache: and #{skip == :nil ? "skip_nil" : "skip_blank"}: the value is not read if " \
               "it is cached. Use if: instead.")
      end
      cache
    end

    def view
      given = @options[:view]
      return if given.nil?

      (given.is_a?(Array) ? given : [given]).map do |name|
        FieldOptions.name_of("#{place}: view:", name)
      end.freeze
    end

    def context
      check_parameters(@options[:context]) if @options[:context].is_a?(Proc)
      @options[:context]
    end

    def linkage
      given = @options[:linkage]
      return given if [true, false, nil].include?(given)
      return FieldOptions.name_of("#{place}: linkage:", given) if given.is_a?(Symbol)

      refuse("linkage: takes true, false or the name of what has the id; got #{given.inspect}")
    end

    def only = selection(:only)
    def except = selection(:except)

    def selection(option)
      @options[option].nil? ? nil : Selection.parse(@options[option])
    rescue SelectionError => error
      refuse("#{option}: #{error.message}")
    end
  end
end
