# frozen_string_literal: true

# Fuzz. The seed of a run that is told none.

module Fuzz
  # @return [Integer] what SEED says, as in `.ci/run`, or another one each time
  def self.seed = Integer(ENV.fetch("SEED") { Random.new_seed }) % (2**32)
end
