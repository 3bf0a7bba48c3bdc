# frozen_string_literal: true

require_relative "bars"
require_relative "comparisons"

module Bench
  module Report
    # The charts of one table of results.json: bars in groups by point, beside each figure what it
    # is by that of ours.
    class Charts
      # By measure: [metric, title].
      SHOWN = {
        "calls" => [["time", "Time of one call"], ["allocated", "Memory allocated by one call"]],
        "growth" => [["growth", "Time for one record, by that among the base's number"]],
        "parallel" => [["scaling", "Calls a second, by those of one worker"],
                       ["rate", "Calls a second, all workers together"]],
        "streams" => [["peak_rss", "Peak memory above idle"], ["time", "Time for the document"]],
        "start" => [["start", "Start: require, define, first calls"]]
      }.freeze
      BROKEN = %w[missing failed different].freeze

      def initialize(table)
        @table = table
      end

      # [title, picture] of each.
      def all
        SHOWN.fetch(@table["measure"]).filter_map do |name, title|
          bars = bars(name)
          unit = Metrics.fetch(name).unit
          [title, Bars.svg(bars + broken, unit: unit, about: title)] unless bars.empty?
        end
      end

      private

      def bars(name)
        rows = @table["rows"].select { |row| row.dig("metrics", name) }
        rows.group_by { |row| row["at"] }.flat_map do |at, group|
          main = Comparisons.main(@table, at: at)&.dig("metrics", name)
          sorted = group.sort_by { |row| Metrics.figure(name, row["metrics"][name]) }
          sorted.each_with_index.map { |row, i| bar(row, name, main, (point(at) if at && i.zero?)) }
        end
      end

      def point(at) = at.is_a?(Numeric) ? "× #{Figures.short(at)}" : "to: #{at}"

      def bar(row, name, main, heading)
        metric = row["metrics"][name]
        figure, ratio = Metrics.figure(name, metric), main && Metrics.ratio(name, metric, main)
        Bar.new(label: row["contender"], group: row["group"], value: figure, heading: heading,
                text: Figures.metric(figure, metric["unit"]), aside: ratio && Figures.times(ratio))
      end

      # Peers without a figure stand in the chart too.
      def broken
        rows = @table["rows"].select { |row| BROKEN.include?(row["status"]) }
        rows.map do |row|
          Bar.new(label: row["contender"], group: row["group"], text: row["status"])
        end
      end
    end
  end
end
