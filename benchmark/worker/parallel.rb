# frozen_string_literal: true

module Bench
  # Many at once: forked processes that start together, or Ractors in a forked process, since a
  # process that ever had two Ractors is slower for all that follows.
  module Parallel
    # Time that Ractors have to warm up before they start together.
    RACTOR_WARM_SECONDS = 0.1

    class << self
      # Calls a second of all workers: their calls by the time from the first start to the last end.
      def rate(target, kind, workers, iterations)
        spans = kind == "ractors" ? ractors(target, workers, iterations)
                                  : processes(target, workers, iterations)
        workers * iterations * 1e9 / (spans.map(&:last).max - spans.map(&:first).min)
      end

      # Runs inside a Ractor: its start and end, in nanoseconds of the machine's clock.
      def ractor_body(target, values, iterations, go_at)
        warm(iterations) { |calls| target.run(calls, values) }
        sleep([(go_at - now) / 1e9, 0].max)
        timed { target.run(iterations, values) }
      end

      private

      def warm(iterations)
        200.times { yield 1 }
        yield iterations / 20
      end

      def processes(target, workers, iterations)
        wait, go = IO.pipe
        children = Array.new(workers) do
          child do |report|
            go.close
            warm(iterations) { |calls| target.run(calls) }
            report.write("r")
            report.flush
            wait.read # until the parent closes its end: for all at once
            timed { target.run(iterations) }
          end
        end
        wait.close
        children.each { |_, report| report.read(1) }
        go.close
        children.map { |pid, report| result(pid, report) }
      end

      def ractors(target, workers, iterations)
        running = child do
          code, values = target.shareable
          go_at = now + (RACTOR_WARM_SECONDS * 1e9).to_i
          ractors = Array.new(workers) do
            Ractor.new(code, values, iterations, go_at) { |*job| Parallel.ractor_body(*job) }
          end
          ractors.map { |ractor| ractor.respond_to?(:value) ? ractor.value : ractor.take }
        end
        result(*running)
      end

      # A forked process and the end of a pipe that its block's value comes out of.
      def child
        read, write = IO.pipe(binmode: true)
        pid = fork do
          read.close
          outcome = begin
            [nil, yield(write)]
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
        bytes = report.read.delete_prefix("r")
        report.close
        Process.wait(pid)
        raise "a worker process ended without a result (#{$?})" if bytes.empty?

        error, value = Marshal.load(bytes)
        error ? raise(error) : value
      end

      def timed
        start = now
        yield
        [start, now]
      end

      def now = Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond)
    end
  end
end
