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
    end

    def ask(operation, **arguments) = worker.ask(operation, contender: name, **arguments)
  end

  # The worker processes of one table under one setup, with their contenders opened: one process
  # for most, and one for each name of a `process` in peers.yml, whose peers change others.
  class Pool
    attr_reader :entries, :setup, :scenario, :table

    # `only`: names of contenders. With `counting` malloc is counted.
    def initialize(setup, scenario, table, only: nil, quick: false, counting: false)
      @setup, @scenario, @table, @counting, @workers = setup, scenario, table, counting, []
      chosen = table.contenders.select { |one| only.nil? || only.include?(one.name) }
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
      live.each { |entry| entry.fail(missing(entry), "missing") if missing(entry) }
      ruby, programs = live.partition { |entry| program_of(entry).nil? }
      ruby.group_by { |entry| process_of(entry) }.each_value { |entries| start_ruby(entries) }
      programs.group_by { |entry| program_of(entry) }
              .each { |program, entries| start_program(program, entries) }
    end

    def live = @entries.select(&:ok?)
    def named(name) = @entries.find { |entry| entry.name == name }
    def close = @workers.each(&:close)

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

    # What --quick does not time, after its documents were compared.
    def leave_out
      live.each do |entry|
        left_out = @table.left_out(entry.contender, version: @setup.stage.version, quick: true)
        entry.fail(left_out, "skipped") if left_out
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
      entry.contender.peer.filter_map { |peer| @setup.stage.peers.dig(peer, "process") }.first
    end

    # The program that this contender runs in, if it is not Ruby.
    def program_of(entry)
      entry.contender.peer.filter_map { |peer| @setup.stage.program(peer) }.first
    end

    def start_ruby(entries)
      open_entries(@setup.start(counting: @counting), entries,
                   scenario: @scenario.path, table: @table.name,
                   contenders: entries.map(&:name), peers: @setup.stage.peers)
    end

    # A program gets its data as the documents of the first contender in Ruby.
    def start_program(program, entries)
      source = live.find(&:worker)
      return entries.each { |entry| entry.fail("nothing ran that has its data") } unless source

      codes = entries.to_h { |entry| [entry.name, entry.contender.code] }
      open_entries(WorkerProcess.new({}, [program], codec: WorkerProcess::JsonLines), entries,
                   documents: source.ask(:documents), contenders: codes)
    end

    def open_entries(worker, entries, **request)
      @workers << worker
      opened = worker.ask(:open, **request)
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
