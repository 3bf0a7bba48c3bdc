# frozen_string_literal: true

# Layer: pool, pass, pace, the measures, verdicts. One table under one setup, from opening it to its part of results.json.

require_relative "measure_calls"
require_relative "measure_growth"
require_relative "measure_parallel"
require_relative "measure_start"
require_relative "measure_streams"
require_relative "pace"
require_relative "pass"
require_relative "verdicts"

module Bench
  # Measures its table pass by pass, each in processes of its own: where code and data lie differs from one process to the next, and makes some
  # contenders a fifth slower for all of its life. Between two passes are all other tables, so what slows the machine for a minute slows one of them.
  class Job
    MEASURES = {"calls" => MeasureCalls, "growth" => MeasureGrowth, "parallel" => MeasureParallel, "start" => MeasureStart,
                "streams" => MeasureStreams}.freeze

    # Of a pass, in whose processes a worker ended.
    TRIES = 2

    attr_reader :scenario

    def initialize(scenario, table, setup, settings)
      @scenario, @table, @setup, @settings = scenario, table, setup, settings.for_setup(setup.judged_as)
      @samples, @rounds, @left_out = Hash.new { |hash, key| hash[key] = [] }, 0, 0
    end

    # How often the table is measured.
    def passes = @settings.passes_of(@table)

    # Whether the `number`-th pass may be left out: the last one makes up for it, see Pass; nothing does for what nobody judges.
    def optional?(number) = @setup.judged_as.nil? || (number.positive? && number < passes - 1)

    # What has to be made up for where a pass is left out, of its time.
    def deferred = @setup.judged_as ? Pace::DEFERRED : 0

    # The next pass is. The documents of what nobody judges are compared all the same.
    def leave_out
      return @left_out += 1 if @setup.judged_as

      @settings = @settings.dup.tap { |compared| compared.only_equality = true }
      run(0)
    end

    # Measures all cores, so nothing may run beside it.
    def alone? = @table.measure == "parallel" && !@settings.only_equality

    # Of one pass, for the progress bar and the Pace.
    def seconds = @settings.only_equality ? 1.0 : measure.estimate(@table, @settings) / passes

    # The same of the `number`-th, from 0, with what it has to make up for.
    def seconds_of(number) = seconds * (1 + (number == passes - 1 ? Pace::DEFERRED * @left_out : 0))

    def label(number) = "#{@scenario.number}. #{@scenario.name}, #{@table.name}, #{@setup.id}#{" (#{number + 1}/#{passes})" if passes > 1}"

    # The `number`-th pass, from 0, with that `share` of the samples that are more than a figure needs. Yields the share done, 0 to 1. A worker that ends
    # in the middle of it is told, and the pass is done again, in new processes; after the second time those that were being measured have failed.
    def run(number, share: 1, &done)
      tries ||= 1
      taken, pass = Hash.new { |hash, key| hash[key] = [] }, pass(number, share)
      open(first: number.zero?) { |pool| sample(pool, pass, taken, &done) }
      taken.each { |key, samples| @samples[key].concat(samples) }
      @rounds += pass.taken.to_i
    rescue WorkerProcess::Failure => error
      warn "bin/bench: #{label(number)}: #{error.message}"
      retry if (tries += 1) <= TRIES
      live.each { |entry| entry.status, entry.error = "failed", error.message }
    end

    # The table as results.json has it. After the last pass.
    def result
      measured = @settings.only_equality || live.empty? ? [] : measure.rows(live, @table, @settings, @samples)
      rows = @entries.flat_map { |entry| rows(entry, measured.select { |row| row["contender"] == entry.name }) }
      verdicts = Verdicts.new(rows, @setup.judged_as)
      claims = @settings.only_equality ? [] : @table.claims.map { |claim| verdicts.of(claim) }
      {"name" => @table.name, "setup" => @setup.id, "measure" => @table.measure,
       "options" => @table.options.transform_keys(&:to_s), "parsers" => @parsers || [], "rows" => rows, "claims" => claims}
    end

    private

    def sample(pool, pass, taken, &done)
      return if @settings.only_equality || pool.live.empty?

      measure.sample(pool, @settings, pass, taken, &done)
    end

    def pass(number, share) = Pass.new(number: number, of: passes, seed: @settings.seed, share: share, before: @rounds)

    def measure = MEASURES.fetch(@table.measure)
    def live = @entries.select(&:ok?)

    # Documents are compared in the first pass; who fails in a later one has failed.
    def open(first:)
      Pool.open(@setup, @scenario, @table, quick: @settings.leaves_out?, only: first ? nil : live.map(&:name)) do |pool|
        if first
          pool.compare
          @entries, @parsers = pool.entries, pool.parsers
        else
          pool.entries.each { |entry| entry.document_bytes = entry_named(entry.name).document_bytes }
        end
        yield pool
        pool.entries.each { |entry| entry_named(entry.name).then { |known| known.status, known.error = entry.status, entry.error } } unless first
      end
    end

    def entry_named(name) = @entries.find { |entry| entry.name == name }

    def rows(entry, measured)
      fields = {"contender" => entry.name, "group" => entry.contender.group, "peers" => entry.contender.peer, "at" => nil,
                "status" => entry.ok? && @settings.only_equality ? "equal" : entry.status, "error" => entry.error,
                "differs" => entry.contender.differs, "document_bytes" => entry.document_bytes, "metrics" => {}}
      measured.empty? ? [fields] : measured.map { |row| fields.merge(row) }
    end
  end
end
