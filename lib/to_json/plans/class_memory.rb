# frozen_string_literal: true

# Layer: plans. Keeps values that were derived from a serializer class in instance variables of the
# class, so that they are collected with the class.

module ToJson
  # A kept value is valid for one epoch, like a Plan, and only for its class: a copy of the class
  # has the same variables and must not use them. The values of a frozen class are in its
  # {PlanCache::Front}.
  #
  # There is no lock. If two threads keep values at once, one of the two stays, so each must be
  # valid without the other.
  # @api private
  module ClassMemory
    class << self
      # @param name [Symbol] of the instance variable
      # @param now [Integer] an epoch that the caller read before. Needed if the value becomes part
      #   of what it keeps: the class may change between two lines
      # @return [Object, nil] the value that was kept in that epoch
      def recall(serializer_class, name, now = PlanCache.epoch)
        owner, epoch, value = serializer_class.instance_variable_get(name)
        return value if epoch == now && owner.equal?(serializer_class)
        return unless serializer_class.frozen?

        owner, epoch, value = PlanCache.front_of(serializer_class)&.instance_variable_get(name)
        value if epoch == now && owner.equal?(serializer_class)
      end

      # @param name [Symbol] of the instance variable
      # @param epoch [Integer] the epoch before anything was read from which `value` is derived
      # @param value [Object] an object that does not change any more
      # @return [Object] the value
      def keep(serializer_class, name, epoch, value)
        keeps = PlanCache.front_of(serializer_class) if serializer_class.frozen?
        (keeps || serializer_class)
          .instance_variable_set(name, [serializer_class, epoch, value].freeze)
        value
      rescue FrozenError, Ractor::Error # it is derived anew each time
        value
      end
    end
  end
end
