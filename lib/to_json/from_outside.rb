# frozen_string_literal: true

# Layer: base. Finds out whether the code that was running raised an exception, or another thread
# raised it there.

module ToJson
  # Some code ignores an error, or raises another one with words of ours: the code that reads a
  # document, and the code that preloads what the document will ask for again. That code must let
  # the exception of a Timeout through, which only happened to arrive there. Such an exception is
  # recognized by running the code again: it does not come a second time.
  # @api private
  module FromOutside
    # Calls the block, which does again what raised the error. The exception may also come then, and
    # not before. So if the block raises an error of another class, it is called a third time.
    # @param error [Exception]
    # @return [Boolean] whether another thread raised the error
    # @raise [StandardError] the exception that another thread raised into the second call
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
