# frozen_string_literal: true

require "test_helper"
require "objspace"
require_relative "points"

# A hundred thousand documents that were left half-way keep nothing: not in Ruby's heap, not beside it.
class MemoryTest < ToJsonTest
  Boom = Class.new(StandardError)
  FIGURE = Integer(ENV.fetch("TO_JSON_LEAVES", "100000"))
  # What caches, malloc and a heap that settles may take, in KiB.
  SLACK = 12 * 1024
  SANITIZED = ENV["TO_JSON_SANITIZED"] == "1" # freed memory stays with ASan for a while

  def rss = Integer(File.read("/proc/self/status")[/^VmRSS:\s+(\d+)/, 1])

  def settle
    3.times { GC.start }
  end

  def counts
    settle
    { writers: ObjectSpace.each_object(ToJson::Writer).count, serializers: ObjectSpace.each_object(ToJson::Serializer).count,
      slots: GC.stat(:heap_live_slots) }
  end

  # Runs the block for warm-up, then `times` more, and compares what is left.
  def assert_flat(times, what, warm_up: times / 5)
    warm_up.times { |i| yield i }
    before = counts
    memory = rss
    times.times { |i| yield i }
    after = counts
    grown = rss - memory
    assert_operator grown, :<, SLACK, "#{what}: RSS grew by #{grown} KiB over #{times}" unless SANITIZED
    assert_operator after[:writers], :<=, [before[:writers], 8].max + 2, "#{what}: Writers are left"
    assert_operator after[:serializers], :<=, before[:serializers] + 20, "#{what}: serializers are left"
    assert_operator after[:slots] - before[:slots], :<, 20_000, "#{what}: objects are left"
    assert Points.sound?
  end

  test "documents left by an exception or a throw, from every point in turn, keep nothing" do
    points = Points::ALL.reject { |name, _| name.include?("Sink") }.values
    raising = -> { raise Boom }
    throwing = -> { throw :out }
    assert_flat(FIGURE, "left documents") do |i|
      point = points[i % points.size]
      if i.odd? then catch(:out) { point.call(throwing) }
      else
        begin
          point.call(raising)
        rescue Boom
          nil
        end
      end
    end
  end

  test "documents left by a return out of a block keep nothing" do
    assert_flat(FIGURE / 5, "returns") { |i| leave(i) }
  end

  test "documents whose errors are rescued inside them keep nothing" do
    assert_flat(FIGURE / 5, "rescued errors") do |i|
      ToJson.json do |j|
        j.put(:a) { j.put :b, i; raise Boom } rescue Boom
        j.put :c, Object.new rescue ToJson::Error
        j.close rescue ToJson::Error
      end
    end
  end

  test "documents of killed threads keep nothing" do
    assert_flat(FIGURE / 50, "killed threads") { |i| Thread.new { Points::ALL.values[i % 10].call(-> { Thread.current.kill }) }.join }
  end

  test "documents in Fibers that never come back keep nothing" do
    assert_flat(FIGURE / 50, "abandoned Fibers") do |i|
      Fiber.new { Points::ALL.values[i % Points::ALL.size].call(-> { Fiber.yield }) }.resume
      GC.start if (i % 500).zero? # a Fiber's stack is a mapping, which Ruby's collector does not count
    end
  end

  test "long documents left half-way keep nothing" do
    line = "x" * 90_000
    assert_flat(FIGURE / 50, "long documents", warm_up: FIGURE / 20) do
      ToJson.json { |j| j.put(:a, line); raise Boom }
    rescue Boom
      nil
    end
  end

  private

  def leave(count)
    ToJson.json { |j| j.put(:a) { j.put(:b) { j.put :c, count; return :left } } }
  end
end
