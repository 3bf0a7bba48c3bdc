# frozen_string_literal: true

# Layer: statistics. A run goes over all tables several times.

require_relative "statistics"

module Bench
  # One time over all tables: the `number`-th (from 0) of so many, the one that is `of` a table. What a measure asks for is divided among them, `share`
  # (0 to 1, by the Pace of the run) of what is more than a figure needs; `before`: the rounds of the passes before it, some of which may have been left out.
  Pass = Struct.new(:number, :of, :seed, :share, :before, :taken, keyword_init: true) do
    def last? = number == of - 1

    # This pass's part of so many rounds. The last one has what a figure needs of those that were left out.
    def rounds(all)
      needed = [all, Statistics::SAMPLES].min
      wanted = needed + ((all - needed) * (share || 1)).floor
      part = (wanted * (number + 1) / of) - (wanted * number / of)
      self.taken = last? ? [part, needed - before.to_i].max : part
    end

    # How many of so many seconds may be spent on samples at full speed: none where the run is late.
    def patience(seconds) = seconds * (share || 1)

    # For the order of this pass's samples.
    def random = Random.new(seed + number)
  end
end
