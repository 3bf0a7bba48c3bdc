# frozen_string_literal: true

# A run that is late takes fewer samples.

require_relative "../test_helper"

if Without.library?("json")
  require_relative "../support/bench_run"
  require_relative "../../benchmark/support/pace"

  class BenchmarkPaceTest < ToJsonTest
    # The shares that so many parts of 10 seconds get, each of which takes as many as the block says, and when all is done.
    def shares(parts, seconds:)
      time = 0.0
      pace = Bench::Pace.new(parts * 10, seconds: seconds, clock: -> { time })
      shares = Array.new(parts) { |number| pace.part(10) { |share| share.tap { time += yield(number, Bench::Pace::FEWEST + ((1 - Bench::Pace::FEWEST) * share)) } } }
      [shares, time]
    end

    test "who is in time has all samples" do
      assert_equal([[1.0] * 40, 400.0], shares(40, seconds: 400) { |_, share| 10 * share })
    end

    test "who is a little late has fewer, and is done in time" do
      shares, time = shares(40, seconds: 400) { |_, share| 12 * share }
      assert_equal([1.0] * 4, shares.first(4), "nothing is known yet")
      assert(shares.drop(4).all? { |share| share.between?(0.2, 0.7) }, shares)
      assert_operator(time, :<=, 404)
    end

    test "who has been late and is so no more has more again" do
      shares, time = shares(100, seconds: 1000) { |number, share| (number < 40 ? 15 : 8) * share }
      assert_equal([0.0, 1.0], [shares[30], shares[99]])
      assert_operator(time, :<=, 1004)
    end

    test "who is much too late has the fewest; when the time is over, at once" do
      assert_equal([0.0], shares(40, seconds: 400) { |_, share| 30 * share }.first.drop(4).uniq)
      assert_equal([[0.0] * 5], [shares(5, seconds: 0) { 1 }.first])
    end

    test "what may be left out is, where the fewest would be too late, and no more of it than that takes" do
      time = 0.0
      pace = Bench::Pace.new(400, seconds: 400, clock: -> { time })
      shares = Array.new(40) do |number|
        pace.part(10, optional: number.odd?) { |share| share.tap { time += 17 * (Bench::Pace::FEWEST + ((1 - Bench::Pace::FEWEST) * share)) if share } }
      end
      assert_empty(shares.each_index.select { |number| shares[number].nil? && number.even? })
      assert_includes(1..12, shares.count(nil))
      assert_operator(time, :<=, 415)
    end

    test "a part that fails is done" do
      pace = Bench::Pace.new(10, seconds: 10, clock: -> { 0.0 })
      assert_raises(Interrupt) { pace.part(10) { raise Interrupt } }
      assert_equal(1.0, pace.part(10, &:itself))
    end

    # All rounds, where each pass has such a share of them, or is left out.
    def rounds(all, shares)
      shares.each_with_index.inject(0) do |before, (share, number)|
        next before unless share

        pass = Bench::Pass.new(number: number, of: shares.size, seed: 1, share: share, before: before)
        before + pass.rounds(all).tap { |given| assert_equal(given, pass.taken) }
      end
    end

    test "all passes together have as many rounds as there are, or as a figure needs, whatever each one's share" do
      assert_equal([20, 9, 3], [20, 9, 3].map { |all| rounds(all, [1] * 4) })
      assert_equal([9, 9, 3], [20, 9, 3].map { |all| rounds(all, [0] * 4) })
      [0.0, 0.3, 0.55, 0.8, 1.0, nil].repeated_permutation(4) do |shares|
        next unless shares.first && shares.last

        assert(rounds(20, shares).between?(9, 20), shares)
        assert_equal([9, 3], [9, 3].map { |all| rounds(all, shares) }, shares)
      end
    end

    test "a run without time takes nine samples, in its first and last pass" do
      Dir.mktmpdir do |directory|
        opened = File.join(directory, "opened")
        results, = BenchRun.measure(<<~RUBY, quick: false, minutes: 0)
          Bench.scenario 99, "late", "late" do
            table "one" do
              data { [1].tap { File.write(#{opened.dump}, ".", mode: "a") } }
              contender "text", :control, code: '"[\#{v}]"'
            end
          end
        RUBY
        assert_equal([9, 0], [results["scenarios"][0]["tables"][0]["rows"][0]["metrics"]["time"]["samples"].size, results["settings"]["minutes"]])
        assert_equal(2, File.size(opened))
      end
    end
  end
end
