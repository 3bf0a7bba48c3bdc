# frozen_string_literal: true

# Layer: compiling. Generates `document`: the same as `object`, for an object that is the whole
# document. Its last call ends the document too. Defines all generated methods: where there is a
# `document`, the others at the first call of one of them.

module ToJson
  class Compiler
    # The method `document(w, s, o)`, which `json!` in C calls. It returns the String. If anything
    # ends the document early, `ensure` drops it; `rescue` only adds the path to an exception. Both
    # cost nothing otherwise.
    class DocumentCode
      # @param statements [Array<Code::Line, Code::Call>] of `object`
      # @param lent [Array<(String, String)>] variables for serializers that lend their methods, and
      #   their classes
      # @param last [Integer] the place of the last call, behind which nothing stands
      # @param open [Boolean] whether only an array's end stands between that and the call before it
      # @param own [Boolean] whether the fields need their own serializer
      # @param masked [Boolean] whether it takes a Mask
      def initialize(statements, lent, last, open, own, masked)
        @statements, @lent, @last, @open, @own = statements, lent, last, open, own
        @masked = masked
      end

      # Whether `s` is the one serializer that lends its methods, because the fields do not need
      # their own serializer.
      def lent_as_s? = !@own && @lent.size == 1

      # @param text [Code::Listing] where `document` is to stand
      # @return [Code::Listing]
      def write(text)
        text.add(0, "def self.document(w, s, o#{", m" if @masked})")
        Code.words(text, @statements) if @masked
        @lent.each do |variable, constant|
          text.add(1, "#{variable} = #{lent_as_s? ? "s" : "w.helper(#{constant}, s)"}")
        end
        if @open
          list = before.last(LIST).reject { |line| line.text == "  w.close" }
          text.add_all(1, before.first(@last - LIST) + list)
        else
          text.add_all(1, before)
        end
        Code::Call.new(call.head.sub("w.item(", "document = w.__to_json_last("), call.arguments,
                       call.path).write(text, 1)
        LEFT.each { |line| text.add(0, line) }
        text
      end

      LIST = 7 # lines of Code#list
      LEFT = ["rescue ::Exception => error", "  w.__to_json_leave(error)", "ensure",
              "  w.__to_json_drop unless document", "end"].freeze
      private_constant :LIST, :LEFT

      private

      def before = @statements.first(@last)
      def call = @statements.fetch(@last)
    end

    # Extends the code of a class whose documents are written by `document`. Many such classes never
    # write an element of a list or an object inside another one, and Ruby's compiler takes a third
    # of the time of a first document.
    module OnFirstCall
      # @param code [Module]
      # @param source [String] its methods `object`, `items`, and `row` if rows are not read by key.
      #   Frozen, as `label` is
      # @param row [Boolean] whether `row` is among them
      def self.leave(code, source, label, row)
        code.instance_variable_set(:@to_json_on_first_call, [source, label].freeze)
        code.extend(OnFirstCall)
        code.extend(Row) if row
      end

      # Defines the methods, if they were left and nobody did it yet. Threads that do so at once
      # define the same. If it ends early, the next call defines them.
      # @return [Module] code
      def self.define(code)
        source, label = code.instance_variable_get(:@to_json_on_first_call)
        return code if source.nil? || code.singleton_class.method_defined?(LAST, false)
        return GeneratedCode.define(code, source, label) if Ractor.current == Ractor.main

        # The names that GeneratedCode gives belong to the main Ractor.
        code.tap { code.class_eval(source, label) }
      end

      # The last of the methods: where it is, they all are.
      LAST = :items
      private_constant :LAST

      def object(w, s, o) = OnFirstCall.define(self).object(w, s, o)
      def items(w, s, c) = OnFirstCall.define(self).items(w, s, c)

      # The same for `row`.
      module Row
        def row(w, s, o) = OnFirstCall.define(self).row(w, s, o)
      end
    end

    # What the Compiler does when all text is there.
    module Defining
      private

      # Defines `document` at once, because a call that is under way needs it, and leaves the other
      # methods to their first call. Where there are more than these, all are defined at once.
      def define_methods
        code, text = @handle.code, @code.text
        label = "(to_json #{@unit.definition.label} #{code.object_id})"
        source, line = text.source.dup.freeze, text.line
        @handle.source = source
        @document_code&.write(text)
        if @document_code.nil? || @masked || @code.prefetches?
          GeneratedCode.define(code, text.source, label)
        else
          OnFirstCall.leave(code, source, label.freeze, !@rows_by_key)
          GeneratedCode.define(code, text.source.byteslice(source.bytesize..), label, line)
        end
        FieldLines.keep(code, label, text.fields_by_line, @constants)
      end
    end
  end
end
