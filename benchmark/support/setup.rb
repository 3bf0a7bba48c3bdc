# frozen_string_literal: true

# Layer: stage. One column of the report: a Ruby and whether YJIT compiles. Starts its workers.

require "tmpdir"
require_relative "calm"
require_relative "stage"

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

  # The parent's end of a worker.
  class WorkerProcess
    # What the worker answered with instead of a value.
    class Failure < StandardError
    end

    attr_reader :pid

    def initialize(environment, command)
      @counter = environment["TO_JSON_BENCH_MALLOC"]
      child_input, @request = IO.pipe(binmode: true)
      @answer, child_output = IO.pipe(binmode: true)
      @errors = File.open(File.join(Dir.tmpdir, "to_json-bench-#{Process.pid}-#{rand(1 << 32).to_s(36)}.log"), "w+")
      @pid = Process.spawn(environment, *command, in: child_input, out: child_output, err: @errors)
      [child_input, child_output].each(&:close)
    end

    # The value of an operation of Bench::Worker; raises Failure with the worker's error.
    def ask(operation, **arguments)
      Marshal.dump({"op" => operation.to_s, **arguments.transform_keys(&:to_s)}, @request)
      @request.flush
      answer = Marshal.load(@answer) # our own child's
      raise Failure, answer["error"] if answer["error"]

      answer["value"]
    rescue EOFError, Errno::EPIPE
      raise Failure, "the worker ended: #{last_words}"
    end

    # Whether it still answers.
    def alive?
      ask(:identity) && true
    rescue Failure
      false
    end

    # What it said before it ended, where all of it is kept.
    def last_words
      text = stderr
      kept = "#{@errors.path.delete_suffix(".log")}-ended.log"
      File.write(kept, text)
      [text[/.*\[BUG\].*/] || text.lines.last(3).join(" ").strip, kept].join("; ")
    end

    def stderr
      @errors.flush
      File.read(@errors.path)
    end

    # Ends the worker and waits for it.
    def close
      [@request, @answer].each(&:close)
      Process.wait(@pid)
      @errors.close
      [@errors.path, @counter].compact.each { |path| File.delete(path) if File.exist?(path) }
    end
  end
end
