# frozen_string_literal: true

# Demo, measuring: time and allocated objects of several ways to do the same, in turn. The time is
# that of the processor: nothing here waits, and what else runs on the machine changes it little.

module Demo
  # What one way took: medians over the runs.
  Sample = Struct.new(:name, :seconds, :objects)

  module Stopwatch
    # Runs every candidate once to warm up, then all of them in turn `runs` times, so that a slow
    # moment of the machine falls on all alike. Each run starts after a full collection.
    #
    # @param candidates [Hash{String => #call}]
    # @param runs [Integer] 1 or more
    # @return [Array<Sample>] in the order of the candidates
    def self.compare(candidates, runs:)
      # a young process would pay for growing its heap in some runs
      ("x".b * 32_000_000).clear
      candidates.each_value(&:call)
      samples = candidates.transform_values { [] }
      runs.times { candidates.each { |name, way| samples[name] << measure(way) } }
      samples.map do |name, measured|
        Sample.new(name, *measured.transpose.map { |column| median(column) })
      end
    end

    # @return [Array(Float, Integer)] seconds of the processor and objects of one call
    def self.measure(way)
      GC.start
      objects = GC.stat(:total_allocated_objects)
      started = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
      way.call
      seconds = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - started
      [seconds, GC.stat(:total_allocated_objects) - objects]
    end

    # @return the middle one; the lower of the two middles where their number is even
    def self.median(numbers)
      numbers.sort[(numbers.size - 1) / 2]
    end
  end
end
