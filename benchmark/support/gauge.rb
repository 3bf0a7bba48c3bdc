# frozen_string_literal: true

# Layer: none below it. On the child's side: how fast this core is right now.

module Bench
  # A loop that does the same each time, half a millisecond of it, and touches no memory: that it takes longer is the machine's doing.
  module Gauge
    TURNS = defined?(RubyVM::YJIT) && RubyVM::YJIT.enabled? ? 400_000 : 30_000
    # Calls after which YJIT has compiled the loop.
    WARMING_CALLS = 40

    # So that the first reading is like all others. Few turns each: the interpreter would take ten milliseconds for one reading of YJIT's.
    def self.warm = WARMING_CALLS.times { time(10) }

    # @return [Integer] nanoseconds
    def self.read = time(TURNS)

    def self.time(turns)
      start = Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond)
      turn = sum = 0
      while turn < turns
        sum += turn & 7
        turn += 1
      end
      Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond) - start
    end

    private_class_method :time
  end
end
