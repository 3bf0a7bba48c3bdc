# frozen_string_literal: true

module Bench
  # Everything that a measurement may be called in results.json. The figure of a `timed` metric is
  # its best sample, since what else the machine does only slows; of all others it is the median.
  module Metrics
    Metric = Struct.new(:unit, :better, :timed, :about)

    ALL = {
      "time" => ["ns", "lower", true, "one call, without the loop around it"],
      "throughput" => ["MB/s", "higher", true, "10^6 bytes of JSON a second"],
      "objects" => ["objects", "lower", false, "Ruby objects allocated by one call"],
      "allocated" => ["B", "lower", false, "slots and malloc, asked for by one call"],
      "rate" => ["ops/s", "higher", true, "calls a second, all workers together"],
      "scaling" => ["×", "higher", true, "rate of n workers by the rate of one"],
      "peak_rss" => ["B", "lower", false, "peak resident memory above idle"],
      "memsize" => ["×", "lower", false, "memory of the String by its length"],
      "peak_share" => ["×", "lower", false, "peak resident memory by the document's length"],
      "by_string" => ["×", "lower", true, "time by that of the same document as a String"],
      "by_ready" => ["×", "lower", true, "time by that of packing a String that is ready"],
      "records_before" => ["records", "lower", false, "asked for when the first byte leaves"],
      "record_time" => ["ns", "lower", true, "one record of many"],
      "growth" => ["×", "lower", true, "time of a record by that among the base's number"],
      "start" => ["ms", "lower", true, "a new process until all was called once"],
      "require" => ["ms", "lower", true, "loading the library"],
      "define" => ["ms", "lower", true, "defining the serializers"],
      "first_calls" => ["ms", "lower", true, "the first call of each serializer"]
    }.transform_values { |fields| Metric.new(*fields) }.freeze

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
