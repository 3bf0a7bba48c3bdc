# frozen_string_literal: true

require "tmpdir"
require_relative "setup"

module Bench
  # One worker under valgrind's callgrind, which counts only where a contender runs. What else the
  # machine does changes no count.
  class Callgrind
    # The least of these is taken: what happens once (a table that grows) is in one of them only.
    WINDOWS = 3
    # Kernels that valgrind knows and every processor of that kind has.
    KERNEL = RUBY_PLATFORM.match?(/x86_64|amd64/) ? {"TO_JSON_SIMD" => "sse2"} : {}

    # Opens contenders of a table, yields the counter, ends the process; what the block gives.
    def self.open(setup, scenario, table, contenders)
      Dir.mktmpdir do |directory|
        yield new(setup, scenario, table, contenders, directory)
      end
    end

    # Why contenders cannot run, by name.
    attr_reader :errors

    def initialize(setup, scenario, table, contenders, directory)
      @directory, @order = directory, []
      wrapper = ["valgrind", "--tool=callgrind", "-q", "--instr-atstart=no",
                 "--callgrind-out-file=#{File.join(directory, "out")}"]
      @worker = setup.start(wrapper: wrapper, environment: KERNEL)
      @errors = @worker.ask(:open, scenario: scenario.path, table: table.name,
                                   contenders: contenders, peers: setup.stage.peers)
                       .fetch("errors")
    end

    # How many calls of it take about so long; warms it.
    def calls(contender, seconds)
      @worker.ask(:calls_within, contender: contender, seconds: seconds)
    end

    # Runs so many calls; what they came to is known when the process has ended.
    def count(contender, calls)
      @worker.ask(:instructions, contender: contender, iterations: calls, windows: WINDOWS)
      @order << [contender, calls]
    end

    # Ends the process; instructions of one call by contender.
    def totals
      @worker.close
      totals = files.map { |path| File.foreach(path).grep(/\Atotals:/).last.split.last.to_i }
      @order.zip(totals.each_slice(WINDOWS)).to_h do |(contender, calls), windows|
        [contender, windows.min.fdiv(calls)]
      end
    end

    private

    def files = Dir[File.join(@directory, "out.*")].sort_by { |path| path[/\d+\z/].to_i }
  end

  # Where the instructions of one contender's call go. By two runs of so many calls: what starting
  # Ruby costs is in both and cancels.
  class CallgrindFunctions
    SHORT, LONG = 1_000, 11_000

    def initialize(setup, scenario, table, contender)
      @setup, @scenario, @table, @contender = setup, scenario, table, contender
    end

    # [function with its library, instructions of one call], most first.
    def all
      short, long = Dir.mktmpdir do |directory|
        [SHORT, LONG].map { |calls| count(directory, calls) }
      end
      (short.keys | long.keys).map { |name| [name, (long[name] - short[name]).fdiv(LONG - SHORT)] }
                              .sort_by { |_, count| -count }
    end

    private

    def count(directory, calls)
      file = File.join(directory, "callgrind.#{calls}")
      worker = @setup.start(environment: Callgrind::KERNEL, wrapper: [
        "valgrind", "--tool=callgrind", "-q", "--callgrind-out-file=#{file}"
      ])
      worker.open!(@scenario, @table, [@contender], @setup.stage.peers)
      [200, calls].each { |count| worker.ask(:sample, contender: @contender, iterations: count) }
      worker.close
      read(file)
    end

    # A function that others are inlined into has a line for each source file.
    def read(file)
      command = %w[callgrind_annotate --threshold=100 --auto=no --show-percs=no]
      text = IO.popen([*command, file], err: File::NULL, &:read)
      raise MissingError, "callgrind_annotate printed nothing; it needs perl" if text.empty?

      lines = text.scan(/^\s*([\d,]+)\s+\S*?:(\S+?)(?:\s+\[(.+)\])?\s*$/)
      libraries = lines.select(&:last).to_h { |_, name, path| [name, File.basename(path)] }
      lines.each_with_object(Hash.new(0)) do |(count, name), counts|
        counts["#{name} [#{libraries[name]}]"] += count.delete(",").to_i
      end
    end
  end
end
