# frozen_string_literal: true

# Layer: dsl. The stand-in of callers that the block form cannot copy; see ext/to_json/classes/block_context.c.

module ToJson
  # Has the DSL and passes every other call on to the block's own self, private methods and names of Kernel
  # included.
  # @api private
  class BlockForwarder < BasicObject
    include DSL
    include BlockWords

    def initialize(caller)
      @__to_json_caller = caller
    end

    %i[instance_variable_get instance_variable_set instance_variable_defined?].each do |name|
      define_method(name, ::Kernel.instance_method(name))
    end

    def respond_to_missing?(name, include_private = false) = @__to_json_caller.respond_to?(name, include_private)

    %i[! != == equal?].each do |name|
      define_method(name) { |*arguments| @__to_json_caller.__send__(name, *arguments) }
    end

    private

    def method_missing(name, *arguments, **keywords, &block)
      @__to_json_caller.__send__(name, *arguments, **keywords, &block)
    end
  end
end
