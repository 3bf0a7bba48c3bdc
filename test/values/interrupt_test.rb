# frozen_string_literal: true

# Signals, Timeout and Thread#kill while values are written. How late a Timeout comes:
# robustness/interrupt_test.rb.

require_relative "value_case"
require "timeout"

class ValueInterruptTest < ValueCase
  test "a signal's handler runs in the middle of a long document, which is whole in spite of it" do
    seen = 0
    previous = Signal.trap("USR1") { seen += 1 }
    data = Array.new(1_000_000) { |n| n }
    expected = ToJson.generate(data)
    sender = Thread.new { 20.times { Process.kill("USR1", Process.pid); sleep 0.002 } }
    5.times { assert_equal expected, ToJson.generate(data) }
    sender.join
    assert_operator seen, :>, 0
  ensure
    Signal.trap("USR1", previous || "DEFAULT")
  end

  test "a thread that is killed in the middle leaves no trace" do
    data = Array.new(500_000) { |n| "text #{n}" }
    20.times do |round|
      thread = Thread.new { loop { ToJson.generate(data) } }
      sleep(0.001 * round)
      thread.kill
      thread.join
      assert_equal '{"a":[1]}', ToJson.generate({ a: [1] })
    end
  end

  test "Thread#raise in the middle leaves no trace, and its error has a path" do
    data = { rows: Array.new(500_000) { |n| n } }
    thread = Thread.new do
      Thread.current.report_on_exception = false; loop { ToJson.generate(data) }
    end
    sleep 0.02
    thread.raise(IOError, "stop")
    error = assert_raises(IOError) { thread.join }
    assert_equal "stop", error.message
    assert_equal '{"a":[1]}', ToJson.generate({ a: [1] })
  end

  test "other threads run while a long document is written" do
    data = [[1] * 1000] * 30_000 # longer than a thread's turn
    ticks = 0
    ticker = Thread.new { loop { ticks += 1; sleep 0.001 } }
    File.open(File::NULL, "w") do |null|
      50.times { ToJson.generate(data, into: null) if ticks < 3 }
    end
    assert_operator ticks, :>, 2
  ensure
    ticker&.kill
  end

  # {how the document is left => what leaves it}
  LEAVING = {
    "raise" => ->(_) { raise IOError, "left" }, "throw" => ->(_) { throw :left },
    "Timeout" => ->(_) { Timeout.timeout(0.001, IOError) { sleep } }, "StopIteration" => ->(_) do
      raise StopIteration
    end
  }.freeze

  LEAVING.each do |how, leave|
    left = how == "Timeout" ? 100 : Figures.of("documents left by an exception")
    test "memory is flat over #{left} documents left by #{how}" do
      needs_proc
      actor = object_with { define_method(:to_s) { leave.call(self) } }
      value = { a: ["text" * 20, { b: [1, actor] }] }
      run = lambda do |times|
        times.times do
          catch(:left) { ToJson.generate(value) }
        rescue IOError, StopIteration
          nil
        end
        GC.start
        [resident, ObjectSpace.count_objects[:T_DATA]]
      end
      run.call(how == "Timeout" ? 20 : 2000)
      before = run.call(how == "Timeout" ? 20 : 2000)
      after = run.call(left)
      Figures.reached("documents left by an exception", left)
      assert_operator after[0] - before[0], :<, 40_000, "resident KiB grew" unless SANITIZED
      assert_operator after[1] - before[1], :<, 100, "objects of native code grew"
      assert_equal "[1]", ToJson.generate([1])
    end
  end

  # KiB of memory that this process holds.
  def resident = File.read("/proc/self/status")[/VmRSS:\s+(\d+)/, 1].to_i

  test "a document that stands still in an abandoned Fiber does not disturb the next ones" do
    100.times do
      source = Enumerator.new { |y| y << 1; Fiber.yield; y << 2 }
      Fiber.new { ToJson.generate({ rows: source }) }.resume
      assert_equal '{"a":[1]}', ToJson.generate({ a: [1] })
    end
    GC.start
    assert_equal '{"a":[1]}', ToJson.generate({ a: [1] })
  end

  test "documents in several Fibers may stand still and go on in any order" do
    fibers = Array.new(20) do |index|
      Fiber.new do
        ToJson.generate({ index => Enumerator.new { |y| 3.times { |n| y << n; Fiber.yield } } })
      end
    end
    3.times { fibers.shuffle(random: Random.new(3)).each(&:resume) }
    assert_equal (0...20).map { |index| "{\"#{index}\":[0,1,2]}" }, fibers.map(&:resume)
  end

  test "documents in several Threads do not mix" do
    threads = Array.new(8) do |id|
      Thread.new do
        value = { id: id, rows: Array.new(50) { |n| object_with(to_s: "#{id}:#{n}") } }
        expected = "{\"id\":#{id},\"rows\":[#{(0...50).map { |n| "\"#{id}:#{n}\"" }.join(",")}]}"
        100.times.count { Thread.pass; ToJson.generate(value) != expected }
      end
    end
    assert_equal [0] * 8, threads.map(&:value)
  end
end
