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
    KERNEL = RUBY_PLATFORM.match?(/x86_64|amd64/) ? {TO_JSON_SIMD: "sse2"} : {}
    # How many lines of functions are shown.
    SHOWN = 40

    # Raises MissingError without what it needs.
    def self.prepare(stage)
      there = system("valgrind", "--version", out: File::NULL, err: File::NULL)
      raise MissingError, "valgrind is missing; on Debian: apt-get install valgrind" unless there

      error = stage.build_probe and raise MissingError, error
    end

    # Opens contenders of a table and yields the counter; what the block gives.
    def self.open(*arguments)
      Dir.mktmpdir do |directory|
        counter = new(*arguments, directory)
        yield counter
      ensure
        counter&.close
      end
    end

    # Why contenders cannot run, by name.
    attr_reader :errors

    def initialize(setup, scenario, table, contenders, directory)
      @files = File.join(directory, "out")
      @worker = setup.start(wrapper: ["valgrind", "--tool=callgrind", "-q", "--instr-atstart=no",
                                      "--callgrind-out-file=#{@files}"], **KERNEL)
      @errors = @worker.open(scenario, table, contenders, setup.stage.peers).fetch("errors")
    end

    # How many calls of it take about so long; warms it.
    def calls(contender, seconds)
      @worker.ask(:calls_within, contender: contender, seconds: seconds)
    end

    # Instructions of one call, by so many.
    def count(contender, calls)
      @worker.ask(:instructions, contender: contender, iterations: calls, windows: WINDOWS)
      totals = written.last(WINDOWS).map { |path| File.foreach(path).grep(/\Atotals:/).last }
      totals.map { |line| line.split.last.to_i }.min.fdiv(calls)
    end

    # {"objects", "allocated"} of one call.
    def allocations(contender, calls)
      @worker.ask(:allocations, contender: contender, iterations: calls)
    end

    # Functions of what was counted last, most first, as callgrind_annotate prints them.
    def functions
      command = %w[callgrind_annotate --threshold=99 --auto=no]
      text = IO.popen([*command, written.last], err: File::NULL, &:read)
      raise MissingError, "callgrind_annotate printed nothing; it needs perl" if text.empty?

      text.lines.grep(/^\s*[\d,]+ \(/).first(SHOWN)
    end

    def close = @worker.close

    private

    def written = Dir["#{@files}.*"].sort_by { |path| path[/\d+\z/].to_i }
  end
end
