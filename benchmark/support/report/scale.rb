# frozen_string_literal: true

# Layer: none below it. Where a value stands on an axis: linear from zero, or logarithmic where the spread asks for it.

module Bench
  module Report
    # An axis; shares are from 0 (left, bottom) to 1.
    class Scale
      # Above this the smallest bars could not be told apart.
      SPREAD = 25

      # For bars over all these values.
      def self.over(values)
        positive = values.select(&:positive?)
        return new(0, 1, log: false) if positive.empty?

        low, high = positive.minmax
        high > low * SPREAD ? new(10.0**Math.log10(low / 1.5).floor, high, log: true) : new(0, high, log: false)
      end

      attr_reader :low, :high

      def initialize(low, high, log:)
        @low, @high, @log = low, high, log
      end

      def log? = @log

      # Outside of the axis is its end.
      def share(value)
        return value <= @low ? 0.0 : [(value - @low).fdiv(@high - @low), 1.0].min unless @log
        return 0.0 if value <= @low

        [Math.log(value.fdiv(@low)) / Math.log(@high.fdiv(@low)), 1.0].min
      end

      # Some round values on it, few enough for a phone; of bytes those that are round in KiB and MiB.
      def ticks(count = 4, bytes: false)
        return powers(count, bytes ? 4 : 10) if @log

        step = steps((@high - @low).fdiv(count), bytes).find { |size| (@high - @low) / size <= count }
        first = (@low / step).ceil
        (first..(@high / step).floor).map { |number| (number * step).round(10) }
      end

      private

      def steps(least, bytes)
        return [1, 2, 4, 8].map { |factor| factor * (2**Math.log2(least).floor) } if bytes && @high >= 10_000

        [1, 2, 2.5, 5, 10].map { |digit| digit * (10.0**Math.log10(least).floor) }
      end

      def powers(count, base)
        exponents = (Math.log(@low, base).round(9).ceil..Math.log(@high, base).round(9).floor).to_a
        exponents.each_slice([exponents.size.fdiv(count + 1).ceil, 1].max).map { |slice| base.to_f**slice.first }
      end
    end
  end
end
