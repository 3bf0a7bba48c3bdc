# frozen_string_literal: true

# The harness's figures: medians, who wins, and what claims come to.

require_relative "../test_helper"
require_relative "../../benchmark/support/verdicts"

class BenchmarkStatisticsTest < ToJsonTest
  # Samples and their median.
  MEDIANS = [[[5], 5], [[1, 9], 5.0], [[3, 1, 2], 2], [[4, 1, 3, 2], 2.5], [[7, 7, 1, 1, 1], 1], [[100, 1, 2, 3, 4, 5, 6, 7, 8], 5]].freeze

  test "the median is the middle of the sorted samples, or the mean of the two in the middle" do
    MEDIANS.each { |samples, median| assert_equal(median, Bench::Statistics.median(samples), samples.inspect) }
  end

  test "there is no median of nothing" do
    assert_raises(ArgumentError) { Bench::Statistics.median([]) }
  end

  # A metric, samples, and the mean of the best third of them.
  THIRDS = [["time", [3, 2, 9], 2], ["rate", [3, 2, 9], 9], ["time", [5, 7], 5], ["time", [9, 1, 8, 2, 7, 6], 1.5], ["rate", [9, 1, 8, 2, 7, 6, 5, 4], 8.5]].freeze

  test "the best third is of the least times and the greatest rates, one at least" do
    THIRDS.each { |name, samples, mean| assert_in_delta(mean, Bench::Statistics.metric(name, samples)["best_third"], 1e-9, samples.inspect) }
    assert_in_delta(15.0, Bench::Statistics.best_third([9, 1, 8, 2, 7, 6].zip([90, 10, 80, 20, 70, 60]), "lower", &:last))
    assert_raises(ArgumentError) { Bench::Statistics.best_third([], "lower") }
  end

  # Samples, whether each was taken at full speed, the mean of the best third and the median that come of it, and which are told as disturbed.
  CALM = [[[9, 1, 8, 7], [true, false, true, true], 7, 8, [1]], [[9, 1, 8, 7], [true, false, false, true], 1, 7.5, [1, 2]], [[9, 1, 8, 7], nil, 1, 7.5, []]].freeze

  test "what was taken from a slow core is told, and left out of the figures where three others are left" do
    CALM.each do |samples, calm, third, median, disturbed|
      metric = Bench::Statistics.metric("time", samples, calm: calm)
      assert_equal([third, median, disturbed, samples], metric.values_at("best_third", "median", "disturbed", "samples"), calm.inspect)
    end
  end

  test "an unknown metric is refused with those that exist" do
    error = assert_raises(ArgumentError) { Bench::Statistics.metric("speed", [1]) }
    assert_includes(error.message, "throughput")
  end

  # A metric, samples of one and of the other, and the ratio.
  RATIOS = [["time", [2], [4], 0.5], ["time", [90, 10, 11, 200, 12], [5, 100, 6, 70], 2.0], ["rate", [1, 3, 2, 4, 5], [2, 1], 2.5], ["time", [9, 1, 8, 2, 7, 6], [3, 5], 0.5], ["time", [1], [0], nil],
            ["peak_rss", [1, 2, 9], [3, 4, 8], 0.5], ["scaling", [1.0], [0.0, 0.0, 3.0], nil]].freeze

  test "a ratio of times is that of the best thirds, all others are of medians" do
    RATIOS.each do |name, mine, theirs, ratio|
      found = Bench::Metrics.ratio(name, *[mine, theirs].map { |samples| Bench::Statistics.metric(name, samples) })
      ratio ? assert_in_delta(ratio, found, 1e-9, name) : assert_nil(found)
    end
  end

  # A time of which strangers left some slices alone (10 ns; 20 with them), and one of which they left hardly any: 25 in two samples that were lucky, 60 in all.
  def free_and_not
    lucky = [25, 25, *[60] * 7]
    [Bench::Statistics.metric("time", [10] * 9, calm: [true] * 9, whole: [20] * 9),
     Bench::Statistics.metric("time", lucky, calm: lucky.map { |time| time == 25 }, whole: [60] * 9)]
  end

  test "figures of which too few samples were calm are of the whole" do
    assert_equal([[10.0, 10], [60.0, 60]], free_and_not.map { |metric| metric.values_at("best_third", "median") })
  end

  test "where strangers left not both of two alone, both are taken as they were with them" do
    free, disturbed = free_and_not
    other = Bench::Statistics.metric("time", [30] * 9, calm: [true] * 9, whole: [90] * 9)
    unwatched = Bench::Statistics.metric("time", [10] * 9)
    {[disturbed, free] => 3.0, [free, disturbed] => 1 / 3.0, [other, free] => 3.0, [disturbed, disturbed] => 1.0, [disturbed, other] => 60 / 90.0, [disturbed, unwatched] => 6.0}
      .each { |(one, by), ratio| assert_in_delta(ratio, Bench::Metrics.ratio("time", one, by)) }
  end
end

