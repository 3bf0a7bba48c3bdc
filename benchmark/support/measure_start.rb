# frozen_string_literal: true

# Layer: pool, pass. How long a new process takes until it serializes (Bench::Start). The option is count: how many serializers.

require_relative "pool"
require_relative "statistics"

module Bench
  # A new process for each sample, contenders in turn.
  module MeasureStart
    # One process with its own start, for the progress bar: a guess.
    PROCESS_SECONDS = 0.3
    # Seconds to wait for a core at full speed, and to repeat, in each pass. The gauge is read in a process that stays, beside those that start.
    PATIENCE = 4

    def self.estimate(table, settings)
      passes = settings.passes_of(table)
      (table.timed(settings.quick).size * (settings.process_rounds + passes) * PROCESS_SECONDS) + (passes * (Pool::OPENING_SECONDS + (PATIENCE / 2.0)))
    end

    # One pass: adds to samples[name]. Yields the share done, 0 to 1.
    def self.sample(pool, settings, pass, samples)
      rounds, random, calm = pass.rounds(settings.process_rounds), pass.random, pool.setup.calm
      calm.add(pass.patience(PATIENCE))
      rounds.times do |round|
        pool.live.shuffle(random: random).each do |entry|
          times, calmly = calm.take(entry.worker) { measure(pool, entry) }
          samples[entry.name] << times.merge("calm" => calmly)
        rescue WorkerProcess::Failure => error
          entry.status, entry.error = "failed", error.message
        end
        yield((round + 1).fdiv(rounds))
      end
    end

    def self.rows(entries, _table, _settings, samples)
      entries.map { |entry| {"contender" => entry.name, "at" => nil, "metrics" => metrics(samples.fetch(entry.name))} }
    end

    def self.measure(pool, entry)
      worker = pool.setup.start
      worker.ask(:start, scenario: pool.scenario.path, table: pool.table.name, contender: entry.name, peers: pool.setup.stage.peers,
                         count: pool.table.options.fetch(:count)).fetch("times")
    ensure
      worker&.close
    end

    def self.metrics(samples)
      calm = samples.map { |sample| sample.fetch("calm") }
      (samples.first.keys - ["calm"]).to_h { |name| [name, Statistics.metric(name, samples.map { |sample| sample.fetch(name) }, calm: calm)] }
    end

    private_class_method :measure, :metrics
  end
end
