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
      PLAIN_CALL = "to_json, json!"

      attr_reader :all

      # The row of ours that others are compared with: the plain call, else what the first claim is
      # about, else the first.
      def self.main(table, at: nil)
        ours = table["rows"].select do |row|
          row["group"] == "ours" && row["status"] == "measured" && row["at"] == at
        end
        names = [PLAIN_CALL, *table["claims"].filter_map { |claim| claim["subject"] }]
        names.filter_map { |name| ours.find { |row| row["contender"] == name } }.first || ours.first
      end

      def initialize(results, setup)
        tables = results["scenarios"].flat_map { |scenario| [scenario].product(scenario["tables"]) }
        @all = tables.select { |_, table| table["setup"] == setup }
                     .product(AGAINST.keys).filter_map { |place, against| compare(*place, against) }
      end

      def of(against) = @all.select { |comparison| comparison.against == against }

      # [scenario, its comparisons, their geometric mean] against that.
      def kinds(against)
        of(against).group_by(&:scenario)
                   .map { |scenario, list| [scenario, list, mean(list.map(&:value))] }
      end

      # Over kinds of work, each of which counts once; nil without any.
      def mean_of_kinds(against)
        means = kinds(against).map(&:last)
        mean(means) unless means.empty?
      end

      # Against the fastest of all others, the worst first.
      def lost
        @all.select { |one| one.against != "Jbuilder" && one.lost? }.sort_by(&:value)
      end

      private

      def mean(values) = Math.exp(values.sum { |value| Math.log(value) } / values.size)

      def compare(scenario, table, against)
        metric, at = METRICS[table["measure"]]
        subject = metric && Comparisons.main(table, at: at)
        return unless subject

        ratios = rows(table, metric, at, against).to_h do |row|
          pair = [row, subject].map { |one| one["metrics"][metric] }
          [row["contender"], Metrics.ratio(metric, *pair)]
        end
        other, value = ratios.select { |_, ratio| ratio&.positive? }.min_by(&:last)
        return unless value

        Comparison.new(scenario: scenario, table: table["name"], against: against, other: other,
                       value: value)
      end

      def rows(table, metric, at, against)
        rows = table["rows"].select { |row| row["at"] == at && row["metrics"].key?(metric) }
        return rows.select { |row| row["group"] == against } unless against == "Jbuilder"

        rows.select { |row| row["contender"].start_with?(against) }
      end
    end
  end
end
