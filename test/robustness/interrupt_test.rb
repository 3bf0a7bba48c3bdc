# frozen_string_literal: true

require "test_helper"
require "timeout"
require "fuzz/actors"
require_relative "../support/own_process"

# A Timeout or signal during a loop in C over millions of items fires about when it would in pure
# Ruby.
class InterruptTest < ToJsonTest
  ITEMS = 3_000_000
  AFTER = 0.03
  # What it may come later than in Ruby: 20 ms. A machine that is busy with other things delays
  # either, so the best of some attempts counts.
  LATER = 0.020
  ATTEMPTS = 40
  # Calls within one attempt: without the collector each keeps what it wrote.
  MOST_CALLS = 300
  SANITIZED = ENV["TO_JSON_SANITIZED"] == "1"

  # Writes forget.
  Void = Struct.new(:size) { def write(text) = self.size = text.bytesize }

  # {loop => [what makes its data, what writes them]}. The data are made in each test: kept, they
  # would be marked in every collection of the whole suite.
  NUMBERS = -> { Array.new(ITEMS) { |i| i } }
  TABLE = -> { (0...ITEMS / 3).to_h { |i| [i, i] } }
  PAIRS = -> { (0...ITEMS).each_slice(2).to_a }
  # Rows of a database, with no database: lib/to_json/rows/list.rb.
  ROWS = lambda do
    require "to_json/rows/list"
    # Ruby reads a row where the buffer grows.
    row = Struct.new(:a, :b) do
      def __to_json_at(values)
        self.a, self.b = values
        self
      end
    end.new
    row.instance_variable_set(:@columns, { a: [0, Integer], b: [1, Integer] })
    ToJson.const_get(:Rows).const_get(:List).new(row, Array.new(ITEMS, [1, 2]))
  end
  PAIR = Class.new(ToJson::Serializer) { attributes :a, :b }

  LOOPS = {
    "an Array of Integers" => [NUMBERS, ->(data) { ToJson.generate(data) }],
    "an Array of Strings" => [-> { ["a text"] * ITEMS }, ->(data) { ToJson.generate(data) }],
    "30,000 Arrays of 100" =>
      [-> { Array.new(30_000) { [1] * 100 } }, ->(data) { ToJson.generate(data) }],
    "an Array into an IO" => [NUMBERS, ->(data) { ToJson.generate(data, into: Void.new) }],
    "a Range" => [-> { 1..ITEMS }, ->(data) { ToJson.generate(data) }],
    "a Hash" => [TABLE, ->(data) { ToJson.generate(data) }],
    "an Enumerator" => [NUMBERS, ->(data) { ToJson.generate(data.each) }],
    "an Array of Arrays" => [PAIRS, ->(data) { ToJson.generate(data) }],
    "a List of rows" => [ROWS, ->(data) { PAIR.json!(data) }],
    "array of the DSL" => [NUMBERS, ->(data) { ToJson.json { |j| j.array data } }],
    "put of the DSL" => [NUMBERS, ->(data) { ToJson.json { |j| j.put :numbers, data } }],
    "pretty_generate" => [NUMBERS, ->(data) { ToJson.pretty_generate(data) }],
    "an Array of Arrays under :json" =>
      [PAIRS, ->(data) { ToJson.generate(data, dialect: :json) }],
    "a Hash under :oj" => [TABLE, ->(data) { ToJson.generate(data, dialect: :oj) }],
    "a Hash under :rails" => [TABLE, ->(data) { ToJson.generate(data, dialect: :rails) }]
  }.freeze

  # When an interrupt due after AFTER seconds comes, in seconds behind that. Without the collector:
  # a String of 20 MB makes it run, and what it takes depends on the objects of the whole suite.
  def delay
    GC.start
    GC.disable
    started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    begin
      Timeout.timeout(AFTER) { MOST_CALLS.times { yield } }
      flunk "no Timeout came in #{MOST_CALLS} calls"
    rescue Timeout::Error
      Process.clock_gettime(Process::CLOCK_MONOTONIC) - started - AFTER
    end
  ensure
    GC.enable
  end

  def in_ruby
    i = 0
    i += 1 while i < ITEMS
  end

  (SANITIZED ? {} : LOOPS).each do |name, (make, write)| # under ASan the two take different times
    test "a Timeout during #{name} comes within 20 ms of when it would in Ruby" do
      data = make.call
      late = ATTEMPTS.times.find { delay { write.call(data) } - delay { in_ruby } < LATER }
      assert late, "later than #{LATER} s in each of #{ATTEMPTS} attempts"
      assert_equal "[1]", ToJson.generate([1])
    end
  end

  test "a signal during a loop in C runs its handler while the loop goes on" do
    numbers = NUMBERS.call
    handled = nil
    before = trap("USR2") { handled ||= Process.clock_gettime(Process::CLOCK_MONOTONIC) }
    started = nil
    20.times do
      handled = nil
      thread = Thread.new { sleep(0.01) && Process.kill("USR2", Process.pid) }
      started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
      assert_equal ITEMS, ToJson.generate(numbers).count(",") + 1
      ended = Process.clock_gettime(Process::CLOCK_MONOTONIC)
      thread.join
      break if handled && handled < ended
    end
    assert handled, "the handler never ran"
    assert_operator handled - started, :<, 5
  ensure
    trap("USR2", before || "DEFAULT")
  end

  # Ruby's rb_protect takes away the frames that an exception has left, and lets handlers run
  # meanwhile. One that rescues makes it forget that exception: ToJson::Error takes its place.
  FORGOTTEN = <<~'RUBY'
    class Halt < Exception; end
    armed = false
    trap(:USR1) do
      begin; raise "rescued"; rescue RuntimeError; end
      if armed
        armed = false
        rand(2).zero? ? raise(Halt) : throw(:out)
      end
    end
    main = Process.pid
    signals = fork do
      trap(:USR1, "DEFAULT")
      loop { sleep(rand * 0.002); Process.ppid == main ? Process.kill(:USR1, main) : exit! }
    end
    lazy = [(1..3).lazy.map { |x| x * 2 }]
    ended, forgotten = Process.clock_gettime(Process::CLOCK_MONOTONIC) + 8, nil
    until forgotten || Process.clock_gettime(Process::CLOCK_MONOTONIC) > ended
      catch(:out) do
        armed = true
        ToJson.generate(lazy)
        armed = false
      rescue Halt
        nil
      rescue ToJson::Error => forgotten
        armed = false
      end
    end
    Process.kill(:KILL, signals)
    print ToJson.generate([1]), forgotten&.message.to_s[/Ruby forgot the exception/]
  RUBY

  if Process.respond_to?(:fork)
    test "an exception that Ruby forgets, because a signal's handler rescues, does not crash" do
      assert_match(/\A\[1\](Ruby forgot the exception)?\z/, OwnProcess.run(FORGOTTEN))
    end
  end

  test "other threads run while a long document is written" do
    numbers = NUMBERS.call
    ticks = 0
    ticking = true
    thread = Thread.new { (ticks += 1) && sleep(0.001) while ticking }
    # Threads change places every 100 ms; a document takes 30, and the machine may be busy.
    200.times { ToJson.generate(numbers) if ticks < 3 }
    ticking = false
    thread.join
    assert_operator ticks, :>, 2
  end
end
