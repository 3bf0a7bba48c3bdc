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

    # The seconds that 40 tables of four passes take, of which each pass has 9 seconds of sampling 5 of 20 rounds and 5 of its own, so many times as slow.
    def simulated(slower, seconds:)
      time = 0.0
      pace = Bench::Pace.new(40 * 4 * 14, seconds: seconds, clock: -> { time })
      before, left_out = Array.new(40, 0), Array.new(40, 0)
      4.times do |number|
        40.times do |table|
          pace.part(14 * (1 + (number == 3 ? Bench::Pace::DEFERRED * left_out[table] : 0)), optional: [1, 2].include?(number)) do |share|
            next left_out[table] += 1 unless share

            rounds = Bench::Pass.new(number: number, of: 4, seed: 1, share: share, before: before[table]).rounds(20)
            before[table] += rounds
            time += slower * (5 + (9 * rounds / 5.0))
          end
        end
      end
      [time, before.min, left_out.sum]
    end

    test "what may be left out is, where the fewest would be too late; then it is done in time, too" do
      assert_equal([2240.0, 20, 0], simulated(1, seconds: 2240))
      assert_equal(0, simulated(1.2, seconds: 2240).last)
      [1.2, 1.4, 1.6, 1.8, 2.0].each do |slower|
        time, samples, = simulated(slower, seconds: 2240)
        assert_operator(time, :<=, 2240 * 1.03, slower)
        assert_operator(samples, :>=, 9)
      end
      assert_operator(simulated(2.0, seconds: 2240).last, :>, 40)
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

    test "who is late has no patience" do
      patience = [0, 0.25, 1, nil].map { |share| Bench::Pass.new(number: 0, of: 1, seed: 1, share: share, before: 0).patience(8) }
      assert_equal([0, 2.0, 8, 8], patience)
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

    test "what nobody judges is compared and not timed, where the run is late" do
      scenario = <<~RUBY
        Bench.scenario 99, "late", "late" do
          table "one" do
            data { [1] }
            contender "text", :control, code: '"[\#{v}]"'
            contender "appended", :ours, code: '"[\#{v}" << "]"'
            contender "another", :ours, code: '"[2]"'
            reach "appended", over: "text", at_least: 1
          end
        end
      RUBY
      tables = [0, 1].map { |minutes| BenchRun.measure(scenario, minutes: minutes, judged: false).first["scenarios"][0]["tables"][0] }
      assert_equal([%w[equal equal different], %w[measured measured different]], tables.map { |table| table["rows"].map { |row| row["status"] } })
      assert_equal([[{}] * 3, []], [tables[0]["rows"].map { |row| row["metrics"] }, tables[0]["claims"]])
      assert_equal(["not judged"], tables[1]["claims"].map { |claim| claim["status"] })
    end

    test "nothing is made up for where nothing has to be" do
      shares = [0, 1].map do |deferred|
        time = 0.0
        pace = Bench::Pace.new(30, seconds: 22, clock: -> { time })
        pace.part(10) { time += 10 }
        pace.part(10, optional: true, deferred: deferred) { |share| assert_nil(share) }
        pace.part(10, &:itself)
      end
      assert_equal([1.0, 0.0], shares)
    end
  end
end
