# frozen_string_literal: true

require_relative "../harness/definition"
require_relative "allocations"

module Bench
  # The code of one contender in a method of its own with a plain `while` loop: no block call and
  # no `send` stands between the clock and the code.
  class ContenderLoop
    # YJIT compiles a method at its entry: this many short calls come before longer ones.
    SHORT_CALLS = 400

    # True when the code reads `v`, this call's value.
    def self.reads_value?(code) = code.match?(/(?<![\w@.:])v(?!\w)/)

    # `values` is one period of what the calls get, its size a power of two.
    def initialize(code, before, values, file, line)
      unless values.size.to_s(2).count("1") == 1
        raise DefinitionError, "a period of #{values.size} values; it must be a power of two"
      end

      @values, @reads = values, self.class.reads_value?(code)
      @module = loop_around(code, before, "#{file} (contender at line #{line})")
    end

    # Runs the code so many times; returns the last result.
    def run(iterations) = @module.run(iterations, @values)

    # The results for each value, copied: a buffer that is used again would be the last one in all.
    def documents
      @values.map do |value|
        result = @module.run(1, [value])
        result.is_a?(String) ? result.dup : result
      end
    end

    # Nanoseconds of so many calls, those of an empty loop taken off. It is processor time of this
    # process: on the wall the clock would also measure who else was running.
    def time(iterations)
      [measure(@module, iterations) - (empty_call * iterations), iterations * 0.01].max
    end

    # Runs for about so many seconds; returns nanoseconds of one call.
    def warm(seconds)
      limit, spent, calls = seconds * 1e9, 0, 0
      while calls < SHORT_CALLS && (calls < 3 || spent < limit)
        spent += measure(@module, 1)
        calls += 1
      end
      iterations, spent = 1, measure(@module, 1)
      spent = measure(@module, iterations *= 2) while spent < limit / 2
      spent.fdiv(iterations)
    end

    def allocations(iterations) = Allocations.measure(self, iterations)

    # The module with `run`, which Ractors may share, and its values.
    def shareable = [@module, Ractor.make_shareable(@values)]

    private

    # What the loop itself costs a call: the least of several.
    def empty_call
      @empty_call ||= begin
        empty = loop_around(@reads ? "last = v" : "last", nil, __FILE__)
        SHORT_CALLS.times { measure(empty, 1) }
        Array.new(6) { measure(empty, 20_000) }.min / 20_000.0
      end
    end

    def measure(target, iterations)
      values = @values
      start = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID, :nanosecond)
      target.run(iterations, values)
      Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID, :nanosecond) - start
    end

    def loop_around(code, before, file)
      source = <<~RUBY
        # frozen_string_literal: true
        def self.run(iterations, values)
          #{before}
          last = nil
          #{"mask = values.size - 1" if @reads}
          i = 0
          while i < iterations
            #{"v = values[i & mask]" if @reads}
            last = (
              #{code}
            )
            i += 1
          end
          last
        end
      RUBY
      Module.new.tap { |target| target.module_eval(source, file, 1) }
    end
  end
end
