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

  NUMBERS = Array.new(ITEMS) { |i| i }
  LOOPS = {
    "an Array of Integers" => -> { ToJson.generate(NUMBERS) },
    "an Array into an IO" => -> { ToJson.generate(NUMBERS, into: Void.new) },
    "a Range" => -> { ToJson.generate(1..ITEMS) },
    "a Hash" => -> { ToJson.generate(self.class.table) },
    "an Enumerator" => -> { ToJson.generate(NUMBERS.each) },
    "an Array of Arrays" => -> { ToJson.generate(self.class.pairs) },
    "array of the DSL" => -> { ToJson.json { |j| j.array NUMBERS } },
    "put of the DSL" => -> { ToJson.json { |j| j.put :numbers, NUMBERS } },
    "pretty_generate" => -> { ToJson.pretty_generate(NUMBERS) },
    "an Array of Arrays under :json" => -> { ToJson.generate(self.class.pairs, dialect: :json) },
    "a Hash under :oj" => -> { ToJson.generate(self.class.table, dialect: :oj) },
    "a Hash under :rails" => -> { ToJson.generate(self.class.table, dialect: :rails) }
  }.freeze

  def self.table = @table ||= NUMBERS.first(ITEMS / 3).to_h { |i| [i, i] }
  def self.pairs = @pairs ||= NUMBERS.each_slice(2).to_a

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

  (SANITIZED ? {} : LOOPS).each do |name, run| # under ASan the two take different times
    test "a Timeout during #{name} comes within 20 ms of when it would in Ruby" do
      self.class.table
      self.class.pairs
      late = ATTEMPTS.times.find { delay { instance_exec(&run) } - delay { in_ruby } < LATER }
      assert late, "later than #{LATER} s in each of #{ATTEMPTS} attempts"
      assert_equal "[1]", ToJson.generate([1])
    end
  end

  test "a signal during a loop in C runs its handler while the loop goes on" do
    handled = nil
    before = trap("USR2") { handled ||= Process.clock_gettime(Process::CLOCK_MONOTONIC) }
    started = nil
    20.times do
      handled = nil
      thread = Thread.new { sleep(0.01) && Process.kill("USR2", Process.pid) }
      started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
      assert_equal ITEMS, ToJson.generate(NUMBERS).count(",") + 1
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
    ticks = 0
    ticking = true
    thread = Thread.new { (ticks += 1) && sleep(0.001) while ticking }
    # Threads change places every 100 ms; a document takes 30, and the machine may be busy.
    200.times { ToJson.generate(NUMBERS) if ticks < 3 }
    ticking = false
    thread.join
    assert_operator ticks, :>, 2
  end
end
