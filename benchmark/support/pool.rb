# frozen_string_literal: true

# Layer: setup, definition. The worker processes of one table under one setup: one for most, one more
# for each peer that must not share a process (`process` in peers.yml), one judge. Opens contenders,
# compares their documents, and knows which may be timed.

require_relative "setup"

module Bench
  # A contender's state: the process it lives in, and what became of it.
  Entry = Struct.new(:contender, :worker, :status, :error, :document_bytes, :reads_value, keyword_init: true) do
    def name = contender.name
    def ok? = status == "measured"
  end

  # Workers with their contenders opened.
  class Pool
    MAIN = "main"

    attr_reader :entries, :setup, :table, :parsers

    def initialize(setup, scenario, table, only: nil)
      @setup, @scenario, @table, @workers = setup, scenario, table, {}
      chosen = table.contenders.select { |contender| only.nil? || only.include?(contender.name) }
      @entries = chosen.map { |contender| Entry.new(contender: contender, status: "measured") }
    end

    # Yields the pool, opened; ends the workers.
    def self.open(...)
      pool = new(...)
      pool.start
      yield pool
    ensure
      pool&.close
    end

    def start
      runnable, missing = @entries.partition { |entry| reasons(entry).empty? }
      missing.each { |entry| entry.status, entry.error = "missing", reasons(entry).join("; ") }
      runnable.group_by { |entry| process_of(entry) }.each { |process, entries| start_worker(process, entries) }
    end

    def live = @entries.select(&:ok?)

    # Compares every document with those of the first entry that runs; what differs is not timed.
    def compare
      judge, reference = @setup.start, nil
      live.each do |entry|
        documents = entry.worker.ask(:documents, contender: entry.name)
        verdict = judge.ask(:judge, reference: reference, documents: documents, same_bytes: entry.contender.differs.nil?)
        @parsers = verdict.fetch("parsers")
        (problem = verdict["problem"]) and (entry.status, entry.error = "different", problem) and next

        reference ||= documents
        entry.document_bytes = documents.sum(&:bytesize).fdiv(documents.size)
      rescue WorkerProcess::Failure => error
        entry.status, entry.error = "failed", error.message
      end
    ensure
      judge&.close
    end

    def close = @workers.each_value(&:close)

    # Each worker with its live entries.
    def by_worker = live.group_by(&:worker)

    def worker_of(name) = @entries.find { |entry| entry.name == name }.worker

    # Runs the block with a pool of the same contenders whose malloc is counted, or nil where it cannot be.
    def open_counting(&block)
      return block.call(nil) unless @setup.stage.malloc_counter

      pool = CountingPool.new(@setup, @scenario, @table, only: live.map(&:name))
      pool.start
      block.call(pool)
    ensure
      pool&.close
    end

    private

    def reasons(entry) = entry.contender.peer.filter_map { |peer| (why = @setup.stage.missing_reason(peer)) && "#{peer}: #{why}" }

    def process_of(entry)
      entry.contender.peer.filter_map { |peer| @setup.stage.peers.dig(peer, "process") }.first || MAIN
    end

    def new_worker = @setup.start

    def start_worker(process, entries)
      worker = @workers[process] = new_worker
      libraries = @setup.stage.peers.to_h { |name, peer| [name, peer.fetch("require", [name])] }
      opened = worker.ask(:open, scenario: @scenario.path, table: @table.name, contenders: entries.map(&:name), libraries: libraries)
      @setup.versions.update(opened.fetch("versions")) { |_, old, _| old }
      entries.each do |entry|
        entry.worker = worker
        (error = opened.fetch("errors")[entry.name]) and (entry.status, entry.error = "failed", error)
      end
    rescue WorkerProcess::Failure => error
      entries.each { |entry| entry.status, entry.error = "failed", error.message }
    end
  end

  # A pool whose workers run below the malloc counter.
  class CountingPool < Pool
    private

    def new_worker = @setup.start(counting: true)
  end
end
