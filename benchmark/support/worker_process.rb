# frozen_string_literal: true

# Layer: none below it. The parent's end of a worker.

require "fileutils"
require "tmpdir"

module Bench
  # Starts a worker (Bench::Worker) in a directory of its own and asks it. Where it ends too early
  # it tells how: by which signal, with which words, and where core dump and Ruby's report are kept.
  class WorkerProcess
    # What the worker answered with instead of a value.
    class Failure < StandardError
    end

    # How long a worker that no longer answers may take to be gone.
    SECONDS_TO_END = 10

    attr_reader :pid

    def initialize(environment, command)
      @counter = environment["TO_JSON_BENCH_MALLOC"]
      @directory = Dir.mktmpdir("to_json-bench-")
      child_input, @request = IO.pipe(binmode: true)
      @answer, child_output = IO.pipe(binmode: true)
      @errors = File.open(File.join(@directory, "errors.log"), "w+")
      report = File.join(@directory, "crash-%p.log") # Ruby >= 3.3 writes it
      environment = {"RUBY_CRASH_REPORT" => report}.merge(environment)
      # The kernel writes a core dump into the working directory, as far as the hard limit allows.
      streams = {in: child_input, out: child_output, err: @errors}
      most = Process.getrlimit(:CORE)[1]
      @pid = Process.spawn(environment, *command, **streams, chdir: @directory, rlimit_core: most)
      @waiter = Process.detach(@pid)
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

    # How it ended, what it said before, and where all that it left is kept.
    def last_words = @last_words ||= [ending, words, keep].compact.join("; ")

    # Ends the worker and waits for it. What it left stays where somebody was told of it.
    def close
      [@request, @answer].each(&:close)
      @waiter.join
      @errors.close
      FileUtils.remove_entry(@directory) unless @last_words
      File.delete(@counter) if @counter && File.exist?(@counter)
    end

    private

    # "pid 7 SIGABRT (signal 6) (core dumped)", "pid 7 exit 1"
    def ending
      @waiter.join(SECONDS_TO_END)&.value&.to_s || "it runs on, but closed its output"
    end

    # Ruby's own of a crash, else the last lines.
    def words
      logs = Dir[File.join(@directory, "{errors,crash-*}.log")].sort
      text = logs.map { |path| File.read(path).scrub }.join
      said = text[/.*\[BUG\].*/] || text.lines.last(3).join(" ").strip
      said unless said.empty?
    end

    # Names the directory so that it is found, and what is in it.
    def keep
      kept = "#{@directory}-ended"
      File.rename(@directory, kept)
      "kept in #{kept}: #{Dir.children(kept).sort.join(", ")}#{core_elsewhere(kept)}"
    end

    # Machines that pass core dumps to a program, or to a directory for all, say so there.
    def core_elsewhere(kept)
      pattern = "/proc/sys/kernel/core_pattern"
      return if @waiter.alive? || !@waiter.value.coredump?
      return unless Dir.glob("core*", base: kept).empty? && File.readable?(pattern)

      "; its core dump went by #{pattern}: #{File.read(pattern).strip}"
    end
  end
end
