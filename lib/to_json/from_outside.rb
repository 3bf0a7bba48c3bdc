# frozen_string_literal: true

# Layer: base. Tells an exception that another thread raised from one of the code that was running.

module ToJson
  # Some code may ignore an error, or word it anew: what reads a document, or asks ahead for what
  # the document will ask again. It must not do so with the exception of a Timeout, which came into
  # that code by chance. Such an exception does not come again.
  # @api private
  module FromOutside
    # @param error [Exception] that the block, or the same code, has raised
    # @return [Boolean] whether the block raises no error of that class now
    def self.raised?(error)
      yield
      true
    rescue StandardError => again
      !again.instance_of?(error.class)
    end
  end
end
