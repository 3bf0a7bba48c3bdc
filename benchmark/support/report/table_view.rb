# frozen_string_literal: true

# Layer: comparisons, verdict, samples, table_charts. One table of results.json under one setup, as charts, lists and numbers.

require_relative "../metrics"
require_relative "comparisons"
require_relative "samples"
require_relative "table_charts"
require_relative "verdict"

module Bench
  module Report
    # What the page shows of it.
    class TableView
      def initialize(table, cores: nil)
        @table, @cores = table, cores
        @rows = table["rows"]
        @measured = Samples.measured(table)
      end

      def charts = TableCharts.new(@table, cores: @cores).all

      def verdicts = @table["claims"].map { |claim| Verdict.new(claim, @table) }

      # Those that are due, or could not be measured; the others are only printed.
      def due = verdicts.reject { |verdict| verdict.status == "not judged" }
      def printed = verdicts.select { |verdict| verdict.status == "not judged" }

      # [label, status, why] of those that have no figures though they were asked for, and those whose documents differ though they are timed.
      def remarks
        differing = @rows.select { |row| row["differs"] && %w[measured equal].include?(row["status"]) }.uniq { |row| row["contender"] }
        Samples.broken(@table).map { |row| [point(row), row["status"], row["error"]] } +
          differing.map { |row| [row["contender"], "same data, other bytes", row["differs"]] }
      end

      # {why => [labels]} of what was left out.
      def skipped
        @rows.select { |row| row["status"] == "skipped" }.group_by { |row| row["error"] }
             .transform_values { |rows| rows.size == @rows.size ? ["all of this document"] : rows.map { |row| point(row) } }
      end

      def left_out? = @rows.all? { |row| row["status"] == "skipped" }
      def equal_only? = @rows.any? { |row| row["status"] == "equal" }

      # [headings, rows of cells]; the first cell is the label.
      def numbers
        names = Metrics::ALL.keys.select { |name| @measured.any? { |row| row["metrics"].key?(name) } }
        headings = names.flat_map { |name| timed?(name) ? ["#{Names.metric(name)}, best third", "median", "spread"] : [Names.metric(name)] }
        rows = Samples.sorted(@table).map { |row| [point(row), *names.flat_map { |name| cells(name, row["metrics"][name]) }] }
        [["contender", *headings], rows]
      end

      # How large the document is that all write.
      def document_bytes = @rows.filter_map { |row| row["document_bytes"] if row["group"] == "ours" }.first

      # What ours allocates, where there is no chart of it.
      def objects
        counted = @measured.select { |row| row["metrics"].key?("objects") }
        counted.first["metrics"]["objects"]["median"] if counted.size == 1
      end

      private

      def timed?(name) = Samples::SPEED.include?(name)

      def point(row) = "#{row["contender"]}#{" × #{Figures.short(row["at"])}" if row["at"]}"

      def cells(name, metric)
        return Array.new(timed?(name) ? 3 : 1, "–") unless metric

        figure = Figures.metric(Metrics.figure(name, metric), metric["unit"])
        return [figure] unless timed?(name)

        spread = Samples.spread(metric)
        [figure, Figures.metric(metric["median"], metric["unit"]), spread ? Figures.percent(spread) : "–"]
      end
    end
  end
end
