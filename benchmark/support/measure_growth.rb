# frozen_string_literal: true

# Layer: pool. How the time for one record grows with their number. The table's data is one list of records; the options are
# records (a list of how many: those of the list over and over), base (the number that growth is set in relation to) and quick_records
# (the largest number that --quick has).

require_relative "pool"
require_relative "statistics"

module Bench
  # Time per record and growth of each contender at each number of records, in turn.
  module MeasureGrowth
    # What one sample of the largest number takes, for the progress bar: a guess.
    SECONDS_PER_RECORD = 200e-9

    def self.estimate(table, settings)
      sample = numbers(table, settings).sum { |number| [settings.sample_seconds, number * SECONDS_PER_RECORD].max + 0.01 }
      (table.timed(settings.quick).size * (Statistics::SAMPLES + 2) * sample) + 1
    end

    def self.run(pool, settings)
      numbers = numbers(pool.table, settings)
      points = pool.live.product(numbers)
      iterations = points.to_h { |entry, number| [[entry, number], warm(entry, number, settings)] }
      random, times = Random.new(settings.seed), Hash.new { |hash, point| hash[point] = [] }
      Statistics::SAMPLES.times do |round|
        points.shuffle(random: random).each do |entry, number|
          count = iterations.fetch([entry, number])
          spent = entry.worker.ask(:sample, contender: entry.name, records: number, iterations: count)
          times[[entry, number]] << spent.fdiv(count * number)
        end
        yield((round + 1).fdiv(Statistics::SAMPLES))
      end
      rows(pool, numbers, times)
    end

    # How many calls fill a sample.
    def self.warm(entry, number, settings)
      per_call = entry.worker.ask(:warm, contender: entry.name, records: number, seconds: settings.warm_seconds)
      [(settings.sample_seconds * 1e9 / per_call).to_i, 1].max
    end

    # The times of one round are set in relation to the same round's time of the base.
    def self.rows(pool, numbers, times)
      left_out = pool.table.options.fetch(:records) - numbers
      pool.live.flat_map do |entry|
        base = times.fetch([entry, pool.table.options.fetch(:base)])
        measured = numbers.map do |number|
          time = times.fetch([entry, number])
          metrics = {"record_time" => Statistics.metric("record_time", time),
                     "growth" => Statistics.metric("growth", time.zip(base).map { |here, there| here / there })}
          {"contender" => entry.name, "at" => number, "metrics" => metrics}
        end
        measured + left_out.map { |number| {"contender" => entry.name, "at" => number, "status" => "skipped", "error" => "left out by --quick"} }
      end
    end

    def self.numbers(table, settings)
      records, largest = table.options.values_at(:records, :quick_records)
      settings.quick && largest ? records.select { |number| number <= largest } : records
    end

    private_class_method :warm, :rows, :numbers
  end
end
