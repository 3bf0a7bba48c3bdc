# frozen_string_literal: true

# demo/stopwatch.rb and demo/table.rb: how the demo measures, and how it prints.

require_relative "demo_case"

class DemoMeasuringTest < DemoCase
  def setup
    demo "stopwatch"
    demo "table"
  end

  test "the median is the middle one, and the lower of two" do
    { [5] => 5, [3, 1, 2] => 2, [4, 1, 3, 2] => 2, [1.5, 0.5] => 0.5 }.each do |numbers, median|
      assert_equal(median, Demo::Stopwatch.median(numbers), numbers.inspect)
    end
  end

  test "ways are run in turn, after one round of warming up" do
    calls = []
    samples = Demo::Stopwatch.compare({ "a" => -> { calls << "a" }, "b" => -> { calls << "b" } },
                                      runs: 3)
    assert_equal(%w[a b] * 4, calls)
    assert_equal(%w[a b], samples.map(&:name))
  end

  test "objects are those that the way allocated" do
    few,
    many = Demo::Stopwatch.compare({ "few" => -> {}, "many" => -> { 1_000.times { Object.new } } },
                                   runs: 3)
    assert_operator(few.objects, :<, 20)
    assert_includes(1_000..1_020, many.objects)
  end

  test "the time is that of the processor, in seconds" do
    busy = lambda do
      ends = Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) + 0.02
      nil until Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) > ends
    end
    worked,
    slept = Demo::Stopwatch.compare({ "works" => busy, "sleeps" => -> { sleep 0.02 } }, runs: 1)
    assert_includes(0.02..0.2, worked.seconds)
    assert_operator(slept.seconds, :<, 0.015)
  end

  test "a table lines up: names to the left, numbers to the right, no blanks at line ends" do
    rows = [["ours", "1.5"], ["theirs", "20.5"], ["none", ""]]
    assert_equal(<<~TEXT, Demo::Table.format(["way", "ms"], rows))
      way       ms
      ------  ----
      ours     1.5
      theirs  20.5
      none
    TEXT
  end

  test "thousands are set apart" do
    { 0 => "0", 999 => "999", 1_000 => "1,000", 1_234_567 => "1,234,567" }.each do |number, text|
      assert_equal(text, Demo::Table.thousands(number))
    end
  end
end
