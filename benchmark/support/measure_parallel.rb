# frozen_string_literal: true

# Layer: pool, pass. How a contender's rate grows with the number of processes or Ractors. The options of
# the table: kind ("processes" or "ractors"), workers (a list that starts with 1), calls (by each).

require_relative "pool"
require_relative "statistics"

module Bench
  # Rates and scaling of each contender at each number of workers, in turn.
  module MeasureParallel
    # The share of the calls that --quick makes.
    QUICK_SHARE = 4

    def self.estimate(table, settings)
      calls = calls(table, settings) * table.options.fetch(:workers).sum
      (table.contenders.size * settings.process_rounds * ((calls * 450e-9) + (0.03 * table.options.fetch(:workers).size))) + 1
    end

    # One pass: adds to samples[name, number of workers]. Yields the share done, 0 to 1.
    def self.sample(pool, settings, pass, samples)
      kind, workers = pool.table.options.values_at(:kind, :workers)
      rounds = pass.rounds(settings.process_rounds)
      rounds.times do |round|
        workers.each do |count|
          pool.live.each do |entry|
            answer = entry.worker.ask(:parallel, contender: entry.name, kind: kind, workers: count, iterations: calls(pool.table, settings))
            samples[[entry.name, count]] << answer.fetch("rate")
          rescue WorkerProcess::Failure => error
            entry.status, entry.error = "failed", "with #{count} #{kind}: #{error.message}"
          end
        end
        yield((round + 1).fdiv(rounds))
      end
    end

    def self.rows(entries, table, _settings, samples)
      entries.flat_map { |entry| table.options.fetch(:workers).map { |count| row(entry.name, count, samples) } }
    end

    # The rates of one round are set in relation to the same round's rate with one worker.
    def self.row(name, count, rates)
      rate, alone = rates.fetch([name, count]), rates.fetch([name, 1])
      metrics = {"rate" => Statistics.metric("rate", rate), "scaling" => Statistics.metric("scaling", rate.zip(alone).map { |many, one| many / one })}
      {"contender" => name, "at" => count, "metrics" => metrics}
    end

    def self.calls(table, settings) = table.options.fetch(:calls) / (settings.quick ? QUICK_SHARE : 1)

    private_class_method :row, :calls
  end
end
