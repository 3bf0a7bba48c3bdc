# frozen_string_literal: true

# Layer: none below it. What a measurement may be called, its unit, and which way is better.

module Bench
  # Every metric of results.json. A new one is a line here; scenarios and reports need no change.
  module Metrics
    Metric = Struct.new(:unit, :better, :about, keyword_init: true)

    # Of these the figure is the mean of the best third of the samples, of all others the median: what others do on a shared machine only slows, not all code
    # alike, and for as long as a whole table takes. Of 1,910 ratios of two whole runs 96.8 % agree within 10 % by it, 93.0 by the best sample, 93.5 by medians.
    BEST_THIRD = %w[time throughput rate record_time first_byte start require define first_calls].freeze

    # So many samples of a core at full speed are worth more than many of a slow one.
    FEWEST_CALM = 3

    ALL = {
      "time" => Metric.new(unit: "ns", better: "lower", about: "one call, the loop's own time taken off"),
      "throughput" => Metric.new(unit: "MB/s", better: "higher", about: "10^6 bytes of JSON a second"),
      "objects" => Metric.new(unit: "objects", better: "lower", about: "Ruby objects allocated by one call"),
      "allocated" => Metric.new(unit: "B", better: "lower", about: "slots and malloc, asked for by one call"),
      "instructions" => Metric.new(unit: "Ir", better: "lower", about: "instructions of one call (callgrind)"),
      "rate" => Metric.new(unit: "ops/s", better: "higher", about: "calls a second, all workers together"),
      "scaling" => Metric.new(unit: "×", better: "higher", about: "rate with n workers by the rate with one"),
      "peak_rss" => Metric.new(unit: "B", better: "lower", about: "peak resident memory above idle"),
      "memsize" => Metric.new(unit: "×", better: "lower", about: "memory of the result by its length"),
      "first_byte" => Metric.new(unit: "ns", better: "lower", about: "until the first byte was delivered"),
      "peak_share" => Metric.new(unit: "×", better: "lower", about: "peak resident memory above idle by the document's length"),
      "by_string" => Metric.new(unit: "×", better: "lower", about: "time by that of the same document as a String"),
      "by_ready" => Metric.new(unit: "×", better: "lower", about: "time by that of packing the same document when it stands there as a String"),
      "records_before" => Metric.new(unit: "records", better: "lower", about: "asked for when the first byte is delivered"),
      "record_time" => Metric.new(unit: "ns", better: "lower", about: "time for one record of many"),
      "growth" => Metric.new(unit: "×", better: "lower", about: "time for one record by that of the size that is the base"),
      "start" => Metric.new(unit: "ms", better: "lower", about: "until all was called once, a new process each: the three that follow"),
      "require" => Metric.new(unit: "ms", better: "lower", about: "loading the library"),
      "define" => Metric.new(unit: "ms", better: "lower", about: "defining serializers, compiling them where the library does it then"),
      "first_calls" => Metric.new(unit: "ms", better: "lower", about: "the first call of each serializer")
    }.freeze

    # The metric of that name; an unknown one is an error of the scenario.
    def self.fetch(name)
      ALL.fetch(name) { raise ArgumentError, "unknown metric #{name.inspect}; there are #{ALL.keys.join(", ")}" }
    end

    # The figure of a metric of that name, as results.json has it.
    def self.figure(name, metric) = metric.fetch(BEST_THIRD.include?(name) ? "best_third" : "median")

    # Whether the figures of a metric of results.json are made of calm samples alone, or of all of them since too few were.
    def self.calm?(metric) = metric["samples"].size - metric["disturbed"].to_a.size >= FEWEST_CALM

    # Two metrics that may be set in relation: unless strangers left both alone, as they were with all that these did. nil may be one of them.
    def self.alike(one, other)
      both = [one, other]
      return both if both.any? { |metric| metric.nil? || metric["whole"].nil? } || both.all? { |metric| calm?(metric) }

      both.map { |metric| metric.merge(metric["whole"]) }
    end

    # The figure of one by that of the other; nil where that is 0.
    def self.ratio(name, mine, theirs)
      one, other = alike(mine, theirs).map { |metric| figure(name, metric) }
      one.fdiv(other) unless other.zero?
    end
  end
end
