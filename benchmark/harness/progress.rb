# frozen_string_literal: true

require "monitor"

module Bench
  # A bar over so many parts on a terminal; elsewhere a line for each. Threads may do parts at once.
  class Progress
    WIDTH = 24

    def initialize(parts, output: $stderr)
      @parts, @done, @output, @lock = parts, 0, output, Monitor.new
    end

    # Does a part.
    def part(label)
      show(label)
      yield.tap { @lock.synchronize { @done += 1 } }
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
      @output.print("\r\e[K") if @output.tty?
    end

    private

    def show(label)
      return @output.puts("#{label} …") unless @output.tty?

      filled = @done * WIDTH / @parts
      bar = "#{"█" * filled}#{"·" * (WIDTH - filled)}"
      @output.print("\r\e[K[#{bar}] #{@done} of #{@parts}: #{label}")
      @output.flush
    end
  end
end
