# frozen_string_literal: true

require_relative "measure"

module Bench
  # How the time for one record grows with their number. The table's data is one list of records;
  # its options are `records` (how many: those of the list over and over), `base` (the number that
  # growth is set in relation to) and `quick_records` (the largest number that --quick has).
  class Growth < Measure
    def self.numbers(table, settings)
      most = table.options[:quick_records] if settings.quick
      table.options.fetch(:records).select { |number| most.nil? || number <= most }
    end

    def self.complete(rows, table, settings)
      rows.each do |row|
        base = rows.find do |other|
          other["contender"] == row["contender"] && other["at"] == table.options.fetch(:base)
        end
        time = row["metrics"]["record_time"]
        row["metrics"]["growth"] =
          Metrics.quotient("growth", time, base["metrics"]["record_time"])
      end
      rows + left_out(rows, table, settings)
    end

    def self.left_out(rows, table, settings)
      numbers = table.options.fetch(:records) - numbers(table, settings)
      rows.map { |row| row["contender"] }.uniq.product(numbers).map do |name, number|
        {"contender" => name, "at" => number, "status" => "skipped",
         "error" => "left out by --quick"}
      end
    end
    private_class_method :left_out

    private

    def ats = self.class.numbers(@table, @settings)

    # How many calls fill a sample.
    def prepare
      @calls = @pool.live.product(ats).to_h do |entry, number|
        per_call = entry.ask(:warm, records: number, seconds: @settings.warm_seconds)
        [[entry, number], [(@settings.sample_seconds * 1e9 / per_call).to_i, 1].max]
      end
    end

    def take(entry, number)
      calls = @calls.fetch([entry, number])
      time = entry.ask(:sample, records: number, iterations: calls)
      {"record_time" => time.fdiv(calls * number)}
    end
  end
end
