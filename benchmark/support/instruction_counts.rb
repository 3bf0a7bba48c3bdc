# frozen_string_literal: true

# Layer: setup. Instructions of one call of many contenders of a table, counted by callgrind in one process: counting begins only where a
# contender runs, so that starting Ruby costs little. Noise of the machine does not touch them.

require "tmpdir"
require_relative "setup"

module Bench
  # One process under callgrind.
  class InstructionCounts
    # The least of these is taken: what happens once (a table that grows) is in one of them only.
    WINDOWS = 3
    # Kernels that valgrind knows and every processor of that kind has.
    KERNEL = RUBY_PLATFORM.match?(/x86_64|amd64/) ? {"TO_JSON_SIMD" => "sse2"} : {}

    # Yields an opened one and ends it; afterwards `counts` answers.
    def self.open(...)
      counts = new(...)
      yield counts
      counts
    ensure
      counts&.close
    end

    attr_reader :errors

    def initialize(setup, scenario, table, contenders)
      @directory, @order, @counts = Dir.mktmpdir, [], {}
      wrapper = ["valgrind", "--tool=callgrind", "-q", "--instr-atstart=no", "--callgrind-out-file=#{File.join(@directory, "out")}"]
      @worker = setup.start(wrapper: wrapper, environment: KERNEL)
      @errors = @worker.ask(:open, scenario: scenario.path, table: table.name, contenders: contenders, peers: setup.stage.peers).fetch("errors")
    end

    # How many calls of it take about so long.
    def calls(contender, seconds) = @worker.ask(:calls_within, contender: contender, seconds: seconds)

    # Runs it; what it came to is known when the process has ended.
    def count(contender, calls)
      @worker.ask(:instructions, contender: contender, iterations: calls, windows: WINDOWS)
      @order << [contender, calls]
    end

    # Ends the process and reads what callgrind wrote.
    def close
      @worker.close
      files = Dir[File.join(@directory, "out.*")].sort_by { |path| path[/\d+\z/].to_i }
      totals = files.map { |path| File.foreach(path).reverse_each.find { |line| line.start_with?("totals:") }.split.last.to_i }
      @order.zip(totals.each_slice(WINDOWS)) { |(contender, calls), windows| @counts[contender] = windows.min.fdiv(calls) if windows }
    ensure
      FileUtils.rm_rf(@directory)
    end

    # Instructions of one call by contender.
    attr_reader :counts
  end
end
