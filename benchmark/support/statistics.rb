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

    # The mean of the best third of the samples, of one at least: what others do on the machine only slows, so the best tell most; the very best alone may be
    # luck (a call that met a cache as no other did).
    def self.best_third(samples, better)
      raise ArgumentError, "no samples" if samples.empty?

      count = [samples.size / 3, 1].max
      chosen = better == "lower" ? samples.min(count) : samples.max(count)
      (block_given? ? chosen.map { |sample| yield sample } : chosen).sum.fdiv(count)
    end

    # {"unit", "better", "best_third", "median", "samples"} as results.json has it.
    def self.metric(name, samples)
      kind = Metrics.fetch(name)
      {"unit" => kind.unit, "better" => kind.better, "best_third" => best_third(samples, kind.better), "median" => median(samples), "samples" => samples}
    end
  end
end
