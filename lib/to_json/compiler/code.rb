# frozen_string_literal: true

# Layer: compiler. The text of the generated methods, line by line, and which field a line reads.

module ToJson
  class Compiler
    # The statements of `object` and `row`, in step.
    class Code
      FORMS = %i[object row].freeze

      # @param masked [Boolean] whether the methods take a Mask
      def initialize(masked)
        @masked = masked
        @bodies = FORMS.to_h { |form| [form, []] }
        @lent = []
        @calls = 0
      end

      # A native call of a Part. `result`: the variable that its answer is kept in.
      # @param arguments [Array<(String, String, String)>] path, expression of an object, of a row
      def item(part, arguments, result)
        @calls += 1
        FORMS.each_with_index do |form, index|
          head = "#{"#{result} = " if result}w.item(#{part}"
          next add(form, "#{head})") if arguments.empty?

          add(form, "#{head},")
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

      # Pairs of another object, by a Site.
      def flatten(site, serializer, value, bit)
        each_form { ["#{site}.flatten(w, #{serializer}, #{value}, #{left(bit)}, o)"] }
      end

      # A statement of its own, which reads the field at `path`.
      def line(path)
        FORMS.each { |form| add(form, yield(form), path) }
      end

      # A variable with the document's serializer of another class.
      def lend(variable, constant) = @lent << ["#{variable} = w.helper(#{constant}, s)"]

      # @return [String]
      def source = lines.map { |text, _| "#{text}\n" }.join

      # @return [Hash{Integer => String}] the field that each line of {source} reads
      def fields_by_line = lines.each_with_index.filter_map { |(_, path), index| [index + 1, path] if path }.to_h

      private

      def add(form, text, path = nil) = @bodies.fetch(form) << [text, path]
      def left(bit) = bit ? "m.inner(#{bit})" : "nil"

      def each_form
        FORMS.each { |form| yield(form).each { |text| add(form, text) } }
      end

      # @return [Array<(String, String)>] text, and the path of a field
      def lines
        mask = ", m" if @masked
        [*FORMS.flat_map { |form| method("#{form}(w, s, o#{mask})", [*@lent, *@bodies.fetch(form)]) },
         *method("items(w, s, c#{mask})", loop_lines), *walk_lines]
      end

      # The elements of what is no Array: by the Writer.
      def walk_lines = [["def self.walk(w, s, c) = w.walk(@to_json_plan, s, c, nil)"]]

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
    # common: to set a constant makes Ruby forget where all of that name were found (3.2 and newer). Names are Symbols that
    # stay for good, so there is an end of them.
    class Constants
      MOST_NAMES = 256

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
