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

    # So that the first reading is like all others.
    def self.warm = TURNS.times { read }

    # @return [Integer] nanoseconds
    def self.read
      start = Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond)
      turn = 0
      while turn < TURNS
        TEXT.sum
        turn += 1
      end
      Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond) - start
    end
  end
end
