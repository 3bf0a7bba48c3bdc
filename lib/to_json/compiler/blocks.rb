# frozen_string_literal: true

# Layer: compiler. The blocks and lambdas of a declaration become methods of the serializer: a call of a method costs
# half of instance_exec (DESIGN.md section 9).

module ToJson
  class Compiler
    module Blocks
      # Ours, and what every object has.
      OWNERS = [Object, Kernel, BasicObject, Serialize, DSL, Serializer].freeze

      class << self
        # Names are counted per class: Ruby keeps each for good. A class has methods of its own for the blocks that it
        # inherits too, so that names of its superclass mean nothing here.
        # @param meta [Boolean] whether it is called with what is serialized, even if it takes nothing
        # @return [Symbol] the method of `serializer_class` that runs `block`
        def method_for(serializer_class, block, meta: false)
          names = serializer_class.instance_variable_get(:@to_json_blocks) || serializer_class.instance_variable_set(:@to_json_blocks, {}.compare_by_identity)
          names[block] ||= :"#{PlanCache::BLOCKS}#{names.size}".tap do |name|
            body = shareable(block)
            body = proc { |_objects| instance_exec(&block) } if meta && block.parameters.empty?
            serializer_class.define_method(name, &body)
          end
        end

        # As `define_method` makes it: a block that names no parameter takes nothing.
        def arity(block)
          return 0 if block.parameters.empty?
          return 1 if block.arity.zero?
          return 1 if [1, -1, -2].include?(block.arity)

          raise DefinitionError, "a block of a declared field takes the object, or nothing; this one takes #{block.arity.abs} " \
                                 "(#{block.source_location&.join(":")})"
        end

        # A module whose methods say nothing about the serializer at hand.
        def everybodys?(owner) = OWNERS.include?(owner) || !owner.name.nil? && owner.name.start_with?("ActiveSupport::", "JSON::")

        # A block that sees no local variable can run in any Ractor: nothing is shared by making it so.
        def shareable(block)
          return block unless block.is_a?(Proc) && block.binding.local_variables.empty? && block.binding.receiver.is_a?(Module)

          Ractor.make_shareable(block)
        rescue Ractor::Error, ArgumentError # a block of C, of a Method or a Symbol
          block
        end
      end
    end
  end
end
