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
    # Calls the block, which runs the code that raised the error a second time. If the second call
    # raises an error of another class, another thread raised one of the two errors. A third call
    # tells which: if it raises an error of the first class, the second error came from outside.
    # @param error [Exception]
    # @return [Boolean] whether another thread raised the error
    # @raise [StandardError] the error of the second call, if another thread raised that one
    def self.raised?(error, &block)
      again = error_of(&block)
      return true unless again
      return false if again.instance_of?(error.class)
      raise again if error_of(&block).instance_of?(error.class)

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
