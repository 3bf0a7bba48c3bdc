# frozen_string_literal: true

# Layer: metrics. What a claim's bounds reach: controls, which do only what any implementation must (or less), against the same other.

require_relative "../metrics"

module Bench
  module Report
    # One control beside a claim. `short`: it misses the figure, too.
    Bound = Struct.new(:contender, :reached, :short, keyword_init: true) do
      # Those of a claim in its table, as results.json has them; none where nothing was measured.
      def self.all(claim, table)
        return [] unless claim["value"]

        metric, at = claim.values_at("metric", "at")
        found = ->(row) { row.dig("metrics", metric) }
        rows = table["rows"].select { |row| row["at"] == at && found[row] }
        other = rows.find { |row| row["contender"] == claim["over"] }
        return [] if claim["over"] && !other
        return beside(claim, table) if other && other["group"] == "ours"

        rows.select { |row| row["group"] == "control" && !row.equal?(other) }.map { |row| of(claim, row["contender"], other && found[other], found[row]) }
      end

      # Of metrics of results.json; `other` nil: the figure itself is due.
      def self.of(claim, contender, other, its_own)
        least = claim["kind"] == "reach"
        other, its_own = Metrics.alike(other, its_own).map { |metric| metric && Metrics.figure(claim["metric"], metric) }
        # "Times better" is more, whichever way the metric is.
        one, divisor = least && Metrics.fetch(claim["metric"]).better == "lower" ? [other, its_own] : [its_own, other]
        reached = other ? one.fdiv(divisor) : its_own
        new(contender: contender, reached: reached, short: short?(claim, reached))
      end

      # Of one of ours beside another: what two controls reach of which the table says the same.
      def self.beside(claim, table)
        like = ->(one) { one.values_at("kind", "metric", "at") == claim.values_at("kind", "metric", "at") }
        controls = table["rows"].select { |row| row["group"] == "control" }.map { |row| row["contender"] }
        pairs = table["claims"].select { |one| like[one] && one["value"] && one.values_at("subject", "over").all? { |name| controls.include?(name) } }
        pairs.map { |one| new(contender: one["subject"], reached: one["value"], short: short?(claim, one["value"])) }
      end

      def self.short?(claim, reached) = claim["kind"] == "reach" ? reached.round(2) < claim["required"] : reached.round(2) > claim["required"]
      private_class_method :of, :beside, :short?
    end
  end
end
