# frozen_string_literal: true

# Layer: none below it. A whole run has so many minutes, on a machine that strangers share as well.

module Bench
  # What is late has fewer samples from then on, down to what a figure needs, and then fewer passes: the processes of each are to be started, and warmed.
  # What nobody judges is left out as the passes are, all of it.
  # (A run of 33 minutes in calm hours took 45 beside strangers, by the patience with them and by what was slower.)
  class Pace
    # So much of its time a part takes that has the fewest samples.
    FEWEST = 0.65
    # And so much of the time of one that is left out has to be made up for by the last part of its table: its fewest samples.
    DEFERRED = 0.3
    # Of the work, what must be done before its speed is known.
    UNKNOWN = 0.1

    # @param total [Numeric] seconds that all parts would take by their estimates
    # @param seconds [Numeric] that there are for them
    # @param clock [#call] gives seconds
    def initialize(total, seconds:, clock: -> { Process.clock_gettime(Process::CLOCK_MONOTONIC) })
      @total, @clock, @begun, @asked, @done, @lock = total, clock, clock.call, 0.0, 0.0, Mutex.new
      @deadline = @begun + seconds
    end

    # Yields how many of the samples beyond the fewest the part gets, 0 to 1; nil where it is left out. Several threads may do parts.
    # @param seconds [Numeric] by its estimate
    # @param optional [Boolean] whether it may be left out
    # @param deferred [Numeric] of its time, what has to be made up for then
    def part(seconds, optional: false, deferred: DEFERRED)
      share = @lock.synchronize { share_now }
      share = nil if optional && share.zero?
      yield share
    ensure
      @lock.synchronize do
        @asked += seconds
        if share then @done += seconds * (FEWEST + ((1 - FEWEST) * share))
        else @total += seconds * deferred
        end
      end
    end

    private

    def share_now
      now = @clock.call
      left = @deadline - now
      return 0.0 if left <= 0
      return 1.0 if @done < UNKNOWN * @total

      ahead = (@total - @asked) * (now - @begun) / @done
      ((left.fdiv(ahead) - FEWEST) / (1 - FEWEST)).clamp(0.0, 1.0)
    end
  end
end
