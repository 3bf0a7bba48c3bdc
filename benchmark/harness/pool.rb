# frozen_string_literal: true

require_relative "equality"
require_relative "setup"

module Bench
  # A contender's state: the process it lives in, and what became of it.
  Entry = Struct.new(:contender, :worker, :status, :error, :document_bytes, keyword_init: true) do
    def name = contender.name
    def group = contender.group
    def ok? = status == "measured"

    def fail(error, status = "failed")
      self.status, self.error = status, error
      {}
    end

    def ask(operation, **arguments) = worker.ask(operation, contender: name, **arguments)

    # The same of the contender's `base`.
    def ask_base(operation, **arguments)
      worker.ask(operation, contender: "#{name}, base", **arguments)
    end
  end

  # The worker processes of one table under one setup, with their contenders opened: one process
  # for most, and one for each name of a `process` in peers.yml, whose peers change others; one for
  # each contender of a table that has the option `apart`.
  class Pool
    attr_reader :entries, :setup, :scenario, :table

    # Yields the pool, opened; ends the workers.
    def self.open(...)
      pool = new(...)
      yield pool
    ensure
      pool&.close
    end

    def initialize(setup, scenario, table, quick: false)
      @setup, @scenario, @table, @workers = setup, scenario, table, []
      @entries = table.contenders.map { |one| Entry.new(contender: one, status: "measured") }
      leave_out(quick)
      live.each { |entry| (why = missing(entry)) && entry.fail(why, "missing") }
      live.group_by { |entry| process_of(entry) }.each_value { |entries| start(entries) }
    end

    def live = @entries.select(&:ok?)
    def close = @workers.each(&:close)

    # What this Ruby, or --quick, has not.
    def leave_out(quick)
      live.each do |entry|
        why = @table.left_out(entry.contender, version: @setup.stage.version, quick: quick)
        entry.fail(why, "skipped") if why
      end
    end

    # Compares every document with those of the first entry that runs; what differs has failed.
    def compare(equality)
      reference = nil
      live.each do |entry|
        documents = entry.ask(:documents)
        problem = reference ? difference(equality, reference, entry, documents)
                            : equality.invalid(documents)
        next entry.fail(problem, "different") if problem

        reference ||= documents
        entry.document_bytes = documents.sum(&:bytesize).fdiv(documents.size)
      rescue WorkerProcess::Failure => error
        entry.fail(error.message)
      end
    end

    private

    def difference(equality, reference, entry, documents)
      contender = entry.contender
      equality.difference(reference, documents, same_bytes: contender.differs.nil?,
                                                maps: contender.maps)
    end

    def missing(entry)
      reasons = entry.contender.peer.filter_map do |peer|
        reason = @setup.stage.missing_reason(peer)
        "#{peer}: #{reason}" if reason
      end
      reasons.join("; ") unless reasons.empty?
    end

    def process_of(entry)
      return entry.name if @table.options[:apart]

      entry.contender.peer.filter_map { |peer| @setup.stage.peers.dig(peer, "process") }.first
    end

    def start(entries)
      @workers << (worker = @setup.start)
      opened = worker.open(@scenario, @table, entries.map(&:name), @setup.stage.peers)
      @setup.versions.update(opened.fetch("versions")) { |_, old, _| old }
      entries.each do |entry|
        entry.worker = worker
        error = opened.fetch("errors")[entry.name]
        entry.fail(error) if error
      end
    rescue WorkerProcess::Failure => error
      entries.each { |entry| entry.fail(error.message) }
    end
  end
end
