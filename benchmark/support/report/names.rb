# frozen_string_literal: true

# Layer: none below it. What metrics and points are called on the page.

require_relative "figures"

module Bench
  module Report
    # Words for what results.json names shortly.
    module Names
      METRICS = {"time" => "time", "record_time" => "time of a record", "peak_rss" => "peak memory above idle",
                 "peak_share" => "peak memory by the document's size", "by_string" => "time by that as a String",
                 "by_ready" => "time by that of packing a ready String",
                 "throughput" => "speed", "records_before" => "records before the first byte", "memsize" => "memory of the String by its length",
                 "growth" => "time of a record by that of the base"}.freeze

      def self.metric(name) = METRICS.fetch(name) { name.tr("_", " ") }

      # The heading of a group of bars; `measure` is the table's.
      def self.point(at, measure)
        return at == "String" ? "as a String" : "to: #{at}" unless at.is_a?(Numeric)

        measure == "parallel" ? "with #{at}" : "× #{Figures.short(at)}"
      end
    end
  end
end
