# frozen_string_literal: true

# The harness's figures: least samples and medians, who wins, and what claims come to.

require_relative "../test_helper"
require_relative "../../benchmark/harness/claims"

class BenchmarkStatisticsTest < ToJsonTest
  # Samples and their median.
  MEDIANS = [[[5], 5], [[1, 9], 5.0], [[3, 1, 2], 2], [[4, 1, 3, 2], 2.5], [[7, 7, 1, 1, 1], 1],
             [[100, 1, 2, 3, 4, 5, 6, 7, 8], 5]].freeze

  test "the median is the middle of the sorted samples, or the mean of the two in the middle" do
    MEDIANS.each do |samples, median|
      assert_equal(median, Bench::Metrics.median(samples), samples.inspect)
    end
  end

  test "there is no median of nothing" do
    assert_raises(ArgumentError) { Bench::Metrics.median([]) }
  end

  test "the figure of a time is its least sample, of a rate its greatest, of what noise does not " \
       "move the median" do
    { "time" => [9, 1, 8, 2, 2], "rate" => [1, 9, 2, 8, 8],
      "peak_rss" => [1, 9, 2, 8, 8] }.zip([1, 9, 8]) do |(name, samples), figure|
      metric = Bench::Metrics.of(name, samples)
      assert_equal([figure, samples.size], [Bench::Metrics.figure(name, metric), metric["samples"]])
    end
  end

  test "an unknown metric is refused with those that exist" do
    error = assert_raises(ArgumentError) { Bench::Metrics.of("speed", [1]) }
    assert_includes(error.message, "throughput")
  end

  # A metric, samples of one and of the other, and the ratio.
  RATIOS = [["time", [2], [4], 0.5], ["time", [90, 10, 11, 200, 12], [5, 100, 6, 70], 2.0],
            ["rate", [1, 3, 2, 4, 5], [2, 1], 2.5], ["time", [1], [0], nil],
            ["peak_rss", [1, 2, 9], [3, 4, 8], 0.5], ["scaling", [1.0], [0.0, 0.0], nil]].freeze

  test "a ratio of times is that of the least, all others are of medians" do
    RATIOS.each do |name, mine, theirs, ratio|
      found = Bench::Metrics.ratio(name,
                                   *[mine, theirs].map do |samples|
                                     Bench::Metrics.of(name, samples)
                                   end)
      ratio ? assert_in_delta(ratio, found, 1e-9, name) : assert_nil(found)
    end
  end

  test "a metric that is one by another is so in its least and in its median" do
    quotient = Bench::Metrics.quotient("growth",
                                       *[[6, 8, 9], [2, 4, 4]].map do |samples|
                                         Bench::Metrics.of("record_time", samples)
                                       end)
    assert_equal([3.0, 2.0], quotient.values_at("best", "median"))
  end
end

