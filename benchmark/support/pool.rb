# frozen_string_literal: true

# Layer: program, setup, definition. The worker processes of one table under one setup: one for most, one more
# for each peer that must not share a process (`process` in peers.yml), one judge. Opens contenders,
# compares their documents, and knows which may be timed.

require_relative "program"
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
    # What it takes until it is open, for the progress bar.
    OPENING_SECONDS = 1.2

    attr_reader :entries, :setup, :scenario, :table, :parsers

    def initialize(setup, scenario, table, only: nil, quick: false)
      @setup, @scenario, @table, @workers = setup, scenario, table, {}
      chosen = table.contenders.select { |contender| only.nil? || only.include?(contender.name) }
      @entries = chosen.map do |contender|
        left_out = table.left_out(contender, version: setup.stage.version, quick: quick)
        Entry.new(contender: contender, status: left_out ? "skipped" : "measured", error: left_out)
      end
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
      runnable, missing = live.partition { |entry| reasons(entry).empty? }
      missing.each { |entry| entry.status, entry.error = "missing", reasons(entry).join("; ") }
      programs, others = runnable.partition { |entry| program_of(entry) }
      others.group_by { |entry| process_of(entry) }.each { |process, entries| start_worker(process, entries) }
      programs.group_by { |entry| program_of(entry) }.each { |program, entries| start_program(program, entries) }
    end

    def live = @entries.select(&:ok?)

    # Compares every document with those of the first entry that runs; what differs is not timed.
    def compare
      return if live.empty?

      @setup.with_judge do |judge|
        first = true
        live.each do |entry|
          documents = entry.worker.ask(:documents, contender: entry.name)
          verdict = judge.ask(:judge, scenario: @scenario.path, table: @table.name, contender: entry.name, first: first, documents: documents)
          @parsers = verdict.fetch("parsers")
          (problem = verdict["problem"]) and (entry.status, entry.error = "different", problem) and next

          first = false
          entry.document_bytes = documents.sum(&:bytesize).fdiv(documents.size)
        rescue WorkerProcess::Failure => error
          entry.status, entry.error = "failed", error.message
        end
      end
    end

    def close = @workers.each_value(&:close)

    # Each worker with its live entries.
    def by_worker = live.group_by(&:worker)

    def worker_of(name) = @entries.find { |entry| entry.name == name }.worker

    # Runs the block with a pool of these entries' contenders whose malloc is counted, or nil: of none, or where it cannot be.
    def open_counting(entries, &block)
      return block.call(nil) if entries.empty? || @setup.stage.malloc_counter.nil?

      pool = CountingPool.new(@setup, @scenario, @table, only: entries.map(&:name))
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

    # The program that this contender runs in, if it is not Ruby.
    def program_of(entry) = entry.contender.peer.find { |peer| @setup.stage.program(peer) }

    def new_worker = @setup.start

    def start_worker(process, entries)
      worker = @workers[process] = new_worker
      open_entries(worker, entries, scenario: @scenario.path, table: @table.name, contenders: entries.map(&:name), peers: @setup.stage.peers)
    rescue WorkerProcess::Failure => error
      entries.each { |entry| entry.status, entry.error = "failed", error.message }
    end

    # A program gets its data as the documents of the first contender in Ruby.
    def start_program(program, entries)
      worker = @workers[program] = ProgramProcess.new(@setup.stage.program(program))
      source = live.find { |entry| entry.worker && !program_of(entry) } or raise WorkerProcess::Failure, "nothing ran that could give it its data"
      documents = source.worker.ask(:documents, contender: source.name)
      open_entries(worker, entries, documents: documents, contenders: entries.to_h { |entry| [entry.name, entry.contender.code] })
    rescue WorkerProcess::Failure => error
      entries.each { |entry| entry.status, entry.error = "failed", error.message }
    end

    def open_entries(worker, entries, **request)
      opened = worker.ask(:open, **request)
      @setup.versions.update(opened.fetch("versions")) { |_, old, _| old }
      entries.each do |entry|
        entry.worker = worker
        (error = opened.fetch("errors")[entry.name]) and (entry.status, entry.error = "failed", error)
      end
    end
  end

  # A pool whose workers run below the malloc counter.
  class CountingPool < Pool
    private

    def new_worker = @setup.start(counting: true)
  end
end
