# frozen_string_literal: true

# Layer: report/comparisons, report/samples, report/figures. Do two runs tell the same? Each contender's time by that of ours, in one and in the
# other results.json; what differs is told with the spread of its samples.

require_relative "report/comparisons"
require_relative "report/figures"
require_relative "report/samples"

module Bench
  # Ratios of two runs side by side.
  class Agreement
    # So near they must be, and so many of them.
    WITHIN, SHARE = 0.10, 0.95

    # One contender's ratio in both runs, with the widest spread of the four figures that it is made of. `judged`: under a setup whose figures bind;
    # others have fewer samples.
    Ratio = Struct.new(:place, :first, :second, :spread, :judged, keyword_init: true) do
      # By how much the greater is above the lesser.
      def apart = [first.fdiv(second), second.fdiv(first)].max - 1
      def agrees? = apart <= WITHIN
    end

    def initialize(first, second)
      one, other = [first, second].map { |results| of_run(results) }
      @ratios = (one.keys & other.keys).map do |place|
        Ratio.new(place: place, first: one[place][0], second: other[place][0], spread: [one[place][1], other[place][1]].max, judged: one[place][2])
      end
    end

    attr_reader :ratios

    # How many of those that are judged agree.
    def share = share_of(@ratios.select(&:judged))

    # Do enough of them?
    def sound? = @ratios.any?(&:judged) && share >= SHARE

    def text
      return "the runs have no ratio in common" if @ratios.empty?

      apart = @ratios.reject(&:agrees?).sort_by { |ratio| -ratio.apart }
      judged, others = @ratios.partition(&:judged)
      [*apart.map { |ratio| line(ratio) }, *told(others, "ratios that are printed only"), *told(judged, "ratios in both runs", due: true)].join("\n")
    end

    private

    def share_of(ratios) = ratios.count(&:agrees?).fdiv(ratios.size)

    def told(ratios, what, due: false)
      return if ratios.empty?

      text = format("%d %s; %.1f %% agree within %d %%", ratios.size, what, share_of(ratios) * 100, (WITHIN * 100).round)
      due ? format("%s, due %d %%", text, (SHARE * 100).round) : text
    end

    def line(ratio)
      "#{ratio.place}: #{Report::Figures.times(ratio.first)} and #{Report::Figures.times(ratio.second)}, #{Report::Figures.percent(ratio.apart)} apart; " \
        "the middle half of the samples is up to #{Report::Figures.percent(ratio.spread)} wide"
    end

    # {place => [ratio, spread, judged]}.
    def of_run(results)
      judged = results["setups"].to_a.select { |setup| setup["judged_as"] }.map { |setup| setup["id"] }
      results["scenarios"].flat_map { |scenario| scenario["tables"].flat_map { |table| of_table(scenario, table, judged.include?(table["setup"])) } }.to_h
    end

    def of_table(scenario, table, judged)
      rows = Report::Samples.sorted(table)
      metric = rows.empty? ? nil : Report::Samples::SPEED.find { |name| rows.first["metrics"].key?(name) }
      rows.filter_map do |row|
        ours = Report::Comparisons.main(table, at: row["at"])
        next if ours.nil? || ours.equal?(row)

        both = [row, ours].map { |one| one["metrics"][metric] }
        next if both.any? { |found| found.nil? || found["samples"].any?(&:zero?) }

        place = "#{scenario["name"]}, #{table["name"]}, #{table["setup"]}: #{row["contender"]}#{" × #{row["at"]}" if row["at"]}"
        [place, [Metrics.ratio(metric, *both), both.map { |found| Report::Samples.spread(found) }.max, judged]]
      end
    end
  end
end
