# frozen_string_literal: true

# Layer: definition, slices. Makes of a contender's code a method with a plain `while` loop in it: no block
# call and no `send` stands between the clock and the code.

require_relative "definition"
require_relative "slices"

module Bench
  # The loop of one contender, ready to be timed.
  class ContenderLoop
    EMPTY = "last"
    FIRST_CALLS, SHORT_CALLS = 3, 400

    # `values` is one period of what the calls get, its size a power of two.
    def initialize(code, before, values, file, line)
      raise DefinitionError, "a period of #{values.size} values; it must be a power of two" unless values.size.to_s(2).count("1") == 1

      @values = values
      @module = Module.new
      @module.module_eval(source(code, before), "#{file} (contender at line #{line})", 1)
    end

    # True when the code reads `v`, this call's value.
    def self.reads_value?(code) = code.match?(/(?<![\w@.:])v(?!\w)/)

    # A loop that does what all loops do around their code, and nothing else.
    def self.empty(values, reads_value)
      new(reads_value ? "last = v" : EMPTY, nil, values, __FILE__, __LINE__)
    end

    # Runs the code so many times; returns the last result.
    def run(iterations) = @module.run(iterations, @values)

    # The results for each value of the period, copied: a buffer that is used again would be the last one in all places.
    def documents = @values.map { |value| @module.run(1, [value]).then { |result| result.is_a?(String) ? result.dup : result } }

    # Nanoseconds of so many runs: of processor time, the kernel's for this process included, since on a
    # shared machine time on the wall also measures who else was running.
    def time(iterations)
      target, values = @module, @values
      start = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID, :nanosecond)
      target.run(iterations, values)
      Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID, :nanosecond) - start
    end

    # So many slices of so many calls each.
    # @return [Slices]
    def slices(calls, count)
      Slices.new(calls, count).tap { |slices| @module.run(calls * count, @values, calls, slices) }
    end

    # Runs for about so many seconds; returns nanoseconds for one run. Many short calls first: YJIT compiles at the entry of a method, and
    # would leave the loop to the interpreter; and again where a method that the loop calls is replaced, as json! of ours is (entry.rb). The
    # first calls compile what they need, and are not counted. Of long calls fewer, whose own methods are what counts.
    def warm(seconds)
      limit, calls, spent = seconds * 1e9, 0, 0
      FIRST_CALLS.times { time(1) }
      while calls < SHORT_CALLS && spent < limit
        spent += time(1)
        calls += 1
      end
      iterations, spent = 1, time(1)
      while spent < limit / 4
        iterations *= 2
        spent = time(iterations)
      end
      rest = ((limit - 2 * spent) * iterations / spent).to_i
      rest.positive? ? time(rest).fdiv(rest) : spent.fdiv(iterations)
    end

    # The module with `run`, which Ractors may share, and its values.
    def shareable = [@module, Ractor.make_shareable(@values)]

    private

    def source(code, before)
      reads = self.class.reads_value?(code)
      <<~RUBY
        # frozen_string_literal: true
        def self.run(iterations, values, slice_calls = iterations, slices = nil)
          #{before}
          last = nil
          #{"mask = values.size - 1" if reads}
          i = 0
          slices&.start
          while i < iterations
            slice_end = i + slice_calls
            while i < slice_end
              #{"v = values[i & mask]" if reads}
              last = (
                #{code}
              )
              i += 1
            end
            slices&.note
          end
          last
        end
      RUBY
    end
  end
end
