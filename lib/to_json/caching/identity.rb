# frozen_string_literal: true

# Layer: caching. What stands in cache keys for objects and methods that Ruby does not show.

module ToJson
  class Compiler
    # An identity is valid in this process only. No other object or method, in this process or
    # another one, ever has the same.
    module Identity
      ID = BasicObject.instance_method(:__id__)
      # Where a class keeps the methods of which nothing but their identity is known.
      KEPT = :@to_json_methods
      private_constant :ID

      class << self
        # @return [Array] the identity of an object
        def of(object) = [:here, *process, ID.bind_call(object)]

        # The identity of a method that its owner has now. If the owner gets another one of that
        # name, that has another identity: the address of the first may be used again.
        # @param owner [Module]
        # @param method [UnboundMethod]
        # @return [Array]
        def of_method(owner, method)
          return of(owner) if owner.frozen? # nobody can give it another one

          kept = owner.instance_variable_get(KEPT) || {}
          known, identity = kept[method.name]
          return identity if known == method && identity[1, 2] == process

          identity = of(method)
          added = { method.name => [method, identity].freeze }
          owner.instance_variable_set(KEPT, kept.merge(added).freeze)
          identity
        end

        private

        # After a fork, both processes give new objects the same numbers. So each process has a
        # random number of its own.
        def process
          pid = Process.pid
          return @process if @process&.first == pid

          @process = [pid, Random.urandom(16).unpack1("H*")].freeze
        end
      end
    end
  end
end
