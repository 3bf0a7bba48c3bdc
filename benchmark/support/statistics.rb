# frozen_string_literal: true

# Layer: none below it. Order statistics of samples, and how numbers of one run are set in relation.

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

    # One metric by another: of each the quartile of its better samples. What others do on a shared machine only slows, for seconds at a time
    # and now one contender more than another, and a minimum is one lucky sample; of the estimators tried on eight runs of a table (medians, means,
    # minima, medians of the rounds' ratios), this one agreed best from run to run. nil where the other is 0.
    def self.ratio(mine, theirs)
      one, other = [mine, theirs].map { |metric| undisturbed(metric) }
      one.fdiv(other) unless other.zero?
    end

    # The sample that a quarter of them are not worse than.
    def self.undisturbed(metric)
      sorted = metric["samples"].sort
      sorted.reverse! unless metric["better"] == "lower"
      sorted[(sorted.size - 1) / 4]
    end
  end
end
