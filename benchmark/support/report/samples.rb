# frozen_string_literal: true

# Layer: metrics. Rows of a table of results.json by what became of them, in order, and the spread of their samples.

require_relative "../metrics"
require_relative "../statistics"

module Bench
  module Report
    # Readings of a table.
    module Samples
      # What rows are ordered by where nothing else is said.
      SPEED = %w[time record_time start rate].freeze
      BROKEN = %w[missing failed different].freeze

      class << self
        def measured(table) = table["rows"].select { |row| row["status"] == "measured" && !row["metrics"].empty? }

        # Those that have no figure though one was asked for.
        def broken(table) = table["rows"].select { |row| BROKEN.include?(row["status"]) }

        # The measured rows that have the metric: points in the order of the scenario, the least first in each.
        def sorted(table, name = nil)
          rows = measured(table)
          name ||= SPEED.find { |metric| rows.any? { |row| row["metrics"].key?(metric) } }
          points = table["rows"].map { |row| row["at"] }.uniq
          found = rows.select { |row| row["metrics"].key?(name) }
          found.sort_by.with_index { |row, index| [points.index(row["at"]), Metrics.figure(name, row["metrics"][name]), index] }
        end

        # Where the middle half of them begins and ends.
        def middle(samples)
          sorted = samples.sort
          [sorted[(sorted.size - 1) / 4], sorted[((sorted.size - 1) * 3 / 4.0).ceil]]
        end

        # How wide that is, by the median; nil where that is 0.
        def spread(metric)
          low, high = middle(Statistics.counted(metric))
          (high - low).fdiv(metric["median"]) unless metric["median"].zero?
        end
      end
    end
  end
end
