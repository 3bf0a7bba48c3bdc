# frozen_string_literal: true

# Layer: values. Checks JSON text and changes its white space without parsing it, for the command
# line. ext/to_json/classes/text_class.c has the native part.

module ToJson
  # JSON text as text. What stands in it (numbers of any size, escapes, keys that repeat) stays byte
  # for byte.
  # @api private
  module Text
    # How deep the validator goes, whatever `max_depth` allows (core/text/validate.h).
    MOST_DEPTH = 100_000

    LAYOUTS = { plain: 0, pretty: 1, lines: 2 }.freeze
    FILLERS = { space: 32, tab: 9 }.freeze
    private_constant :LAYOUTS, :FILLERS

    # A place in a text and what was due there. Lines end with "\n"; line and column count from 1,
    # columns characters.
    Defect = Struct.new(:line, :column, :message) do
      # The same in a text that begins after `lines` more lines.
      def below(lines) = Defect.new(line + lines, column, message)

      def to_s = "#{line}:#{column}: #{message}"
    end

    class << self
      # @return [Defect, nil] nil where `json` is one JSON value (RFC 8259) in UTF-8
      def defect(json, max_depth: MOST_DEPTH) = located(json, defect_of(json, max_depth))

      # Yields the text laid out anew, in pieces of about 64 KiB; nothing at all where it is not
      # valid.
      # @param layout [Symbol] :plain, :pretty as pretty_generate, or :lines: plain, an element of a
      #   root array a line, without a line end behind the last
      # @return [Defect, nil]
      def lay_out(json, layout: :plain, indent: 2, filler: :space, max_depth: MOST_DEPTH, &block)
        located(json,
                chunks(json, max_depth, LAYOUTS.fetch(layout), indent, FILLERS.fetch(filler),
                       &block))
      end

      private

      # From an offset in bytes to a line and a column. The text before a defect is valid UTF-8.
      def located(json, defect)
        return unless defect

        offset, message = defect
        before = json.byteslice(0, offset).force_encoding(Encoding::BINARY)
        line = before.rindex("\n")
        column = before.byteslice((line ? line + 1 : 0)..).force_encoding(Encoding::UTF_8).size
        Defect.new(before.count("\n") + 1, column + 1, message)
      end
    end
  end
end
