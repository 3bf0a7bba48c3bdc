# frozen_string_literal: true

# Stops. Runs what was chosen, group by group, in processes of their own, and counts.

require_relative "choice"
require_relative "nest"
require_relative "scenarios"

module Stops
  # One run.
  class Runner
    USES = %i[first hundredth].freeze
    # Of fewer stops of a share all may miss: a call has not always the same number of events.
    FEW = 10
    # What stands in a table's column.
    Tally = Struct.new(:events, :tried, :missed, :failed) do
      def add(outcome)
        self.tried += 1
        if outcome == "missed" then self.missed += 1
        elsif outcome != "fine" then self.failed += 1
        end
      end
    end

    attr_reader :failures, :tallies, :seconds

    # @param scenarios [Array<Scenario>]
    # @param count [Integer, nil] stops in all; nil: every event of every call, by the ways in turn
    # @param at [Range, nil] the events, instead of a share
    def initialize(scenarios:, seed:, count: nil, uses: USES, ways: Ways::USUAL,
    at: nil, jobs: 1)
      @scenarios, @seed, @uses, @ways, @jobs = scenarios, seed, uses, ways, jobs
      @share = !count.nil? && at.nil?
      @choice = Choice.new(seed: seed, count: count, at: at, ways: ways,
        combinations: scenarios.size * uses.size * ways.size)
      @failures = []
      @done = Hash.new(0) # [name, use] => workers that are through with it
      @tallies = Hash.new { |all, key| all[key] = Tally.new(0, 0, 0, 0) }
    end

    # @param done [#call] called with the name and use of each scenario that is done
    # @yieldparam result [Nest::Result] of each failure, as soon as it is known
    # @return [Boolean] whether all was well
    def call(done: nil, &failed)
      started = now
      @report_done, @report_failure = done, failed
      @scenarios.group_by(&:group).each do |group, scenarios|
        hear(Array.new(@jobs) { |job| worker(group, scenarios, job) }.to_h)
      end
      @seconds = now - started
      ok?
    end

    def ok? = @failures.empty? && unreached.empty?
    def tried = @tallies.values.sum(&:tried)

    # Combinations of which no stop met its event.
    def unreached
      asked = @scenarios.product(@uses, @ways).map do |scenario, use, way|
        [scenario.name, use, way]
      end
      asked.select { |key| !@tallies.key?(key) || all_missed?(@tallies[key]) }
    end

    private

    def all_missed?(tally)
      tally.tried == tally.missed && !(@share && tally.tried.between?(1, FEW - 1))
    end

    def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)

    # A process for a group: its libraries are not those of others.
    def worker(group, scenarios, job)
      reader, writer = IO.pipe(binmode: true)
      process = fork do
        reader.close
        nest = Nest.new(group)
        scenarios.product(@uses) do |scenario, use|
          work(nest, scenario, use, job) { |told| Marshal.dump(told, writer) }
        end
        exit!(0)
      end
      writer.close
      [reader, process]
    end

    def work(nest, scenario, use, job, &tell)
      events = nest.count(scenario, use)
      @ways.each do |way|
        tell.call([[scenario.name, use, way], events])
        numbers = @choice.of(scenario, use, way, events).select.with_index do |_, index|
          index % @jobs == job
        end
        nest.run(scenario, numbers.map { |at| Case.new(scenario: scenario.name, use: use, way: way,
          at: at) }) { |result| tell.call(result) }
      end
      tell.call({ done: [scenario.name, use] })
    end

    # Listens to all workers, so that none waits with a full pipe.
    #
    # @param processes [Hash{IO => Integer}]
    def hear(processes)
      until processes.empty?
        IO.select(processes.keys).first.each do |reader|
          reader.eof? ? ended(processes.delete(reader)) : take(Marshal.load(reader))
        end
      end
    end

    def ended(process)
      Process.wait(process)
      raise "a process of this run ended (#{$?})" unless $?.success?
    end

    def take(result)
      case result
      when Array then return @tallies[result.first].events = result.last
      when Hash then return done(result[:done])
      end

      @tallies[[result.case.scenario, result.case.use, result.case.way]].add(result.outcome)
      return if %w[fine missed].include?(result.outcome)

      @failures << result
      @report_failure&.call(result)
    end

    def done(name_and_use)
      ended = @done[name_and_use] += 1
      @report_done&.call(*name_and_use) if ended == @jobs
    end
  end
end
