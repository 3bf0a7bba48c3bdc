# frozen_string_literal: true

module Bench
  # One contender's countings before and after, {"instructions" => …, "objects" => …, "allocated" =>
  # …} each. Of `after` the least stands: a tree that can do it for less does not ask for more. Of
  # `before` the middle stands, since one counting in many finds less than all others.
  class AgainstRow
    # How much more may be asked of a call: times, and plus.
    LIMITS = {"instructions" => [1.03, 0], "objects" => [1, 0.01], "allocated" => [1.03, 1]}.freeze

    attr_reader :contender

    def initialize(scenario, table, contender)
      @place, @contender = "#{scenario}, #{table}: #{contender}", contender
      @counted, @errors = {before: [], after: []}, {before: [], after: []}
    end

    # One more counting of a side; nil where it could not run, for that reason.
    def add(side, figures, error)
      @counted[side] << figures if figures
      @errors[side] << error
    end

    # The figure that stands, or nil.
    def figure(side, metric)
      sorted = @counted[side].filter_map { |figures| figures[metric] }.sort
      sorted[side == :after ? 0 : (sorted.size - 1) / 2] unless sorted.empty?
    end

    # What exceeds: [metric, before, after].
    def excess
      LIMITS.filter_map do |metric, (times, plus)|
        old, new = figure(:before, metric), figure(:after, metric)
        [metric, old, new] if old && new && new > (old * times) + plus
      end
    end

    # It ran before and does not now, however often it was tried.
    def broken? = @errors[:after].all? && @errors[:before].none?

    def to_s
      if @counted.values.any?(&:empty?)
        told = @errors.filter_map { |side, list| "#{side}: #{list.last}" if list.last }
        return "#{@place.ljust(60)}  #{told.join("; ")}"
      end

      cells = LIMITS.keys.map { |metric| cell(metric) }
      "#{@place.ljust(60)}#{cells.join}#{"  MORE" unless excess.empty?}"
    end

    # Whether it can be compared.
    def counted? = [:before, :after].all? { |side| figure(side, "instructions")&.positive? }

    def self.summary(rows)
      both = rows.select(&:counted?)
      lines = ["#{rows.size} contenders, #{both.size} in both#{mean(both)}"]
      lines += rows.reject { |row| row.excess.empty? }.map(&:more)
      lines + rows.select(&:broken?).map(&:broken)
    end

    def self.mean(rows)
      return if rows.empty?

      logarithms = rows.map { |row| Math.log(row.growth) }
      change = (Math.exp(logarithms.sum / rows.size) - 1) * 100
      format("; instructions %+.1f %% (geometric mean)", change)
    end
    private_class_method :mean

    # Instructions now by those before.
    def growth = figure(:after, "instructions").fdiv(figure(:before, "instructions"))

    def more
      told = excess.map { |metric, from, to| "#{metric} #{from.round(2)} → #{to.round(2)}" }
      "MORE: #{@place}: #{told.join(", ")}"
    end

    def broken = "BROKEN: #{@place}: #{@errors[:after].last}"

    private

    def cell(metric)
      before, after = figure(:before, metric), figure(:after, metric)
      return "–".rjust(26) unless before && after

      change = before.zero? ? 0 : (after.fdiv(before) - 1) * 100
      form = metric == "objects" ? "%.2f" : "%.0f"
      text = format("#{form} → #{form}", before, after)
      text += format(" %+.1f %%", change) if change.abs >= 0.05
      text.rjust(metric == "instructions" ? 34 : 26)
    end
  end
end
