# frozen_string_literal: true

# Samples from a core that is slow now and then.

require_relative "../test_helper"
require "open3"
require_relative "../../benchmark/support/calm"
require_relative "../../benchmark/support/gauge"

class BenchmarkCalmTest < ToJsonTest
  # A worker whose gauge reads these, one after the other, the last one for good.
  class Gauged
    def initialize(*readings) = @readings = readings
    def ask(_operation) = @readings.size > 1 ? @readings.shift : @readings.first
    def left = @readings.size
  end

  # Readings before and after each try, and the number of the try that is kept.
  KEPT = [[[100, 100], 1], [[100, 119, 100, 100], 1], [[100, 130, 100, 100], 2], [[100, 130, 130, 130, 100, 150, 100, 100], 3]].freeze

  test "a sample of a slow core is taken again, until the core has its speed before and after" do
    KEPT.each do |readings, tries|
      calm = calm(60)
      taken = 0
      assert_equal(tries, calm.sample(Gauged.new(*readings)) { taken += 1 }, readings.inspect)
      assert_equal(0, calm.disturbed)
    end
  end

  test "no sample is taken while the core is slow" do
    worker, calm = Gauged.new(100, 100, 200, 200, 200, 100, 100), calm(60)
    calm.sample(worker) { nil }
    assert_equal(1, calm.sample(worker) { worker.left }, "three slow readings and a fast one stand before the sample")
  end

  test "without patience what was taken is kept, and counted" do
    calm = calm(0)
    worker = Gauged.new(100, 100, 200)
    assert_equal([1, 2, 3], Array.new(3) { |number| calm.sample(worker) { number + 1 } })
    assert_equal(2, calm.disturbed)
  end

  test "what was taken while the core was slow is told from what was not" do
    calm = calm(0)
    worker = Gauged.new(100, 100, 100, 200, 200, 100, 100)
    assert_equal([[1, true], [2, false], [3, false], [4, true]], [1, 2, 3, 4].map { |number| calm.take(worker) { number } })
  end

  test "waiting spends the patience, and it can be added to" do
    worker, calm = Gauged.new(100, 100, 200), calm(0.02)
    3.times { calm.sample(worker) { sleep 0.01 } }
    assert_equal(2, calm.disturbed)
    calm.add(60)
    assert_equal(:calm, calm.sample(Gauged.new(200, 100, 100)) { :calm })
    assert_equal(2, calm.disturbed)
  end

  test "without a gauge every sample is kept" do
    assert_equal(7, calm(60).sample(nil) { 7 })
  end

  test "the gauge's loop takes some of a millisecond, not nothing" do
    assert_includes(1_000..1_000_000_000, Bench::Gauge.read)
  end

  test "one lucky reading is no measure" do
    calm = calm(0)
    3.times { calm.sample(Gauged.new(70, 100)) { nil } }
    assert_equal(0, calm.disturbed)
  end

  test "the gauge reads alike from the first time on" do
    readings = Array.new(3) do
      script = 'require "./benchmark/support/gauge"; Bench::Gauge.warm; puts Array.new(12) { Bench::Gauge.read }.join(" ")'
      output, status = Open3.capture2e(RbConfig.ruby, *("--yjit" if defined?(RubyVM::YJIT)), "-e", script, chdir: Project::ROOT)
      assert(status.success?, output)
      output.split.map(&:to_i)
    end
    assert(readings.any? { |all| all.first(3).min < 3 * all.last(9).min }, readings.inspect)
  end

  # It knows the core's full speed: 100.
  def calm(seconds)
    Bench::Calm.new(pause: 0.001).tap do |calm|
      3.times { calm.sample(Gauged.new(100)) { nil } }
      calm.add(seconds)
    end
  end
end
