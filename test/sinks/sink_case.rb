# frozen_string_literal: true

# Sinks for tests, and what the files of test/sinks inherit from.

require "test_helper"
require_relative "../support/ways_out"

class SinkCase < ToJsonTest
  CHUNK = 65_536

  # Remembers the pieces; what `write` answers is the block's, called with the piece.
  class Recorder
    attr_reader :pieces

    def initialize(&answer)
      @pieces = []
      @answer = answer || :bytesize.to_proc
    end

    def write(bytes)
      @pieces << bytes.dup
      @answer.call(bytes)
    end

    def text = @pieces.join
  end

  # A value and its JSON of at least `size` bytes.
  def long(size)
    value = Array.new((size / 20) + 1) { |n| { id: n, text: "é" } }
    [value, ToJson.generate(value)]
  end
end
