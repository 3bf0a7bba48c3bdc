# frozen_string_literal: true

# Layer: pool. The default measurement of a table: how long one call takes, and what it allocates. The one option is processes: in fewer than
# the settings say.

require_relative "pool"
require_relative "statistics"

module Bench
  # Samples all contenders round by round, in an order that changes, so that noise hits all alike.
  module MeasureCalls
    # Calls over which allocations are counted: many, since Ruby counts slots a page at a time, but no
    # more than fit in memory with the collector off, or take longer than that.
    ALLOCATION_CALLS = 20_000
    ALLOCATION_BYTES = 100 << 20
    ALLOCATION_SECONDS = 0.03
    FEWEST_CALLS = 32 # one stray object in so many is no object a call

    # What a process takes until it is open; and what goes around a sample.
    OPENING_SECONDS, AROUND_SAMPLE = 1.2, 0.006
    # How long to wait for a core at full speed, and to repeat, by the time that the samples themselves take.
    PATIENCE = 1.0

    # Seconds that this will take, for the progress bar.
    def self.estimate(table, settings)
      sampling = settings.rounds * (settings.sample_seconds + AROUND_SAMPLE) * (1 + (PATIENCE / 2))
      processes = processes(table, settings)
      (table.timed(settings.quick).size * ((processes * settings.warm_seconds) + sampling + 0.15)) + (processes * OPENING_SECONDS)
    end

    # Adds metrics to the rows: {contender name => {metric => …}}. Yields the share done, 0 to 1.
    #
    # In several processes one after the other: where code and data lie differs from one to the next, and makes some contenders a fifth slower for
    # all of a process's life.
    def self.run(pool, settings)
      random, samples = Random.new(settings.seed), Hash.new { |hash, name| hash[name] = [] }
      processes = processes(pool.table, settings)
      processes.times do |process|
        anew(pool, process) do |one|
          sample(one, settings, random, samples) { |share| yield((process + share) / processes * 0.95) }
        end
      end
      rows = pool.live.to_h { |entry| [entry.name, metrics(entry, samples.fetch(entry.name))] }
      allocations(pool, rows, settings)
      yield 1.0
      rows.map { |name, metrics| {"contender" => name, "at" => nil, "metrics" => metrics} }
    end

    def self.processes(table, settings) = [table.options.fetch(:processes, settings.processes), settings.processes].min

    # The pool itself for the first process, another one of the same contenders for each that follows.
    def self.anew(pool, process, &block)
      return block.call(pool) if process.zero?

      Pool.open(pool.setup, pool.scenario, pool.table, only: pool.live.map(&:name), &block)
    end

    def self.warm(pool, settings)
      pool.live.to_h do |entry|
        per_call = entry.worker.ask(:warm, contender: entry.name, seconds: settings.warm_seconds)
        [entry.name, [(settings.sample_seconds * 1e9 / per_call).to_i, 1].max]
      end
    end

    # Adds to `samples` {name => [ns per call, the loop's own taken off]}, one per round.
    def self.sample(pool, settings, random, samples)
      iterations, gauges, empty = warm(pool, settings), gauges(pool), empty_loops(pool, settings)
      rounds = rounds(iterations, pool, settings)
      calm = pool.setup.calm
      calm.add(PATIENCE * rounds * pool.live.size * settings.sample_seconds)
      rounds.times do |round|
        collect(pool)
        pool.live.shuffle(random: random).each do |entry|
          count = iterations.fetch(entry.name)
          spent = calm.sample(gauges.fetch(entry.worker)) { entry.worker.ask(:sample, contender: entry.name, iterations: count, full: false) }.fdiv(count)
          samples[entry.name] << [spent - empty.fetch([entry.worker, entry.reads_value]), 0.01].max
        end
        yield((round + 1).fdiv(rounds))
      end
    end

    # All garbage of every process, once a round: with ActiveRecord that takes longer than a sample. Programs that are not Ruby do it themselves.
    def self.collect(pool)
      pool.live.map(&:worker).uniq.each { |worker| worker.ask(:collect) if worker.is_a?(WorkerProcess) }
    end

    # Who reads the Gauge for whom: a program that is not Ruby has none.
    def self.gauges(pool)
      workers = pool.live.map(&:worker).uniq
      workers.to_h { |worker| [worker, worker.is_a?(WorkerProcess) ? worker : workers.grep(WorkerProcess).first] }
    end

    # Of one process. Where one call takes half a sample or more, no more than a figure needs.
    def self.rounds(iterations, pool, settings)
      (iterations.value?(1) ? [settings.rounds, Statistics::SAMPLES].min : settings.rounds).fdiv(processes(pool.table, settings)).ceil
    end

    # What the loop itself costs a call, per process, with and without a value: the least of several.
    def self.empty_loops(pool, settings)
      pool.live.each { |entry| entry.reads_value = entry.worker.ask(:reads_value, contender: entry.name) }
      pool.live.map { |entry| [entry.worker, entry.reads_value] }.uniq.to_h do |worker, reads|
        per_call = worker.ask(:warm, contender: nil, reads_value: reads, seconds: settings.warm_seconds / 4)
        count = [(settings.sample_seconds * 1e9 / 4 / per_call).to_i, 1].max
        [[worker, reads], Array.new(5) { worker.ask(:sample, contender: nil, reads_value: reads, iterations: count).fdiv(count) }.min]
      end
    end

    def self.metrics(entry, samples)
      {"time" => Statistics.metric("time", samples),
       "throughput" => Statistics.metric("throughput", samples.map { |time| entry.document_bytes * 1000 / time })}
    end

    # With --quick only objects, which need no processes of their own, and only of ours.
    def self.allocations(pool, rows, settings)
      entries = pool.live.select { |entry| !settings.quick || entry.contender.group == "ours" }
      pool.open_counting(settings.quick ? [] : entries) do |counting|
        entries.each do |entry|
          worker = counting ? counting.worker_of(entry.name) : entry.worker
          in_time = ALLOCATION_SECONDS * 1e9 / rows.fetch(entry.name).fetch("time").fetch("median")
          calls = [ALLOCATION_BYTES / (entry.document_bytes * 20), in_time].min.to_i.clamp(FEWEST_CALLS, ALLOCATION_CALLS)
          counts = worker.ask(:allocations, contender: entry.name, iterations: calls)
          counts.each { |name, value| rows.fetch(entry.name)[name] = Statistics.metric(name, [value]) if value }
        end
      end
    end

    private_class_method :processes, :anew, :warm, :sample, :collect, :gauges, :rounds, :metrics, :allocations
  end
end
