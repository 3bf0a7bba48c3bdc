# frozen_string_literal: true

# Layer: reading. Takes the argument of a call: text, an IO, a Hash, an Array, or parameters of
# Rails.

module ToJson
  module Reading
    # @api private
    module Input
      class << self
        # @param given [String, IO, Hash, Array, #to_unsafe_h]
        # @param options [Options]
        # @return [Object] the document, with String keys
        # @raise [ReadError]
        # @raise [ArgumentError] for anything else
        def read(given, options)
          case given
          when String then text(given, options)
          when Hash, Array then Tidy.new(options.max_depth).value(given)
          else other(given, options)
          end
        end

        # Whether these are parameters of Rails. All their values may be text, as a form sends them.
        def form?(given) = !(String === given) && has?(given, :to_unsafe_h)

        # A BasicObject has no `respond_to?`.
        def has?(given, name)
          Object === given ? given.respond_to?(name) : Reflection.answers?(given, name)
        end

        private

        def text(given, options)
          most = options.max_bytes
          too_large(most) if most && given.bytesize > most
          Parser.parse(given, options.max_depth)
        end

        def other(given, options)
          return Tidy.new(options.max_depth).value(given.to_unsafe_h) if form?(given)
          return text(read_io(given, options.max_bytes), options) if has?(given, :read)

          raise ArgumentError,
                "takes JSON text, an IO, a Hash, an Array or ActionController::Parameters; got " \
                "#{Reflection.class_of(given)}"
        end

        def read_io(io, most)
          text = most ? io.read(most + 1) : io.read
          return "" if text.nil?
          return most ? encoded(text, io) : text if String === text

          raise ArgumentError, "read of #{Reflection.class_of(io)} returned " \
                               "#{Reflection.class_of(text)} instead of a String"
        end

        # `read` of an IO with a length returns bytes, whatever the encoding of the IO is.
        def encoded(text, io)
          external = io.external_encoding if has?(io, :external_encoding)
          external && text.encoding == Encoding::BINARY ? text.force_encoding(external) : text
        end

        def too_large(most)
          raise ReadError.new([ReadError::Problem.new("", "is larger than #{most} bytes.", :size)])
        end
      end
    end

    # Copies Hashes and Arrays of a program. The copy has String keys, a limited depth and valid
    # text.
    # @api private
    class Tidy
      def initialize(max_depth)
        @max_depth, @path = max_depth, []
      end

      def value(given)
        case given
        when Hash then pairs(given)
        when Array then deeper { given.each_with_index.map { |one, index| at(index, one) } }
        when String then text(given)
        else Input.has?(given, :to_unsafe_h) ? value(given.to_unsafe_h) : given
        end
      end

      private

      def at(key, given)
        @path << key
        tidied = value(given)
        @path.pop
        tidied
      end

      def pairs(given)
        deeper do
          given.each_with_object({}) do |(key, one), pairs|
            name = Symbol === key ? key.name : key
            unless String === name
              refuse(Pointer.shown(key), "the keys must be Strings or Symbols.", :type)
            end
            name = text(name)
            refuse(name, "appears twice in one Hash.", :duplicate) if pairs.key?(name)

            pairs[name] = at(name, one)
          end
        end
      end

      def text(given)
        return given if given.encoding == Encoding::UTF_8 && given.valid_encoding?

        utf8 = given.encoding == Encoding::BINARY ? given.dup.force_encoding("UTF-8")
                                                  : given.encode(Encoding::UTF_8)
        utf8.valid_encoding? ? utf8 : refuse(nil, "is not valid UTF-8 text.", :encoding)
      rescue ::EncodingError
        refuse(nil, "cannot be converted from #{given.encoding} to UTF-8.", :encoding)
      end

      def deeper
        refuse(nil, "is nested more than #{@max_depth} deep.", :depth) if @path.size >= @max_depth

        yield
      end

      def refuse(key, message, code)
        pointer = Pointer.of(key ? [*@path, key] : @path)
        raise ReadError.new([ReadError::Problem.new(pointer, message, code)])
      end
    end
  end
end
