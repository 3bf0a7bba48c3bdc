# frozen_string_literal: true

# Layer: none below it. Order statistics of samples, and how numbers of one run are set in relation.

module Bench
  # Minimum and median: the only two that noise of a shared machine leaves standing.
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

    # One metric by another, round by round, and the median of that: what slows a shared machine down for seconds slows both samples of a
    # round. Of medians where the rounds are not the same. nil where the other is 0.
    def self.ratio(mine, theirs)
      pairs = mine["samples"].size == theirs["samples"].size ? mine["samples"].zip(theirs["samples"]) : [[mine["median"], theirs["median"]]]
      median(pairs.map { |one, other| one.fdiv(other) }) if pairs.none? { |_, other| other.zero? }
    end
  end
end
