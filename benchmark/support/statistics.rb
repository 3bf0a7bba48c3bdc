# frozen_string_literal: true

# Layer: metrics. Order statistics of samples.

require_relative "metrics"

module Bench
  # Order statistics: what noise of a shared machine leaves standing.
  module Statistics
    # The fewest samples from which a time is made, but for --quick where each takes processes of its own.
    SAMPLES = 9

    # The middle of the sorted samples; of an even number, the mean of the two in the middle.
    def self.median(samples)
      raise ArgumentError, "no samples" if samples.empty?

      sorted = samples.sort
      middle = sorted.size / 2
      sorted.size.odd? ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2.0
    end

    # {"unit", "better", "best", "median", "samples"} as results.json has it.
    def self.metric(name, samples)
      kind = Metrics.fetch(name)
      best = kind.better == "lower" ? samples.min : samples.max
      {"unit" => kind.unit, "better" => kind.better, "best" => best, "median" => median(samples), "samples" => samples}
    end
  end
end
