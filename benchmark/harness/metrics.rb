# frozen_string_literal: true

require "yaml"

module Bench
  # What metrics.yml lists. The figure of a `timed` metric is its best sample, since what else the
  # machine does only slows; of all others it is the median.
  module Metrics
    Metric = Struct.new(:unit, :better, :timed)
    ALL = YAML.safe_load_file(File.join(__dir__, "metrics.yml"))
              .transform_values { |fields| Metric.new(*fields) }.freeze

    class << self
      # The metric of that name; an unknown one is a mistake in a scenario.
      def fetch(name)
        ALL.fetch(name) do
          raise ArgumentError, "unknown metric #{name.inspect}; there are #{ALL.keys.join(", ")}"
        end
      end

      def lower?(name) = fetch(name).better == "lower"

      # Samples as results.json has them.
      def of(name, samples)
        best = lower?(name) ? samples.min : samples.max
        entry(name, best, median(samples), samples.size)
      end

      # A metric that is one measurement by another.
      def quotient(name, one, other)
        entry(name, one["best"].fdiv(other["best"]), one["median"].fdiv(other["median"]),
              one["samples"])
      end

      # A metric that is one measurement less another.
      def difference(name, one, other)
        entry(name, *%w[best median].map { |which| one[which] - other[which] }, one["samples"])
      end

      def figure(name, metric) = metric.fetch(fetch(name).timed ? "best" : "median")

      # The figure of one by that of the other; nil where that is 0.
      def ratio(name, one, other)
        divisor = figure(name, other)
        figure(name, one).fdiv(divisor) unless divisor.zero?
      end

      def median(samples)
        raise ArgumentError, "no samples" if samples.empty?

        sorted, middle = samples.sort, samples.size / 2
        samples.size.odd? ? sorted[middle] : sorted[middle - 1, 2].sum / 2.0
      end

      private

      def entry(name, best, median, samples)
        {"unit" => fetch(name).unit, "better" => fetch(name).better, "best" => best,
         "median" => median, "samples" => samples}
      end
    end
  end
end
