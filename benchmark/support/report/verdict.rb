# frozen_string_literal: true

# Layer: bounds, figures, names. A claim of results.json as a line of the page; of a missed one also how far away it is and what a lower bound
# reaches against the same.

require_relative "bounds"
require_relative "figures"
require_relative "names"

module Bench
  module Report
    # A claim in its table.
    class Verdict
      WORDS = {"met" => "met", "missed" => "MISSED", "not judged" => "not judged", "not measured" => "not measured"}.freeze

      def initialize(claim, table)
        @claim, @table = claim, table
      end

      def status = @claim["status"]
      def word = WORDS.fetch(status)
      def missed? = status == "missed"

      # What is compared; a group is named by who was its best.
      def text
        over, metric, at = @claim.values_at("over", "metric", "at")
        text = @claim["claim"].sub(" the #{metric} of ", " the #{Names.metric(metric)} of ").sub(/: #{metric}\z/, ": #{Names.metric(metric)}")
        text = text.sub(" at #{at}:", " at #{Figures.short(at)}:") if at
        over && !text.end_with?(over) ? "#{text} (#{over})" : text
      end

      def value = @claim["value"] ? figure(@claim["value"]) : "–"

      def required = @claim["required"] ? "#{@claim["kind"] == "reach" ? "≥" : "≤"} #{figure(@claim["required"])}" : "–"

      # How far it is from what is due, and what bounds it, as far as it was measured.
      def bound
        return nil unless missed?

        [distance, *bounds].join("; ")
      end

      private

      def figure(value)
        return Figures.times(value) if @claim["over"]

        unit = @table["rows"].filter_map { |row| row.dig("metrics", @claim["metric"], "unit") }.first
        Figures.metric(value, unit || "")
      end

      def distance
        return "nothing measured" unless @claim["value"]

        ratio = @claim["value"].fdiv(@claim["required"])
        "#{Figures.percent((ratio - 1).abs)} #{ratio < 1 ? "below" : "above"} what is due"
      end

      def bounds
        Bound.all(@claim, @table).map { |bound| "#{bound.contender} #{bound.short ? "misses it too" : "would meet it"} (#{figure(bound.reached)})" }
      end
    end
  end
end
