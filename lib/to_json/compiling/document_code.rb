# frozen_string_literal: true

# Layer: compiling. Generates `document`: the same as `object`, for an object that is the whole
# document. Its last call ends the document too.

module ToJson
  class Compiler
    # The method `document(w, s, o)`, which `json!` in C calls. It returns the String. If anything
    # ends the document early, `ensure` drops it; `rescue` only adds the path to an exception. Both
    # cost nothing otherwise.
    class DocumentCode
      # @param statements [Array<Code::Line, Code::Call>] of `object`
      # @param lent [Array<(String, String)>] variables for serializers that lend their methods, and
      #   their classes
      # @param last [Integer] the index of the last call; no statement follows it
      # @param own [Boolean] whether the fields need their own serializer
      # @param masked [Boolean] whether it takes a Mask
      def initialize(statements, lent, last, own, masked)
        @statements, @lent, @last, @own, @masked = statements, lent, last, own, masked
      end

      # Whether `s` is a helper: the fields need the methods of one serializer, and this is not
      # their own.
      def lent_as_s? = !@own && @lent.size == 1

      # @param text [Code::Listing] where `document` is to stand
      # @return [Code::Listing]
      def write(text)
        text.add(0, "def self.document(w, s, o#{", m" if @masked})")
        Code.words(text, @statements) if @masked
        @lent.each do |variable, constant|
          text.add(1, "#{variable} = #{lent_as_s? ? "s" : "w.helper(#{constant}, s)"}")
        end
        text.add_all(1, before)
        Code::Call.new(last_head, call.arguments, call.path).write(text, 1)
        LEFT.each { |line| text.add(0, line) }
        text
      end

      LEFT = ["rescue ::Exception => error", "  w.__to_json_leave(error)", "ensure",
              "  w.__to_json_drop unless document", "end"].freeze
      private_constant :LEFT

      private

      def before = @statements.first(@last)
      def call = @statements.fetch(@last)

      def last_head
        call.head.sub(/\Aw\.(?:item\(|finish\((\w+), )/) do
          "document = w.__to_json_last(#{$1 || "nil"}, "
        end
      end
    end
  end
end
