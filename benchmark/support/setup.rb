# frozen_string_literal: true

# Layer: stage, worker process. One column of the report: a Ruby and whether YJIT compiles. Starts its workers.

require "tmpdir"
require_relative "calm"
require_relative "stage"
require_relative "worker_process"

module Bench
  # A prepared Ruby with its flags.
  class Setup
    # YJIT figures are judged from this Ruby on; older ones are printed without a verdict.
    YJIT_JUDGED_FROM = Gem::Version.new("3.4")

    attr_reader :stage, :yjit, :calm
    attr_accessor :versions, :description

    def initialize(stage, yjit:)
      @stage, @yjit, @versions, @judges, @lock, @calm = stage, yjit, {}, [], Mutex.new, Calm.new
    end

    def id = "#{@stage.version}#{" --yjit" if @yjit}"

    # :interpreter or :yjit where the figures of that name are binding, else nil.
    def judged_as
      return :interpreter unless @yjit

      :yjit if Gem::Version.new(@stage.version) >= YJIT_JUDGED_FROM
    end

    # Yields a worker that compares documents, and keeps it for the next table if it lives.
    def with_judge
      judge = @lock.synchronize { @judges.pop } || start
      yield judge
    ensure
      judge&.alive? ? @lock.synchronize { @judges << judge } : judge&.close
    end

    # Ends the workers that are kept.
    def close = @judges.each(&:close).clear

    # A worker; with `counting` its malloc is counted, with `wrapper` it runs below that command, `environment` is added.
    def start(counting: false, wrapper: [], environment: {})
      environment = @stage.environment.merge(environment)
      if counting
        environment = environment.merge("LD_PRELOAD" => @stage.malloc_counter, "TO_JSON_BENCH_MALLOC" => counter_file)
      end
      WorkerProcess.new(environment, [*wrapper, *@stage.command(@yjit ? ["--yjit"] : [])])
    end

    private

    def counter_file = File.join(Dir.tmpdir, "to_json-bench-#{Process.pid}-#{rand(1 << 32).to_s(36)}")
  end
end
