# frozen_string_literal: true

# Layer: active_record. Stands for the object when a condition is asked before there are any
# objects.

module ToJson
  module Preloading
    # Stands for an object that is not known yet. If a condition calls a method of it, `throw` ends
    # the condition at once, because its answer depends on the object. If a condition returns, it
    # has not looked at the object, so its answer is the same for every object.
    # @api private
    class UnknownObject < BasicObject
      # @return [Object] what the block returns, or `unknown` if it looked at the object
      def self.ask(unknown = nil)
        ::Kernel.catch do |tag|
          return yield(new(tag))
        end
        unknown
      end

      def initialize(tag) = @tag = tag

      %i[! == != equal? instance_eval instance_exec].each do |name|
        define_method(name) { |*, **, &_block| ::Kernel.throw @tag }
      end

      private

      def method_missing(*) = ::Kernel.throw(@tag) # rubocop:disable Style/MissingRespondToMissing
    end
    private_constant :UnknownObject
  end
end
