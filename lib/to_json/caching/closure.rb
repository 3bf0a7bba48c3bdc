# frozen_string_literal: true

# Layer: caching. Describes the variables around a block, for the keys of a cache.

module ToJson
  class Compiler
    # The variables around a block that its body uses, and whether the body uses `self`. Both are
    # read from the instructions that Ruby compiled. Variables that only `eval` or `binding` in the
    # body can reach are not seen.
    class Closure
      # Instructions that read or set a local variable. The number of blocks further out stands
      # after the variable's index, or in the name of the instruction.
      LOCAL = /\A[gs]et(?:local|blockparam(?:proxy)?)(?:_WC_(\d))?\z/
      # The same instructions in the text of `disasm`, which has the names of variables.
      NAMED = /^\d+ +[gs]et(?:local|blockparam(?:proxy)?)(?:_WC_(\d))? +(.+?)@\d+(?:, (\d+))?/
      VARIABLE = %i[getinstancevariable setinstancevariable].freeze
      SELF = %i[putself getclassvariable setclassvariable invokesuper invokesuperforward].freeze
      CONSTANT = %i[getconstant opt_getinlinecache opt_getconstant_path].freeze # Ruby 3.1, >= 3.2
      # The instruction `yield`. Ruby does not show the block that it calls.
      YIELD = :invokeblock
      # Calls that ask for that block.
      ASKS = %i[block_given? binding].freeze
      # `defined?` of a variable, a method, a constant or that block. Its operand tells which, by a
      # number.
      DEFINED = %i[defined definedivar].freeze
      SYMBOL = /\A#<Proc:0x\h+\(&:(.+)\) \(lambda\)>\z/m
      INSPECT = Proc.instance_method(:inspect)
      private_constant :LOCAL, :NAMED, :VARIABLE, :SELF, :CONSTANT, :YIELD, :ASKS, :DEFINED,
                       :SYMBOL, :INSPECT

      class << self
        # @param callable [Proc, Method, UnboundMethod]
        # @return [RubyVM::InstructionSequence, nil] nil if it is written in C, is a Proc made of a
        #   Method, or this Ruby does not show instructions
        def code(callable)
          RubyVM::InstructionSequence.of(callable) if defined?(RubyVM::InstructionSequence)
        end

        # @return [Integer] the operand of `defined?(yield)`
        def defined_yield
          @defined_yield ||=
            code(method(:yield?)).to_a.last.find { |one| one.is_a?(Array) && one[0] == :defined }[1]
        end

        # @param block [Proc]
        # @return [String, nil] the name in `&:name`
        def symbol(block)
          INSPECT.bind_call(block)[SYMBOL, 1] unless block.source_location
        end

        private

        def yield? = defined?(yield)
      end

      # @return [Array<String>] of variables around it
      attr_reader :names

      # @param code [RubyVM::InstructionSequence]
      # @param listed [Array] what its to_a gives
      def initialize(code, listed = code.to_a)
        @names = []
        @own = @variables = @constants = @yields = @outer = false
        walk(listed, -1)
        name(code, 0) if @outer
        # If this Ruby prints variables in another form, the name found is that of no variable.
        @names << "?" if @outer && @names.empty?
        @names.uniq!
        @names.freeze
      end

      # Whether it uses `self`.
      def own? = @own

      # Whether it uses instance variables.
      def variables? = @variables

      # Whether it names constants.
      def constants? = @constants

      # Whether it yields to a block, which Ruby does not show.
      def yields? = @yields

      private

      # @param depth [Integer] the number of blocks around a part, up to the one that is read
      def walk(part, depth)
        depth += 1 if Instructions.code?(part)
        see(part, depth) if part.first.is_a?(Symbol)
        part.each { |one| walk(one, depth) if one.is_a?(Array) }
      end

      def see(instruction, depth)
        word = instruction.first
        if VARIABLE.include?(word) then @own = @variables = true
        elsif SELF.include?(word) then @own = true
        elsif CONSTANT.include?(word) then @constants = true
        elsif word == YIELD || asks?(instruction) then @yields = true
        elsif DEFINED.include?(word)
          @own = @variables = @constants = true
          @yields = true if instruction[1] == Closure.defined_yield
        elsif (local = LOCAL.match(word)) && (local[1] || instruction[2]).to_i > depth
          @outer = true
        end
      end

      def asks?(instruction)
        call = instruction[1]
        call.is_a?(Hash) && ASKS.include?(call[:mid])
      end

      def name(code, depth)
        text(code).scan(NAMED) do |near, name, far|
          @names << name if (near || far).to_i > depth
        end
        code.each_child { |child| name(child, depth + 1) }
      end

      # The text of the code itself, without the blocks inside. Ruby prints the blocks in a table
      # before that text, or behind it.
      def text(code)
        code.disasm.lines("\n").grep_v(/\A\|/).slice_before(/\A== disasm/).first.join("")
      end
    end
  end
end
