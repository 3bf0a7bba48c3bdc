# frozen_string_literal: true

# Layer: none below it. One line that moves on a terminal; elsewhere a line per table.

require "monitor"

module Bench
  # Progress over work whose parts were estimated in seconds. Several threads may do parts.
  class Progress
    WIDTH = 24

    def initialize(total, output: $stderr)
      @total, @done, @output, @start, @bar = [total, 0.001].max, 0.0, output, now, output.tty?
      @lock, @parts = Monitor.new, {}
    end

    # Does a part; the block gets a callable that takes the share of this part that is done.
    def part(label, seconds)
      @lock.synchronize { @output.puts("#{label} …") } unless @bar
      show(label, 0)
      yield ->(share) { show(label, seconds * share) }
      @lock.synchronize do
        @parts.delete(label)
        @done += seconds
      end
    end

    # Prints text above the line.
    def puts(text, to: $stdout)
      @lock.synchronize do
        clear
        to.puts(text)
        to.flush
      end
    end

    def clear
      @output.print("\r\e[K") if @bar
    end

    private

    # `extra`: seconds of the part that are done.
    def show(label, extra)
      return unless @bar

      @lock.synchronize do
        @parts[label] = extra
        done = @done + @parts.values.sum
        share = [done / @total, 1.0].min
        filled = (share * WIDTH).round
        spent = now - @start
        # What the estimate was wrong by so far is assumed of the rest too.
        left = spent > 2 && share > 0.01 ? spent / share * (1 - share) : @total - done
        @output.print(format("\r\e[K[%s%s] %3d %%  %s left  %s", "█" * filled, "·" * (WIDTH - filled), share * 100, clock(left), @parts.keys.join(" | ")))
        @output.flush
      end
    end

    def clock(seconds) = format("%d:%02d", seconds.to_i / 60, seconds.to_i % 60)

    def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  end
end
