# frozen_string_literal: true

# Layer: reading. The state of one call: the path in the document, and the problems so far.
# Generated code calls its methods for all values that are not plain.

module ToJson
  module Reading
    # Takes the place of a wrong value, if problems are collected or wrong values are left out.
    # @api private
    NOTHING = Object.new.freeze

    # @api private
    class Session
      include Links

      # The most problems and the most unknown fields that one call collects, because a client may
      # send any number.
      MOST = 100
      # A suggestion takes 1 ms if there are 30 known keys, and 156 ms if there are 300 long ones.
      # So after MOST_COMPARED problems, or wrong lines of NDJSON, unknown keys get none. With more
      # than 30 known keys the limit is COMPARISONS divided by their number.
      MOST_COMPARED = 10
      COMPARISONS = 300
      private_constant :MOST, :COMPARISONS

      # @return [Array<ReadError::Problem>]
      attr_reader :problems
      # @return [Hash{String => Object}, nil] the values of undeclared keys, by their pointers
      attr_reader :unknown

      # @param options [Options]
      # @param text [Boolean] whether the values may come from a form, which sends only text
      def initialize(options, text)
        @options, @text, @path = options, text, []
        @ignore = options.unknown == :ignore
        @unknown = {} if options.unknown == :collect
        @problems = NONE
      end

      NONE = [].freeze
      private_constant :NONE

      # -- where it is ----------------------------------------------------------------------------

      def enter(key) = @path.push(key)
      def leave = @path.pop

      # Records a problem, raises it, or drops it, as the options say.
      # @return [NOTHING] if it does not raise
      # @raise [ReadError]
      def wrong(key, message, code)
        if @options.drop
          @dropped = true
          return NOTHING
        end
        path = key.nil? ? @path : [*@path, key]
        @problems = [*@problems, ReadError::Problem.new(Pointer.of(path), message, code)]
        raise ReadError.new(@problems) if @options.errors == :first || @problems.size >= MOST

        NOTHING
      end

      # -- fields ---------------------------------------------------------------------------------

      # Ignores, collects or refuses the keys of an object that are not read.
      # @param shape [Shape]
      def handle_unknown_keys(object, shape)
        return if @ignore

        object.each do |key, value|
          next if shape.known.key?(key)
          next collect(key, value) if @unknown

          refuse_key(key, shape)
        end
      end

      # Called if the key of a field that is always written is missing.
      def absent(key)
        return unless @options.missing == :raise

        wrong(key, "is missing.", :missing)
      end

      # @return [Hash, nil] a part of the envelope, whose key is then in the path; nil: there is
      #   none to read
      def part(object, key)
        part = object[key]
        return if nil == part
        return part.tap { enter(key) } if Hash === part

        wrong(key, "takes an object; got #{Pointer.shown(part)}.", :type)
        nil
      end

      # @return [Hash, nil, NOTHING] the attributes of an object
      def one(value, key, code)
        return value if nil == value
        return wrong(key, takes("an object", value), :type) unless Hash === value

        @path.push(key)
        attributes = code.read(value, self, {})
        @path.pop
        attributes
      end

      # Reads the fields of a `nested`. They are attributes of the object around them.
      def within(value, key, code, attributes)
        return wrong(key, takes("an object", value), :type) unless Hash === value

        @path.push(key)
        attributes.update(code.read(value, self, {}))
        @path.pop
      end

      # @return [Array<Hash>, nil, NOTHING]
      def many(value, key, code)
        return value if nil == value

        value = rows(value)
        return wrong(key, takes("an array", value), :type) unless Array === value

        @path.push(key)
        list = elements(value, code)
        @path.pop
        list
      end

      # @param array [Array] the one at the path
      # @return [Array<Hash>] the attributes of each element
      def elements(array, code)
        path, list, index = @path.push(0), [], 0
        while index < array.size
          path[-1] = index
          element = array[index]
          list << (Hash === element ? code.read(element, self, {}) : no_object(element))
          index += 1
        end
        path.pop
        list
      end

      # Called if the value at the path is not an array, and must be one.
      def no_array(value) = wrong(nil, takes("an array", value), :type)

      # Called if the value at the path is not an object, and must be one.
      def no_object(value) = wrong(nil, takes("an object", value), :type)

      # Reads an array as many objects, and any other value as one.
      def any(value, key, code)
        value = rows(value)
        Array === value ? many(value, key, code) : one(value, key, code)
      end

      # -- values ---------------------------------------------------------------------------------

      # The values of Conversions::PLAIN, nil among them, do not come here.

      def scalar(value, key)
        case value
        when Float
          value.finite? ? value : wrong(key, "the number is out of range.", :range)
        when Integer then whole_number(value, key)
        when Hash, Array then wrong(key, takes("text, a number, true, false or null", value), :type)
        else value
        end
      end

      def string(value, key)
        Symbol === value ? value.name : wrong(key, takes("text", value), :type)
      end

      def integer(value, key)
        case value
        when Integer then whole_number(value, key)
        when String
          found = Values.integer_of(value) if @text
          found || wrong(key, takes("an integer", value), :type)
        else wrong(key, takes("an integer", value), :type)
        end
      end

      # Reads an Integer that JSON:API has as text: an id.
      def integer_text(value, key)
        found = String === value ? Values.integer_of(value) : value
        return whole_number(found, key) if Integer === found

        wrong(key, takes("the text of an integer", value), :type)
      end

      def identity(value, key)
        return value if String === value

        Integer === value && @text ? value.to_s : wrong(key, takes("text", value), :type)
      end

      def float(value, key)
        found = String === value ? (Values.float_of(value) if @text) : Values.float(value)
        found || wrong(key, takes("a number", value), Numeric === value ? :range : :type)
      end

      def boolean(value, key)
        found = Values.truth_of(value.to_s) if @text && (String === value || Integer === value)
        found.nil? ? wrong(key, takes("true or false", value), :type) : found
      end

      def date(value, key)
        Values.date(value) || wrong(key, takes("a date such as \"2026-11-20\"", value), :type)
      end

      def time(value, key, format)
        Values.time(value, format) || wrong(key, takes(Reading.time_in_words(format), value), :type)
      end

      def decimal(value, key)
        Values.decimal(value) ||
          wrong(key, takes("a decimal number, as text or number", value),
                Numeric === value ? :range : :type)
      end

      # Returns the value in the list of `in:` that the document names.
      def choice(value, key, choices)
        text = Symbol === value ? value.name : value
        text = nil unless String === text || Integer === text # others may have no `hash`
        choices.fetch(text) do
          known = choices.keys.first(MOST).map(&:inspect).join(", ")
          wrong(key, takes("one of #{known}", value), :choice)
        end
      end

      def array(value, key)
        value = value.values if @text && Hash === value && rows?(value)
        return wrong(key, takes("an array of values", value), :type) unless Array === value

        @path.push(key)
        list = value.each_with_index.map { |one, index| scalar(one, index) }
        @path.pop
        # As Rails, leaves out the whole array: what is left of it could clear an attribute.
        @options.drop && list.any? { |one| NOTHING.equal?(one) } ? NOTHING : list
      end

      def object(value, key)
        Hash === value ? whole(value, key) : wrong(key, takes("an object", value), :type)
      end

      # Reads any JSON value. Copies Hashes, because a parser may have made them of its own class.
      def whole(value, key)
        case value
        when Hash
          inside(key) { value.to_h { |name, one| [name, whole(one, name)] } }
        when Array
          inside(key) { value.each_with_index.map { |one, index| whole(one, index) } }
        when Float, Integer then scalar(value, key)
        else value
        end
      end

      # Returns the value as JSON text, for `as: :fragment`.
      def fragment(value, key)
        text_of(value) || refuse_range(key)
      end

      def decode(value, key, decoder)
        out_of_range?(value) ? refuse_range(key) : foreign(key) { decoder.decode(own(value)) }
      end

      def call(value, key, callable)
        out_of_range?(value) ? refuse_range(key) : foreign(key) { callable.call(own(value)) }
      end

      private

      def whole_number(value, key)
        return value if Values.small?(value)

        wrong(key, "is an integer of more than 1,000 digits.", :range)
      end

      # @return [String, nil]
      def text_of(value)
        ToJson.generate(value, max_depth: @options.max_depth) unless out_of_range?(value)
      rescue Error
        nil
      end

      # Whether the value is, or contains, an Integer of more than 1,000 digits, or a number that
      # the parser has read as Infinity, such as 1e400.
      def out_of_range?(value)
        case value
        when Float then !value.finite?
        when Integer then !Values.small?(value)
        when Array then value.any? { |one| out_of_range?(one) }
        when Hash then value.any? { |_, one| out_of_range?(one) }
        end
      end

      def refuse_range(key) = wrong(key, "has a value that is out of range.", :range)

      def takes(what, value) = "takes #{what}; got #{Pointer.shown(value)}."

      def inside(key)
        @path.push(key)
        found = yield
        @path.pop
        found
      end

      # Makes an Array of what a form sends for one: { "0" => {…}, "1" => {…} }.
      def rows(value) = @text && Hash === value && rows?(value) ? value.values : value
      def rows?(value) = !value.empty? && value.each_key.all? { |key| index?(key) }
      def index?(key) = key.ascii_only? && key.match?(/\A-?\d+\z/u)

      def collect(key, value)
        return refuse_range(key) if out_of_range?(value)

        @unknown[Pointer.of([*@path, key])] = own(value) if @unknown.size < MOST
      end

      # Copies Hashes, so that the application gets none of a parser's own class.
      def own(value)
        case value
        when Hash then value.to_h { |key, one| [key, own(one)] }
        when Array then value.map { |one| own(one) }
        else value
        end
      end

      def refuse_key(key, shape)
        if shape.declared.include?(key)
          return wrong(key, "is not writable. Writable: #{shape.names}.", :not_writable)
        end

        wrong(key, unknown_field(key, shape), :unknown)
      end

      def unknown_field(key, shape)
        most = (COMPARISONS / shape.known.size.clamp(1, COMPARISONS)).clamp(1, MOST_COMPARED)
        if @options.terse || @problems.size >= most
          return "unknown field #{Suggestion.shown(key)}."
        end

        Suggestion.unknown("field", key, shape.known.keys)
      end

      # Calls code of the application. That code refuses the value by an exception of the first
      # rescue. Any other exception is a bug of that code, and is raised again with the place of the
      # value.
      def foreign(key)
        yield
      rescue ArgumentError, TypeError, RangeError, IndexError, Error => error
        wrong(key, "#{error.message.scrub("?")[0, 200].chomp(".")}.", :invalid)
      rescue StandardError => error
        ToJson.located(error, Pointer.of([*@path, key]))
        raise
      end
    end

    # The keys of one object. `known`: those that may be there. `declared`: those of fields that are
    # not read.
    # @api private
    Shape = Struct.new(:known, :declared) do
      def names = known.empty? ? "nothing" : known.keys.join(", ")
    end

    # @api private
    def self.time_in_words(format)
      case format
      when nil, :iso8601, :utc then "a time such as \"2026-11-20T10:00:00.000Z\""
      when :unix then "a time in seconds since 1970"
      when :unix_ms then "a time in milliseconds since 1970"
      else "a time in the form #{format.inspect}"
      end
    end
  end
end
