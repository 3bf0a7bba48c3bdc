# frozen_string_literal: true

# Layer: pool, pass. One long document into Sinks of every kind (Bench::Streaming), each sample in a process of its own: peak memory is what
# a process had at most. The options are sinks (which, of Streaming::SINKS), records (of a document; without, the first value is written as it
# is, and the last one warms up), quick_records, rounds and quick_rounds.

require_relative "pool"
require_relative "statistics"

module Bench
  # Time and memory of each contender for each kind of Sink, in turn.
  module MeasureStreams
    # For the progress bar: guesses.
    PROCESS_SECONDS = 0.5
    SECONDS_PER_RECORD = 4e-6

    def self.estimate(table, settings)
      sample = PROCESS_SECONDS + ((records(table, settings) || 10_000) * SECONDS_PER_RECORD)
      table.timed(settings.quick).size * table.options.fetch(:sinks).size * rounds(table, settings) * sample
    end

    # One pass: adds to samples[name, sink]. Yields the share done, 0 to 1.
    def self.sample(pool, settings, pass, samples)
      points = pool.live.product(pool.table.options.fetch(:sinks))
      rounds, random = pass.rounds(rounds(pool.table, settings)), pass.random
      rounds.times do |round|
        points.shuffle(random: random).each do |entry, sink|
          next unless entry.ok?

          samples[[entry.name, sink]] << measure(pool, entry, sink, records(pool.table, settings))
        rescue WorkerProcess::Failure => error
          entry.status, entry.error = "failed", error.message
        end
        yield((round + 1).fdiv(rounds))
      end
    end

    def self.rows(entries, table, _settings, samples)
      entries.product(table.options.fetch(:sinks)).map do |entry, sink|
        {"contender" => entry.name, "at" => sink, "metrics" => metrics(samples.fetch([entry.name, sink]))}
      end
    end

    def self.measure(pool, entry, sink, records)
      worker = pool.setup.start
      worker.ask(:open, scenario: pool.scenario.path, table: pool.table.name, contenders: [entry.name], peers: pool.setup.stage.peers)
            .fetch("errors").each_value { |error| raise WorkerProcess::Failure, error }
      worker.ask(:stream, contender: entry.name, sink: sink, records: records)
    ensure
      worker&.close
    end

    def self.metrics(samples)
      samples.first.keys.to_h { |name| [name, Statistics.metric(name, samples.map { |sample| sample.fetch(name) })] }
    end

    def self.records(table, settings) = settings.quick ? table.options[:quick_records] || table.options[:records] : table.options[:records]

    # Fewer where the table says so.
    def self.rounds(table, settings) = [table.options.fetch(settings.quick ? :quick_rounds : :rounds, settings.process_rounds), settings.process_rounds].min

    private_class_method :measure, :metrics, :records, :rounds
  end
end
