# frozen_string_literal: true

# Layer: declaring. Checks `writable:`, which says that a field may be read from a document, and
# how.

module ToJson
  # `writable: true`, the name to assign, or a Hash. It changes nothing that is written.
  # @api private
  module WritableOptions
    # What `as:` takes in `writable:`.
    KINDS = %i[string integer float boolean date time decimal fragment array object any].freeze
    OF_ATTRIBUTES = %i[name as in].freeze
    OF_ASSOCIATIONS = %i[name nested destroy build id type].freeze
    PLAIN = {}.freeze
    FLAGS = %i[nested destroy].freeze
    NAMES = %i[name id type].freeze
    private_constant :PLAIN, :FLAGS, :NAMES

    class << self
      # @param field [FieldOptions] to refuse with
      # @param word [String] how the field was declared
      # @param options [Hash{Symbol => Object}] all options of the declaration
      # @return [Hash{Symbol => Object}, nil] frozen; nil: not writable
      # @raise [DefinitionError]
      def read(field, word, options)
        given = options[:writable]
        found =
          case given
          when nil, false then return
          when true then PLAIN
          when Symbol, String then { name: given }
          when Hash then given
          else
            field.refuse("writable: takes true, the name to assign, or a Hash of options; got " \
                         "#{given.inspect}")
          end
        attribute = word.start_with?("attribute")
        check_options(field, found, attribute ? OF_ATTRIBUTES : OF_ASSOCIATIONS)
        check_conversion(field, found, options[:as]) if attribute
        found.to_h { |name, value| [name, checked(field, name, value)] }.freeze
      end

      # The serializer that reads an association must be known without a value.
      # @param made [Hash{Symbol => Object}] the options, checked
      # @param named [Boolean] whether it has no fields of its own
      def check_association(field, kind, made, named)
        serializer = made[:serializer]
        if named && (serializer.nil? || serializer.is_a?(Proc))
          field.refuse("writable: nothing in a document tells the serializer to read with. Add " \
                       "serializer: with a class, or with a Hash from classes to serializers.")
        end
        if kind == :flatten && serializer.is_a?(Hash)
          field.refuse("writable: a flatten is read by one serializer. Name it, or use has_one.")
        end
        check_nested(field, made[:writable])
      end

      private

      def check_options(field, given, known)
        unknown = given.keys.find { |name| !known.include?(name) }
        return unless unknown

        field.refuse("writable: #{Suggestion.unknown("option", unknown, known)}")
      end

      def check_nested(field, writable)
        if writable[:destroy] && !writable[:nested]
          field.refuse("writable: destroy: works only with nested: true, which assigns the " \
                       "attributes of accepts_nested_attributes_for.")
        end
        return unless writable[:nested] && writable[:build]

        field.refuse("writable: nested: and build: cannot be combined: with nested: the model " \
                     "builds the objects.")
      end

      # A conversion that cannot be reversed must name the kind to read.
      def check_conversion(field, writable, as)
        return if writable[:as] || writable[:in] || as.nil? || as.is_a?(Symbol) ||
                  as.respond_to?(:decode) || (as.is_a?(Class) && as < Serializer)

        field.refuse("writable: #{as.is_a?(Module) ? as : "the as: of this field"} has no " \
                     "decode(value), so what it wrote cannot be read. Define decode, or add " \
                     "writable: { as: … }.")
      end

      def checked(field, name, value)
        case name
        when *NAMES then FieldOptions.name_of("#{field.place}: writable: #{name}:", value)
        when *FLAGS
          return value if [true, false].include?(value)

          field.refuse("writable: #{name}: takes true or false; got #{value.inspect}")
        when :as then conversion(field, value)
        when :in then choices(field, value)
        when :build then builder(field, value)
        end
      end

      def conversion(field, given)
        return given if KINDS.include?(given) || given.respond_to?(:decode) ||
                        given.respond_to?(:call)

        if given.is_a?(Symbol)
          field.refuse("writable: as: #{Suggestion.unknown("conversion", given, KINDS)}")
        end
        field.refuse("writable: as: takes #{KINDS.map(&:inspect).join(", ")}, an object with " \
                     "call(value), or a class or module with decode(value); got #{given.inspect}")
      end

      # By the text that stands in documents.
      def choices(field, given)
        found = given.is_a?(Hash) ? given.keys : given
        allowed = found.is_a?(Array) && !found.empty? &&
                  found.all? { |one| [Symbol, String, Integer].include?(one.class) }
        unless allowed
          field.refuse("writable: in: takes an Array of names, or a Hash with names as keys, as " \
                       "Post.statuses; got #{given.inspect}")
        end
        found.to_h do |one|
          text = one.is_a?(Integer) ? one : one.to_s.dup.freeze
          [text, one.is_a?(String) ? text : one] # nobody can change a text for all
        end.freeze
      end

      def builder(field, given)
        return given if given.is_a?(Class) || given.respond_to?(:call)

        if given.is_a?(String) && FieldOptions::CONSTANT.match?(given)
          return given.dup.freeze
        end

        field.refuse("writable: build: takes a class, its name, or an object with " \
                     "call(attributes); got #{given.inspect}")
      end
    end
  end
end
