# frozen_string_literal: true

# Fuzz kit. Runs a target over many cases in some processes; shrinks what fails; says how much was
# done.
#
# A target has: name, rows, generate(dice) -> case, check(case, rows) -> nil or what is wrong,
# simpler(case), source(case).

require "etc"
require_relative "dice"
require_relative "rows"
require_relative "shrinker"

module Fuzz
  # One run.
  class Runner
    # So many cases reach every row; a shorter run does not insist.
    FULL_RUN = 2_000
    REPRO = <<~RUBY
      # ruby -Ilib -Itest THIS_FILE
      require "fuzz/actors"
    RUBY

    attr_reader :target, :seed, :rows, :done, :failures

    def initialize(target, seed:, count: 10_000, minutes: nil, jobs: 1, first: 0)
      @target = target
      @seed = seed
      @count = count
      @deadline = minutes && (now + minutes * 60)
      @jobs = jobs
      @first = first
      @rows = Rows.new(target.rows)
      @done = 0
      @failures = []
    end

    # @return [Boolean] whether all was well
    def call
      started = now
      @jobs > 1 ? fork_jobs : merge(work(0))
      @seconds = now - started
      ok?
    end

    def ok? = @failures.empty? && (missed.empty? || @done < FULL_RUN) && @done.positive?
    def missed = @rows.missed
    def rate = @done / @seconds

    # The failing cases, made small.
    def reports(limit = 3)
      @failures.first(limit).map do |index|
        small = Shrinker.new(simpler: @target.method(:simpler),
                             fails: ->(found) { @target.check(found) }).shrink(made(index))
        problem = @target.check(small) || "failed once, and no more"
        "case #{index} of seed #{@seed}: #{problem}\n\n" \
        "#{REPRO}#{@target.source(small)}\n"
      end
    end

    # The last line: plain, for people and for .ci/tally.rb.
    def summary
      format("fuzz %s: seed %d, %.1f s, %d cases a second: %d passed, %d failed", @target.name,
             @seed, @seconds, rate,
             @done - @failures.size, @failures.size + (@done >= FULL_RUN ? missed.size : 0))
    end

    private

    def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)

    def made(index) = @target.generate(Dice.new(@seed, index))

    # Every @jobs-th case, from `offset` on.
    def work(offset)
      rows = Rows.new(@target.rows)
      failures = []
      done = 0
      (@first + offset).step(@first + @count - 1, @jobs) do |index|
        break if failures.size >= 5 || (@deadline && now > @deadline)

        failures << index if @target.check(made(index), rows)
        done += 1
      end
      [done, failures, rows.counts]
    end

    def merge((done, failures, counts))
      @done += done
      @failures.concat(failures)
      @rows.add(counts)
    end

    def fork_jobs
      pipes = Array.new(@jobs) do |offset|
        reader, writer = IO.pipe
        process = fork do
          reader.close
          writer.write(Marshal.dump(work(offset)))
          writer.close
          exit!(0)
        end
        writer.close
        [process, reader]
      end
      pipes.each do |process, reader|
        answer = reader.read
        Process.wait(process)
        raise "a fuzz process died: #{$?}" unless $?.success?

        merge(Marshal.load(answer))
      end
    end
  end
end
