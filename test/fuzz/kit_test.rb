# frozen_string_literal: true

require "test_helper"
require "fuzz/kit/runner"
require "fuzz/kit/ways_out"
require "fuzz/kit/text"

# The fuzz kit itself: what it finds, how small it makes it, what it says.
class FuzzKitTest < ToJsonTest
  # Lists of numbers; the fault to find: a 7 somewhere behind a 3.
  class Lists
    def name = "lists"
    def rows = %w[three seven never]
    def generate(dice) = Array.new(dice.below(30)) { dice.below(20) }
    def simpler(list)
      Fuzz::Shrinker.sublists(list).to_a + Fuzz::Shrinker.one_simpler(list) do |n|
        n.zero? ? [] : [n / 2, n - 1]
      end.to_a
    end
    def source(list) = "p #{list}"

    def check(list, rows = nil)
      rows&.reached("three") if list.include?(3)
      rows&.reached("seven") if list.include?(7)
      "a 7 behind a 3" if list.include?(3) && (list[list.index(3)..] & [7]).any?
    end
  end

  test "the same seed makes the same cases, another seed others" do
    made = ->(seed) { Array.new(20) { |index| Lists.new.generate(Fuzz::Dice.new(seed, index)) } }
    assert_equal made.call(1), made.call(1)
    refute_equal made.call(1), made.call(2)
  end

  test "a failing case is made as small as it goes and printed as Ruby" do
    run = Fuzz::Runner.new(Lists.new, seed: 1, count: 300)
    refute run.call
    assert_operator run.failures.size, :>, 1
    run.reports.each do |report|
      assert_match(/\Acase \d+ of seed 1: a 7 behind a 3\n.*p \[3, 7\]\n\z/m, report)
    end
    assert_match(/\Afuzz lists: seed 1, .* cases a second: \d+ passed, 5 failed\z/, run.summary)
  end

  test "several processes do the cases that one does" do
    alone = Fuzz::Runner.new(Lists.new, seed: 3, count: 40)
    shared = Fuzz::Runner.new(Lists.new, seed: 3, count: 40, jobs: 2)
    alone.call
    shared.call
    assert_equal alone.rows.counts["three"], shared.rows.counts["three"] if alone.failures.size < 5
    assert_equal alone.failures.sort, shared.failures.sort if alone.failures.size < 5
    assert_operator shared.done, :>, 0
  end

  test "a row that a full run never reached fails it, and no row fails a short one" do
    harmless = Class.new(Lists) { def check(*) = super && nil }
    short = Fuzz::Runner.new(harmless.new, seed: 1, count: 100)
    assert short.call
    full = Fuzz::Runner.new(harmless.new, seed: 1, count: Fuzz::Runner::FULL_RUN)
    refute full.call
    assert_equal ["never"], full.missed
    assert_match(/2000 passed, 1 failed\z/, full.summary)
  end

  test "a run without a case is no success" do
    refute Fuzz::Runner.new(Lists.new, seed: 1, count: 0).call
  end

  test "the minutes end a run" do
    run = Fuzz::Runner.new(Class.new(Lists) { def check(*) = nil }.new, seed: 1, count: 10**12,
                           minutes: 0.005)
    run.call
    assert_empty run.failures
    assert_operator run.done, :<, 10**9
  end

  test "sublists leave out halves before single elements, and everything first" do
    assert_equal [[], [3, 4], [1, 2], [2, 3, 4], [1, 3, 4], [1, 2, 4], [1, 2, 3]],
                 Fuzz::Shrinker.sublists([1, 2, 3, 4]).to_a
    assert_empty Fuzz::Shrinker.sublists([]).to_a
  end

  test "trees of the model print as JSON, pairs with one key too, and are told apart by type" do
    tree = Fuzz::Pairs.new([["a", [1, 1.5, nil]], ["a", Fuzz::Raw.new("{}")]])
    assert_equal '{"a":[1,1.5,null],"a":{}}', Fuzz::Text.of(tree)
    assert Fuzz::Text.same?(Fuzz::Text.parsed('{"b":1,"a":2}'),
                            Fuzz::Pairs.new([["b", 1], ["a", 2]]))
    refute Fuzz::Text.same?(0.0, -0.0)
    refute Fuzz::Text.same?(1, 1.0)
    assert_equal :invalid, Fuzz::Text.parsed('{"a":}')
  end

  test "the one-byte IO gets every byte once, and a failed append leaves its String" do
    assert_equal "[1,2,3]", Fuzz::WaysOut.one_byte { |io|
      ToJson.generate([1, 2, 3], into: io)
    }.text
    result = Fuzz::WaysOut.appended { |text| ToJson.generate([1, Float::NAN], into: text) }
    assert_instance_of ToJson::NumberError, result.error
    assert_nil result.partial
  end
end
