# frozen_string_literal: true

require_relative "../pool"

module Bench
  # A way to measure the contenders of a table: by turns, round after round, in an order that
  # changes, so that what else the machine does hits all alike. A subclass says at which points
  # (`ats`: sizes, numbers of workers …) and takes one sample of a contender at a point.
  class Measure
    # How many samples each contender gets at each point.
    def self.rounds(_table, settings) = settings.rounds

    # Rows of results.json beside those that were sampled, and metrics that come of others.
    def self.complete(rows, _table, _settings) = rows

    # `pool` is open.
    def initialize(pool, settings)
      @pool, @settings, @table = pool, settings, pool.table
    end

    # Adds so many rounds to `samples`, {[name, at] => [{metric => value}]}.
    def sample(rounds, random, samples)
      prepare
      rounds.times do
        @pool.live.product(ats).shuffle(random: random).each do |entry, at|
          samples[[entry.name, at]] << take(entry, at) if entry.ok?
        end
      end
    end

    # After the last round, in the same processes.
    def finish(samples) = nil

    private

    def ats = [nil]
    def prepare = nil
    def options = @table.options

    # A sample in a process of its own; who fails there has failed.
    def in_new_process(entry)
      worker = @pool.setup.start
      yield worker
    rescue WorkerProcess::Failure => error
      entry.fail(error.message)
      {}
    ensure
      worker&.close
    end
  end
end
