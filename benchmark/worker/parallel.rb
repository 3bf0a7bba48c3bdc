# frozen_string_literal: true

module Bench
  # Many at once: forked processes that start together, or Ractors in a forked process, since a
  # process that ever had two Ractors is slower for all that follows.
  module Parallel
    # Time to warm up before all start together.
    WARM_SECONDS = 0.2

    class << self
      # Calls a second of all workers: their calls by the time from the first start to the last end.
      def rate(target, kind, workers, iterations)
        go_at, job = now + (WARM_SECONDS * 1e9).to_i, [*target.shareable, iterations]
        spans = if kind == "ractors" then result(*child { ractors(workers, *job, go_at) })
                else
                  Array.new(workers) { child { span(*job, go_at) } }.map { |one| result(*one) }
                end
        workers * iterations * 1e9 / (spans.map(&:last).max - spans.map(&:first).min)
      end

      # A worker's start and end, in nanoseconds of the machine's clock.
      def span(target, values, iterations, go_at)
        200.times { target.run(1, values) }
        target.run(iterations / 20, values)
        sleep([(go_at - now) / 1e9, 0].max)
        start = now
        target.run(iterations, values)
        [start, now]
      end

      private

      def ractors(workers, *job)
        ractors = Array.new(workers) { Ractor.new(*job) { |*all| Parallel.span(*all) } }
        ractors.map { |ractor| ractor.respond_to?(:value) ? ractor.value : ractor.take }
      end

      # A forked process and the end of a pipe that its block's value comes out of.
      def child
        read, write = IO.pipe(binmode: true)
        pid = fork do
          outcome = begin
            [nil, yield]
          rescue StandardError => error
            error = error.cause || error # what happened inside a Ractor
            ["#{error.class}: #{error.message}"]
          end
          write.write(Marshal.dump(outcome))
          write.close
          exit!(0)
        end
        write.close
        [pid, read]
      end

      def result(pid, report)
        bytes = report.read
        report.close
        Process.wait(pid)
        raise "a worker process ended without a result (#{$?})" if bytes.empty?

        error, value = Marshal.load(bytes)
        error ? raise(error) : value
      end

      def now = Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond)
    end
  end
end
