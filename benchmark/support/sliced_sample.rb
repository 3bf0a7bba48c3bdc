# frozen_string_literal: true

# Layer: none below it. On the parent's side: what a call takes at a core's full speed, from a sample of which some slices were taken at it.
#
# Strangers on a shared core come and go within milliseconds: between two bursts of theirs it was free for 0.1 ms in the middle, 3 at most, and for
# a tenth to a half of the time in all (2 shared cores of an EPYC, 2026-11-23). A sample of 10 ms was never free of them there; of its slices of 0.15 ms
# the same share was as of time. Of the ratios of any two of 17 processes to each other, five contenders in each, 44 to 72 % agreed within 10 % by whole
# samples, 85 to 95 % by the mean of the free slices, 97 to 100 % by the mean of the better two thirds of them: one that begins right after a burst
# finds its cache taken. (The best third of 20 samples in all cases.)

module Bench
  # Times of slices of so many calls each, how much of each Ruby was collecting garbage, and readings of the Gauge before the first and after each.
  class SlicedSample
    # So many of its slices at full speed make a figure.
    FEWEST = 3
    # Of these the better part counts.
    BETTER = 2 / 3r
    # Nanoseconds. In a slice that is longer than this much strangers may have come and gone between the readings.
    LONG = 500_000
    # With this share of the readings at full speed a sample of such slices is taken to be at it, too.
    NEARLY_ALL = 0.9

    attr_reader :gauges

    # @param answer [Hash] of Bench::Slices#to_h
    def initialize(answer)
      @calls, @times, @collecting, @gauges = answer.values_at("calls", "times", "collecting", "gauges")
    end

    # Nanoseconds of a call, strangers and all.
    # @return [Float]
    def whole = mean(@times) / @calls

    # Whether a slice is too long to be told free by the readings around it.
    def long? = mean(@times) > LONG

    # Nanoseconds of a call by slices with both readings around them within the limit, and whether there were enough; else those of the whole.
    #
    # What Ruby takes to collect garbage counts whether a slice was free or not, since one with a collection is longer and would be found free less often. It is
    # taken to be as much slower than at full speed as everything else.
    # @param limit [Numeric] nanoseconds of a reading
    # @param quiet [Boolean] whether hardly any reading was slow of late; a sample of long slices is at full speed only then
    # @return [Array(Float, Boolean)]
    def at_full_speed(limit, quiet:)
      return [whole, quiet && @gauges.count { |reading| reading <= limit } >= NEARLY_ALL * @gauges.size] if long?

      working = @times.zip(@collecting).map { |time, collecting| time - collecting }
      free = working.select.with_index { |_, index| @gauges[index] <= limit && @gauges[index + 1] <= limit }
      return [whole, false] if free.size < FEWEST

      best = mean(free.min((free.size * BETTER).ceil))
      [(best + (mean(@collecting) * best / mean(working))) / @calls, true]
    end

    private

    def mean(times) = times.sum.fdiv(times.size)
  end
end
