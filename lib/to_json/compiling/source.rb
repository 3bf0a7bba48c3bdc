# frozen_string_literal: true

# Layer: compiling. Generates Ruby expressions that read a field. A name is inserted as `inspect`
# writes the Symbol, or as it is if it is a plain method name. Nothing else of a declaration is
# inserted.

module ToJson
  class Compiler
    # The objects from which fields are read. `value` is the expression for the object, `read` that
    # for one of its fields. If there may be no object, `guard` makes an expression safe for that.
    # `plain` says that the expression only reads a field.
    module Source
      CALLABLE = FieldReader::CALLABLE

      # The object of the generated method.
      class Own
        def value = "o"
        def keyed? = true
        def optional? = false
        def guard(expression, _plain) = expression

        # @param variable [String, nil] see Same
        # @return [Own] for the fields of a `nested`
        def same(variable) = Same.new(variable)

        def read(name, form)
          return "w.at(o, #{name.inspect})" if form == :row

          CALLABLE.match?(name) ? "o.#{name}" : "o.public_send(#{name.inspect})"
        end
      end

      OWN = Own.new.freeze

      # The same object, for the fields of `nested`. If `nested` has a condition, the variable `n`
      # is true if these fields are written. It is SKIP if not, and nil inside another `nested` that
      # is not written.
      class Same < Own
        # @param variable [String, nil] n; nil: there is no condition of its own
        # @param around [String, nil] the variable `n` of the `nested` around this one
        def initialize(variable, around = nil)
          super()
          @set, @n = variable, variable || around
        end

        def same(variable) = Same.new(variable, @n)
        def opening(expression) = @set ? "(#{@set} = #{expression})" : expression
        def guard(expression, _plain)
          @n ? "(#{@n}.equal?(true) ? #{expression} : nil)" : expression
        end
      end

      # An object inside an object, in the variable `a`. The variable `b` is the same object, or nil
      # if `a` is nil, SKIP, or a Hash, whose keys the Writer reads.
      class Fused
        def initialize(index, optional)
          @a, @b, @optional = "a#{index}", "_b#{index}", optional # _: it may be unused
        end

        def opening(expression)
          skipped = " || #{@a}.equal?(SKIP)" if @optional
          "(#{@a} = #{expression}; #{@b} = Hash === #{@a}#{skipped} ? nil : #{@a}; #{@a})"
        end

        def value = @a
        def keyed? = true
        def optional? = false

        # A condition must ask `a`, because `b` is nil for a Hash.
        def guard(expression, plain)
          return expression if plain

          "(nil == #{@a}#{" || #{@a}.equal?(SKIP)" if @optional} ? nil : #{expression})"
        end

        def read(name, _form)
          return "#{@b}&.#{name}" if CALLABLE.match?(name)

          "(nil == #{@b} ? nil : #{@b}.public_send(#{name.inspect}))"
        end
      end

      # The same under a Mask. The Writer does not know the Mask, so Ruby reads the keys of a Hash.
      # The variable `h` tells whether the object is a Hash. If the Mask leaves no field of it, no
      # variable is set.
      class Picked < Fused
        def initialize(index, optional)
          super
          @h = "_h#{index}"
          @b = @a unless optional
        end

        # @param test [String] the expression that asks the Mask
        def picking(test, expression)
          found = ("#{@b} = #{@a}.equal?(SKIP) ? nil : #{@a}; " if @optional)
          "(#{test} > 0 ? " \
            "(#{@a} = #{expression}; #{@h} = Hash === #{@a}; #{found}#{@a}) : SKIP)"
        end

        def keyed? = false
        def read(name, form) = "(#{@h} ? w.at(#{@a}, #{name.inspect}) : #{super})"
      end

      # The value of a field whose `as:` is a serializer, in the variable `v`. `a` is `lone(v)` of
      # the Writer: the same if it is one object or nil, else SKIP.
      class Converted < Fused
        def initialize(index)
          super(index, true)
          @v = "v#{index}"
        end

        def opening(expression) = super("w.lone(#{@v} = #{expression})")

        # @yieldparam value [String] the variable of a value for which `lone` returned SKIP
        # @return [String] the expression of what is written for it; SKIP: nothing
        def otherwise = "(!SKIP.equal?(#{@a}) || SKIP.equal?(#{@v}) ? SKIP : #{yield @v})"
      end

      # An object whose fields are written among those of its owner, in the variable `p`. The
      # variable `h` tells whether it is a Hash.
      class Flattened
        def initialize(index)
          @p, @h = "p#{index}", "_h#{index}"
        end

        def assignment(expression) = "#{@p} = #{expression}; #{@h} = Hash === #{@p}"
        def value = @p
        def keyed? = false
        def optional? = true
        def guard(expression, _plain)
          "(nil == #{@p} || #{@p}.equal?(SKIP) ? SKIP : #{expression})"
        end

        def read(name, _form)
          call = CALLABLE.match?(name) ? name : "public_send(#{name.inspect})"
          "(#{@h} ? w.at(#{@p}, #{name.inspect}) : #{@p}.#{call})"
        end
      end
    end
  end
end
