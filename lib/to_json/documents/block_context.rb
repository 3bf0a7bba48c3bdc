# frozen_string_literal: true

# Layer: documents. The Ruby part of block receivers: copies instance variables, and passes calls on
# to the caller of the block. ext/to_json/documents/block_receiver.c makes them.

module ToJson
  # Gives a hidden subclass a method that takes the values of a caller's instance variables. Each is
  # set through an inline cache of its own, which takes a quarter of the time of a call from C.
  # @api private
  module BlockFilling
    NAME = /\A@[A-Za-z_][A-Za-z0-9_]*\z/
    private_constant :NAME

    # @param names [Array<Symbol>]
    # @return [Boolean] false where a name cannot stand in the source
    def self.define(block_class, names)
      return false unless names.all?(NAME)

      values = names.each_index.map { |index| "v#{index}" }
      sets = names.zip(values).map { |pair| pair.join(" = ") }
      source = "def __to_json_fill(#{values.join(", ")})\n#{sets.join("\n")}\nend"
      Module.instance_method(:class_eval).bind_call(block_class, source, __FILE__, __LINE__)
      true
    end
  end

  # Has the DSL and passes every other call on to the block's own self, private methods and names of
  # Kernel included.
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

    def respond_to_missing?(name, include_private = false)
      @__to_json_caller.respond_to?(name, include_private)
    end

    %i[! != == equal?].each do |name|
      define_method(name) { |*arguments| @__to_json_caller.__send__(name, *arguments) }
    end

    private

    def method_missing(name, *arguments, **keywords, &block)
      @__to_json_caller.__send__(name, *arguments, **keywords, &block)
    end
  end
end
