# frozen_string_literal: true

# Fuzz kit. The ways a document can take: String, tiny buffers, an IO that takes one byte a time.
# All must give the same bytes, or the same error.

module Fuzz
  # What came of one call.
  Result = Struct.new(:text, :error, :partial) do
    def to_s
      return text.inspect unless error

      location = error.is_a?(ToJson::Error) ? "" : " #{error.backtrace&.first}"
      "#{error.class}: #{error.message}#{location}"
    end
  end

  # Takes one byte of whatever it is given, and says so.
  class OneByteIO
    attr_reader :taken

    def initialize
      @taken = String.new(capacity: 64)
    end

    def write(text)
      @taken << text.byteslice(0, 1)
      1
    end
  end

  # Runs one document every way.
  module WaysOut
    # What a Writer begins with where tests do not say otherwise.
    NORMAL = [4096, 64 * 1024].freeze

    module_function

    # The plain way.
    def plain
      Result.new(yield(nil))
    rescue StandardError, NoMemoryError, SystemStackError => error
      Result.new(nil, error)
    end

    # A String, from a Writer that begins with next to nothing and grows at every turn.
    def tiny(capacity = 16)
      ToJson::Writer.sizes(capacity, 65_536)
      plain { yield(nil) }
    ensure
      ToJson::Writer.sizes(*NORMAL)
    end

    # An IO that takes one byte a time of chunks of `chunk` bytes.
    def one_byte(chunk = 16)
      ToJson::Writer.sizes(16, chunk)
      io = OneByteIO.new
      begin
        yield(io)
        Result.new(io.taken.force_encoding(Encoding::UTF_8))
      rescue StandardError => error
        Result.new(nil, error, io.taken.force_encoding(Encoding::UTF_8))
      end
    ensure
      ToJson::Writer.sizes(*NORMAL)
    end

    # An append to a String that holds something already, and must be as it was after an error.
    def appended
      target = +"before "
      yield(target)
      Result.new(target.delete_prefix("before "))
    rescue StandardError => error
      Result.new(nil, error, target == "before " ? nil : target)
    end
  end
end
