# frozen_string_literal: true

# Layer: compiling. Makes methods of the serializer from the blocks and lambdas of a declaration. A
# call of a method costs half of an instance_exec.

module ToJson
  class Compiler
    module Blocks
      # Modules of this gem that each serializer has. Programs may add methods to them.
      OURS = [Serialize, DSL, Serializer].freeze

      class << self
        # Defines the method. Names are numbered for each class, so that classes share them: Ruby
        # never frees a name. A class has methods of its own also for blocks that it inherits, so
        # that the numbers of its superclass do not matter. Threads that compile at once agree on
        # the names, and each method is defined once.
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

        # @return [Array(Symbol, Integer)] the method and its arity, as {call} takes them
        def called_for(serializer_class, block)
          [method_for(serializer_class, block), arity(block)].freeze
        end

        # Calls such a method for a Site. Generated code contains the same call.
        # @param called [Array(Symbol, Integer)]
        def call(serializer, called, object)
          name, arity = called
          arity.zero? ? serializer.__to_json_with(object, name) : serializer.__send__(name, object)
        end

        # 0 for a block that names no parameter, else 1: declarations refuse a block that needs
        # more.
        def arity(block) = block.parameters.empty? ? 0 : 1

        # Whether all objects, or all serializers, have the methods of the module, so that none is
        # the serializer's own. ActiveSupport and json include modules into Object.
        def everybodys?(owner) = OURS.include?(owner) || Object <= owner

        # Makes a block shareable if it sees no local variable and its `self` is shareable: then any
        # Ractor may run it. The `self` of a block in a class body is the class; that of an inline
        # block is its reader, which is frozen by then; that of the Proc of a Method is the receiver
        # of the Method. The Proc of a Symbol has neither variables nor `self`.
        #
        # A block that Ruby cannot make shareable is returned as it is. Ruby raises ArgumentError
        # for a Proc without a binding, Ractor::Error (a RuntimeError) or, since 4.0, RuntimeError.
        def shareable(block)
          made_shareable(block)
        rescue ArgumentError, RuntimeError => error # Timeout::Error is a RuntimeError, too
          raise error if FromOutside.raised?(error) { made_shareable(block) }

          block
        end

        private

        def made_shareable(block)
          unless block.is_a?(Proc) && (SYMBOLS.match?(block.inspect) || apart?(block.binding))
            return block
          end

          Ractor.make_shareable(block)
        end

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
