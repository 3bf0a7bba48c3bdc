# frozen_string_literal: true

# Layer: contender loop. Many at once, on the child's side: forked processes that start together, or
# Ractors in a forked process (a process that ever had two Ractors is slower for all that follows).

module Bench
  # Calls a second of `workers` workers that run a contender at the same time.
  module ParallelWorker
    # Time that Ractors have to warm up before they start together.
    RACTOR_WARM_SECONDS = 0.1

    # {"rate"}: all calls by the time from the first start to the last end.
    def self.measure(contender_loop, request)
      workers, iterations = request.values_at("workers", "iterations")
      spans = request.fetch("kind") == "ractors" ? ractors(contender_loop, workers, iterations) : processes(contender_loop, workers, iterations)
      duration = spans.map(&:last).max - spans.map(&:first).min
      {"rate" => workers * iterations * 1e9 / duration}
    end

    # [start, end] of each, in nanoseconds of the machine's clock.
    def self.processes(contender_loop, workers, iterations)
      go_read, go_write = IO.pipe
      children = Array.new(workers) do
        child do |report|
          go_write.close
          warm(contender_loop, iterations)
          report.write("r")
          report.flush
          go_read.read # until the parent closes its end: for all at once
          timed { contender_loop.run(iterations) }
        end
      end
      go_read.close
      children.each { |_, report| report.read(1) }
      go_write.close
      children.map { |pid, report| result(pid, report) }
    end

    def self.ractors(contender_loop, workers, iterations)
      pid, report = child do
        target, values = contender_loop.shareable
        go_at = now + (RACTOR_WARM_SECONDS * 1e9).to_i
        running = Array.new(workers) { Ractor.new(target, values, iterations, go_at) { |*job| ParallelWorker.ractor_body(*job) } }
        running.map { |ractor| ractor.respond_to?(:value) ? ractor.value : ractor.take }
      end
      result(pid, report)
    end

    # Runs inside a Ractor.
    def self.ractor_body(target, values, iterations, go_at)
      200.times { target.run(1, values) }
      target.run(iterations / 20, values)
      sleep([(go_at - now) / 1e9, 0].max)
      start = now
      target.run(iterations, values)
      [start, now]
    end

    # A forked process and the end of a pipe that its block's value comes out of.
    def self.child
      read, write = IO.pipe(binmode: true)
      pid = fork do
        read.close
        outcome =
          begin
            ["ok", yield(write)]
          rescue StandardError => error
            error = error.cause if error.cause # what happened inside a Ractor
            ["error", "#{error.class}: #{error.message}"]
          end
        write.write(Marshal.dump(outcome))
        write.close
        exit!(0)
      end
      write.close
      [pid, read]
    end

    def self.result(pid, report)
      bytes = report.read
      report.close
      Process.wait(pid)
      bytes = bytes.delete_prefix("r")
      raise "a worker process ended without a result (#{$?})" if bytes.empty?

      status, value = Marshal.load(bytes)
      raise value if status == "error"

      value
    end

    def self.warm(contender_loop, iterations)
      200.times { contender_loop.run(1) }
      contender_loop.run(iterations / 20)
    end

    def self.timed
      start = now
      yield
      [start, now]
    end

    def self.now = Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond)

    private_class_method :processes, :ractors, :child, :result, :warm, :timed
  end
end
