# frozen_string_literal: true

# Stops. Which stops are tried.

module Stops
  # All events of a call, a seeded share of them, or those that were named.
  class Choice
    # @param count [Integer, nil] stops in all; nil: every event once, by the ways in turn
    # @param combinations [Integer] among which the count is divided: scenario, use and way
    # @param ways [Array<String>]
    # @param at [Range, nil] events that were named
    def initialize(seed:, count:, combinations:, ways:, at: nil)
      @seed, @ways, @at = seed, ways, at
      @each = count && [count / combinations, 1].max
    end

    # @return [Array<Integer>] sorted numbers of events
    def of(scenario, use, way, events)
      return [*@at] if @at

      all = [*1..events]
      return all.select { |at| (@seed + at) % @ways.size == @ways.index(way) } unless @each
      return all if @each >= events

      all.sample(@each,
                 random: Random.new(@seed ^ number_of("#{scenario.name}/#{use}/#{way}"))).sort
    end

    private

    # The same in each process, as String#hash is not.
    def number_of(text) = text.bytes.inject(0) { |sum, byte| sum * 31 + byte }
  end
end
