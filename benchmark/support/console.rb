# frozen_string_literal: true

# Layer: schema. results.json as text for a terminal. Losing rows stand where winning ones do: all
# are sorted by speed, and a missed figure says MISSED.

require_relative "metrics"

module Bench
  # Text of parts of results.json.
  module Console
    COLUMNS = {"time" => ["ns/op", "median"], "throughput" => ["MB/s"], "objects" => ["objects"], "allocated" => ["bytes"],
               "rate" => ["ops/s"], "scaling" => ["scaling"], "record_time" => ["ns/record", "median"], "growth" => ["growth"],
               "by_string" => ["by String"], "by_ready" => ["by ready"], "peak_rss" => ["peak bytes"], "peak_share" => ["peak share"],
               "memsize" => ["memsize"], "records_before" => ["records"], "start" => ["start ms", "median"],
               "require" => ["require"], "define" => ["define"], "first_calls" => ["first calls"]}.freeze

    # The page's head: machine, commit, Rubies, versions.
    def self.head(results)
      machine, commit = results.values_at("machine", "commit")
      lines = ["#{machine["cpu"]}, #{machine["cores"]} cores, #{machine["system"]}; load before: #{machine["load_before"]}",
               "commit #{commit["id"] || "none"}#{" with changes" if commit["changed"]}, #{results["generated_at"]}"]
      results["setups"].each do |setup|
        versions = setup["versions"].map { |name, version| "#{name} #{version}" }.join(", ")
        lines << "#{setup["id"]}: #{setup["ruby"]}; #{versions}"
        setup["missing"].each { |peer, reason| lines << "  #{peer} is missing: #{reason}" }
      end
      lines.join("\n")
    end

    # One table under one setup, with its claims.
    def self.table(scenario, table)
      skipped, rows = table["rows"].partition { |row| row["status"] == "skipped" }
      rows = sorted(rows)
      names = COLUMNS.keys.select { |name| rows.any? { |row| row["metrics"].key?(name) } }
      titles = names.flat_map { |name| COLUMNS.fetch(name) }
      width = rows.map { |row| label(row).size }.max.to_i
      lines = ["", "#{scenario["number"]}. #{scenario["title"]} · #{table["name"]} · Ruby #{table["setup"]}",
               "#{" " * width}#{titles.map { |title| title.rjust(11) }.join}"]
      lines += rows.map { |row| "#{label(row).ljust(width)}#{row["metrics"].empty? ? "  #{reason(row)}" : cells(row, names)}" }
      lines += skipped.group_by { |row| row["error"] }.map { |why, list| "  #{why}: #{rows.empty? ? "all" : list.map { |row| point(row) }.join(", ")}" }
      lines += table["claims"].map { |claim| claim_line(claim) }
      lines.join("\n")
    end

    # How many claims were met, missed, and not measured; every missed one again.
    def self.summary(results)
      claims = results["scenarios"].flat_map do |scenario|
        scenario["tables"].flat_map { |table| table["claims"].map { |claim| ["#{scenario["name"]}, Ruby #{table["setup"]}", claim] } }
      end
      counts = claims.map { |_, claim| claim["status"] }.tally
      failed = claims.select { |_, claim| ["missed", "not measured"].include?(claim["status"]) }
      ["", counts.empty? ? "no claims" : counts.map { |status, count| "#{count} #{status}" }.join(", "),
       *failed.map { |where, claim| "#{where}:#{claim_line(claim)}" }].join("\n")
    end

    # Fastest first; what could not be measured last.
    def self.sorted(rows)
      rows.sort_by.with_index do |row, index|
        name = %w[time record_time start].find { |metric| row["metrics"].key?(metric) }
        [row["metrics"].empty? ? 1 : 0, row["at"].is_a?(Numeric) ? row["at"] : 0, name ? Metrics.figure(name, row["metrics"][name]) : 0, index]
      end
    end

    def self.label(row)
      mark = row["group"] == "ours" ? "▶ " : "  "
      "#{mark}#{point(row)}  (#{row["group"]})"
    end

    def self.point(row) = "#{row["contender"]}#{" × #{row["at"]}" if row["at"]}"

    def self.reason(row) = row["status"] == "equal" ? "equal#{": #{row["differs"]}" if row["differs"]}" : "#{row["status"].upcase}: #{row["error"]}"

    def self.cells(row, names)
      names.flat_map { |name| COLUMNS.fetch(name).each_index.map { |index| cell(name, row.dig("metrics", name), index) } }
           .map { |text| text.rjust(11) }.join
    end

    # The metric's figure; in the second of its columns the median.
    def self.cell(name, metric, column)
      return "–" unless metric

      value = column.zero? ? Metrics.figure(name, metric) : metric.fetch("median")
      case metric["unit"]
      when "objects", "×" then format("%.2f", value)
      when "ops/s", "B" then value.round.to_s
      else format(value < 100 ? "%.1f" : "%.0f", value)
      end
    end

    def self.claim_line(claim)
      sign = claim["kind"] == "reach" ? "≥" : "≤"
      value = claim["value"] ? format("%.2f", claim["value"]) : "–"
      value += format(" (medians %.2f)", claim["value_of_median"]) if claim["value_of_median"] && claim["over"]
      required = claim["required"] ? ", due #{sign} #{claim["required"]}" : ""
      against = claim["over"] && !claim["claim"].end_with?(claim["over"]) ? " [#{claim["over"]}]" : ""
      word = {"met" => "met", "missed" => "MISSED"}.fetch(claim["status"], claim["status"])
      "    #{word.ljust(7)} #{claim["claim"]}#{against}: #{value}#{required}"
    end

    private_class_method :sorted, :label, :point, :reason, :cells, :cell, :claim_line
  end
end
