# frozen_string_literal: true

module Bench
  # A contender that is a program (native/go_json.go): called once a sample, it measures itself.
  # `code` is its first argument; its data are documents, one for each value.
  class GoLoop
    def initialize(program, code, documents)
      require "json"
      @command, @given = [program, code], JSON.generate(documents)
    end

    # The last answer: {"documents", "version", "time", "objects", "bytes"}.
    def run(iterations)
      IO.popen([*@command, iterations.to_s], "r+") do |io|
        io.write(@given)
        io.close_write
        JSON.parse(io.read)
      end
    end

    def documents = run(1).fetch("documents")
    def time(iterations) = run(iterations).fetch("time")

    # Nanoseconds of one call.
    def warm(seconds)
      iterations, spent = 1, time(1)
      spent = time(iterations *= 2) while spent < seconds * 5e8
      spent.fdiv(iterations)
    end

    def allocations(iterations)
      counted = run(iterations)
      {"objects" => "objects", "allocated" => "bytes"}.transform_values do |name|
        counted.fetch(name).fdiv(iterations)
      end
    end
  end
end
