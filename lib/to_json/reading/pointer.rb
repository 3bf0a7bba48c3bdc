# frozen_string_literal: true

# Layer: reading. JSON Pointers (RFC 6901), and how messages show a client's value.

module ToJson
  # Reads documents back to attributes, for {Declarations#parse}, {Declarations#read},
  # {Declarations#permit} and {Declarations#expect}.
  # @api private
  module Reading
    # @api private
    module Pointer
      # Longer values are cut in messages.
      SHOWN = 40
      # Longer keys are cut in pointers, because a client may send a key of any size.
      LONGEST_KEY = 200
      private_constant :SHOWN, :LONGEST_KEY

      class << self
        # @param path [Array<String, Integer>]
        # @return [String] "" for none
        def of(path) = path.map { |part| "/#{part.is_a?(Integer) ? part : escaped(part)}" }.join("")

        # @return [String] the value for a message: its class, and its text, which is cut if it is
        #   long
        def shown(value)
          case value
          when nil then "null"
          when true, false then value.to_s
          when String then "String #{cut(value)}"
          when Integer, Float then "#{value.class} #{number(value)}"
          when Hash then "an object"
          when Array then "an array"
          else Reflection.class_of(value).to_s
          end
        end

        # @return [String] a key or a text, quoted for a message
        def cut(text)
          return text.inspect unless text.size > SHOWN

          "#{text[0, SHOWN].inspect}…"
        end

        private

        def number(value)
          return value.to_s unless value.is_a?(Integer) && value.bit_length > 128

          "of #{value.bit_length} bits"
        end

        def escaped(key)
          key = "#{key[0, LONGEST_KEY]}…" if key.size > LONGEST_KEY
          key = utf8(key).scrub("?")
          key.match?(/[~\/]/u) ? key.gsub("~", "~0").gsub("/", "~1") : key
        end

        # A pointer is Unicode. Keys of a Hash may have any encoding.
        def utf8(key)
          return key.dup.force_encoding(Encoding::UTF_8) if key.encoding == Encoding::BINARY

          key.encode(Encoding::UTF_8, invalid: :replace, undef: :replace, replace: "?")
        end
      end
    end
  end
end
