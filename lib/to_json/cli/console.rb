# frozen_string_literal: true

# Layer: cli. Prints messages, and a progress bar if stderr is a terminal.

require "io/console"

module ToJson
  # The executable `to_json`. Loaded by it alone: no document needs it.
  # @api private
  module CLI
    # Writes to stderr, which may be gone. A message takes the bar away first.
    class Console
      # A bar appears after this many seconds, and is drawn at most so often.
      DELAY = 0.5
      EVERY = 0.1
      MEGABYTE = 1e6

      # @param bar [Boolean, nil] true: from the beginning; false: none; nil: after DELAY. Never
      #   without a terminal.
      def initialize(stream = $stderr, quiet: false, bar: nil)
        @stream = stream
        @quiet = quiet
        @bar = bar != false && !quiet && stream.tty?
        @delay = bar ? 0 : DELAY
        @drawn = false
      end

      # What is wrong with the input; `quiet` is about these. A file's name may have any encoding.
      def message(*parts) = @quiet ? nil : warning(*parts)

      # What keeps the program from its work.
      def warning(*parts)
        clear
        @stream.write(parts.map { |part| part.to_s.b }.join(""), "\n")
      rescue SystemCallError
        nil
      end

      # @param label [String]
      # @param total [Integer, nil] bytes, nil where that is unknown
      # @yieldparam advance [#call] takes how many bytes more were done
      def progress(label, total)
        return yield(->(_) {}) unless @bar

        began = now
        due = began + @delay
        done = 0
        yield(lambda do |bytes|
          done += bytes
          next if (time = now) < due

          due = time + EVERY
          draw(label, done, total, time - began)
        end)
      ensure
        clear
      end

      private

      def draw(label, done, total, seconds)
        figures = format("%.1f MB", done / MEGABYTE)
        figures = format("%.1f of %.1f MB", done / MEGABYTE, total / MEGABYTE) if total
        figures += format(", %.0f MB/s", done / MEGABYTE / seconds) if seconds.positive?
        line = total ? "#{label.scrub} #{bar(done, total)} #{figures}" : "#{label.scrub} #{figures}"
        @stream.write("\r", line[0, columns - 1], "\e[K")
        @drawn = true
      rescue SystemCallError
        @bar = false
      end

      def bar(done, total)
        share = total.positive? ? [done.to_f / total, 1.0].min : 1.0
        filled = (share * 20).floor
        format("[%<bar>s] %<percent>3d %%", bar: "#" * filled + "." * (20 - filled),
               percent: (share * 100).floor)
      end

      def columns
        width = @stream.winsize[1]
        width > 20 ? width : 80
      rescue SystemCallError
        80
      end

      def clear
        return unless @drawn

        @drawn = false
        @stream.write("\r\e[K")
      rescue SystemCallError
        nil
      end

      def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    end
  end
end
