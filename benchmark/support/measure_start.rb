# frozen_string_literal: true

# Layer: pool. How long a new process takes until it serializes (Bench::Start). The option is count: how many serializers.

require_relative "pool"
require_relative "statistics"

module Bench
  # A new process for each sample, contenders in turn.
  module MeasureStart
    # One process with its own start, for the progress bar: a guess.
    PROCESS_SECONDS = 0.3

    def self.estimate(table, settings) = (table.timed(settings.quick).size * (settings.process_rounds + 1) * PROCESS_SECONDS) + 1

    def self.run(pool, settings)
      random, times = Random.new(settings.seed), Hash.new { |hash, entry| hash[entry] = [] }
      settings.process_rounds.times do |round|
        pool.live.shuffle(random: random).each do |entry|
          times[entry] << sample(pool, entry)
        rescue WorkerProcess::Failure => error
          entry.status, entry.error = "failed", error.message
        end
        yield((round + 1).fdiv(settings.process_rounds))
      end
      pool.live.map { |entry| {"contender" => entry.name, "at" => nil, "metrics" => metrics(times.fetch(entry))} }
    end

    def self.sample(pool, entry)
      worker = pool.setup.start
      worker.ask(:start, scenario: pool.scenario.path, table: pool.table.name, contender: entry.name, peers: pool.setup.stage.peers,
                         count: pool.table.options.fetch(:count)).fetch("times")
    ensure
      worker&.close
    end

    def self.metrics(samples)
      samples.first.keys.to_h { |name| [name, Statistics.metric(name, samples.map { |sample| sample.fetch(name) })] }
    end

    private_class_method :sample, :metrics
  end
end
