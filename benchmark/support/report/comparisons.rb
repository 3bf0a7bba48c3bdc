# frozen_string_literal: true

# Layer: metrics, main_contender. How many times as fast ours is as others, table by table and kind of work by kind of work: what a person who reads
# nothing else should know. From results.json alone.

require_relative "../main_contender"
require_relative "../metrics"

module Bench
  module Report
    # Ours against another in one table. Above 1 ours is faster.
    Comparison = Struct.new(:scenario, :table, :against, :subject, :other, :value, keyword_init: true) do
      def lost? = value.round(2) < 1
    end

    # All comparisons of one setup.
    class Comparisons
      AGAINST = {"gem" => "the fastest gem", "hand" => "the fastest by hand", "Jbuilder" => "Jbuilder"}.freeze
      # Which metric is compared, by measure; streams where they go to a file.
      METRICS = {"calls" => ["time", nil], "start" => ["start", nil], "streams" => ["time", "file"]}.freeze

      attr_reader :all

      def initialize(results, setup)
        tables = results["scenarios"].flat_map { |scenario| scenario["tables"].map { |table| [scenario, table] } }
        tables = tables.select { |_, table| table["setup"] == setup }
        @all = tables.flat_map { |scenario, table| AGAINST.keys.filter_map { |against| compare(scenario, table, against) } }
      end

      # The row that stands for ours (Bench::MainContender).
      def self.main(table, at: nil)
        ours = table["rows"].select { |row| row["group"] == "ours" && row["status"] == "measured" && row["at"] == at }
        name = MainContender.of(ours.map { |row| row["contender"] }, table["claims"].filter_map { |claim| claim["subject"] })
        ours.find { |row| row["contender"] == name }
      end

      def of(against) = @all.select { |comparison| comparison.against == against }

      # [scenario, its comparisons, their geometric mean] against that, in the order of scenarios.
      def kinds(against) = of(against).group_by(&:scenario).map { |scenario, list| [scenario, list, mean(list.map(&:value))] }

      # Over kinds of work, each of which counts once; nil without any.
      def mean_of_kinds(against)
        means = kinds(against).map(&:last)
        mean(means) unless means.empty?
      end

      # Against the fastest of all others, the worst first.
      def lost = @all.reject { |comparison| comparison.against == "Jbuilder" }.select(&:lost?).sort_by(&:value)

      private

      def mean(values) = Math.exp(values.sum { |value| Math.log(value) } / values.size)

      def compare(scenario, table, against)
        metric, at = METRICS[table["measure"]]
        return nil unless metric && (subject = Comparisons.main(table, at: at))

        rows = table["rows"].select { |row| row["status"] == "measured" && row["at"] == at && row["metrics"].key?(metric) }
        rows = rows.select { |row| against == "Jbuilder" ? row["contender"].start_with?(against) : row["group"] == against }
        ratio = ->(row) { Metrics.ratio(metric, *[row, subject].map { |one| one["metrics"][metric] }) }
        other = rows.select { |row| ratio[row]&.positive? }.min_by(&ratio) or return nil
        value = ratio[other]

        Comparison.new(scenario: scenario, table: table["name"], against: against, subject: subject["contender"], other: other["contender"], value: value)
      end
    end
  end
end
