# frozen_string_literal: true

# Layer: setup. The parent's end of a worker that is not Ruby: the same operations, as lines of JSON.

require "json"
require_relative "setup"

module Bench
  # A program that answers {"op": …} with {"value": …} or {"error": …}, a line each.
  class ProgramProcess
    attr_reader :pid

    def initialize(*command)
      @io = IO.popen(command, "r+")
      @pid = @io.pid
    end

    # As WorkerProcess#ask.
    def ask(operation, **arguments)
      @io.puts(JSON.generate({"op" => operation.to_s, **arguments.transform_keys(&:to_s)}))
      line = @io.gets or raise WorkerProcess::Failure, "the program ended"
      answer = JSON.parse(line)
      raise WorkerProcess::Failure, answer["error"] if answer["error"]

      answer["value"]
    rescue Errno::EPIPE
      raise WorkerProcess::Failure, "the program ended"
    end

    # Ends the program and waits for it.
    def close = @io.close
  end
end
