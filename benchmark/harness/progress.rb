# frozen_string_literal: true

require "monitor"

module Bench
  # A bar over so many parts on a terminal; elsewhere a line for each. Threads may do parts at once.
  class Progress
    WIDTH = 24

    def initialize(parts, output: $stderr)
      @parts, @done, @output, @labels, @lock = parts, 0, output, [], Monitor.new
      @start, @bar = now, output.tty?
    end

    # Does a part.
    def part(label)
      @lock.synchronize { @labels << label }
      @bar ? show : @output.puts("#{label} …")
      yield.tap do
        @lock.synchronize { @labels.delete(label) }
        @done += 1
        show
      end
    end

    # Prints text above the bar.
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

    def show
      return unless @bar

      @lock.synchronize do
        filled = (@done.fdiv(@parts) * WIDTH).round
        left = @done.zero? ? "?" : clock((now - @start) / @done * (@parts - @done))
        @output.print("\r\e[K[#{"█" * filled}#{"·" * (WIDTH - filled)}] #{@done} of #{@parts}, " \
                      "#{left} left  #{@labels.join(" | ")}")
        @output.flush
      end
    end

    def clock(seconds) = format("%d:%02d", seconds.to_i / 60, seconds.to_i % 60)
    def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  end
end
