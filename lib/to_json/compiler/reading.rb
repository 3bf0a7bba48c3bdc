# frozen_string_literal: true

# Layer: compiler. Ruby expressions that read a field. Names enter them as `inspect` writes Symbols, or where they are
# plain method names; nothing of a declaration is interpolated otherwise.

module ToJson
  class Compiler
    # Where fields are read from. Expressions come in two forms: `:object` calls methods, `:row` reads a Hash.
    module Source
      CALLABLE = FieldReader::CALLABLE

      # The object of the generated method itself.
      class Own
        def value(_form) = "o"
        def absent(_form) = nil
        def without = "nil"

        def read(name, form)
          return "w.at(o, #{name.inspect})" if form == :row

          CALLABLE.match?(name) ? "o.#{name}" : "o.public_send(#{name.inspect})"
        end
      end

      # An object in an object: `a`, or `b` which is nil where `a` is nil, a Hash (which the Writer reads) or SKIP.
      class Fused
        def initialize(index, optional)
          @a, @b, @optional = "a#{index}", "b#{index}", optional
        end

        # Reads the object itself, as an argument.
        def opening(expression)
          optional = " || #{@a}.equal?(SKIP)" if @optional
          "(#{@a} = #{expression}; #{@b} = Hash === #{@a}#{optional} ? nil : #{@a}; #{@a})"
        end

        def value(_form) = @a
        def absent(_form) = @optional ? "#{@a}.nil? || #{@a}.equal?(SKIP)" : "#{@a}.nil?"
        def without = "nil"

        def read(name, _form)
          CALLABLE.match?(name) ? "#{@b}&.#{name}" : "(#{@b}.nil? ? nil : #{@b}.public_send(#{name.inspect}))"
        end
      end

      # An object whose fields stand among its owner's: `p`, and `h`, whether it is a Hash.
      class Flattened
        def initialize(index)
          @p, @h = "p#{index}", "h#{index}"
        end

        def assignment(expression) = "#{@p} = #{expression}; #{@h} = Hash === #{@p}"
        def value(_form) = @p
        def absent(_form) = "#{@p}.nil? || #{@p}.equal?(SKIP)"
        def without = "SKIP"

        def read(name, _form)
          "(#{@h} ? w.at(#{@p}, #{name.inspect}) : #{CALLABLE.match?(name) ? "#{@p}.#{name}" : "#{@p}.public_send(#{name.inspect})"})"
        end
      end
    end

    # The serializer whose methods and blocks give values: `s`, or one that the document lends.
    class Owner
      attr_reader :serializer_class, :variable

      # @param constants [Constants]
      def initialize(serializer_class, variable, constants)
        @serializer_class, @variable, @constants = serializer_class, variable, constants
        @used = false
      end

      # Whether an expression calls it.
      def used? = @used

      # @return [String] of what a field's reader, method or attribute gives; nil where it is read from the object by name alone
      def computed(field, source, form)
        return call_block(field.reader, source.value(form)) if field.reader

        method = method_named(field.source) if field.source
        call_method(method, source.value(form)) if method
      end

      # @return [String] the condition under which a field is written
      def condition(field, source, form)
        field.conditions.map { |word, test| "#{"!" if word == :unless}(#{test(test, source, form)})" }.join(" && ")
      end

      # Calls a block of the declaration, as a method of the serializer.
      def call_block(block, argument)
        name = Blocks.method_for(@serializer_class, block)
        call(name, Blocks.arity(block), argument)
      end

      private

      def test(test, source, form)
        return call_block(test, source.value(form)) unless test.is_a?(Symbol)

        method = method_named(test, private_too: true)
        method ? call_method(method, source.value(form)) : source.read(test, form)
      end

      def call_method(method, argument)
        return call(method.name, method.arity, argument) if [0, 1, -1, -2].include?(method.arity)

        raise DefinitionError, "#{@serializer_class}##{method.name} serves a declared field and takes more than the object. Give it one parameter, or none."
      end

      def call(name, arity, argument)
        @used = true
        return "#{variable}.__to_json_with(#{argument}, #{name.inspect})" if arity.zero?

        public = @serializer_class.public_method_defined?(name)
        return "#{variable}.#{name}(#{argument})" if public && Source::CALLABLE.match?(name)

        "#{variable}.__send__(#{name.inspect}, #{argument})"
      end

      # A method that the user gave the serializer; Ruby's and ours never count.
      def method_named(name, private_too: false)
        found = @serializer_class.public_method_defined?(name) || (private_too && @serializer_class.private_method_defined?(name))
        return unless found

        method = @serializer_class.instance_method(name)
        method unless Blocks.everybodys?(method.owner)
      end
    end
  end
end
