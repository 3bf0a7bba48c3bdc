# frozen_string_literal: true

require_relative "definition"

module Bench
  # Holds the claims of a table against its rows of results.json.
  class Claims
    # A ratio of times so near to its figure is met: two runs of the same code differ by as much.
    NEAR = 0.05

    class << self
      # Whether the value reaches what is due, to two decimals.
      def met?(kind, metric, over, value, required)
        near = over || Metrics.fetch(metric).unit == "×" ? NEAR : 0
        near = 0 unless Metrics.fetch(metric).timed
        return value.round(2) >= (required * (1 - near)).round(2) if kind == "reach"

        value.round(2) <= (required * (1 + near)).round(2)
      end

      # What a claim's bounds reach: controls, which do only what any implementation must, against
      # the same other; to be so many times better than ours bounds nothing.
      # [contender, what it reaches, whether that is too little]
      def bounds(claim, table)
        kind, metric, at, over = claim.values_at("kind", "metric", "at", "over")
        rows = table["rows"].select { |row| row["at"] == at && row.dig("metrics", metric) }
        other = rows.find { |row| row["contender"] == over }
        return [] unless claim["value"] && (other || over.nil?)
        return [] if other && other["group"] == "ours" && kind == "reach"

        controls = rows.select { |row| row["group"] == "control" && row["contender"] != over }
        controls.map do |row|
          reached = value(kind, metric, row, other)
          [row["contender"], reached, !met?(kind, metric, over, reached, claim["required"])]
        end
      end

      # A row's figure, or how many times it is better (of a limit: more) than another's. Infinity
      # where a difference is to be small and nothing remains of it.
      def value(kind, metric, subject, other)
        mine, theirs = [subject, other].map { |row| row && row["metrics"][metric] }
        return Metrics.figure(metric, mine) unless theirs
        if kind == "reach" && Metrics.lower?(metric) && !Metrics.figure(metric, mine).positive?
          return Float::INFINITY
        end

        swap = kind == "reach" && Metrics.lower?(metric)
        Metrics.ratio(metric, *(swap ? [theirs, mine] : [mine, theirs]))
      end
    end

    # `judged_as` is "interpreter", "yjit", or nil: then figures are printed without a verdict.
    def initialize(rows, judged_as)
      @rows, @judged_as = rows, judged_as
    end

    # The claim as results.json has it.
    def of(claim)
      subject, other = [claim.subject, claim.over].map { |name| name && row(name, claim) }
      due = @judged_as && claim[@judged_as]
      known = subject && (other || claim.over.nil?)
      value = Claims.value(claim.kind, claim.metric, subject, other) if known
      {"claim" => claim.text, "kind" => claim.kind, "metric" => claim.metric, "at" => claim.at,
       "subject" => subject&.fetch("contender"), "over" => other&.fetch("contender"),
       "value" => (value unless value == Float::INFINITY), "required" => due,
       "status" => known ? status(claim, value, due) : status_of_missing(claim)}
    end

    private

    def status(claim, value, due)
      return "not measured" unless value
      return "not judged" unless due
      return "met" if value == Float::INFINITY

      Claims.met?(claim.kind, claim.metric, claim.over, value, due) ? "met" : "missed"
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
