# frozen_string_literal: true

# Layer: reading. Reads the lines of a String, of an IO, or of the body of a request.

module ToJson
  module Reading
    # @api private
    module Lines
      class << self
        # @param io [String, IO, #gets]
        # @param most [Integer, nil] reads little more than so many bytes of a line, so that a long
        #   line cannot fill the memory. The rest of the line is skipped
        # @yieldparam text [String]
        # @yieldparam number [Integer] counted from 1
        def each(io, most, &block)
          unless String === io || io.respond_to?(:gets)
            raise ArgumentError,
                  "takes an IO or a String of lines; got #{Reflection.class_of(io)}"
          end
          io = RackInput.new(io) unless io.respond_to?(:each_line)
          return cut(io, most, &block) if most && !(String === io)
          return yield(io, 1) if String === io && !lines?(io.encoding)

          number = 0
          # With a block, because the `each_line` of some IOs returns no Enumerator.
          io.each_line(*separator(io)) { |text| yield text, number += 1 }
        end

        private

        # Ruby finds no ends of lines in UTF-7 and the like. The parser refuses such a text.
        def lines?(encoding)
          encoding.ascii_compatible? ||
            !Encoding::Converter.search_convpath(Encoding::UTF_8, encoding).empty?
        rescue Encoding::ConverterNotFoundError
          false
        end

        # What `each_line` gets, since a program may have changed `$/`, as `ruby -0777` does. Some
        # Rubies refuse it for text in UTF-16, and other IOs may take no argument.
        # @return [String, nil] nil: no argument
        def separator(io)
          if String === io then encoding = io.encoding
          elsif io.respond_to?(:external_encoding) # a Tempfile is no IO
            encoding = io.external_encoding || Encoding::BINARY
          end
          "\n" if encoding&.ascii_compatible?
        end

        def cut(io, most)
          number = 0
          while (text = io.gets("\n", most + 1))
            yield text, number += 1
            next if ended?(text)

            while (rest = io.gets("\n", most + 1)) && !ended?(rest); end
          end
        end

        def ended?(text) = text.getbyte(-1) == 10
      end

      # The body of a request that has only what Rack asks for, such as `gets` without arguments and
      # `read(bytes)`. Examples: Puma's for a request without a body, and those of Rack::Lint.
      # @see https://github.com/rack/rack/blob/main/SPEC.rdoc "The Input Stream"
      class RackInput
        # So many bytes are read at a time.
        CHUNK = 16_384
        private_constant :CHUNK

        def initialize(input)
          @input, @rest = input, "".b
        end

        # @yieldparam line [String]
        def each_line
          while (line = @input.gets)
            yield line
          end
        end

        # @param limit [Integer] the most bytes of the result
        # @return [String, nil] the next line or the beginning of it; nil: there is none
        def gets(separator, limit)
          searched = 0
          until (stop = @rest.index(separator, searched)) || @rest.bytesize >= limit
            searched = @rest.bytesize
            @rest << (@input.read(CHUNK)&.b || break) # Rack asks for bytes, some give text
          end
          line = @rest.slice!(0, [stop ? stop + 1 : limit, limit].min)
          line unless line.empty?
        end
      end
      private_constant :RackInput
    end
  end
end
