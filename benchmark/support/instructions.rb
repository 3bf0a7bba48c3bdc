# frozen_string_literal: true

# Layer: pool. One contender under valgrind's callgrind or under perf: instructions of one call, which
# noise does not touch, and where they or the time go.

require "tmpdir"
require_relative "pool"

module Bench
  # Profiles one contender.
  class Instructions
    # Calls of the two runs; what start-up costs is in both and cancels.
    SHORT, LONG = 1_000, 11_000
    SHOWN = 30

    def initialize(setup, scenario, table, contender, output: $stdout)
      @setup, @scenario, @table, @contender, @output, @objects = setup, scenario, table, contender, output, {}
    end

    # Instructions per call, and the functions that they are spent in.
    def callgrind
      need("valgrind", "--version")
      Dir.mktmpdir do |directory|
        short, long = [SHORT, LONG].map { |calls| functions(directory, calls) }
        names = short.keys | long.keys
        per_call = names.to_h { |name| [name, (long.fetch(name, 0) - short.fetch(name, 0)).fdiv(LONG - SHORT)] }
        total = per_call.values.sum
        @output.puts("#{@contender.name}, Ruby #{@setup.id}: #{total.round} instructions per call (loop included)")
        per_call.sort_by { |_, count| -count }.first(SHOWN).each do |name, count|
          @output.puts(format("%10.1f %5.1f %%  %s", count, count * 100 / total, "#{name} [#{@objects[name]}]")) if count >= 0.5
        end
        total
      end
    end

    # Where perf finds the time.
    def profile(seconds: 4)
      need("perf", "--version")
      Dir.mktmpdir do |directory|
        data = File.join(directory, "perf.data")
        with_worker([]) do |worker|
          calls = (seconds * 1e9 / worker.ask(:warm, contender: @contender.name, seconds: 0.5)).to_i
          perf = Process.spawn("perf", "record", "-q", "-F", "4999", "-p", worker.pid.to_s, "-o", data, err: File::NULL)
          sleep(0.3) # until perf is attached
          worker.ask(:sample, contender: @contender.name, iterations: calls)
          Process.kill(:INT, perf)
          Process.wait(perf)
        end
        @output.puts("#{@contender.name}, Ruby #{@setup.id}: share of the time by library (code of YJIT: [JIT] or perf-*.map), then by function")
        @output.puts(report(data, "dso", 1), "", report(data, "dso,symbol", 0.7))
      end
    end

    private

    def need(program, argument)
      return if system(program, argument, out: File::NULL, err: File::NULL)

      raise MissingError, "#{program} is missing; on Debian: apt-get install #{program == "perf" ? "linux-perf" : program}"
    end

    def report(data, by, least)
      text = IO.popen(["perf", "report", "--stdio", "--no-children", "-i", data, "--sort", by, "--percent-limit", least.to_s], err: File::NULL, &:read)
      text.lines.reject { |line| line.start_with?("#") || line.strip.empty? }
    end

    # {function => instructions} of a run with so many calls.
    def functions(directory, calls)
      file = File.join(directory, "callgrind.#{calls}")
      with_worker(["valgrind", "--tool=callgrind", "-q", "--callgrind-out-file=#{file}"]) do |worker|
        worker.ask(:run, contender: @contender.name, iterations: calls)
      end
      text = IO.popen(["callgrind_annotate", "--threshold=100", "--auto=no", "--show-percs=no", file], err: File::NULL, &:read)
      raise MissingError, "callgrind_annotate printed nothing; it comes with valgrind and needs perl" if text.empty?

      # A function that others are inlined into has a line per source file, some without the object.
      text.each_line.each_with_object(Hash.new(0)) do |line, counts|
        next unless (match = line.match(/\A\s*([\d,]+)\s+\S*?:(\S+?)(?:\s+\[(.+)\])?\s*\z/))

        @objects[match[2]] ||= match[3] && File.basename(match[3])
        counts[match[2]] += match[1].delete(",").to_i
      end
    end

    def with_worker(wrapper)
      worker = @setup.start(wrapper: wrapper)
      opened = worker.ask(:open, scenario: @scenario.path, table: @table.name, contenders: [@contender.name], peers: @setup.stage.peers)
      opened.fetch("errors").each_value { |error| raise WorkerProcess::Failure, error }
      yield worker
    ensure
      worker&.close
    end
  end
end
