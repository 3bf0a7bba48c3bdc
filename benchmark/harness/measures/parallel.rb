# frozen_string_literal: true

require_relative "measure"

module Bench
  # How a contender's rate grows with the number of workers. The table's options are `kind`
  # ("processes" or "ractors"), `workers` (a list that starts with 1) and `calls` (by each).
  class ParallelRates < Measure
    QUICK_SHARE = 4

    def self.rounds(_table, settings) = settings.process_rounds

    def self.complete(rows, _table, _settings)
      rows.each do |row|
        one = rows.find { |other| other["contender"] == row["contender"] && other["at"] == 1 }
        rates = [row, one].map { |other| other["metrics"]["rate"] }
        row["metrics"]["scaling"] = Metrics.quotient("scaling", *rates) if rates.all?
      end
    end

    private

    def ats = options.fetch(:workers)

    def take(entry, workers)
      calls = options.fetch(:calls) / (@settings.quick ? QUICK_SHARE : 1)
      {"rate" => entry.ask(:parallel, kind: options.fetch(:kind), workers: workers,
                                      iterations: calls)}
    rescue WorkerProcess::Failure => error
      entry.fail("with #{workers} #{options.fetch(:kind)}: #{error.message}")
      {}
    end
  end
end
