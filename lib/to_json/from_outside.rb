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
    # Calls the block, which does again what raised the error.
    # @param error [Exception]
    # @return [Boolean] whether the block raises no error of that class now
    def self.raised?(error)
      yield
      true
    rescue StandardError => again
      !again.instance_of?(error.class)
    end
  end
end
