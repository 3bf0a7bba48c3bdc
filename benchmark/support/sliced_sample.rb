# frozen_string_literal: true

# Layer: none below it. On the parent's side: what a call takes at a core's full speed, from a sample of which some slices were taken at it.
#
# Strangers on a shared core come and go within milliseconds: between two bursts of theirs it was free for 0.1 ms in the middle, 3 at most, and for
# a tenth to a half of the time in all (2 shared cores of an EPYC, 2026-11-23). A sample of 10 ms was never free of them there; of its slices of 0.15 ms
# as many were as time was. Of the ratios of any two of 18 processes to each other, five contenders in each, 44 to 72 % agreed within 10 % by whole
# samples, 85 to 95 % by the mean of the free slices, 97 to 100 % by the mean of the better two thirds of them: one that begins right after a burst finds its cache
# taken. (The best third of 20 samples in all cases.)

module Bench
  # Times of slices of so many calls each, with readings of the Gauge and counts of collections before the first and after each.
  class SlicedSample
    # So many of its slices at full speed make a figure.
    FEWEST = 3
    # Of these the better part counts.
    BETTER = 2 / 3r
    # With this share of them at full speed a sample is taken as it is where each call collects garbage.
    NEARLY_ALL = 0.9

    attr_reader :gauges

    # @param answer [Hash] of Bench::Slices#to_h
    def initialize(answer)
      @calls, @times, @gauges, @collections = answer.values_at("calls", "times", "gauges", "collections")
    end

    # Nanoseconds of a call, strangers and all.
    # @return [Float]
    def whole = @times.sum.fdiv(@times.size * @calls)

    # Nanoseconds of a call where both readings around a slice are within the limit, and whether there were enough such slices; else those of the whole.
    #
    # A slice in which Ruby collects garbage takes longer, so it would be found free less often, and who makes garbage look faster than he is. What
    # collections add is therefore taken of all slices, at the speed that the others had on the average.
    # @param limit [Numeric] nanoseconds of a reading
    # @return [Array(Float, Boolean)]
    def at_full_speed(limit)
      free = @times.each_index.select { |index| @gauges[index] <= limit && @gauges[index + 1] <= limit }
      collecting, plain = @times.each_index.partition { |index| @collections[index] != @collections[index + 1] }
      times = @times.values_at(*(free - collecting))
      return [whole, free.size >= NEARLY_ALL * @times.size] if times.size < FEWEST

      at_best = mean(times.min((times.size * BETTER).ceil))
      [(at_best + added(@times.values_at(*collecting), mean(@times.values_at(*plain)), at_best)) / @calls, true]
    end

    private

    def mean(times) = times.sum.fdiv(times.size)

    # What collections add to a slice of all, on the average.
    def added(collecting, plain, at_best)
      return 0 if collecting.empty?

      [mean(collecting) - plain, 0].max * collecting.size / @times.size * (at_best / plain)
    end
  end
end
