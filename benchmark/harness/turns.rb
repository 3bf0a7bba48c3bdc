# frozen_string_literal: true

module Bench
  # Tables side by side: threads that wait for worker processes, and a bar over what is done.
  class Turns
    WIDTH = 24

    def initialize(parts, output: $stdout, bar: $stderr)
      @parts, @done, @output, @bar, @lock = parts, 0, output, bar, Mutex.new
    end

    # Calls the block with each job, `lanes` at a time, begun in their order, and prints what it
    # gives. After an exception none is begun any more; it is raised when those at work are done.
    def each(jobs, lanes, label: :to_s.to_proc)
      queue, failure = Queue.new(jobs).close, nil
      threads = Array.new(lanes) do
        Thread.new do
          while (job = queue.pop)
            show(label.call(job))
            done(yield(job))
          end
        rescue StandardError => error
          queue.clear
          failure ||= error
        end
      end
      threads.each(&:join)
      raise failure if failure
    ensure
      threads&.each(&:kill)
    end

    private

    def done(text)
      @lock.synchronize do
        @done += 1
        @bar.print("\r\e[K") if @bar.tty?
        @output.puts(text)
        @output.flush
      end
    end

    def show(label)
      bar = ("█" * (@done * WIDTH / @parts)).ljust(WIDTH, "·")
      line = "[#{bar}] #{@done} of #{@parts}: #{label}"
      @bar.tty? ? @bar.print("\r\e[K#{line}") : @bar.puts(line)
    end
  end
end
