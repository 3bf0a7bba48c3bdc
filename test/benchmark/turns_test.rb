# frozen_string_literal: true

# Measurements side by side: their order, and what becomes of one that fails.

require_relative "../test_helper"
require_relative "../../benchmark/harness/turns"

class BenchmarkTurnsTest < ToJsonTest
  test "every job is done once, so many at a time, begun in their order" do
    [1, 2, 3].each do |count|
      begun, most, at_work = Queue.new, 0, 0
      lock = Mutex.new
      turns.each((1..20).to_a, count) do |job|
        lock.synchronize do
          begun << job
          most = [most, at_work += 1].max
        end
        sleep(0.001)
        lock.synchronize { at_work -= 1 }
      end
      done = Array.new(begun.size) { begun.pop }
      assert_equal((1..20).to_a, count == 1 ? done : done.sort)
      assert_operator(most, :<=, count)
    end
  end

  test "what a job raises is raised, and no further job is begun" do
    begun, go = Queue.new, Queue.new
    error = assert_raises(RuntimeError) do
      turns.each((1..8).to_a, 2) do |job|
        begun << job
        if job == 2
          go << true
          raise "no way"
        end
        go.pop # the failure comes while the other lane is at work
        sleep(0.05)
      end
    end
    assert_equal(["no way", [1, 2]], [error.message, Array.new(begun.size) { begun.pop }.sort])
  end

  def turns = Bench::Turns.new(20, output: StringIO.new, bar: StringIO.new)
end
