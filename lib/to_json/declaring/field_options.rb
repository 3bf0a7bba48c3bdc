# frozen_string_literal: true

# Layer: declaring. Checks the options of a declaration and makes its Field. A mistake raises where
# the class is defined, and the message says what to write.

module ToJson
  # The arguments of one declaration.
  # @api private
  class FieldOptions
    CONDITIONS = %i[if unless].freeze
    ATTRIBUTE = [*Field::OF_ATTRIBUTES, :name, :source].freeze
    ASSOCIATION = [*Field.options_of(:association), :name, :source].freeze
    FLATTEN = Field.options_of(:flatten).freeze

    CONVERSIONS = Part::TABLE[:as].keys.freeze
    NO_NAMES = {}.freeze
    TIMES = Rules::TIMES
    # Options of other libraries, and the options of this gem that do the same.
    ELSEWHERE = { key: :name, each_serializer: :serializer, resource: :serializer,
                  blueprint: :serializer }.freeze
    # Encodings of Symbols that are valid UTF-8. Most Symbols have one of these.
    TEXT = [Encoding::US_ASCII, Encoding::UTF_8].freeze
    # No \p, so that it matches text in other encodings than UTF-8.
    CONSTANT = /\A(?:::)?[[:upper:]][[:word:]]*(?:::[[:upper:]][[:word:]]*)*\z/

    class << self
      # Separates the arguments of `attributes`.
      #
      # @return [Array(Array, Hash)] names, or pairs `[name, source]` if these differ; the options
      #   for all of them
      def split(place, names, mapping)
        if (list = names.find { |name| name.is_a?(Array) })
          raise DefinitionError,
                "#{place}: attributes takes names, not an Array. Write " \
                "attributes(*#{list.inspect}), or attributes :a, :b."
        end

        return [names, mapping] if mapping.empty?

        options, renamed =
          mapping.partition { |key, _| Field::OF_ATTRIBUTES.include?(key) }.map(&:to_h)
        [names +
           renamed.map { |source, name| [new_name("#{place}: attributes", source, name), source] },
         options]
      end

      # @param place [String] for messages; may be an option, with its colon
      # @return [Symbol]
      # @raise [DefinitionError] for what is no name
      def name_of(place, given)
        return given if text?(given)

        place = place.delete_suffix(":")
        unless given.is_a?(Symbol) || given.is_a?(String)
          raise DefinitionError,
                "#{place}: a name must be a Symbol or a String; got #{given.inspect}"
        end

        text = given.to_s.encode(Encoding::UTF_8)
        return text.to_sym if text.valid_encoding?

        raise DefinitionError, "#{place}: #{given.inspect} is not valid #{given.encoding} text."
      rescue ::EncodingError
        raise DefinitionError, "#{place}: #{given.inspect} is not valid #{given.encoding} text."
      end

      # Whether it is a Symbol that can be a name as it is.
      def text?(given) = given.is_a?(Symbol) && TEXT.include?(given.encoding)

      private

      # A key whose value is not a name is a misspelt option.
      def new_name(place, source, name)
        return name if name.is_a?(Symbol) || name.is_a?(String)

        if source.is_a?(Symbol)
          raise DefinitionError,
                "#{place}: #{Suggestion.unknown("option", source, Field::OF_ATTRIBUTES)}"
        end

        raise DefinitionError,
              "#{place}: the name for #{source.inspect} must be a Symbol or a String; got " \
              "#{name.inspect}"
      end
    end

    # @param place [String, Class] the class or declaration around it
    # @param word [String] how it was declared
    # @param known [Array<Symbol>] the options it takes
    # @param declared_at [String, nil] see {Field#declared_at}
    def initialize(place, word, name, options, known, declared_at = Field.place_at_work)
      @declared_at = declared_at
      given = FieldOptions.text?(name) ? name : FieldOptions.name_of("#{place}: #{word}", name)
      @within, @word, @given, @options = place, word, given, options
      options.each_key do |option|
        refuse(Suggestion.unknown("option", option, known, ELSEWHERE)) unless known.include?(option)
      end
      name_and_source(given)
    end

    # @return [String] for messages about declarations inside
    def place = "#{@within}: #{@word} #{@given.inspect}"

    # @param source [Symbol, String, Proc, nil] the second argument
    # @param block [Proc, nil]
    # @return [Field]
    def attribute(source, block)
      if block && source
        refuse("both a block and #{source.is_a?(Proc) ? "a lambda" : "a source"} would give the " \
               "value. Remove one.")
      end
      reader = block || callable(source)
      if source && !reader && (@options.key?(:source) || @options.key?(:name))
        refuse("two sources: #{@source.inspect} and #{source.inspect}. Remove one.")
      end
      take_source(source) unless source.nil? || reader || source.equal?(@source)
      if @options.empty? && reader.nil?
        return Field.new(:attribute, @name, @source, declared_at: @declared_at)
      end

      computed(Field.new(:attribute, @name, @source, checked, reader: reader(reader),
                         declared_at: @declared_at))
    end

    # @param definition [Definition] what the block declared
    # @return [Field]
    def nested(definition)
      Field.new(:nested, @name, nil, checked, definition: definition, declared_at: @declared_at)
    end

    # Refuses a block with arguments where a block must declare fields.
    def check_inline(block)
      return if block.parameters.empty?

      refuse("a block with a parameter gives the value and needs serializer:. Add serializer:, " \
             "or remove the parameter and declare fields in the block.")
    end

    def refuse(message)
      raise DefinitionError, "#{place}: #{message}"
    end

    private

    # Refuses `writable: true` of a field whose value a block gives: it needs a name to assign to.
    def computed(field)
      return field unless field.reader && field.writable && !field.writable.key?(:name)

      refuse("writable: a block gives the value, so there is no name to assign. Name one: " \
             "writable: :#{@name.inspect.delete_prefix(":")}.")
    end

    # The options that were given. Each is checked by the method with the name of its reader.
    #
    # @return [Hash{Symbol => Object}] for {Field#options}
    def checked
      kept = {}
      @options.each_key do |name|
        reader = Field::OPTIONS[name]&.keeps # name: and source: are kept by themselves
        kept[reader] = send(reader) if reader && !kept.key?(reader)
      end
      kept
    end

    def name_and_source(given)
      if @options.key?(:name) && @options.key?(:source)
        refuse("name: and source: cannot be combined. The first argument is one of them; pass " \
               "only the other.")
      end
      @name = given
      @name = FieldOptions.name_of("#{place}: name:", @options[:name]) if @options.key?(:name)
      @source = given
      take_source(@options[:source]) if @options.key?(:source)
    end

    def take_source(source)
      unless source.is_a?(Symbol) || source.is_a?(String)
        refuse("the second argument must be a source (a Symbol or a String) or a lambda; " \
               "got #{source.inspect}")
      end
      @source = source
      return if FieldOptions.text?(source)

      @source = FieldOptions.name_of("#{place}: source:", source)
    end

    def callable(given)
      case given
      when Proc then given
      when Method then given.to_proc
      end
    end

    # The block gets the object. It reads everything else by methods of the serializer.
    def reader(block)
      return if block.nil?

      refuse("both source: and a block would give the value. Remove one.") if @options.key?(:source)
      native(block)
    end

    # A Proc made by `&:name` takes the object, although it names no parameters.
    def native(block)
      check_parameters(block) if block.source_location
      block
    end

    def check_parameters(block)
      required = block.arity.negative? ? ~block.arity : block.arity
      if required > 1
        refuse("a block receives one argument, the object; context and helpers are methods in " \
               "it. This block requires #{required}.")
      end
    end

    def conditions
      CONDITIONS.select { |kind| @options.key?(kind) }.flat_map do |kind|
        given = @options[kind]
        (given.is_a?(Array) ? given : [given]).map { |one| [kind, condition(kind, one)].freeze }
      end.freeze
    end

    def condition(kind, given)
      return given if given.is_a?(Symbol)

      block = callable(given)
      return native(block) if block

      refuse("#{kind}: takes a Symbol (a method of the serializer or the object), a lambda or an " \
             "Array of these; got #{given.inspect}")
    end

    def as
      given = @options[:as]
      case given
      when nil then nil
      when Symbol
        unless CONVERSIONS.include?(given)
          refuse("as: #{Suggestion.unknown("conversion", given, CONVERSIONS)}")
        end
        given
      when Module
        if given.respond_to?(:encode) || given.respond_to?(:call) ||
             (given.is_a?(Class) && given < Serializer)
          return given
        end

        refuse("as: #{given} is not a serializer and has no method encode(value) or call(value).")
      else
        return given if given.respond_to?(:call)

        refuse("as: takes #{CONVERSIONS.map(&:inspect).join(", ")}, an object with call, a class " \
               "or module with encode, or a serializer; got #{given.inspect}")
      end
    end

    def format
      given = @options[:format]
      refuse("format: works only with as: :time.") unless @options[:as] == :time
      case given
      when String then given.dup.freeze
      when Symbol
        refuse("format: #{Suggestion.unknown("format", given, TIMES)}") unless TIMES.include?(given)
        given
      else
        refuse("format: takes #{TIMES.map(&:inspect).join(", ")} or a pattern for strftime; got " \
               "#{given.inspect}")
      end
    end

    def skip
      flags = %i[skip_nil skip_blank].select do |flag|
        given = @options.fetch(flag, false)
        unless [true, false].include?(given)
          refuse("#{flag}: takes true or false; got #{given.inspect}")
        end
        given
      end
      if flags.any? && @options.key?(:default)
        refuse("#{flags.first}: and default: cannot be combined: both say what to do with nil.")
      end
      flags.include?(:skip_blank) ? :blank : flags.first && :nil
    end

    def default
      check_parameters(@options[:default]) if @options[:default].is_a?(Proc)
      frozen(@options[:default])
    end

    # @return [Hash{Symbol => Hash}, false, nil] a tree of names
    def preload
      given = @options[:preload]
      return given if given.nil? || given == false

      tree = names_in(given)
      refuse("preload: names no association. Name one, or remove preload:.") if tree.empty?
      tree
    end

    def names_in(given)
      case given
      when Symbol, String
        { FieldOptions.name_of("#{place}: preload:", given) => NO_NAMES }.freeze
      when Array
        given.map { |one| names_in(one) }.inject(NO_NAMES) { |all, one| merged(all, one) }
      when Hash
        given.to_h do |name, inside|
          [FieldOptions.name_of("#{place}: preload:", name), names_in(inside)]
        end.freeze
      else
        refuse("preload: takes false, or names of associations as in {author: :avatar}; " \
               "got #{given.inspect}")
      end
    end

    # @return [Hash, nil] see {Field#writable}
    def writable = WritableOptions.read(self, @word, @options)

    def merged(one, other) = one.merge(other) { |_, mine, theirs| merged(mine, theirs) }.freeze

    # A frozen copy of Ruby's own containers and texts.
    def frozen(value)
      case value
      when String then value.dup.freeze
      when Array then value.map { |item| frozen(item) }.freeze
      when Hash then value.transform_values { |item| frozen(item) }.freeze
      else value
      end
    end
  end
end
