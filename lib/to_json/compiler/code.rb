# frozen_string_literal: true

# Layer: compiler. The text of the generated methods, line by line, and which field a line reads.

module ToJson
  class Compiler
    # What generated code of all units has in common: text that is compiled once.
    module Common
      # A Hash whose fields are all read by key; code of other rows has a method of its own.
      def row(w, s, o) = w.one(@to_json_plan, s, o, nil)

      # The elements of what is no Array.
      def walk(w, s, c) = w.walk(@to_json_plan, s, c, nil)
    end

    # The statements of `object` and `row`, in step.
    class Code
      FORMS = %i[object row].freeze

      # @param masked [Boolean] whether the methods take a Mask
      def initialize(masked)
        @masked = masked
        @bodies = FORMS.to_h { |form| [form, []] }
        @lent = []
        @calls = 0
        @last = @listed = nil # the lines of `object` where its last call begins, and behind its last list
      end

      # A native call of a Part. `result`: the variable that its answer is kept in, where the last value is left open; what
      # the call itself asks of a value is asked of that one.
      # @param arguments [Array<(String, String, String)>] path, expression of an object, of a row
      def item(part, arguments, result)
        @calls += 1
        @last = @bodies.fetch(:object).size
        FORMS.each_with_index do |form, index|
          head = "#{"#{result} = " if result}w.item(#{part}"
          next add(form, "#{head})") if arguments.empty?

          add(form, "#{head},", (arguments.last.first if result))
          arguments.each_with_index do |argument, at|
            add(form, "  #{argument[index + 1]}#{at + 1 == arguments.size ? ")" : ","}", argument.first)
          end
        end
      end

      # Walks the array that the last item opened, if it did, and closes it.
      def list(code, serializer, variable)
        each_form do
          ["if r", "  #{code}.items(w, #{serializer}, r)", "  w.close",
           "elsif r == false", "  #{code}.walk(w, #{serializer}, #{variable})", "  w.close", "end"]
        end
        @listed = @bodies.fetch(:object).size
      end

      # Writes an object into the slot that the last item opened, if it did, and closes it.
      def slot(code, serializer, value)
        each_form do |form|
          call = if value == "o" then "#{code}.#{form}(w, #{serializer}, o)"
                 else "Hash === #{value} ? #{code}.row(w, #{serializer}, #{value}) : #{code}.object(w, #{serializer}, #{value})"
                 end
          ["if r", "  #{call}", "  w.close", "end"]
        end
      end

      # The same by a {Site}. `bit`: where the Mask has what is left of it.
      def site(site, serializer, value, bit)
        each_form { ["if r", "  #{site}.write(w, #{serializer}, #{value}, #{left(bit)}, o)", "  w.close", "end"] }
      end

      # The same from a store. The block gives what reads the value, for a form; in the slot of the field, which the path of errors has.
      def cached(site, serializer, bit)
        FORMS.each do |form|
          add(form, "if r")
          add(form, "  #{site}.cached(w, #{serializer}, #{left(bit)}, o) { #{yield form} }")
          add(form, "  w.close")
          add(form, "end")
        end
      end

      # A statement that tells an {Ahead} what is wanted.
      def ahead(path)
        @ahead ||= FORMS.to_h { |form| [form, []] }
        FORMS.each { |form| @ahead.fetch(form) << [yield(form), path] }
      end

      # Whether there is anything to look ahead for.
      def ahead? = !@ahead.nil?

      # Pairs of another object, by a Site.
      def flatten(site, serializer, value, bit)
        each_form { ["#{site}.flatten(w, #{serializer}, #{value}, #{left(bit)}, o)"] }
      end

      # A statement of its own, which reads the field at `path`.
      def line(path)
        FORMS.each { |form| add(form, yield(form), path) }
      end

      # A variable with the document's serializer of another class.
      def lend(variable, constant) = @lent << [variable, constant]

      # Fields of a row are all read by key in one native call: {Common} has that.
      def rows_by_key = @rows_by_key = true

      # The text of the methods, once all is said. @return [String]
      def source = lines.map { |text, _| "#{text}\n" }.join

      # @return [Hash{Integer => String}] the field that each line of {source} reads
      def fields_by_line = Code.fields_by_line(lines, 1)

      # @param first [Integer] the number of the first line
      def self.fields_by_line(lines, first) = lines.each_with_index.filter_map { |(_, path), index| [index + first, path] if path }.to_h

      # @param own [Boolean] whether the fields need their own serializer
      # @return [Ending]
      def ending(own) = Ending.new(@bodies.fetch(:object), @lent, @last, open: @listed == @last, own: own)

      private

      def add(form, text, path = nil) = @bodies.fetch(form) << [text, path]
      def left(bit) = bit ? "m.inner(#{bit})" : "nil"

      def each_form
        FORMS.each { |form| yield(form).each { |text| add(form, text) } }
      end

      # @return [Array<(String, String)>] text, and the path of a field
      def lines
        @lines ||= begin
          mask = ", m" if @masked
          forms = @rows_by_key ? [:object] : FORMS
          [*forms.flat_map { |form| method("#{form}(w, s, o#{mask})", [*lent_lines, *@bodies.fetch(form)]) },
           *(ahead? ? ahead_lines : method("items(w, s, c#{mask})", loop_lines))]
        end
      end

      # {Looking} has the loop then.
      def ahead_lines = FORMS.flat_map { |form| method("ahead_#{form}(w, s, o, m, a)", @ahead.fetch(form)) }

      def lent_lines = @lent.map { |variable, constant| ["#{variable} = w.helper(#{constant}, s)"] }

      def method(head, lines) = [["def self.#{head}"], *lines.map { |text, path| ["  #{text}", path] }, ["end"]]

      # The size is read again: what getters do to the Array stays defined.
      def loop_lines
        element = element_lines
        read = element.any? { |text, _| text.match?(/\bo\b/) }
        [["i = 0"], ["while i < c.size"], *([["  o = c[i]"]] if read), ["  i += 1"], *element.map { |text, path| ["  #{text}", path] }, ["end"]]
      end

      # One call is as well made here.
      def element_lines
        return [["object(w, s, o#{", m" if @masked})"]] if @calls != 1 || !@lent.empty?

        @bodies.fetch(:object)
      end
    end

    # The values that generated code names by constants of its module. Modules made one after the other have no names in
    # common: to set a constant makes Ruby forget where all of that name were found (3.2 and newer), and YJIT what it compiled with one.
    # With 256 names, a hundred serializers made those before them three times as slow (3.4.5, their callers were interpreted then).
    # Names are Symbols that stay for good, 150 bytes each, so there is an end of them.
    class Constants
      MOST_NAMES = 4_096

      @made = 0
      class << self
        # @return [Integer] where the next names begin. Called under PlanCache's lock
        def reserve(count) = (@made = (@made + count) % MOST_NAMES)
        attr_reader :made
      end

      # Keeps a class or module of the user's: as a constant's own value it would be given that name.
      Held = Struct.new(:it)

      def initialize
        @names = {}.compare_by_identity
        @first = Constants.made
      end

      # @return [String] an expression
      def name(prefix, value)
        name = @names[value] ||= "#{prefix}#{number}"
        held?(value) ? "#{name}.it" : name
      end

      def values = @names.keys

      def install(code)
        Constants.reserve(@names.size)
        @names.each { |value, name| code.const_set(name, held?(value) ? Held.new(value).freeze : Blocks.shareable(value)) }
      end

      private

      # Of one module with more names than that, each has one of its own.
      def number = @names.size < MOST_NAMES ? (@first + @names.size) % MOST_NAMES : @names.size

      def held?(value) = value.is_a?(Module) && !value.instance_variable_defined?(:@to_json_code)
    end
  end
end