class BenchmarkClaimsTest < ToJsonTest
  # Contender, group, best time in ns, median.
  ROWS = [["ours", "ours", 100.0, 110], ["a", "hand", 150.0, 160], ["b", "hand", 130.0, 165],
          ["gem", "gem", 1000.0, 1100]].freeze

  # Keywords of a claim beside what it must come to: value and status on the interpreter.
  CLAIMS = [
    [{kind: "reach", subject: "ours", over: "hand", interpreter: 1.3, yjit: 2}, 1.3, "met"],
    [{kind: "reach", subject: "ours", over: "hand", interpreter: 1.36, yjit: 1}, 1.3, "met"],
    [{kind: "reach", subject: "ours", over: "hand", interpreter: 1.38, yjit: 1}, 1.3, "missed"],
    [{kind: "reach", subject: "ours", over: "a", interpreter: 1.4, yjit: 1}, 1.5, "met"],
    [{kind: "reach", subject: "ours", over: "gem", interpreter: nil, yjit: 9}, 10.0, "not judged"],
    [{kind: "limit", subject: "ours", over: "b", interpreter: 0.8, yjit: 1}, 100 / 130.0, "met"],
    [{kind: "limit", subject: "gem", over: "ours", interpreter: 9.6, yjit: 1}, 10.0, "met"],
    [{kind: "limit", subject: "gem", over: "ours", interpreter: 9.5, yjit: 1}, 10.0, "missed"],
    [{kind: "limit", subject: "ours", over: nil, interpreter: 100, yjit: 1}, 100.0, "met"],
    [{kind: "limit", subject: "ours", over: nil, interpreter: 99, yjit: 1}, 100.0, "missed"],
    [{ kind: "reach", subject: "nobody", over: "hand", interpreter: 1, yjit: 1 }, nil,
     "not measured"],
    [{ kind: "reach", subject: "ours", over: "control", interpreter: 1, yjit: 1 }, nil,
     "not measured"]
  ].freeze

  test "a claim is met, a ratio of times within 5 % too, or missed, not judged, not measured" do
    CLAIMS.each do |fields, value, status|
      verdict = verdicts("interpreter").of(claim(fields))
      assert_equal(status, verdict["status"], fields.inspect)
      value ? assert_in_delta(value, verdict["value"]) : assert_nil(verdict["value"])
    end
  end

  test "a difference of which nothing remains is better than any other by as much as is due" do
    net = lambda do |name, group, best|
      {"contender" => name, "group" => group, "at" => nil, "status" => "measured",
       "metrics" => {"net" => Bench::Metrics.of("net", [best])}}
    end
    due = Bench::Claim.new(kind: "reach", subject: "ours", over: "gem", metric: "net", at: nil,
                           interpreter: 4, yjit: 4)
    [[-1.0, "met"], [0.0, "met"], [24.0, "met"], [50.0, "missed"]].each do |ours, status|
      judge = Bench::Claims.new([net["ours", "ours", ours], net["gem", "gem", 100.0]], "yjit")
      assert_equal(status, judge.of(due)["status"], ours)
      assert_equal([ours.positive? ? 100 / ours : nil], [judge.of(due)["value"]])
    end
  end

  test "hand is the fastest of the hand-written ones by its least sample" do
    assert_equal("b", verdicts("interpreter").of(claim(CLAIMS[0][0]))["over"])
  end

  test "the figure of YJIT binds under YJIT, and none where nothing is judged" do
    assert_equal([2, "missed"],
                 verdicts("yjit").of(claim(CLAIMS[0][0])).values_at("required", "status"))
    assert_equal([nil, "not judged"],
                 verdicts(nil).of(claim(CLAIMS[0][0])).values_at("required", "status"))
  end

  test "a row that failed is no peer, however fast it was" do
    failed = rows.map { |row| row["contender"] == "b" ? row.merge("status" => "different") : row }
    assert_equal("a", Bench::Claims.new(failed, "interpreter").of(claim(CLAIMS[0][0]))["over"])
  end

  test "a claim about a row that was left out on purpose is not judged" do
    skipped = [{ "contender" => "slow", "group" => "gem", "at" => nil, "status" => "skipped",
                 "metrics" => {} },
               { "contender" => "ours", "group" => "ours", "at" => 9, "status" => "skipped",
                 "metrics" => {} }]
    judge = Bench::Claims.new(rows + skipped, "interpreter")
    { ["ours", "slow", nil] => "not judged", ["ours", nil, 9] => "not judged",
      ["ours", nil, 8] => "not measured", ["ours", "gem", nil] => "met" }
      .each do |(subject, over, at), status|
        assert_equal(status,
                     judge
                       .of(
                         Bench::Claim.new(kind: "reach", subject: subject, over: over,
                                          metric: "time", at: at, interpreter: 1, yjit: 1)
                       )["status"])
      end
  end

  test "a bound reaches what it does against the same other, and misses what no more than 5 % " \
       "short of would be met" do
    control = rows.first.merge("group" => "control", "contender" => "bound")
    claimed = {"kind" => "reach", "metric" => "time", "at" => nil, "subject" => "ours",
                "over" => "a", "value" => 1.8, "required" => 1.6}
    bounds = [claimed, claimed.merge("required" => 1.5)].flat_map do |one|
      Bench::Claims.bounds(one, {"rows" => [*rows.drop(1), control], "claims" => [one]})
    end
    assert_equal([["bound", 1.5, true], ["bound", 1.5, false]], bounds)
  end

  def claim(fields) = Bench::Claim.new(metric: "time", at: nil, **fields)

  def verdicts(judged_as) = Bench::Claims.new(rows, judged_as)

  def rows
    ROWS.map do |name, group, best, median|
      { "contender" => name, "group" => group, "at" => nil, "status" => "measured",
        "metrics" => { "time" => { "median" => median, "best" => best, "samples" => 9 } } }
    end
  end
end
