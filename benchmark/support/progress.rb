# frozen_string_literal: true

# Layer: none below it. One line that moves on a terminal; elsewhere a line per table.

module Bench
  # Progress over work whose parts were estimated in seconds.
  class Progress
    WIDTH = 24

    def initialize(total, output: $stderr)
      @total, @done, @output, @start, @bar = [total, 0.001].max, 0.0, output, now, output.tty?
    end

    # Does a part; the block gets a callable that takes the share of this part that is done.
    def part(label, seconds)
      @output.puts("#{label} …") unless @bar
      show(label, 0)
      yield ->(share) { show(label, seconds * share) }
      @done += seconds
      show(label, 0)
    end

    # Prints text above the line.
    def puts(text, to: $stdout)
      clear
      to.puts(text)
      to.flush
    end

    def clear
      @output.print("\r\e[K") if @bar
    end

    private

    def show(label, extra)
      return unless @bar

      share = [(@done + extra) / @total, 1.0].min
      filled = (share * WIDTH).round
      spent = now - @start
      # What the estimate was wrong by so far is assumed of the rest too.
      left = spent > 2 && share > 0.01 ? spent / share * (1 - share) : @total - @done - extra
      @output.print(format("\r\e[K[%s%s] %3d %%  %s left  %s", "█" * filled, "·" * (WIDTH - filled), share * 100, clock(left), label))
      @output.flush
    end

    def clock(seconds) = format("%d:%02d", seconds.to_i / 60, seconds.to_i % 60)

    def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  end
end
