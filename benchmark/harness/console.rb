# frozen_string_literal: true

require_relative "metrics"

module Bench
  # Parts of results.json as text for a terminal. A row that loses stands where a winning one does:
  # all are sorted by speed, and a missed figure says MISSED.
  module Console
    # What rows are sorted by; the median is printed, too.
    SPEED = %w[time record_time start].freeze
    # What is drawn as a bar, the first that a row has.
    DRAWN = %w[time start growth scaling peak_rss].freeze
    BAR = 20

    class << self
      # Machine, commit, Rubies, versions.
      def head(results)
        machine, commit = results.values_at("machine", "commit")
        setups = results["setups"].flat_map do |setup|
          versions = setup["versions"].map { |pair| pair.join(" ") }.join(", ")
          ["#{setup["id"]}: #{setup["ruby"]}; #{versions}",
           *setup["missing"].map { |peer, why| "  #{peer} is missing: #{why}" }]
        end
        ["#{machine["cpu"]}, #{machine["cores"]} cores; load before: #{machine["load_before"]}",
         "commit #{commit["id"] || "none"}#{" with changes" if commit["changed"]}", *setups]
      end

      # One table under one setup, with its claims.
      def table(scenario, table)
        skipped, rows = table["rows"].partition { |row| row["status"] == "skipped" }
        names = Metrics::ALL.keys.select { |name| rows.any? { |row| row["metrics"].key?(name) } }
        width = rows.map { |row| label(row).size }.max.to_i
        titles = names.flat_map { |name| [name.tr("_", " "), *("median" if SPEED.include?(name))] }
        title = "#{scenario["number"]}. #{scenario["title"]}"
        lines = sorted(rows).map do |row|
          "#{label(row).ljust(width)}#{cells(row, names)}#{bar(row, rows)}"
        end
        left_out = skipped.group_by { |row| row["error"] }.map do |why, list|
          "  #{why}: #{rows.empty? ? "all" : list.map { |row| point(row) }.join(", ")}"
        end
        ["", "#{title} · #{table["name"]} · Ruby #{table["setup"]}",
         "#{" " * width}#{titles.map { |one| one.rjust(12) }.join}", *lines, *left_out,
         *table["claims"].map { |claim| claim_line(claim) }]
      end

      # How many claims were met, missed, and not measured; every missed one again.
      def summary(results)
        tables = results["scenarios"].flat_map { |scenario| [scenario].product(scenario["tables"]) }
        claims = tables.flat_map do |scenario, table|
          ["#{scenario["name"]}, Ruby #{table["setup"]}"].product(table["claims"])
        end
        counts = claims.map { |_, claim| claim["status"] }.tally
        failed = claims.select { |_, claim| ["missed", "not measured"].include?(claim["status"]) }
        ["", counts.map { |status, count| "#{count} #{status}" }.join(", "),
         *failed.map { |where, claim| "#{where}:#{claim_line(claim)}" }]
      end

      # A claim with its value and what is due.
      def claim(claim)
        value = claim["value"] ? format("%.2f", claim["value"]) : "–"
        sign, over = claim["kind"] == "reach" ? "≥" : "≤", claim["over"]
        due = ", due #{sign} #{claim["required"]}" if claim["required"]
        over = over && !claim["claim"].end_with?(over) ? " [#{over}]" : ""
        "#{claim["claim"]}#{over}: #{value}#{due}"
      end

      private

      # Fastest first; what could not be measured last.
      def sorted(rows)
        rows.sort_by.with_index do |row, index|
          name = SPEED.find { |metric| row["metrics"].key?(metric) }
          [row["metrics"].empty? ? 1 : 0, row["at"].is_a?(Numeric) ? row["at"] : 0,
           name ? Metrics.figure(name, row["metrics"][name]) : 0, index]
        end
      end

      def label(row) = "#{row["group"] == "ours" ? "▶" : " "} #{point(row)}  (#{row["group"]})"
      def point(row) = [row["contender"], *row["at"]].join(" × ")

      def cells(row, names)
        return "  equal#{": #{row["differs"]}" if row["differs"]}" if row["status"] == "equal"
        return "  #{row["status"].upcase}: #{row["error"]}" if row["metrics"].empty?

        names.flat_map do |name|
          metric = row["metrics"][name]
          values = [metric && Metrics.figure(name, metric), metric && metric["median"]]
          values.first(SPEED.include?(name) ? 2 : 1).map { |value| number(value).rjust(12) }
        end.join
      end

      # Its length is the row's figure beside the table's greatest.
      def bar(row, rows)
        name = DRAWN.find { |metric| row["metrics"].key?(metric) } or return
        most = rows.filter_map { |one| one["metrics"][name] }
                   .map { |metric| Metrics.figure(name, metric) }.max
        if most.positive?
          "  #{"█" * (Metrics.figure(name, row["metrics"][name]) * BAR / most).ceil}"
        end
      end

      def number(value)
        value ? (value < 1000 ? format("%.2f", value) : value.round.to_s) : "–"
      end

      def claim_line(claim)
        word = claim["status"] == "missed" ? "MISSED" : claim["status"]
        "    #{word.ljust(7)} #{claim(claim)}"
      end
    end
  end
end
