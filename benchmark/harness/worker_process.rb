# frozen_string_literal: true

require "tempfile"

module Bench
  # The harness's end of a worker (worker/main.rb). A worker that ends too early is told with its
  # signal and its last words, all of which are kept in a file.
  class WorkerProcess
    # What the worker answered with instead of a value.
    class Failure < StandardError
    end

    # How long a worker that no longer answers may take to be gone.
    SECONDS_TO_END = 10

    attr_reader :pid

    def initialize(environment, command)
      input, @request = IO.pipe(binmode: true)
      @answer, output = IO.pipe(binmode: true)
      @errors = Tempfile.create("to_json-bench")
      @pid = Process.spawn(environment, *command, in: input, out: output, err: @errors)
      @waiter = Process.detach(@pid)
      [input, output].each(&:close)
    end

    # The value of an operation; raises Failure with the worker's error.
    def ask(operation, **arguments)
      Marshal.dump({op: operation, **arguments}, @request)
      @request.flush
      answer = Marshal.load(@answer) # our own child's
      raise Failure, answer["error"] if answer["error"]

      answer["value"]
    rescue EOFError, Errno::EPIPE
      raise Failure, "the worker ended: #{last_words}"
    end

    # Opens contenders of a table; returns their errors by name, and versions.
    def open(scenario, table, contenders, peers)
      ask(:open, scenario: scenario.path, table: table.name, contenders: contenders, peers: peers)
    end

    # Ends the worker and waits for it.
    def close
      [@request, @answer].each(&:close)
      @waiter.join
      @errors.close
      File.delete(@errors.path) unless @last_words
    end

    private

    def last_words
      @last_words ||= begin
        status = @waiter.join(SECONDS_TO_END)&.value || "it runs on, but closed its output"
        text = File.read(@errors.path).scrub
        said = text[/.*\[BUG\].*/] || text.lines.last(3).join(" ").strip
        [status, *(said unless said.empty?), "kept in #{@errors.path}"].join("; ")
      end
    end
  end
end
