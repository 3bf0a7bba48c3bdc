# frozen_string_literal: true

# Layer: comparisons, bars, lines, names. The pictures of one table of results.json under one setup, by the way it was measured.

require_relative "bars"
require_relative "comparisons"
require_relative "lines"
require_relative "names"
require_relative "samples"
require_relative "../statistics"

module Bench
  module Report
    # Charts, each with a heading; `keys` are [class, label] of what colours mean.
    class TableCharts
      Chart = Struct.new(:title, :note, :keys, :svg, keyword_init: true)
      # What a start is made of.
      STEPS = %w[require define first_calls].freeze

      # `cores` of the machine bound what scaling can be.
      def initialize(table, cores: nil)
        @table, @cores = table, cores
        @rows = table["rows"]
        @measured = Samples.measured(table)
      end

      def all
        return [] if @measured.empty?

        drawn =
          case @table["measure"]
          when "growth" then [lines("growth", "Time for one record, by that among #{Figures.short(@table.dig("options", "base") || 1_000)}", "records")]
          when "parallel" then [lines("scaling", "Calls a second, by those of one worker", workers), bars("rate", "Calls a second, all workers together")]
          when "streams" then [bars("peak_rss", "Peak memory above idle"), bars("time", "Time for the document")]
          when "start" then [bars("start", "Start: #{STEPS.map { |step| step.tr("_", " ") }.join(", ")}", parts: STEPS)]
          else [bars("time", "Time of one call"), memory]
          end
        drawn.compact
      end

      private

      def workers = @table.dig("options", "kind") || "workers"

      def figure(row, name) = row.dig("metrics", name)&.then { |metric| Metrics.figure(name, metric) }

      def with(name) = @measured.select { |row| row["metrics"].key?(name) }

      # Bytes where malloc was counted, else objects; of ours alone it is no picture.
      def memory
        return bars("allocated", "Memory allocated by one call", objects: true) unless with("allocated").empty?

        bars("objects", "Objects allocated by one call") if with("objects").size > 1
      end

      # Bars in groups by point; beside each figure stands what it is by that of ours, or how many objects.
      def bars(name, title, parts: nil, objects: false)
        groups = Samples.sorted(@table, name).group_by { |row| row["at"] }
        return nil if groups.empty?

        list = groups.flat_map do |at, rows|
          ours = Comparisons.main(@table, at: at)&.dig("metrics", name)
          rows.each_with_index.map do |row, index|
            bar(row, name, aside(row, name, ours, objects), parts, at && index.zero? ? Names.point(at, @table["measure"]) : nil)
          end
        end
        unit = groups.values.first.first["metrics"][name]["unit"]
        Chart.new(title: title, note: note(name, groups.keys.first, objects), keys: [], svg: Bars.svg(list + absent(groups.keys), unit: unit, about: title))
      end

      def note(name, at, objects)
        return "beside each figure: objects" if objects

        main = Comparisons.main(@table, at: at)
        return "" unless main

        "beside each figure: by that of #{main["contender"]}#{"; more is better" if main.dig("metrics", name, "better") == "higher"}"
      end

      def aside(row, name, ours, objects)
        return (count = figure(row, "objects")) && "#{Figures.three(count)} obj." if objects

        ours && Metrics.ratio(name, row["metrics"][name], ours)&.then { |ratio| Figures.times(ratio) }
      end

      def bar(row, name, aside, parts, heading)
        metric = row["metrics"][name]
        low, high = Samples.middle(Statistics.counted(metric))
        Bar.new(label: row["contender"], group: row["group"], value: figure(row, name), text: Figures.metric(figure(row, name), metric["unit"]),
                aside: aside, low: low, high: high, parts: parts&.map { |part| of_best(row, name, part) }, heading: heading)
      end

      # What a part had in the samples that the figure of the whole is made of.
      def of_best(row, name, part)
        parts, whole = row.dig("metrics", part, "samples"), row["metrics"][name]
        return 0 unless parts

        Statistics.best_third(Statistics.counted(whole, whole["samples"].zip(parts)), "lower", &:last)
      end

      # Peers without a figure stand in the chart too.
      def absent(points)
        Samples.broken(@table).each_with_index.map do |row, index|
          Bar.new(label: row["contender"], group: row["group"], text: row["status"], heading: ("not measured" if index.zero? && points != [nil]))
        end
      end

      def lines(name, title, across)
        rows = with(name).select { |row| row["at"].is_a?(Numeric) }
        list = rows.group_by { |row| row["contender"] }.each_with_index.map do |(contender, of), index|
          Line.new(label: contender, group: of.first["group"], style: "l#{index}", points: of.map { |row| [row["at"], figure(row, name)] }.sort)
        end
        list << ideal(rows) if name == "scaling" && @cores
        keys = list.map { |line| [line.style, line.label] }
        Chart.new(title: "#{title}, over #{across}", note: "", keys: keys, svg: Lines.svg(list, about: title, across: across))
      end

      # As many times as there are workers, as far as there are cores.
      def ideal(rows)
        Line.new(label: "ideal on #{@cores} cores", style: "ideal", points: rows.map { |row| row["at"] }.uniq.sort.map { |at| [at, [at, @cores].min] })
      end
    end
  end
end
