# frozen_string_literal: true

# Layer: values. Reads a document as Ruby values, for `to_h` and `as_json`.

require "strscan"

module ToJson
  # Reads back what the Writer wrote, so that `to_h` is what any JSON parser makes of the document:
  # the same calls cannot mean one thing as text and another as values. Trusts its input.
  # @api private
  class Tree
    ESCAPES = { "b" => "\b", "f" => "\f", "n" => "\n", "r" => "\r", "t" => "\t" }.freeze
    # nan: :allow
    NOT_FINITE = { "NaN" => Float::NAN, "Infinity" => Float::INFINITY,
                   "-Infinity" => -Float::INFINITY }.freeze
    private_constant :ESCAPES, :NOT_FINITE

    # @param json [String] a document of our Writer
    # @return [Hash, Array, String, Integer, Float, true, false, nil] with String keys
    def self.parse(json) = new(json).value

    def initialize(json)
      @scanner = StringScanner.new(json)
    end

    def value
      if @scanner.skip(/\s*\{\s*/) then object
      elsif @scanner.skip(/\s*\[\s*/) then array
      elsif @scanner.skip(/\s*"/) then string
      elsif @scanner.skip(/\s*null/) then nil
      elsif @scanner.skip(/\s*true/) then true
      elsif @scanner.skip(/\s*false/) then false
      else number
      end
    end

    private

    def object
      pairs = {}
      until @scanner.skip(/\s*\}/)
        @scanner.skip(/[\s,]*"/)
        key = string
        @scanner.skip(/\s*:/)
        pairs[key] = value
      end
      pairs
    end

    def array
      elements = []
      until @scanner.skip(/\s*\]/)
        @scanner.skip(/\s*,/)
        elements << value
      end
      elements
    end

    def string
      text = @scanner.scan(/[^"\\]*(?:\\.[^"\\]*)*/m)
      @scanner.skip(/"/)
      return text unless text.include?("\\")

      text.gsub(/\\u([dD][89abAB]\h\h)\\u([dD][c-fC-F]\h\h)|\\u(\h{4})|\\(.)/m) do
        if $1 then (0x10000 + (($1.hex - 0xD800) << 10) + $2.hex - 0xDC00).chr(Encoding::UTF_8)
        elsif $3 then [$3.hex].pack("U")
        else ESCAPES.fetch($4, $4)
        end
      end
    end

    def number
      text = @scanner.scan(/\s*-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/)
      return NOT_FINITE.fetch(@scanner.scan(/\s*-?[A-Z][a-zN]+/).strip) unless text

      text.match?(/[.eE]/) ? text.to_f : text.to_i
    end
  end
end
