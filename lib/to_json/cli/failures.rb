# frozen_string_literal: true

# Layer: cli. Ends a run early, with a message and an exit status.

module ToJson
  module CLI
    OK = 0
    INVALID = 1
    FAILED = 2
    INTERRUPTED = 130
    PIPE_CLOSED = 141 # as a shell shows the end by SIGPIPE

    # A wrong call, or a file that cannot be read or written: status 2.
    class Failure < StandardError; end

    # The output cannot be written: no further input is read.
    class OutputFailure < Failure; end

    # Data that is wrong, with its place: status 1.
    class Invalid < StandardError; end

    # Whoever reads our output has gone: a quiet end.
    class PipeClosed < StandardError; end
  end
end
