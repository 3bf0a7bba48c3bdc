# frozen_string_literal: true

# Fuzz kit. Makes a failing case small: takes any simpler case that still fails, until none does.

module Fuzz
  # A case is anything; what is simpler than it is the target's to say.
  class Shrinker
    # How many cases to try at most.
    MOST_TRIES = 5_000

    # @param simpler [#call] case -> Enumerable of simpler cases, the boldest first
    # @param fails [#call] case -> true when it still fails
    def initialize(simpler:, fails:)
      @simpler = simpler
      @fails = fails
    end

    # @return [Object] a case that fails, none of whose simpler cases does (or the last one tried)
    def shrink(found)
      tried = 0
      loop do
        better = @simpler.call(found).find do |candidate|
          return found if (tried += 1) > MOST_TRIES

          @fails.call(candidate)
        end
        return found unless better

        found = better
      end
    end

    # All ways to leave out a part of a list: halves, quarters … single elements.
    def self.sublists(list)
      Enumerator.new do |out|
        size = list.size
        while size.positive?
          (0...list.size).step(size) do |from|
            out << (list[0...from] + (list[(from + size)..] || []))
          end
          size = size == 1 ? 0 : (size + 1) / 2
        end
      end
    end

    # All lists in which one element is replaced by a simpler one.
    def self.one_simpler(list)
      Enumerator.new do |out|
        list.each_with_index do |element, index|
          yield(element).each do |simpler|
            out << (list[0...index] + [simpler] + list[(index + 1)..])
          end
        end
      end
    end
  end
end
