# frozen_string_literal: true

require "fileutils"
require "json"
require "tmpdir"

module Bench
  # The harness's end of a worker (worker/main.rb, or a program that is not Ruby) in a directory of
  # its own. A worker that ends too early is told with its signal, its last words, and where its
  # core dump and Ruby's crash report are kept.
  class WorkerProcess
    # What the worker answered with instead of a value.
    class Failure < StandardError
    end

    # How programs that are not Ruby speak: a line of JSON each way.
    module JsonLines
      def self.dump(request, output) = output.puts(JSON.generate(request))
      def self.load(input) = JSON.parse(input.gets || raise(EOFError))
    end

    # How long a worker that no longer answers may take to be gone.
    SECONDS_TO_END = 10

    attr_reader :pid

    def initialize(environment, command, codec: Marshal)
      @codec, @counter = codec, environment["TO_JSON_BENCH_MALLOC"]
      @directory = Dir.mktmpdir("to_json-bench-")
      input, @request = IO.pipe(binmode: true)
      @answer, output = IO.pipe(binmode: true)
      @errors = File.open(File.join(@directory, "errors.log"), "w+")
      report = File.join(@directory, "crash-%p.log") # Ruby >= 3.3 writes it
      # The kernel writes a core dump into the working directory, as far as the limit allows.
      @pid = Process.spawn({"RUBY_CRASH_REPORT" => report}.merge(environment), *command,
                           in: input, out: output, err: @errors, chdir: @directory,
                           rlimit_core: Process.getrlimit(:CORE)[1])
      @waiter = Process.detach(@pid)
      [input, output].each(&:close)
    end

    # The value of an operation; raises Failure with the worker's error.
    def ask(operation, **arguments)
      @codec.dump({op: operation, **arguments}, @request)
      @request.flush
      answer = @codec.load(@answer) # our own child's
      raise Failure, answer["error"] if answer["error"]

      answer["value"]
    rescue EOFError, Errno::EPIPE
      raise Failure, "the worker ended: #{last_words}"
    end

    # Opens contenders of a table; raises Failure where one of them cannot run.
    def open!(scenario, table, contenders, peers)
      opened = ask(:open, scenario: scenario.path, table: table.name, contenders: contenders,
                          peers: peers)
      opened.fetch("errors").each_value { |error| raise Failure, error }
    end

    # Ends the worker and waits for it. What it left stays where somebody was told of it.
    def close
      [@request, @answer].each(&:close)
      @waiter.join
      @errors.close
      FileUtils.remove_entry(@directory) unless @last_words
      File.delete(@counter) if @counter && File.exist?(@counter)
    end

    private

    # How it ended, what it said before, and where all that it left is kept.
    def last_words
      @last_words ||= begin
        status = @waiter.join(SECONDS_TO_END)&.value || "it runs on, but closed its output"
        kept = "#{@directory}-ended"
        File.rename(@directory, kept)
        logs = Dir[File.join(kept, "{errors,crash-*}.log")].sort
        text = logs.map { |path| File.read(path).scrub }.join
        said = text[/.*\[BUG\].*/] || text.lines.last(3).join(" ").strip
        [status, *(said unless said.empty?),
         "kept in #{kept}: #{Dir.children(kept).sort.join(", ")}"].join("; ")
      end
    end
  end
end
