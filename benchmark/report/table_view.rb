# frozen_string_literal: true

require_relative "bars"
require_relative "bound"
require_relative "comparisons"

module Bench
  module Report
    # One table of results.json under one setup, as charts, lists and numbers.
    class TableView
      # The charts of each measure: [metric, title].
      CHARTS = {
        "calls" => [["time", "Time of one call"], ["allocated", "Memory allocated by one call"]],
        "growth" => [["growth", "Time for one record, by that among the base's number"]],
        "parallel" => [["scaling", "Calls a second, by those of one worker"],
                       ["rate", "Calls a second, all workers together"]],
        "streams" => [["peak_rss", "Peak memory above idle"], ["time", "Time for the document"]],
        "start" => [["start", "Start: require, define, first calls"]]
      }.freeze
      Chart = Struct.new(:title, :note, :svg)
      # What the table of all figures is sorted by, and of what it has the median, too.
      SPEED = %w[time record_time start rate].freeze

      def initialize(table)
        @table, @rows = table, table["rows"]
        @measured = @rows.select { |row| row["status"] == "measured" && !row["metrics"].empty? }
      end

      def charts
        CHARTS.fetch(@table["measure"]).filter_map { |name, title| chart(name, title) }
      end

      def claims = @table["claims"]

      # "to_json: times better than hand (JSON::Coder)"
      def claim_text(claim)
        over = claim["over"]
        named = over.nil? || claim["claim"].end_with?(over)
        named ? claim["claim"] : "#{claim["claim"]} (#{over})"
      end

      def claim_value(claim, key)
        return "–" unless claim[key]
        return Figures.times(claim[key]) if claim["over"]

        Figures.metric(claim[key], Metrics.fetch(claim["metric"]).unit)
      end

      # How far a missed figure is from what is due, and what bounds it.
      def shortfall(claim)
        return unless claim["status"] == "missed"

        ratio = claim["value"].fdiv(claim["required"])
        far = "#{Figures.percent((ratio - 1).abs)} #{ratio < 1 ? "below" : "above"} what is due"
        bounds = Bound.all(claim, @table).map do |bound|
          reached = claim_value({**claim, "value" => bound.reached}, "value")
          "#{bound.contender} #{bound.short ? "misses it too" : "would meet it"} (#{reached})"
        end
        [far, *bounds].join("; ")
      end

      # [label, status, why] of rows without figures that were asked for, and of those whose
      # documents differ though they are timed.
      def remarks
        differing = @rows.select { |row| row["differs"] && row["status"].match?(/measured|equal/) }
        broken.map { |row| [point(row), row["status"], row["error"]] } +
          differing.map { |row| [row["contender"], "other bytes", row["differs"]] }.uniq
      end

      # {why => labels} of what was left out.
      def skipped
        rows = @rows.select { |row| row["status"] == "skipped" }
        rows.group_by { |row| row["error"] }
            .transform_values { |list| list.size == @rows.size ? ["all"] : list.map { |row| point(row) } }
      end

      # [headings, rows of cells]; the first cell is the label.
      def numbers
        names = Metrics::ALL.keys.select { |name| @measured.any? { |row| row["metrics"].key?(name) } }
        headings = names.flat_map { |name| [name.tr("_", " "), *("median" if SPEED.include?(name))] }
        speed = SPEED.find { |name| names.include?(name) }
        rows = (speed ? sorted(speed) : @measured).map do |row|
          [point(row), *names.flat_map { |name| cells(name, row["metrics"][name]) }]
        end
        [["contender", *headings], rows]
      end

      # How large the document is that all write.
      def document_bytes
        @rows.filter_map { |row| row["document_bytes"] if row["group"] == "ours" }.first
      end

      private

      def broken = @rows.select { |row| %w[missing failed different].include?(row["status"]) }
      def point(row) = [row["contender"], *at(row["at"])].join(" × ")
      def at(at) = at.is_a?(Numeric) ? Figures.short(at) : at

      def cells(name, metric)
        values = metric ? [Metrics.figure(name, metric), metric["median"]] : [nil, nil]
        values.first(SPEED.include?(name) ? 2 : 1)
              .map { |value| value ? Figures.metric(value, metric["unit"]) : "–" }
      end

      # Points in the order of the table, the least first in each.
      def sorted(name)
        points = @rows.map { |row| row["at"] }.uniq
        @measured.select { |row| row["metrics"].key?(name) }.sort_by.with_index do |row, index|
          [points.index(row["at"]), Metrics.figure(name, row["metrics"][name]), index]
        end
      end

      # Bars in groups by point; beside each figure stands what it is by that of ours.
      def chart(name, title)
        groups = sorted(name).group_by { |row| row["at"] }
        return if groups.empty?

        bars = groups.flat_map do |at, rows|
          main = Comparisons.main(@table, at: at)
          rows.map.with_index { |row, i| bar(row, name, main, (at(at).to_s if at && i.zero?)) }
        end
        absent = broken.map { |row| Bar.new(label: point(row), group: row["group"], text: row["status"]) }
        unit = Metrics.fetch(name).unit
        Chart.new(title, note(groups.keys.first), Bars.svg(bars + absent, unit: unit, about: title))
      end

      def note(at)
        main = Comparisons.main(@table, at: at)
        main ? "beside each figure: by that of #{main["contender"]}" : ""
      end

      def bar(row, name, main, heading)
        metric = row["metrics"][name]
        figure = Metrics.figure(name, metric)
        ours = main&.dig("metrics", name)
        ratio = ours && Metrics.ratio(name, metric, ours)
        Bar.new(label: row["contender"], group: row["group"], value: figure, heading: heading,
                text: Figures.metric(figure, metric["unit"]), aside: ratio && Figures.times(ratio))
      end
    end
  end
end
