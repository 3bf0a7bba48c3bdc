# frozen_string_literal: true

require_relative "claims"
require_relative "measures/calls"
require_relative "measures/growth"
require_relative "measures/parallel"
require_relative "measures/processes"
require_relative "settings"

module Bench
  # One table under one setup, from comparing its documents to its part of results.json.
  class Job
    MEASURES = {"calls" => Calls, "growth" => Growth, "parallel" => ParallelRates,
                "start" => Starts, "streams" => Streams}.freeze
    # Of a set of processes in which a worker ended.
    TRIES = 2

    attr_reader :scenario, :table

    def initialize(scenario, table, setup, settings)
      @scenario, @table, @setup = scenario, table, setup
      @settings = settings.for_setup(setup.judged_as)
      @samples = Hash.new { |hash, key| hash[key] = [] }
    end

    # Measures all cores, so that nothing may run beside it.
    def alone? = @table.measure == "parallel" && !@settings.only_equality

    def label = "#{@scenario.number}. #{@scenario.name}, #{@table.name}, #{@setup.id}"

    # Each set of processes; documents are compared in the first.
    def run(equality)
      @parsers = equality.parsers.keys
      rounds = measure.rounds(@table, @settings)
      sets = @settings.only_equality ? 1 : [@settings.sets, rounds].min
      sets.times { |number| run_set(number, rounds.fdiv(sets).ceil, equality, number == sets - 1) }
      self
    end

    # The table as results.json has it.
    def to_results
      measured = @settings.only_equality ? [] : measured_rows
      rows = @entries.flat_map do |entry|
        own = measured.select { |row| row["contender"] == entry.name }
        own.empty? ? [fields(entry)] : own.map { |row| fields(entry).merge(row) }
      end
      claims = @settings.only_equality ? [] : @table.claims
      judge = Claims.new(rows, @setup.judged_as)
      {"name" => @table.name, "setup" => @setup.id, "measure" => @table.measure,
       "options" => @table.options.transform_keys(&:to_s), "parsers" => @parsers, "rows" => rows,
       "claims" => claims.map { |claim| judge.of(claim) }}
    end

    private

    def measure = MEASURES.fetch(@table.measure)
    def live = @entries.select(&:ok?)

    # A worker that ends in the middle is told, and the set is done again in new processes; after
    # the second time those that were being measured have failed.
    def run_set(number, rounds, equality, last)
      tries ||= 1
      samples = Hash.new { |hash, key| hash[key] = [] }
      open(number, equality) do |pool|
        next if @settings.only_equality || pool.live.empty?

        measuring = measure.new(pool, @settings)
        measuring.sample(rounds, Random.new(@settings.seed + number), samples)
        measuring.finish(samples) if last
      end
      samples.each { |key, taken| @samples[key].concat(taken) }
    rescue WorkerProcess::Failure => error
      warn "bin/bench: #{label}: #{error.message}"
      retry if (tries += 1) <= TRIES
      live.each { |entry| entry.fail(error.message) }
    end

    # Who fails in a later set has failed.
    def open(number, equality)
      only = number.zero? ? nil : live.map(&:name)
      less = @settings.compares_less?
      Pool.open(@setup, @scenario, @table, quick: less, only: only) do |pool|
        if number.zero?
          pool.compare(equality)
          pool.leave_out if @settings.leaves_out?
          @entries = pool.entries
        else
          pool.entries.each { |one| one.document_bytes = named(one.name).document_bytes }
        end
        yield pool
        pool.entries.reject(&:ok?).each { |one| named(one.name).fail(one.error, one.status) }
      end
    end

    def named(name) = @entries.find { |entry| entry.name == name }

    def measured_rows
      rows = @samples.filter_map do |(name, at), samples|
        next unless named(name).ok?

        metrics = samples.flat_map(&:keys).uniq.to_h do |metric|
          [metric, Metrics.of(metric, samples.filter_map { |sample| sample[metric] })]
        end
        {"contender" => name, "at" => at, "metrics" => metrics}
      end
      measure.complete(rows.sort_by { |row| points.index(row["at"]) }, @table, @settings)
    end

    def points = @points ||= @samples.keys.map(&:last).uniq.then { |ats| ordered(ats) }
    def ordered(ats) = ats.all?(Numeric) ? ats.sort : (@table.options[:sinks] || ats)

    def fields(entry)
      equal = entry.ok? && @settings.only_equality
      {"contender" => entry.name, "group" => entry.group, "peers" => entry.contender.peer,
       "at" => nil, "status" => equal ? "equal" : entry.status, "error" => entry.error,
       "differs" => entry.contender.differs, "document_bytes" => entry.document_bytes,
       "metrics" => {}}
    end
  end
end
