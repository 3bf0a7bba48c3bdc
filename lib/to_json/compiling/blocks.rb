# frozen_string_literal: true

# Layer: compiling. Makes methods of the serializer from the blocks and lambdas of a declaration. A
# call of a method costs half of an instance_exec.

module ToJson
  class Compiler
    module Blocks
      # Ours, and what every object has.
      OWNERS = [Object, Kernel, BasicObject, Serialize, DSL, Serializer].freeze

      class << self
        # Names are counted per class: Ruby keeps each for good. A class has methods of its own for
        # the blocks that it inherits too, so that names of its superclass mean nothing here.
        # Threads that compile at once agree on the names, and each method is defined once.
        # @return [Symbol] the method of `serializer_class` that runs `block`
        def method_for(serializer_class, block)
          name = :"#{PlanCache::BLOCKS}#{PlanCache.block_number(serializer_class, block)}"
          PlanCache.define_once(serializer_class, name, shareable(block))
        end

        # @return [Symbol] the same for the block of `meta`, which is called with what is
        #   serialized, even if it takes nothing
        def meta_for(serializer_class, block)
          name = method_for(serializer_class, block)
          return name unless block.parameters.empty?

          taking = :"#{name}_meta"
          apart = Module.new { class_eval("def #{taking}(_objects) = #{name}", __FILE__, __LINE__) }
          PlanCache.define_once(serializer_class, taking, apart.instance_method(taking))
        end

        # @return [Array(Symbol, Integer)] what {call} takes
        def called_for(serializer_class, block)
          [method_for(serializer_class, block), arity(block)].freeze
        end

        # Of Sites; generated code does the same by itself.
        # @param called [Array(Symbol, Integer)]
        def call(serializer, called, object)
          name, arity = called
          arity.zero? ? serializer.__to_json_with(object, name) : serializer.__send__(name, object)
        end

        # 0 for a block that names no parameter, as `define_method` has it; a declaration lets no
        # block through that needs more than one.
        def arity(block) = block.parameters.empty? ? 0 : 1

        # A module whose methods say nothing about the serializer at hand.
        def everybodys?(owner)
          OWNERS.include?(owner) ||
            !owner.name.nil? && owner.name.start_with?("ActiveSupport::", "JSON::")
        end

        # A block that sees no local variable can run in any Ractor: nothing is shared by making it
        # so. Its `self` where it is written is a class, or what reads an inline block, frozen by
        # then; the `self` of a Method's Proc is the Method's receiver. A Symbol's Proc has neither.
        # What Ruby cannot make shareable stays as it is: an ArgumentError for a Proc without a
        # binding, a Ractor::Error (a RuntimeError) or, from 4.0 on, a plain RuntimeError.
        def shareable(block)
          unless block.is_a?(Proc) && (SYMBOLS.match?(block.inspect) || apart?(block.binding))
            return block
          end

          Ractor.make_shareable(block)
        rescue ArgumentError, RuntimeError
          block
        end

        private

        # How Ruby inspects the Proc of a Symbol, and no other Proc.
        SYMBOLS = /\A#<Proc:0x\h+\(&.+\) \(lambda\)>\z/
        private_constant :SYMBOLS

        def apart?(binding)
          binding.local_variables.empty? && Ractor.shareable?(binding.receiver)
        end
      end
    end
  end
end