class BenchmarkVerdictsTest < ToJsonTest
  # Contender, group, best time in ns, median.
  ROWS = [["ours", "ours", 100.0, 110], ["a", "hand", 150.0, 160], ["b", "hand", 130.0, 165], ["gem", "gem", 1000.0, 1100]].freeze

  # Keywords of a claim beside what it must come to: value and status on the interpreter.
  CLAIMS = [
    [{kind: "reach", subject: "ours", over: "hand", interpreter: 1.3, yjit: 2}, 1.3, "met"],
    [{kind: "reach", subject: "ours", over: "hand", interpreter: 1.31, yjit: 1}, 1.3, "missed"],
    [{kind: "reach", subject: "ours", over: "a", interpreter: 1.4, yjit: 1}, 1.5, "met"],
    [{kind: "reach", subject: "ours", over: "gem", interpreter: nil, yjit: 9}, 10.0, "not judged"],
    [{kind: "limit", subject: "ours", over: "b", interpreter: 0.8, yjit: 1}, 100 / 130.0, "met"],
    [{kind: "limit", subject: "gem", over: "ours", interpreter: 9.9, yjit: 1}, 10.0, "missed"],
    [{kind: "limit", subject: "ours", over: nil, interpreter: 100, yjit: 1}, 100.0, "met"],
    [{kind: "reach", subject: "nobody", over: "hand", interpreter: 1, yjit: 1}, nil, "not measured"],
    [{kind: "reach", subject: "ours", over: "control", interpreter: 1, yjit: 1}, nil, "not measured"]
  ].freeze

  test "a claim is met, missed, not judged or not measured" do
    CLAIMS.each do |fields, value, status|
      verdict = verdicts(:interpreter).of(claim(fields))
      assert_equal(status, verdict["status"], fields.inspect)
      value ? assert_in_delta(value, verdict["value"]) : assert_nil(verdict["value"])
    end
  end

  test "hand is the fastest of the hand-written ones by its best third; the medians' ratio is told too" do
    verdict = verdicts(:interpreter).of(claim(CLAIMS[0][0]))
    assert_equal("b", verdict["over"])
    assert_in_delta(1.5, verdict["value_of_median"])
  end

  test "the figure of YJIT binds under YJIT, and none where nothing is judged" do
    assert_equal([2, "missed"], verdicts(:yjit).of(claim(CLAIMS[0][0])).values_at("required", "status"))
    assert_equal([nil, "not judged"], verdicts(nil).of(claim(CLAIMS[0][0])).values_at("required", "status"))
  end

  test "a row that failed is no peer, however fast it was" do
    failed = rows.map { |row| row["contender"] == "b" ? row.merge("status" => "different") : row }
    assert_equal("a", Bench::Verdicts.new(failed, :interpreter).of(claim(CLAIMS[0][0]))["over"])
  end

  test "a claim about a row that was left out on purpose is not judged" do
    skipped = [{"contender" => "slow", "group" => "gem", "at" => nil, "status" => "skipped", "metrics" => {}},
               {"contender" => "ours", "group" => "ours", "at" => 9, "status" => "skipped", "metrics" => {}}]
    judge = Bench::Verdicts.new(rows + skipped, :interpreter)
    {["ours", "slow", nil] => "not judged", ["ours", nil, 9] => "not judged", ["ours", nil, 8] => "not measured", ["ours", "gem", nil] => "met"}
      .each do |(subject, over, at), status|
        assert_equal(status, judge.of(Bench::Claim.new(kind: "reach", subject: subject, over: over, metric: "time", at: at, interpreter: 1, yjit: 1))["status"])
      end
  end

  # Contender, group, nanoseconds that strangers left alone, with them, and whether enough samples were calm.
  WATCHED = [["ours", "ours", 100, 150, true], ["a", "hand", 180, 270, true], ["b", "hand", 200, 200, false]].freeze

  def watched
    WATCHED.map do |name, group, free, whole, calm|
      {"contender" => name, "group" => group, "at" => nil, "status" => "measured",
       "metrics" => {"time" => Bench::Statistics.metric("time", [free] * 9, calm: [calm] * 9, whole: [whole] * 9)}}
    end
  end

  test "the best of a group is who is best beside the subject, like by like" do
    found = Bench::Verdicts.new(watched, :interpreter).of(claim(kind: "reach", subject: "ours", over: "hand", interpreter: 1.5, yjit: 1.5))
    assert_equal(["b", 1.333, 1.333, "missed"], found.values_at("over", "value", "value_of_median", "status").map { |value| value.is_a?(Float) ? value.round(3) : value })
    found = Bench::Verdicts.new(watched.first(2), :interpreter).of(claim(kind: "limit", subject: "a", over: "ours", interpreter: 1.8, yjit: 1.8))
    assert_equal([1.8, "met"], found.values_at("value", "status"))
  end

  test "a bound reaches what it does like by like" do
    require_relative "../../benchmark/support/report/bounds"
    control = watched.last.merge("group" => "control", "contender" => "bound")
    claimed = {"kind" => "reach", "metric" => "time", "at" => nil, "subject" => "ours", "over" => "a", "value" => 1.8, "required" => 2}
    bound = Bench::Report::Bound.all(claimed, {"rows" => [*watched.first(2), control], "claims" => [claimed]})
    assert_equal([["bound", 1.35, true]], bound.map { |one| [one.contender, one.reached.round(3), one.short] })
  end

  def claim(fields) = Bench::Claim.new(metric: "time", at: nil, **fields)

  def verdicts(judged_as) = Bench::Verdicts.new(rows, judged_as)

  def rows
    ROWS.map do |name, group, best, median|
      {"contender" => name, "group" => group, "at" => nil, "status" => "measured", "metrics" => {"time" => {"median" => median, "best_third" => best, "samples" => [best, median]}}}
    end
  end
end
