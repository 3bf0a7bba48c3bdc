# frozen_string_literal: true

# Layer: compiling. Builds the text of the generated methods line by line, and remembers which field
# each line reads.

module ToJson
  class Compiler
    # What generated code of all units has in common: text that is compiled once.
    module Common
      # A Hash whose fields are all read by key; code of other rows has a method of its own.
      def row(w, s, o) = w.one(@to_json_plan, s, o, nil)

      # The elements of what is no Array.
      def iterate(w, s, c) = w.iterate(@to_json_plan, s, c, nil)
    end

    # The statements of `object` and `row`, in step.
    class Code
      FORMS = %i[object row].freeze

      # A line of its own, and the path of the field that it reads.
      Line = Struct.new(:text, :path) do
        def write(into, indent) = into.add(indent, text, path)
        def names?(pattern) = text.match?(pattern)
        def found(pattern) = text.gsub(Mask::QUOTED, "").scan(pattern)

        # @return [Line] a copy with a variable in place of each question to a Mask
        def answered
          Line.new(text.gsub(Mask::QUOTED_OR_QUESTION) { $1 ? "#{$1}_#{$2}" : $& }, path)
        end
      end

      # A native call of a Part, with each argument (a Line) on a line of its own. `path`: the field
      # whose value the call itself may ask for something, such as `to_ary`.
      Call = Struct.new(:head, :arguments, :path) do
        def write(into, indent)
          return into.add(indent, head, path, ")\n") if arguments.empty?

          into.add(indent, head, path, ",\n")
          last = arguments.last
          arguments.each do |line|
            into.add(indent + 1, line.text, line.path, line.equal?(last) ? ")\n" : ",\n")
          end
        end

        def names?(pattern) = head.match?(pattern) || arguments.any? { |line| line.names?(pattern) }

        def found(pattern)
          [*head.scan(pattern), *arguments.flat_map { |line| line.found(pattern) }]
        end

        # @return [Call] a copy whose arguments are {Line#answered}. The head asks a Mask nothing.
        def answered = Call.new(head, arguments.map(&:answered), path)
      end

      # The text of the generated lines, and the field that each of them reads.
      class Listing
        # @return [String]
        attr_reader :source
        # @return [Hash{Integer => String}] line => path of a field
        attr_reader :fields_by_line

        # @param line [Integer] the number of the first line
        def initialize(line = 1)
          @source, @fields_by_line, @line = +"", {}, line
        end

        def add(indent, text, path = nil, line_end = "\n")
          @fields_by_line[@line] = path if path
          @line += 1
          @source << INDENTS[indent] << text << line_end
        end

        INDENTS = Array.new(4) { |depth| ("  " * depth).freeze }.freeze
        private_constant :INDENTS

        # @param statements [Array<Line, Call>]
        def add_all(indent, statements)
          statements.each { |statement| statement.write(self, indent) }
        end
      end

      # The masked code of the association with that bit, and the serializer that the code takes.
      Under = Struct.new(:bit, :code, :serializer) do
        def mask = "m#{bit}"
        def or(whole, part) = "(#{mask} = m.at(#{bit})) ? (#{part}) : (#{whole})"
      end

      # The statements of a form, and the arguments of its next call.
      Body = Struct.new(:form, :statements, :arguments) do
        def add(text, path = nil) = statements << Line.new(text, path)
      end

      # Adds variables for the words of a Mask's bits that the statements use.
      def self.words(text, statements)
        words = statements.flat_map { |statement| statement.found(Mask::TESTED) }
        words.uniq.each do |word, index|
          text.add(1, "#{word} = m.#{index == "0" ? "first_word" : "word(#{index})"}")
        end
        inside = statements.flat_map { |statement| statement.found(Mask::TESTED_INSIDE) }
        inside.uniq.each do |word, index|
          text.add(1, "#{word} = #{Mask.test(index.to_i)} > 0 ? m.word_inside(#{index}) : 0")
        end
      end

      # For the statements of a loop: adds a variable for the answer to each question that they ask
      # a Mask. So the Mask is asked once before the loop, not for each element.
      # @return [Array<Line, Call>] the statements, with these variables instead of the questions
      def self.answers(text, statements)
        statements.flat_map { |statement| statement.found(Mask::QUESTION) }.uniq.each do |word, bit|
          text.add(1, "#{word}_#{bit} = (#{word} & #{bit}) > 0")
        end
        statements.map(&:answered)
      end

      # @param masked [Boolean] whether the methods take a Mask
      # @param forms [Array<Symbol>] those of FORMS for which this code has methods
      def initialize(masked, forms)
        @masked = masked
        @bodies = forms.map { |form| Body.new(form, [], []) }
        @object = @bodies.first
        @lent = []
        @calls = 0
        @last = nil # the index of the last call in the statements of `object`
        @opened = nil # a variable of generated code: if it is not nil, an array or a slot is open
      end

      # Adds an argument of the next call. The block returns it for each form.
      # @param path [String] of the field
      def argument(path)
        @bodies.each { |body| body.arguments << Line.new(yield(body.form), path) }
      end

      # Adds the native call of a Part. `result`: the variable for its result, if the last value is
      # left open. Methods that the call itself calls are methods of that value.
      def item(part, result)
        path = @object.arguments.last&.path if result
        call("#{"#{result} = " if result}w.item(#{part}", path)
      end

      # Writes the elements of the array, if the last item opened one.
      # @param under [Under, nil] the masked code for them
      def list(code, serializer, variable, under)
        items = "#{code}.items(w, #{serializer}, r)"
        iterate = "#{code}.iterate(w, #{serializer}, #{variable})"
        if under
          mask, lent = under.mask, under.serializer
          items = under.or(items, "#{under.code}.items(w, #{lent}, r, #{mask})")
          iterate = under.or(iterate, "w.iterate(#{mask}.plan, #{lent}, #{variable}, #{mask})")
        end
        each_form do
          ["if r", "  #{items}", "elsif r == false", "  #{iterate}", "end"]
        end
        @opened = "r"
      end

      # Writes an object into the slot, if the last item opened one.
      # @param under [Under, nil] the masked code for it
      def slot(code, serializer, value, under)
        each_form do |form|
          call = object_or_row(form, code, "#{serializer}, #{value}", value)
          if under
            arguments = "#{under.serializer}, #{value}, #{under.mask}"
            call = under.or(call, object_or_row(form, under.code, arguments, value))
          end
          ["#{call} if r"]
        end
        @opened = "r"
      end

      # Adds the native call of a Part whose last argument is the variable `value`. It writes that
      # value by a {ValueSite}. The generated line asks for the class of the value, by a call with
      # an inline cache of its own, which is ten times as fast as asking in C. It passes `false` for
      # a list, and for a lambda, which gets the value itself. A BasicObject has no `class`. The
      # line of the call has no path, since the document knows it by then. It stands behind a line
      # that has it: see {FieldLines.at}.
      def look_up(part, site, serializer, value, many:, lambda:)
        type = many || lambda ? "false" : "Object === #{value} && #{value}.class"
        path = @object.arguments.last.path
        argument(path) { type }
        line(path) { many ? "_ =" : "code =" }
        call("  w.look_up(#{part}, #{site}, #{serializer}")
        return if many

        each_form { ["code.object(w, #{serializer}, #{value}) if code"] }
        @opened = "code"
      end

      # Writes the value into the slot, by a {Site}. `bit`: that of the association in a Mask.
      def site(site, serializer, value, bit)
        each_form { ["#{site}.write(w, #{serializer}, #{value}, #{left(bit)}, o) if r"] }
        @opened = "r"
      end

      # The same by a Site over a cache. For each form, the block returns the expression that reads
      # the value. Generated code reads the value in the slot of the field, so that an error has the
      # path of the field.
      def cached(site, serializer, bit)
        each_form do |form|
          ["#{site}.cached(w, #{serializer}, #{left(bit)}, o) { #{yield form} } if r"]
        end
        @opened = "r"
      end

      # Adds a statement that tells a {Prefetch} the keys of parts.
      def ahead(path)
        @ahead ||= @bodies.map { |body| Body.new(body.form, []) }
        @ahead.each { |body| body.add(yield(body.form), path) }
      end

      # Whether there is anything to look ahead for.
      def prefetches? = !@ahead.nil?

      # Writes the pairs of another object, by a Site.
      def flatten(site, serializer, value, bit)
        close
        each_form { ["#{site}.flatten(w, #{serializer}, #{value}, #{left(bit)}, o)"] }
      end

      # Adds a statement that reads the field at `path`.
      def line(path)
        close
        @bodies.each { |body| body.add(yield(body.form), path) }
      end

      # Adds a variable for the document's helper of another class.
      def lend(variable, constant) = @lent << [variable, constant]

      # The text of the methods, when all statements are added.
      # @return [Listing]
      def text
        close
        text = Listing.new
        mask = ", m" if @masked
        @bodies.each do |body|
          method(text, "#{body.form}(w, s, o#{mask})") { in_method(text, body) }
        end
        return ahead_methods(text) if prefetches?

        method(text, "items(w, s, c#{mask})") { loop_in(text) }
      end

      # @param own [Boolean] whether the fields need their own serializer
      # @return [DocumentCode]
      def document_code(own)
        DocumentCode.new(@object.statements, @lent, @last, own, @masked)
      end

      private

      # @param path [String, nil] of the field whose value the call itself may ask for something
      def call(head, path = nil)
        head = finishing(head)
        close
        @calls += 1
        @last = @object.statements.size
        @bodies.each do |body|
          body.statements << Call.new(head, body.arguments, path)
          body.arguments = []
        end
      end

      # Adds a statement that ends the array or the slot that is open, if any.
      def close
        return unless @opened

        opened, @opened = @opened, nil
        each_form { ["w.close unless nil == #{opened}"] }
      end

      # Lets the next call of `item` end that array or slot too, which saves a call. An item with
      # values cannot do so: its values are read before the call, and an error would have the path
      # of the array or slot.
      # @return [String] `head`, or a call of `finish`
      def finishing(head)
        return head unless @opened && head.start_with?("w.item(") && @object.arguments.empty?

        opened, @opened = @opened, nil
        head.sub("w.item(", "w.finish(#{opened}, ")
      end

      def left(bit) = bit ? "m.inner(#{bit})" : "nil"

      def object_or_row(form, code, arguments, value)
        return "#{code}.#{form}(w, #{arguments})" if value == "o"

        "Hash === #{value} ? #{code}.row(w, #{arguments}) : #{code}.object(w, #{arguments})"
      end

      def each_form
        @bodies.each { |body| yield(body.form).each { |text| body.add(text) } }
      end

      def method(text, head)
        text.add(0, "def self.#{head}")
        yield
        text.add(0, "end")
        text
      end

      def in_method(text, body)
        Code.words(text, body.statements) if @masked
        @lent.each { |variable, constant| text.add(1, "#{variable} = w.helper(#{constant}, s)") }
        text.add(1, GIVEN) if given?(body.statements)
        text.add_all(1, body.statements)
      end

      # The values that are not read from the object are fetched once for each object.
      GIVEN = "given = w.given"
      private_constant :GIVEN

      def given?(statements) = statements.any? { |statement| statement.names?(/\bgiven\[/) }

      # The methods that look ahead. {PartsInside} has the loops then.
      def ahead_methods(text)
        @ahead.each do |body|
          method(text, "ahead_#{body.form}(w, s, o, m, a)") do
            Code.words(text, body.statements) if @masked
            text.add_all(1, body.statements)
          end
        end
        text
      end

      # The loop reads the size each time, because getters may change the Array.
      def loop_in(text)
        element = element_statements
        if @masked
          Code.words(text, element)
          element = Code.answers(text, element)
        end
        text.add(1, "i = 0")
        text.add(1, "while i < c.size")
        text.add(2, "o = c[i]") if element.any? { |statement| statement.names?(/\bo\b/) }
        text.add(2, "i += 1")
        text.add_all(2, element)
        text.add(1, "end")
      end

      # Up to two calls are made in the loop itself. That saves a call of Ruby for each element.
      def element_statements
        if @calls > 2 || !@lent.empty? || given?(@object.statements)
          return [Line.new("object(w, s, o#{", m" if @masked})")]
        end

        @object.statements
      end
    end

    # The values that generated code refers to by constants of its module. Modules that are made one
    # after the other use different names. When a constant is set, Ruby (3.2 and newer) forgets
    # where constants of that name were found, and YJIT drops the code that uses them. With 256
    # names, a hundred serializers made those before them three times as slow, because their callers
    # were interpreted again (3.4.5). Names are Symbols that are never collected, 150 bytes each, so
    # their number is limited.
    class Constants
      MOST_NAMES = 4_096

      @made = 0
      class << self
        # @return [Integer] the number of the next name. Two threads may get the same one, which
        #   only costs time, because each module has constants of its own.
        attr_reader :made

        def count(names) = @made = (@made + names) % MOST_NAMES
      end

      # Holds a class or module of the user. As the value of the constant itself it would get the
      # name of that constant.
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
        Constants.count(@names.size)
        @names.each do |value, name|
          code.const_set(name, held?(value) ? Held.new(value).freeze : Blocks.shareable(value))
        end
      end

      private

      # If one module needs more names than that, each value still has a name of its own.
      def number = @names.size < MOST_NAMES ? (@first + @names.size) % MOST_NAMES : @names.size

      def held?(value) = value.is_a?(Module) && !value.instance_variable_defined?(:@to_json_code)
    end
  end
end
