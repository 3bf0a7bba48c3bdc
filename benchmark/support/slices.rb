# frozen_string_literal: true

# Layer: gauge. On the child's side: a sample taken in slices, with a short reading of the Gauge between any two.

require_relative "gauge"

module Bench
  # What a loop notes after so many calls (ContenderLoop#slices). Nothing is allocated while it notes.
  class Slices
    # @param calls [Integer] of one slice
    # @param count [Integer] slices
    def initialize(calls, count)
      @calls, @times, @collecting, @gauges, @last = calls, Array.new(count, 0), Array.new(count, 0), Array.new(count + 1, 0), 0
    end

    # A slice begins.
    def start
      @gauges[@last] = Gauge.read_short
      @collected = GC.total_time
      @begun = now
    end

    # It is done, and the next one begins.
    def note
      @times[@last] = now - @begun
      @collecting[@last] = GC.total_time - @collected
      @last += 1
      start
    end

    # As SlicedSample takes it.
    def to_h = {"calls" => @calls, "times" => @times, "collecting" => @collecting, "gauges" => @gauges}

    private

    # Processor time, as ContenderLoop#time.
    def now = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID, :nanosecond)
  end
end
