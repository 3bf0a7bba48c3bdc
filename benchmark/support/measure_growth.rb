# frozen_string_literal: true

# Layer: pool, pass. How the time for one record grows with their number. The table's data is one list of records; the options are
# records (a list of how many: those of the list over and over), base (the number that growth is set in relation to) and quick_records
# (the largest number that --quick has).

require_relative "pool"
require_relative "statistics"

module Bench
  # Time per record and growth of each contender at each number of records, in turn.
  module MeasureGrowth
    # What one sample of the largest number takes, for the progress bar: a guess.
    SECONDS_PER_RECORD = 200e-9
    # Seconds to wait for a core at full speed, and to repeat, in each pass.
    PATIENCE = 2

    def self.estimate(table, settings)
      sample = numbers(table, settings).sum { |number| [settings.sample_seconds, number * SECONDS_PER_RECORD].max + 0.01 }
      (table.timed(settings.quick).size * (Statistics::SAMPLES + 2) * sample) + (settings.passes_of(table) * (Pool::OPENING_SECONDS + (PATIENCE / 2.0)))
    end

    # One pass: adds to samples[name, number of records]. Yields the share done, 0 to 1.
    def self.sample(pool, settings, pass, samples)
      points = pool.live.product(numbers(pool.table, settings))
      iterations = points.to_h { |entry, number| [[entry, number], warm(entry, number, settings)] }
      rounds, random, calm = pass.rounds(Statistics::SAMPLES), pass.random, pool.setup.calm
      calm.add(pass.patience(PATIENCE))
      rounds.times do |round|
        points.shuffle(random: random).each do |entry, number|
          count = iterations.fetch([entry, number])
          spent = calm.sample(entry.worker) { entry.worker.ask(:sample, contender: entry.name, records: number, iterations: count) }
          samples[[entry.name, number]] << spent.fdiv(count * number)
        end
        yield((round + 1).fdiv(rounds))
      end
    end

    # The times of one round are set in relation to the same round's time of the base.
    def self.rows(entries, table, settings, samples)
      numbers = numbers(table, settings)
      left_out = table.options.fetch(:records) - numbers
      entries.flat_map do |entry|
        base = samples.fetch([entry.name, table.options.fetch(:base)])
        measured = numbers.map do |number|
          time = samples.fetch([entry.name, number])
          metrics = {"record_time" => Statistics.metric("record_time", time),
                     "growth" => Statistics.metric("growth", time.zip(base).map { |here, there| here / there })}
          {"contender" => entry.name, "at" => number, "metrics" => metrics}
        end
        measured + left_out.map { |number| {"contender" => entry.name, "at" => number, "status" => "skipped", "error" => "left out by --quick"} }
      end
    end

    # How many calls fill a sample.
    def self.warm(entry, number, settings)
      per_call = entry.worker.ask(:warm, contender: entry.name, records: number, seconds: settings.warm_seconds)
      [(settings.sample_seconds * 1e9 / per_call).to_i, 1].max
    end

    def self.numbers(table, settings)
      records, largest = table.options.values_at(:records, :quick_records)
      settings.quick && largest ? records.select { |number| number <= largest } : records
    end

    private_class_method :warm, :numbers
  end
end
