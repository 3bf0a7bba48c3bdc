# frozen_string_literal: true

require_relative "../harness/claims"

module Bench
  module Report
    # What a claim's bounds reach: controls, which do only what any implementation must (or less),
    # against the same other. `short`: it misses the figure, too.
    Bound = Struct.new(:contender, :reached, :short, keyword_init: true) do
      # Those of a claim in its table; none where nothing was measured.
      def self.all(claim, table)
        return [] unless claim["value"]

        metric, at = claim.values_at("metric", "at")
        rows = table["rows"].select { |row| row["at"] == at && row.dig("metrics", metric) }
        other = rows.find { |row| row["contender"] == claim["over"] }
        return [] if claim["over"] && !other
        return beside(claim, table) if other && other["group"] == "ours"

        controls = rows.select { |row| row["group"] == "control" && !row.equal?(other) }
        controls.map { |row| of(claim, row, other) }
      end

      def self.of(claim, row, other)
        metric = claim["metric"]
        mine, theirs = [row, other].map { |one| one && one["metrics"][metric] }
        pair = claim["kind"] == "reach" && Metrics.lower?(metric) ? [theirs, mine] : [mine, theirs]
        reached = other ? Metrics.ratio(metric, *pair) : Metrics.figure(metric, mine)
        new(contender: row["contender"], reached: reached, short: short?(claim, reached))
      end

      # Of one of ours beside another: what two controls reach of which the table says the same.
      def self.beside(claim, table)
        same = claim.values_at("kind", "metric", "at")
        controls = table["rows"].select { |row| row["group"] == "control" }
                                .map { |row| row["contender"] }
        table["claims"].filter_map do |one|
          next unless one["value"] && one.values_at("kind", "metric", "at") == same &&
                      (one.values_at("subject", "over") - controls).empty?

          reached = one["value"]
          new(contender: one["subject"], reached: reached, short: short?(claim, reached))
        end
      end

      def self.short?(claim, reached)
        !Claims.met?(*claim.values_at("kind", "metric", "over"), reached, claim["required"])
      end
      private_class_method :of, :beside, :short?
    end
  end
end
