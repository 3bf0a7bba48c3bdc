# frozen_string_literal: true

# How many calls a sample has, how often allocations are counted, and how often a document is
# written for its time.

require_relative "../test_helper"

if Without.library?("json")
  require_relative "../../benchmark/worker/allocations"
  require_relative "../../benchmark/harness/runner"
  require_relative "../../benchmark/worker/streaming"

  class BenchmarkSamplesTest < ToJsonTest
    # Nanoseconds of a call; calls of a sample of 15 ms; of one with --quick.
    CALLS = [[100, 150_000, 150_000], [500_000, 30, 30], [1_000_000, 15, 15], [2_400_000, 12, 6],
             [5_000_000, 9, 3], [20_000_000, 2, 1], [1e10, 1, 1]].freeze

    def settings(quick) = Bench::Settings.make(quick: quick, only_equality: false)

    test "a sample of slow calls has twelve, or lasts three times as long; not with --quick" do
      CALLS.each do |per_call, whole, quick|
        assert_equal([whole, quick],
                     [false, true].map { |short| Bench::Calls.calls(per_call, settings(short)) },
                     per_call)
      end
    end

    # A loop that makes so many objects a call, and some more when it is called for the first time
    # after it was warmed.
    Loop = Struct.new(:objects, :stray, :runs) do
      def run(count)
        self.runs += 1 if count > 8
        (count * objects).times { Object.new }
        stray.times { Object.new } if runs == 2 && count > 8
      end
    end

    test "objects that are made once are not those of a call, where few calls are counted" do
      assert_in_delta(1.0, Bench::Allocations.measure(Loop.new(1, 16, 0), 32)["objects"], 0.1)
      assert_in_delta(50.0, Bench::Allocations.measure(Loop.new(50, 0, 0), 4)["objects"], 2)
    end

    test "a document is written again until its time can be told, a long one once more" do
      needs_proc("clear_refs", writable: true)
      contender = Struct.new(:code, :line).new("v.call; 'x'", 1)
      calls = 0
      Bench::Streaming.new(contender, -> { calls += 1 }, nil, __FILE__,
                           small: -> {}).measure("String")
      assert_operator(calls, :>, 5, "times that 20 ms of the first one's are")
      calls = 0
      slow = lambda do
        calls += 1
        start = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
        nil while calls > 3 &&
          Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - start < 0.03
      end
      Bench::Streaming.new(contender, slow, nil, __FILE__, small: slow).measure("String")
      assert_equal(5, calls, "three to warm, one for the memory, one for the time")
    end
  end
end
