# frozen_string_literal: true

# Layer: base. Finds out whether the code that was running raised an exception, or another thread
# raised it there.

module ToJson
  # Some code of the gem ignores an error, or raises an error of the gem instead: for example the
  # parser, and preloading, which reads what the document reads again later. Such code must not
  # rescue the exception of a Timeout, which comes from another thread and may come at any line. To
  # recognize such an exception, the code is run again: then the exception does not come again.
  # @api private
  module FromOutside
    # The most errors that are compared.
    MOST = 9
    # The code's own error comes each time. With another one among them, which may come more than
    # once, too, an error of this class must have come so often.
    ENOUGH = 3
    private_constant :MOST, :ENOUGH

    # Calls the block, which runs the code that raised the error again, until it is clear which
    # error is the code's own. If the code ends without an error, it has none of its own.
    # @param error [Exception]
    # @return [Boolean] whether another thread raised the error
    # @raise [StandardError] an error of another class, if the first one is the code's own
    def self.raised?(error, &block)
      errors = [error]
      while errors.size < MOST
        again = error_of(&block) or return true
        own = again.instance_of?(error.class)
        return false if own && errors.one?

        errors << again
        next if errors.count { |one| one.instance_of?(again.class) } < ENOUGH
        return true unless own

        raise errors.reverse.find { |one| !one.instance_of?(error.class) }
      end
      true
    end

    def self.error_of
      yield
      nil
    rescue StandardError => error
      error
    end
    private_class_method :error_of
  end
end
