# frozen_string_literal: true

require_relative "../harness/metrics"

module Bench
  module Report
    # Ours against another in one table. Above 1 ours is faster.
    Comparison = Struct.new(:scenario, :table, :against, :other, :value, keyword_init: true) do
      def lost? = value.round(2) < 1
    end

    # How many times as fast ours is as others, under one setup, table by table and kind of work by
    # kind of work: what a person who reads nothing else should know.
    class Comparisons
      AGAINST = {"gem" => "the fastest gem", "hand" => "the fastest by hand",
                 "Jbuilder" => "Jbuilder"}.freeze
      # Which metric is compared, by measure; streams where they go to a file.
      METRICS = {"calls" => ["time", nil], "start" => ["start", nil],
                 "streams" => ["time", "file"]}.freeze
      # Scenario 16 has the plain call in each table too, for the same fields declared plainly.
      MAIN = ["to_json, this way", "to_json, json!"].freeze

      attr_reader :all

      # Two decimals below 10, so that 0.99 is not 1.
      def self.times(ratio)
        "#{format(ratio < 9.995 ? "%.2f" : (ratio < 99.95 ? "%.1f" : "%.0f"), ratio)}×"
      end

      # The row of ours that others are compared with: one of MAIN, else what the first claim is
      # about, else the first.
      def self.main(table, at: nil)
        ours = table["rows"].select do |row|
          row["group"] == "ours" && row["status"] == "measured" && row["at"] == at
        end
        names = [*MAIN, *table["claims"].filter_map { |claim| claim["subject"] }]
        names.filter_map { |name| ours.find { |row| row["contender"] == name } }.first || ours.first
      end

      # The setup whose figures bind: the newest Ruby, with YJIT where it has it.
      def self.setup(results)
        results["setups"].max_by do |setup|
          [Gem::Version.new(setup["id"][/\S+/]), setup["judged_as"] == "yjit" ? 1 : 0]
        end.fetch("id")
      end

      def initialize(results, setup)
        tables = results["scenarios"].flat_map { |scenario| [scenario].product(scenario["tables"]) }
        @all = tables.select { |_, table| table["setup"] == setup }
                     .product(AGAINST.keys).filter_map { |place, against| compare(*place, against) }
      end

      # [scenario, its comparisons, their geometric mean] against that.
      def kinds(against)
        @all.select { |one| one.against == against }.group_by(&:scenario)
            .map { |scenario, list| [scenario, list, mean(list.map(&:value))] }
      end

      # Of kinds of work, each of which counts once.
      def mean(values) = Math.exp(values.sum { |value| Math.log(value) } / values.size)

      # Against the fastest of all others, the worst first.
      def lost
        @all.select { |one| one.against != "Jbuilder" && one.lost? }.sort_by(&:value)
      end

      private

      def compare(scenario, table, against)
        metric, at = METRICS[table["measure"]]
        subject = metric && Comparisons.main(table, at: at)
        return unless subject

        rows = table["rows"].select { |row| row["at"] == at && row["metrics"].key?(metric) }
        rows.select! do |row|
          against == "Jbuilder" ? row["contender"].start_with?(against) : row["group"] == against
        end
        ratios = rows.to_h do |row|
          pair = [row, subject].map { |one| one["metrics"][metric] }
          [row["contender"], Metrics.ratio(metric, *pair)]
        end
        other, value = ratios.select { |_, ratio| ratio&.positive? }.min_by(&:last)
        value && Comparison.new(scenario: scenario, table: table["name"], against: against,
                                other: other, value: value)
      end
    end
  end
end
