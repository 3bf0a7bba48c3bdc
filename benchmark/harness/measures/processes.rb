# frozen_string_literal: true

require_relative "measure"

module Bench
  # How long a new process takes until it serializes (worker/start.rb). The table's option is
  # `count`: how many serializers.
  class Starts < Measure
    def self.rounds(_table, settings) = settings.process_rounds

    private

    def take(entry, _at)
      in_new_process(entry) do |worker|
        worker.ask(:start, scenario: @pool.scenario.path, table: @table.name,
                           contender: entry.name, peers: @pool.setup.stage.peers,
                           count: options.fetch(:count))
      end
    end
  end

  # One long document into Sinks of every kind (worker/streaming.rb), each sample in a process of
  # its own: peak memory is what a process had at most. The table's options are `sinks`, `records`
  # (of a document; without, the first value is written as it is, and the last one warms up),
  # `quick_records`, `rounds` and `quick_rounds`.
  class Streams < Measure
    def self.rounds(table, settings)
      name = settings.quick ? :quick_rounds : :rounds
      [table.options.fetch(name, settings.process_rounds), settings.process_rounds].min
    end

    private

    def ats = options.fetch(:sinks)

    def take(entry, sink)
      records = (options[:quick_records] if @settings.quick) || options[:records]
      in_new_process(entry) do |worker|
        worker.open!(@pool.scenario, @table, [entry.name], @pool.setup.stage.peers)
        worker.ask(:stream, contender: entry.name, sink: sink, records: records)
      end
    end
  end
end
