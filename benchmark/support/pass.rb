# frozen_string_literal: true

# Layer: none below it. A run goes over all tables several times.

module Bench
  # One time over all tables: the `number`-th (from 0) of so many, the one that is `of` a table. What a measure asks for is divided among them.
  Pass = Struct.new(:number, :of, :seed, keyword_init: true) do
    def last? = number == of - 1

    # This pass's part of so many rounds.
    def rounds(all) = (all * (number + 1) / of) - (all * number / of)

    # For the order of this pass's samples.
    def random = Random.new(seed + number)
  end
end
