# frozen_string_literal: true

# Layer: gauge. On the child's side: a sample taken in slices, with a short reading of the Gauge between any two.

require_relative "gauge"

module Bench
  # What a loop notes after so many calls (ContenderLoop#slices). Nothing is allocated while it notes.
  class Slices
    # @param calls [Integer] of one slice
    # @param count [Integer] slices
    def initialize(calls, count)
      @calls, @times, @gauges, @collections, @last = calls, Array.new(count, 0), Array.new(count + 1, 0), Array.new(count + 1, 0), 0
    end

    def start
      look(0)
      @begun = now
    end

    # A slice is done.
    def note
      @times[@last] = now - @begun
      look(@last += 1)
      @begun = now
    end

    # As SlicedSample takes it.
    def to_h = {"calls" => @calls, "times" => @times, "gauges" => @gauges, "collections" => @collections}

    private

    def look(place)
      @gauges[place] = Gauge.read_short
      @collections[place] = GC.count
    end

    # Processor time, as ContenderLoop#time.
    def now = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID, :nanosecond)
  end
end
