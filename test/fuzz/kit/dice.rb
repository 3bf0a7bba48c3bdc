# frozen_string_literal: true

# Fuzz kit. Randomness that a seed repeats: every case has dice of its own, so that one case can be
# run alone.

module Fuzz
  # Random choices from a seed and the number of a case.
  class Dice
    # @return [Integer] of the run, and the number of the case
    attr_reader :seed, :index

    # @param seed [Integer] of the run
    # @param index [Integer] of the case
    def initialize(seed, index = 0)
      @seed = seed
      @index = index
      @random = Random.new((seed << 32) ^ index)
    end

    # 0 ... bound
    def below(bound) = @random.rand(bound)

    # Either end included.
    def between(low, high) = low + @random.rand(high - low + 1)

    # True once in n times.
    def once_in(bound) = @random.rand(bound).zero?

    def pick(list) = list[@random.rand(list.size)]

    # One of the keys of {key => weight}; prepare it once with Dice.weights.
    def weighted(weights) = weights[@random.rand(weights.size)]

    # {a: 3, b: 1} as a list to pick from.
    def self.weights(weights) = weights.flat_map { |key, weight| [key] * weight }.freeze

    def float = @random.rand

    def bytes(count) = @random.bytes(count)
  end
end
