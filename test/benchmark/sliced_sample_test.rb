# frozen_string_literal: true

# What a call takes at full speed, from a sample of which some slices were taken at it.

require_relative "../test_helper"
require_relative "../../benchmark/support/calm"
require_relative "../../benchmark/support/slices"

class BenchmarkSlicedSampleTest < ToJsonTest
  # A reading of a core at full speed, and of a slow one.
  FAST, SLOW = 100, 200
  LIMIT = 120

  # A sample of ten calls a slice: of each slice its nanoseconds, the reading after it, and whether Ruby collected garbage in it. Before the first is a fast one.
  def sample(*slices)
    collections = slices.each_with_object([3]) { |(_, _, collected), counts| counts << (counts.last + (collected ? 1 : 0)) }
    Bench::SlicedSample.new("calls" => 10, "times" => slices.map(&:first), "gauges" => [FAST, *slices.map { |slice| slice[1] }], "collections" => collections)
  end

  def free(nanoseconds, collected: false) = [nanoseconds, FAST, collected]
  def slow(nanoseconds, collected: false) = [nanoseconds, SLOW, collected]

  test "the better two thirds of the slices between two fast readings make the figure" do
    found = sample(free(1000), slow(1900), slow(2000), free(2000), free(1300), free(1020), slow(1500))
    assert_equal([101.0, true], found.at_full_speed(LIMIT))
    assert_in_delta(10_720 / 70.0, found.whole)
  end

  test "with too few of them it is that of the whole sample, and told so" do
    found = sample(free(1000), slow(2000), slow(2000), free(2000), free(1000))
    assert_equal([160.0, false], found.at_full_speed(LIMIT))
    one = sample(slow(1234))
    assert_equal([123.4, false], one.at_full_speed(LIMIT))
  end

  test "collections count whether their slices were free or not, at the speed of the others" do
    plain = [free(1000), free(1000), free(1000), slow(3000), slow(3000), slow(3000)]
    found = sample(*plain, slow(6000, collected: true), slow(6000, collected: true))
    # Two slices of eight took 4,000 more than the 2,000 that plain ones took here, on a core of half its speed: 2,000 each at full speed.
    assert_equal([(1000 + (2 * 2000 / 8.0)) / 10, true], found.at_full_speed(LIMIT))
    assert_equal([100.0, true], sample(*plain, slow(1500, collected: true), slow(1500, collected: true)).at_full_speed(LIMIT), "what is faster adds nothing")
  end

  test "slices in which all calls collect leave the sample whole, calm where nearly all of them were free" do
    slices = Array.new(8) { |index| index.even? ? free(4000, collected: true) : slow(8000, collected: true) }
    assert_equal([600.0, false], sample(*slices).at_full_speed(LIMIT))
    slices = Array.new(20) { |index| index == 7 ? slow(8000, collected: true) : free(4000, collected: true) }
    assert_equal([420.0, true], sample(*slices).at_full_speed(LIMIT))
  end

  test "Calm takes a sample in slices again where too few were at full speed, for as long as it is patient" do
    disturbed, calm_one = sample(*Array.new(5) { slow(2000) }), sample(*Array.new(5) { free(1000) })
    calm = Bench::Calm.new
    # The first readings tell what full speed is.
    assert_equal([100.0, true, 100.0], calm.take_slices { calm_one })
    assert_equal([200.0, false, 200.0], calm.take_slices { disturbed })
    assert_equal(1, calm.disturbed)
    calm.add(60)
    left = [disturbed, disturbed, calm_one]
    assert_equal([100.0, true, 100.0], calm.take_slices { left.shift })
    assert_equal([[], 1], [left, calm.disturbed])
  end

  test "a limit is not made of one lucky reading" do
    calm = Bench::Calm.new
    calm.take_slices { sample(*Array.new(5) { free(1000) }) }
    lucky = Bench::SlicedSample.new("calls" => 1, "times" => [10], "gauges" => [50, 100], "collections" => [0, 0])
    calm.take_slices { lucky }
    assert_equal([100.0, true], calm.take_slices { sample(*Array.new(5) { free(1000) }) }.first(2))
    assert_equal(0, calm.disturbed)
  end

  test "a loop notes its slices, and all of its calls are made" do
    require_relative "../../benchmark/support/contender_loop"
    $calls_of_test = 0
    slices = Bench::ContenderLoop.new("$calls_of_test += v", nil, [1, 2], __FILE__, __LINE__).slices(3, 4).to_h
    assert_equal(18, $calls_of_test, "values go on from slice to slice")
    assert_equal([3, 4, 5, 5], [slices["calls"], *slices.values_at("times", "gauges", "collections").map(&:size)])
    assert(slices.values_at("times", "gauges").flatten.all?(&:positive?), slices.inspect)
  ensure
    $calls_of_test = nil
  end

  test "a slice in which Ruby collects is told" do
    require_relative "../../benchmark/support/contender_loop"
    counts = Bench::ContenderLoop.new("v && GC.start", nil, [false, true], __FILE__, __LINE__).slices(1, 4).to_h["collections"]
    assert_equal([false, true, false, true], counts.each_cons(2).map { |before, after| after > before })
  end

  test "noting a slice allocates nothing" do
    require_relative "../../benchmark/support/contender_loop"
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
