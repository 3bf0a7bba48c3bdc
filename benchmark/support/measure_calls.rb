# frozen_string_literal: true

# Layer: pool, pass, main_contender, sliced_sample. The default measurement of a table: how long one call takes, and what it allocates.

require_relative "main_contender"
require_relative "pool"
require_relative "sliced_sample"
require_relative "statistics"

module Bench
  # Samples all contenders round by round, in an order that changes, so that noise hits all alike.
  module MeasureCalls
    # Calls over which allocations are counted: many, since Ruby counts slots a page at a time, but no
    # more than fit in memory with the collector off, or take longer than that.
    ALLOCATION_CALLS = 20_000
    ALLOCATION_BYTES = 100 << 20
    ALLOCATION_SECONDS = 0.03
    # By group: one stray object in so many is no object a call. Of others' slow calls fewer: they take most of the time that counting takes.
    FEWEST_CALLS = Hash.new(4).merge("ours" => 32)

    # A sample has so many calls at least, though it then takes so many times as long: of calls that take a millisecond and collect garbage now and then, ten
    # may hold no collection. (JSON.parse of citm_catalog: 1,553 us in the best sample of 6 calls, 2,200 in the middle.)
    SAMPLE_CALLS, LONGER = 12, 3

    # Long enough for the Gauge beside it to cost little, short enough to fall between two bursts of strangers; of slower calls it is one.
    SLICE_SECONDS = 0.000_15

    METRICS = %w[time throughput objects allocated].freeze

    # Of the contender that all others are set in relation to, in one round: its noise is in every ratio of the table. Of 500 ratios of two runs of six
    # scenarios 89.8 % agreed within 10 %; with the same figure of this one in both they would have been 92.8 %.
    MAIN_SAMPLES = 3

    # What goes around a sample.
    AROUND_SAMPLE = 0.006
    # How long samples without enough slices at full speed are repeated, by the time that the samples themselves take.
    PATIENCE = 0.2

    # Seconds that all passes will take, for the progress bar.
    def self.estimate(table, settings)
      passes = settings.passes_of(table)
      sampling = settings.rounds * (settings.sample_seconds + AROUND_SAMPLE) * (1 + (PATIENCE / 2))
      contenders = table.timed(settings.quick).size
      (contenders * ((passes * settings.warm_seconds) + 0.15)) + ((contenders + MAIN_SAMPLES - 1) * sampling) + (passes * Pool::OPENING_SECONDS)
    end

    # One pass: adds to samples[name, metric]. Yields the share done, 0 to 1.
    def self.sample(pool, settings, pass, samples)
      per_call, empty = warm(pool, settings), empty_loops(pool, settings)
      iterations = per_call.transform_values { |nanoseconds| calls(settings, nanoseconds) }
      rounds, random, calm = rounds(per_call.values.max, settings, pass), pass.random, pool.setup.calm
      turns = turns(pool, settings)
      calm.add(pass.patience(PATIENCE * rounds * turns.sum { |entry| iterations.fetch(entry.name) * per_call.fetch(entry.name) } / 1e9))
      rounds.times do |round|
        collect(pool)
        turns.shuffle(random: random).each do |entry|
          time, calmly, whole = take(entry, iterations.fetch(entry.name), per_call.fetch(entry.name), calm)
          around = empty.fetch([entry.worker, entry.reads_value])
          samples[[entry.name, "time"]] << [time - around, 0.01].max
          samples[[entry.name, "whole"]] << [whole - around, 0.01].max
          samples[[entry.name, "calm"]] << calmly
        end
        yield((round + 1).fdiv(rounds) * 0.95)
      end
      allocations(pool, settings, samples) if pass.last?
      yield 1.0
    end

    def self.rows(entries, _table, _settings, samples)
      entries.map do |entry|
        found = samples.select { |(name, _), _| name == entry.name }.transform_keys(&:last)
        times = found.values_at("time", "whole")
        speeds = times.map { |list| list.map { |time| entry.document_bytes * 1000 / time } }
        of_time = {"time" => times, "throughput" => speeds}.to_h do |name, (list, whole)|
          [name, Statistics.metric(name, list, calm: found.fetch("calm"), whole: whole)]
        end
        others = (METRICS - of_time.keys).filter_map { |name| [name, Statistics.metric(name, found[name])] if found[name] }.to_h
        {"contender" => entry.name, "at" => nil, "metrics" => of_time.merge(others)}
      end
    end

    # Nanoseconds of a call, by name. A third is enough where nothing is compiled.
    def self.warm(pool, settings)
      seconds = settings.warm_seconds / (pool.setup.yjit ? 1 : 3)
      pool.live.to_h { |entry| [entry.name, entry.worker.ask(:warm, contender: entry.name, seconds: seconds)] }
    end

    # [nanoseconds of a call, whether at full speed, those of the whole sample]. Of a program that is not Ruby there is the whole alone, so that it is set in
    # relation to wholes.
    def self.take(entry, iterations, per_call, calm)
      worker = entry.worker
      unless worker.is_a?(WorkerProcess)
        time = worker.ask(:sample, contender: entry.name, iterations: iterations).fdiv(iterations)
        return [time, false, time]
      end

      calls = (SLICE_SECONDS * 1e9 / per_call).to_i.clamp(1, iterations)
      calm.take_slices { SlicedSample.new(worker.ask(:slices, contender: entry.name, calls: calls, count: iterations / calls)) }
    end

    # How many make a sample, of so many nanoseconds each.
    def self.calls(settings, per_call)
      in_time = settings.sample_seconds * 1e9 / per_call
      longer = settings.quick ? in_time : [in_time * LONGER, SAMPLE_CALLS].min
      [in_time, longer, 1].max.to_i
    end

    # All garbage of every process, once a round: with ActiveRecord that takes longer than a sample. Programs that are not Ruby do it themselves.
    def self.collect(pool)
      pool.live.map(&:worker).uniq.each { |worker| worker.ask(:collect) if worker.is_a?(WorkerProcess) }
    end

    # Whose samples make a round.
    def self.turns(pool, settings)
      ours, claimed = pool.live.select { |entry| entry.contender.group == "ours" }, pool.table.claims.map(&:subject)
      name = MainContender.of(ours.map(&:name), claimed) unless settings.quick
      pool.live + (ours.select { |entry| entry.name == name } * (MAIN_SAMPLES - 1))
    end

    # Where the slowest call takes half a sample or more, no more than a figure needs.
    def self.rounds(slowest, settings, pass)
      pass.rounds(slowest * 2 >= settings.sample_seconds * 1e9 ? [settings.rounds, Statistics::SAMPLES].min : settings.rounds)
    end

    # What the loop itself costs a call, per process, with and without a value: the least of several.
    def self.empty_loops(pool, settings)
      pool.live.each { |entry| entry.reads_value = entry.worker.ask(:reads_value, contender: entry.name) }
      pool.live.map { |entry| [entry.worker, entry.reads_value] }.uniq.to_h do |worker, reads|
        per_call = worker.ask(:warm, contender: nil, reads_value: reads, seconds: settings.warm_seconds / 8)
        count = [(settings.sample_seconds * 1e9 / 8 / per_call).to_i, 1].max
        [[worker, reads], Array.new(5) { worker.ask(:sample, contender: nil, reads_value: reads, iterations: count).fdiv(count) }.min]
      end
    end

    # With --quick only objects, which need no processes of their own, and only of ours.
    def self.allocations(pool, settings, samples)
      entries = pool.live.select { |entry| !settings.quick || entry.contender.group == "ours" }
      pool.open_counting(settings.quick ? [] : entries) do |counting|
        entries.each do |entry|
          worker = counting ? counting.worker_of(entry.name) : entry.worker
          in_time = ALLOCATION_SECONDS * 1e9 / Statistics.median(samples.fetch([entry.name, "time"]))
          calls = [ALLOCATION_BYTES / (entry.document_bytes * 20), in_time].min.to_i.clamp(FEWEST_CALLS[entry.contender.group], ALLOCATION_CALLS)
          counts = worker.ask(:allocations, contender: entry.name, iterations: calls)
          counts.each { |name, value| samples[[entry.name, name]] << value if value }
        end
      end
    end

    private_class_method :warm, :take, :calls, :collect, :turns, :rounds, :empty_loops, :allocations
  end
end
