# frozen_string_literal: true

# Layer: compiling. Generates the Ruby that reads one field, tests its conditions, and converts its
# value.

module ToJson
  class Compiler
    # The serializer whose methods and blocks compute values: `s`, or a helper of the document.
    class Owner
      attr_reader :serializer_class, :variable

      # @param named [Boolean] whether a method of the serializer computes the field of the same
      #   name. false for fields of another object, as in an inline block
      def initialize(serializer_class, variable, named = true)
        @serializer_class, @variable, @named = serializer_class, variable, named
        @used = false
        @methods = {}
      end

      # Whether generated code calls this serializer.
      def used? = @used

      # Records that generated code calls this serializer.
      def use = @used = true

      # Whether a field's value comes from the serializer, and not from the object by name alone.
      def computes?(field)
        return true if field.reader

        @named && !(source = field.source).nil? && !method_named(source).nil?
      end

      # @param argument [String] the object
      # @return [String] the expression of the field's value
      def computed(field, argument)
        field.reader ? call_block(field.reader, argument)
                     : call_method(method_named(field.source), argument)
      end

      # @return [String] the expression that tells whether a field is written; empty if it always is
      def condition(field, source, form)
        tests = field.conditions.map do |word, test|
          "#{"!" if word == :unless}(#{test(test, source, form)})"
        end
        tests.join(" && ")
      end

      # Calls a block of the declaration, as a method of the serializer.
      def call_block(block, argument)
        call(Blocks.method_for(@serializer_class, block), Blocks.arity(block), argument)
      end

      private

      def test(test, source, form)
        return call_block(test, source.value) unless test.is_a?(Symbol)

        method = method_named(test, private_too: true)
        method ? call_method(method, source.value) : source.read(test, form)
      end

      def call_method(method, argument)
        kinds = method.parameters.map(&:first)
        required = kinds.count(:req)
        takes_object = required == 1 || kinds.include?(:opt)
        if required < 2 && !kinds.include?(:keyreq)
          return call(method.name, takes_object ? 1 : 0, argument)
        end

        raise DefinitionError,
              "#{@serializer_class}##{method.name} gives the value of a declared field, but " \
              "requires more arguments than the object. Give it one parameter, or none."
      end

      def call(name, arity, argument)
        use
        return "#{variable}.__to_json_with(#{argument}, #{name.inspect})" if arity.zero?
        if Source::CALLABLE.match?(name) && @serializer_class.public_method_defined?(name)
          return "#{variable}.#{name}(#{argument})"
        end

        "#{variable}.__send__(#{name.inspect}, #{argument})"
      end

      # A method that the user's class has. Methods of Ruby and of this gem do not count.
      # @param private_too [Boolean] whether private and protected ones count
      def method_named(name, private_too: false)
        return find_method(name, true) if private_too

        @methods.fetch(name) { @methods[name] = find_method(name, false) }
      end

      def find_method(name, private_too)
        return unless @serializer_class.public_method_defined?(name) ||
                      (private_too && (@serializer_class.private_method_defined?(name) ||
                                       @serializer_class.protected_method_defined?(name)))

        method = @serializer_class.instance_method(name)
        method unless Blocks.everybodys?(method.owner)
      end
    end

    # How one field is read from one source: the expression that generated Ruby passes to the
    # Writer, and what the Writer does with its value.
    class FieldAccess
      class << self
        # Whether Ruby only reads the value and tests conditions. The Writer does the rest.
        def native?(field)
          field.plain? || (native_as?(field) && (none?(field) || native_default?(field)))
        end

        # Whether the Writer can read the field from a Hash itself, by its name.
        def by_key?(field, owner)
          return false if field.kind != :attribute || owner.computes?(field)

          field.plain? || (field.conditions.empty? && native?(field) && !field.supplied?)
        end

        # What the Writer does with the value, as names of flags in ext/to_json/plans/ops.h.
        def native_flags(field)
          return NO_FLAGS if field.plain?

          [*(:"skip_#{field.skip}" if field.skip && native_as?(field)),
           *(:default if native_default?(field))]
        end

        NO_FLAGS = [].freeze
        private_constant :NO_FLAGS

        # The work that options give to Ruby, in words for `explain`.
        # @param converted [Boolean] whether `as:` is left to the Writer
        def costs(field, converted)
          conditions = field.conditions.size
          [*("#{conditions} condition#{"s" if conditions > 1}" if conditions.positive?),
           *("a conversion in Ruby" unless native_as?(field) || converted),
           *("a default in Ruby" unless none?(field) || native_default?(field))]
        end

        # Whether `as:` is a serializer class. Then each value gets an instance of it.
        def by_serializer?(field) = field.as.is_a?(Class) && field.as < Serializer

        def none?(field) = field.default.equal?(Field::NONE)
        def native_as?(field) = field.as.nil? || field.as.is_a?(Symbol)
        def native_default?(field)
          !none?(field) && field.kind == :attribute &&
            !field.default.is_a?(Proc) && native_as?(field)
        end
      end

      attr_reader :field

      # @param test [String, nil] the expression that asks the Mask; nil: there is no Mask
      def initialize(field, source, owner, constants, test)
        @field, @source, @owner, @constants, @test = field, source, owner, constants, test
        @before = nil
        @computes, @plain = owner.computes?(field), field.plain?
        @native_as = @native = @plain
        @native_default = false
        return if @plain

        @native_as = FieldAccess.native_as?(field)
        @native_default = FieldAccess.native_default?(field)
        @native = FieldAccess.native?(field)
      end

      # Puts the assignment that the block returns before the argument.
      def after(&assignment) = @before = assignment

      # Whether the Writer reads this field from a Hash itself, by its name.
      def keyed?
        @native && !@computes && @test.nil? && @source.keyed? &&
          (@plain || (@field.conditions.empty? && !@field.supplied?))
      end

      # @return [Array<Symbol>] of PartLayout::FLAGS
      def flags
        optional = @field.conditions.any? || !@test.nil? || @source.optional? || skipped_here?
        native = FieldAccess.native_flags(@field)
        optional ? [:optional, *native] : native
      end

      def native_as = (@field.as if @field.as.is_a?(Symbol))
      def native_default = (@field.default if @native_default)

      # @return [String] the expression
      def argument(form) = guarded(form, value(form))

      # An expression that evaluates `value` only if the conditions and the Mask leave the field,
      # and if there is an object.
      def guarded(form, value)
        bare = @plain || @field.conditions.empty?
        value = "(#{@owner.condition(@field, @source, form)} ? #{value} : SKIP)" unless bare
        value = "(#{@test} > 0 ? #{value} : SKIP)" if @test
        value = @source.guard(value, bare && !@computes && @native)
        @before ? "(#{@before.call(form)}; #{value})" : value
      end

      # The expression of the value, without conditions. It has the default and the conversion if
      # Ruby must apply them.
      def value(form)
        return defaulted(form) if @native_as
        return skipping(form, converted) if skipped_here?

        "(nil == (v = #{defaulted(form)}) ? nil : #{converted})"
      end

      # The expression of the argument without the conversion.
      def unconverted(form)
        guarded(form, skipped_here? ? skipping(form, "v") : defaulted(form))
      end

      # @param value [String] an expression
      # @return [String] the expression of an instance of the serializer of `as:`
      def instance_for(value) = "#{@constants.name("A", @field.as)}.new(#{value})"

      private

      def defaulted(form)
        read = read(form)
        return read if @plain || @native_default || @field.default.equal?(Field::NONE)

        "(nil == (v = #{read}) ? #{default} : v)"
      end

      def skipping(form, value)
        read = defaulted(form)
        skips = @field.skip == :nil ? "nil == (v = #{read})" : "w.blank?(v = #{read})"
        "(#{skips} ? SKIP : #{value})"
      end

      def read(form)
        return @owner.computed(@field, @source.value) if @computes
        return @source.read(@field.source, form) if @plain || !@field.supplied?

        given = @field.given
        given ? "given[#{given}]" : @constants.name("V", @field.constant)
      end

      # Whether Ruby must test `skip_nil` or `skip_blank`. The test is of the value before its
      # conversion. If Ruby converts the value, the Writer sees only the result.
      def skipped_here? = !@native_as && !@field.skip.nil?

      def default
        @field.default.is_a?(Proc) ? @owner.call_block(@field.default, @source.value)
                                   : @constants.name("D", @field.default)
      end

      def converted
        return instance_for("v") if FieldAccess.by_serializer?(@field)

        constant = @constants.name("A", @field.as)
        @field.as.respond_to?(:call) ? "#{constant}.call(v)" : "#{constant}.encode(v)"
      end
    end
  end
end
