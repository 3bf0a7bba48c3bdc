# frozen_string_literal: true

# How many calls a sample has, how often allocations are counted, and how often a document is written for its time.

require_relative "../test_helper"

if Without.library?("json")
  require_relative "../../benchmark/support/allocations"
  require_relative "../../benchmark/support/runner"
  require_relative "../../benchmark/support/streaming"

  class BenchmarkSamplesTest < ToJsonTest
    # Nanoseconds of a call; calls of a sample of 10 ms; of one with --quick, which lasts 15.
    CALLS = [[100, 100_000, 150_000], [500_000, 20, 30], [1_000_000, 12, 15], [2_400_000, 12, 6], [5_000_000, 6, 3], [20_000_000, 1, 1], [1e10, 1, 1]].freeze

    def settings(quick) = Bench::Settings.make(quick: quick, only_equality: false)

    test "a sample of slow calls has twelve, or lasts three times as long; not with --quick" do
      CALLS.each do |per_call, whole, quick|
        assert_equal([whole, quick], [false, true].map { |short| Bench::MeasureCalls.send(:calls, settings(short), per_call) }, per_call)
      end
    end

    test "where the slowest call takes half a sample a table has no more rounds than a figure needs" do
      pass = Bench::Pass.new(number: 0, of: 1, seed: 1)
      found = [4_999_999, 5_000_000].map { |slowest| Bench::MeasureCalls.send(:rounds, slowest, settings(false), pass) }
      assert_equal([settings(false).rounds, Bench::Statistics::SAMPLES], found)
    end

    test "what all others are set in relation to has three samples in a round" do
      table = Bench::Table.new("some", "calls", {}, __FILE__)
      table.contender("first", :ours, code: "1")
      table.contender("claimed", :ours, code: "1")
      table.contender("peer", :gem, code: "1")
      table.reach("claimed", over: :gem, at_least: 1)
      pool = Struct.new(:live, :table).new(table.contenders.map { |one| Bench::Entry.new(contender: one) }, table)
      assert_equal({"first" => 1, "claimed" => 3, "peer" => 1}, Bench::MeasureCalls.send(:turns, pool, settings(false)).map(&:name).tally)
      assert_equal({"first" => 1, "claimed" => 1, "peer" => 1}, Bench::MeasureCalls.send(:turns, pool, settings(true)).map(&:name).tally)
      pool.live.replace(pool.live.last(1))
      assert_equal({"peer" => 1}, Bench::MeasureCalls.send(:turns, pool, settings(false)).map(&:name).tally)
    end

    # A loop that makes so many objects a call, and some more when it is called for the first time after it was warmed.
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
      Bench::Streaming.measure(contender, -> { calls += 1 }, nil, "String", __FILE__)
      assert_operator(calls, :>, 5, "times that 20 ms of the first one's are")
      calls = 0
      slow = lambda do
        calls += 1
        start = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID)
        nil while calls > 3 && Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) - start < 0.03
      end
      Bench::Streaming.measure(contender, slow, nil, "String", __FILE__)
      assert_equal(5, calls, "three to warm, one for the memory, one for the time")
    end
  end
end
