# frozen_string_literal: true

# What a call takes at full speed, from a sample of which some slices were taken at it.

require_relative "../test_helper"
require_relative "../../benchmark/support/contender_loop"
require_relative "../../benchmark/support/measure_calls"

class BenchmarkSlicedSampleTest < ToJsonTest
  # A reading of a core at full speed, and of a slow one.
  FAST, SLOW = 100, 200
  LIMIT = 120

  # A sample of ten calls a slice: of each slice its nanoseconds, the reading after it, and how many of them Ruby collected garbage. Before the first is a fast one.
  def sample(*slices)
    Bench::SlicedSample.new("calls" => 10, "times" => slices.map(&:first), "collecting" => slices.map(&:last), "gauges" => [FAST, *slices.map { |slice| slice[1] }])
  end

  def free(nanoseconds, collecting: 0) = [nanoseconds, FAST, collecting]
  def slow(nanoseconds, collecting: 0) = [nanoseconds, SLOW, collecting]
  def figure(*slices, quiet: false) = sample(*slices).at_full_speed(LIMIT, quiet: quiet)

  test "the better two thirds of the slices between two fast readings make the figure" do
    slices = [free(1000), slow(1900), slow(2000), free(2000), free(1300), free(1020), slow(1500)]
    assert_equal([101.0, true], figure(*slices))
    assert_in_delta(10_720 / 70.0, sample(*slices).whole)
  end

  test "with too few of them it is that of the whole sample, and told so" do
    assert_equal([160.0, false], figure(free(1000), slow(2000), slow(2000), free(2000), free(1000)))
    assert_equal([123.4, false], figure(slow(1234)))
  end

  test "what collecting garbage takes counts in all slices, at the speed of everything else" do
    plain = [free(1000), free(1000), free(1000), slow(3000), slow(3000), slow(3000)]
    # 1,600 a slice in the middle at half the speed; what the free ones took beside collecting is 1,000, the mean of all 2,000.
    found = figure(*plain, slow(8400, collecting: 6400), slow(8400, collecting: 6400), free(1000), free(3000, collecting: 2000))
    work = (4 * 1000 + 1000 + (3 * 3000) + (2 * 2000)) / 10.0
    assert_in_delta((1000 + (1480 * 1000 / work)) / 10, found.first)
    assert_equal([150.0, true], figure(*Array.new(6) { free(1500, collecting: 500) }), "where each slice collects, too")
  end

  test "slices so long that strangers may have come and gone are a whole sample, calm where hardly any reading was slow, here and of late" do
    long = Bench::SlicedSample::LONG + 1
    {[[free(long)] * 3, true] => true, [[free(long)] * 3, false] => false, [[free(long), slow(long)], true] => false,
     [[*[free(long)] * 12, slow(long)], true] => true}.each do |(slices, quiet), calm|
      assert_equal([long / 10.0, calm], figure(*slices, quiet: quiet))
    end
  end

  # What takes of these samples, in that order, gave; the last for good. And how many are left.
  def take(calm, *samples)
    [calm.take_slices { samples.size > 1 ? samples.shift : samples.first }, samples.size]
  end

  def at_full_speed = sample(*Array.new(6) { free(1000) })
  def disturbed = sample(*Array.new(6) { slow(2000) })

  test "Calm takes a sample again where too few slices were at full speed, three times at most, for as long as it is patient" do
    calm = Bench::Calm.new
    # The first readings tell what full speed is.
    5.times { assert_equal([[100.0, true, 100.0], 1], take(calm, at_full_speed)) }
    assert_equal([[200.0, false, 200.0], 1], take(calm, disturbed, at_full_speed))
    assert_equal(1, calm.disturbed)
    calm.add(60)
    assert_equal([[100.0, true, 100.0], 1], take(calm, disturbed, disturbed, at_full_speed, at_full_speed))
    assert_equal([[200.0, false, 200.0], 1], take(calm, disturbed, disturbed, disturbed, at_full_speed))
    assert_equal(2, calm.disturbed)
  end

  test "a sample of long slices is taken once, and is calm where hardly any reading of late was slow" do
    calm, long = Bench::Calm.new, Bench::SlicedSample::LONG + 1
    calm.add(60)
    assert_equal([[long / 10.0, true, long / 10.0], 1], take(calm, sample(free(long), free(long)), at_full_speed))
    take(calm, disturbed)
    assert_equal([[long / 10.0, false, long / 10.0], 1], take(calm, sample(free(long), free(long)), at_full_speed))
    60.times { take(calm, at_full_speed) }
    assert(take(calm, sample(free(long), free(long)))[0][1], "300 fast readings later")
  end

  test "a limit is not made of one lucky sample" do
    calm = Bench::Calm.new
    5.times { take(calm, at_full_speed) }
    take(calm, Bench::SlicedSample.new("calls" => 1, "times" => [10] * 9, "collecting" => [0] * 9, "gauges" => [50] * 10))
    assert_equal([[100.0, true, 100.0], 1], take(calm, at_full_speed))
    assert_equal(0, calm.disturbed)
  end

  # A worker that is none of Ruby.
  class Program
    def ask(operation, contender:, iterations:) = operation == :sample && contender == "go" ? iterations * 7 : raise(ArgumentError)
  end

  # One of Ruby that has no processes: what it was asked for.
  class Ruby < Bench::WorkerProcess
    attr_reader :asked

    def initialize = @asked = []

    def ask(operation, contender:, calls:, count:)
      @asked << [operation, contender, calls, count]
      {"calls" => calls, "times" => [calls * 5] * count, "collecting" => [0] * count, "gauges" => [FAST] * (count + 1)}
    end
  end

  test "a call of a microsecond is in slices of 150, one of a millisecond is one, one slice is too few; of a program there is the whole" do
    taken = lambda do |name, worker, iterations, per_call|
      Bench::MeasureCalls.send(:take, Bench::Entry.new(contender: Struct.new(:name).new(name), worker: worker), iterations, per_call, Bench::Calm.new)
    end
    ruby = Ruby.new
    assert_equal([true, true, false].map { |calm| [5.0, calm, 5.0] }, [[10_000, 1000], [12, 1_000_000], [1, 200]].map { |iterations, per_call| taken["a", ruby, iterations, per_call] })
    assert_equal([[:slices, "a", 150, 66], [:slices, "a", 1, 12], [:slices, "a", 1, 1]], ruby.asked)
    assert_equal([7.0, false, 7.0], taken["go", Program.new, 100, 1000])
  end

  test "a loop notes its slices, and all of its calls are made" do
    $calls_of_test = 0
    slices = Bench::ContenderLoop.new("$calls_of_test += v", "$calls_of_test += 100", [1, 2], __FILE__, __LINE__).slices(3, 4).to_h
    assert_equal(118, $calls_of_test, "values go on from slice to slice, what stands before the loop is done once")
    assert_equal([3, 4, 4, 5], [slices["calls"], *slices.values_at("times", "collecting", "gauges").map(&:size)])
    assert(slices.values_at("times", "gauges").flatten.all?(&:positive?), slices.inspect)
  ensure
    $calls_of_test = nil
  end

  test "what Ruby takes to collect garbage is told slice by slice" do
    collecting = Bench::ContenderLoop.new("v && GC.start", nil, [false, true], __FILE__, __LINE__).slices(1, 4).to_h["collecting"]
    assert_equal([false, true, false, true], collecting.map(&:positive?))
  end

  test "noting a slice allocates nothing" do
    target = Bench::ContenderLoop.new("nil", nil, [nil], __FILE__, __LINE__)
    few, many = [10, 1000].map do |count|
      target.slices(1, count)
      before = GC.stat(:total_allocated_objects)
      target.slices(1, count)
      GC.stat(:total_allocated_objects) - before
    end
    assert_in_delta(few, many, 5, "of 990 slices more")
  end
end
