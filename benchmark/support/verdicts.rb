# frozen_string_literal: true

# Layer: metrics, definition. Holds claims of a table against what was measured.

require_relative "definition"
require_relative "metrics"

module Bench
  # Makes the "claims" of results.json from rows of results.json.
  class Verdicts
    # `judged_as` is :interpreter, :yjit, or nil: then figures are printed without a verdict.
    def initialize(rows, judged_as)
      @judged_as = judged_as
      @rows = rows
    end

    def of(claim)
      required = @judged_as && claim.public_send(@judged_as)
      subject = measured(claim.subject, claim)
      other = claim.over && measured(claim.over, claim, beside: subject)
      verdict = {"claim" => claim.text, "kind" => claim.kind, "metric" => claim.metric, "at" => claim.at,
                 "subject" => subject && subject["contender"], "over" => other && other["contender"],
                 "value" => nil, "value_of_median" => nil, "required" => required, "status" => "not measured"}
      if subject.nil? || (claim.over && other.nil?)
        left_out = [claim.subject, claim.over].compact.any? { |name| measured(name, claim).nil? && left_out?(name, claim) }
        return left_out ? verdict.merge("status" => "not judged") : verdict
      end

      verdict["value"] = value(claim, subject, other)
      verdict["value_of_median"] = value(claim, subject, other, "median")
      verdict.merge("status" => status(claim.kind, verdict["value"], required))
    end

    private

    # By the metric's figure, or that one of its readings.
    def value(claim, subject, other, which = nil)
      metrics = [subject, other].compact.map { |row| row.dig("metrics", claim.metric) }
      metrics = Metrics.alike(*metrics) if other
      mine, theirs = metrics.map { |metric| reading(metric, claim.metric, which) }
      return mine unless theirs

      better = claim.kind == "reach" && Metrics.fetch(claim.metric).better == "lower"
      mine, theirs = theirs, mine if better
      mine.fdiv(theirs) unless theirs.zero?
    end

    def reading(metric, name, which) = which ? metric.fetch(which) : Metrics.figure(name, metric)

    # What counts is what is printed: two decimals.
    def status(kind, value, required)
      return "not measured" unless value
      return "not judged" unless required

      (kind == "reach" ? value.round(2) >= required : value.round(2) <= required) ? "met" : "missed"
    end

    # Was it left out of this run on purpose?
    def left_out?(name, claim)
      @rows.any? { |row| row["status"] == "skipped" && [row["contender"], row["group"]].include?(name) && [nil, claim.at].include?(row["at"]) }
    end

    # The contender's row, or the best row of the group: as it stands to `beside`, since figures of two contenders need not be alike.
    def measured(name, claim, beside: nil)
      rows = @rows.select { |row| row["status"] == "measured" && row["at"] == claim.at && row["metrics"].key?(claim.metric) }
      return rows.find { |row| row["contender"] == name } unless GROUPS.include?(name)

      lower, metric = Metrics.fetch(claim.metric).better == "lower", ->(row) { row.dig("metrics", claim.metric) }
      rows.select { |row| row["group"] == name }.min_by do |row|
        (beside && Metrics.ratio(claim.metric, metric[row], metric[beside]) || Metrics.figure(claim.metric, metric[row])) * (lower ? 1 : -1)
      end
    end
  end
end
