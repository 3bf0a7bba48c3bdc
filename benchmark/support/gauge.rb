# frozen_string_literal: true

# Layer: none below it. On the child's side: how fast this core is right now.

module Bench
  # The same C loop over the same bytes each time, a third of a millisecond of it: that it takes longer is the machine's doing. A loop of
  # Ruby would not do: the interpreter takes 463 or 602 us for one (3.1), 718 or 1,030 (3.4), for all of a process's life, while
  # String#sum has 142 in every process of every Ruby for half of these bytes, and 215 to 275 where strangers share the core.
  module Gauge
    # More than a core's nearest cache has, less than the next.
    TEXT = ("to_json " * 8_192).freeze
    TURNS = 16
    # Of a short reading, ten microseconds: a quarter of the nearest cache, so that the contender's code and data stay there.
    SHORT_TEXT = TEXT.byteslice(0, 8_192).freeze
    SHORT_TURNS = 4

    # So that the first readings are like all others.
    def self.warm = TURNS.times { read && read_short }

    # @return [Integer] nanoseconds
    def self.read = time(TEXT, TURNS)

    # Once beforehand: what the contender did may have taken the cache.
    # @return [Integer] nanoseconds
    def self.read_short
      SHORT_TEXT.sum
      time(SHORT_TEXT, SHORT_TURNS)
    end

    def self.time(text, turns)
      start = Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond)
      turn = 0
      while turn < turns
        text.sum
        turn += 1
      end
      Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond) - start
    end

    private_class_method :time
  end
end
