# frozen_string_literal: true

# Layer: compiler. `object` once more, for an object that is all of its document: the last call ends the document too.

module ToJson
  class Compiler
    # What entries call (lib/to_json/entry.rb), and `json!` in C: made for them only, as `document(w, s, o)`, behind the text of the
    # other methods. It gives the String, and drops the document where it is left: `rescue` and `ensure` cost nothing until then.
    class Ending
      # @param body [Array<(String, String)>] the lines of `object`, and the paths of the fields that they read
      # @param lent [Array<(String, String)>] variables for serializers that lend their methods, and their classes
      # @param last [Integer] the line at which the last call begins
      # @param open [Boolean] whether only an array's end stands between that and the call before it
      # @param own [Boolean] whether the fields need their own serializer
      def initialize(body, lent, last, open:, own:)
        @body, @lent, @last, @open, @own = body, lent, last, open, own
      end

      # Where one serializer is all that is needed besides the last call, it stands for the Writer at which it points: one call
      # opens both. @return [String, true, nil] its class; true: the own one
      def stands_for_writer
        return if [@own, *@lent].count(&:itself) != 1 || @body.each_with_index.any? { |(text, _), at| at != @last && text.match?(/\bw\b/) }

        @own || @lent.dig(0, 1)
      end

      # @return [Array<(String, String)>]
      def lines
        before, call = @body.first(@last), @body.drop(@last)
        before = [*before.first(@last - LIST), *before.last(LIST).reject { |text, _| text == "  w.close" }] if @open
        text, path = call.first
        body = [*helpers, *before, [text.sub("w.item(", "document = w.__to_json_last("), path], *call.drop(1)]
        [["def self.document(w, s, o)"], *body.map { |line, of| ["  #{line}", of] }, *LEFT, ["end"]]
      end

      LIST = 7 # lines of Code#list
      LEFT = ["rescue ::Exception => error", "  w.__to_json_leave(error)", "ensure", "  w.__to_json_drop unless document"].map { |line| [line] }.freeze
      private_constant :LIST, :LEFT

      private

      def helpers
        return @lent.map { |variable, _| ["#{variable} = s"] } if stands_for_writer

        @lent.map { |variable, constant| ["#{variable} = w.helper(#{constant}, s)"] }
      end
    end
  end
end
