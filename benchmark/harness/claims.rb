# frozen_string_literal: true

require_relative "table"

module Bench
  # Holds the claims of a table against its rows of results.json.
  class Claims
    # A ratio of times so near to its figure is met: two runs of the same code differ by as much.
    NEAR = 0.05

    # `judged_as` is "interpreter", "yjit", or nil: then figures are printed without a verdict.
    def initialize(rows, judged_as)
      @rows, @judged_as = rows, judged_as
    end

    # Whether the value reaches what is due, to two decimals.
    def self.met?(kind, metric, over, value, required)
      near = over || Metrics.fetch(metric).unit == "×" ? NEAR : 0
      near = 0 unless Metrics.fetch(metric).timed
      return value.round(2) >= (required * (1 - near)).round(2) if kind == "reach"

      value.round(2) <= (required * (1 + near)).round(2)
    end

    # The claim as results.json has it.
    def of(claim)
      subject, other = [claim.subject, claim.over].map { |name| name && row(name, claim) }
      verdict = {"claim" => claim.text, "kind" => claim.kind, "metric" => claim.metric,
                 "at" => claim.at, "subject" => subject&.fetch("contender"),
                 "over" => other&.fetch("contender"), "value" => nil,
                 "required" => @judged_as && claim[@judged_as]}
      missing = subject.nil? || (claim.over && other.nil?)
      verdict["value"] = value(claim, subject, other) unless missing
      verdict.merge("status" => missing ? status_of_missing(claim) : status(claim, verdict))
    end

    private

    def value(claim, subject, other)
      mine = subject["metrics"][claim.metric]
      return Metrics.figure(claim.metric, mine) unless other

      pair = [mine, other["metrics"][claim.metric]]
      pair.reverse! if claim.kind == "reach" && Metrics.lower?(claim.metric)
      Metrics.ratio(claim.metric, *pair)
    end

    def status(claim, verdict)
      value, required = verdict.values_at("value", "required")
      return "not measured" unless value
      return "not judged" unless required

      met = Claims.met?(claim.kind, claim.metric, claim.over, value, required)
      met ? "met" : "missed"
    end

    # What was left out of this run on purpose is not judged.
    def status_of_missing(claim)
      names = [claim.subject, claim.over].compact.select { |name| row(name, claim).nil? }
      left_out = @rows.any? do |row|
        row["status"] == "skipped" && names.intersect?(row.values_at("contender", "group")) &&
          [nil, claim.at].include?(row["at"])
      end
      left_out ? "not judged" : "not measured"
    end

    # The contender's row, or the best row of the group.
    def row(name, claim)
      rows = @rows.select do |row|
        row["status"] == "measured" && row["at"] == claim.at && row["metrics"].key?(claim.metric)
      end
      return rows.find { |row| row["contender"] == name } unless GROUPS.include?(name)

      of_group = rows.select { |row| row["group"] == name }
      figure = ->(row) { Metrics.figure(claim.metric, row["metrics"][claim.metric]) }
      Metrics.lower?(claim.metric) ? of_group.min_by(&figure) : of_group.max_by(&figure)
    end
  end
end
