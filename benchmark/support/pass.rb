# frozen_string_literal: true

# Layer: statistics. A run goes over all tables several times.

require_relative "statistics"

module Bench
  # One time over all tables: the `number`-th (from 0) of so many, the one that is `of` a table. What a measure asks for is divided among them, and
  # `share` (0 to 1) of what is more than a figure needs is done, by the Pace of the run.
  Pass = Struct.new(:number, :of, :seed, :share, keyword_init: true) do
    def last? = number == of - 1

    # This pass's part of so many rounds.
    def rounds(all)
      needed = [all, Statistics::SAMPLES].min
      all = needed + ((all - needed) * (share || 1)).floor
      (all * (number + 1) / of) - (all * number / of)
    end

    # For the order of this pass's samples.
    def random = Random.new(seed + number)
  end
end
