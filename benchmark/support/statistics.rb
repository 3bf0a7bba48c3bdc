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

    # {"unit", "better", "best_third", "median", "samples", "disturbed"} as results.json has it. `calm` tells of each sample whether the core had its full
    # speed (nil: nobody looked): the others are kept, but figures are made without them. `whole`: the same samples with all that strangers did to them, where
    # samples are made of parts that these left alone; figures are made of it where too few were.
    def self.metric(name, samples, calm: nil, whole: nil)
      kind = Metrics.fetch(name)
      disturbed = calm ? samples.each_index.reject { |index| calm[index] } : []
      metric = {"unit" => kind.unit, "better" => kind.better, "samples" => samples, "disturbed" => disturbed}
      metric["whole"] = {"best_third" => best_third(whole, kind.better), "median" => median(whole)} if whole
      return metric.merge(metric["whole"]) if whole && !Metrics.calm?(metric)

      counted = counted(metric)
      metric.merge("best_third" => best_third(counted, kind.better), "median" => median(counted))
    end

    # The samples of a metric of results.json that its figures are made of: not the disturbed ones, where enough others are left.
    def self.counted(metric, samples = metric["samples"])
      disturbed = metric["disturbed"].to_a
      Metrics.calm?(metric) ? samples.reject.with_index { |_, index| disturbed.include?(index) } : samples
    end
  end
end
