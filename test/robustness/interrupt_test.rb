# frozen_string_literal: true

require "test_helper"
require "timeout"
require "fuzz/actors"
require_relative "../support/own_process"

# A Timeout or signal during a loop in C over millions of items comes about when it would in Ruby.
class InterruptTest < ToJsonTest
  ITEMS = 3_000_000
  # A machine that is busy with other things delays everything, so the best of some attempts counts.
  ATTEMPTS = 40
  # ASan slows memory and loops by different factors.
  SANITIZED = ENV["TO_JSON_SANITIZED"] == "1"
  # What ends a document early.
  Cut = Class.new(StandardError)

  # Writes forget.
  Void = Struct.new(:size) { def write(text) = self.size = text.bytesize }

  # {loop => [what makes its data, what writes them]}. The data are made in each test: kept, they
  # would be marked in every collection of the whole suite.
  NUMBERS = -> { Array.new(ITEMS) { |i| i } }
  TABLE = -> { (0...ITEMS / 3).to_h { |i| [i, i] } }
  SMALL = -> { Array.new(900) { Array.new(500) { [1] } } }
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
    "pretty_generate of small Arrays" => [SMALL, ->(data) { ToJson.pretty_generate(data) }],
    "small Arrays under ascii_only" =>
      [SMALL, ->(data) { ToJson.generate(data, ascii_only: true) }],
    "small Hashes under duplicates: :raise" =>
      [-> { Array.new(900) { Array.new(500) { { a: 1 } } } },
       ->(data) { ToJson.generate(data, duplicates: :raise) }],
    "an Array of Arrays under :json" =>
      [PAIRS, ->(data) { ToJson.generate(data, dialect: :json) }],
    "a Hash under :oj" => [TABLE, ->(data) { ToJson.generate(data, dialect: :oj) }],
    "a Hash under :rails" => [TABLE, ->(data) { ToJson.generate(data, dialect: :rails) }]
  }.freeze

  def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)

  def seconds
    started = now
    yield
    now - started
  end

  # Without the collector: a String of 20 MB makes it run, and what it takes depends on the objects
  # of the whole suite. So only the young ones are collected before: half a second less each time.
  def without_collector
    GC.start(full_mark: false)
    GC.disable
    yield
  ensure
    GC.enable
  end

  # Says that it has started. Then it sends the signal after as many seconds as a line says, and
  # answers with the time. A thread of this process would wait until the document lets it run.
  SENDER = <<~'RUBY'
    $stdout.sync = true
    puts "ready"
    while (line = $stdin.gets)
      sleep(Float(line))
      sent = Process.clock_gettime(Process::CLOCK_MONOTONIC)
      Process.kill(:USR2, Integer(ARGV[0]))
      puts sent
    end
  RUBY

  def with_sender
    before = trap(:USR2) { raise Cut }
    command = [RbConfig.ruby, "--disable-gems", "-e", SENDER, Process.pid.to_s]
    IO.popen(command, "r+") do |sender|
      sender.gets
      yield sender
    end
  ensure
    trap(:USR2, before || "DEFAULT")
  end

  # How many seconds after the signal its handler runs, if the signal is sent `after` seconds from
  # now and the block is called meanwhile. nil: the block had ended before.
  def handled_after(sender, after)
    ended = nil
    begin
      sender.puts after
      yield
      ended = now
      sleep
    rescue Cut
      handled = now
    end
    sent = Float(sender.gets)
    handled - sent unless ended && ended < sent
  end

  # The signal is sent in the first half of the document. Without a check in the loop, its handler
  # would run at the document's end, which is more than half of the document later.
  (SANITIZED ? {} : LOOPS).each do |name, (make, write)|
    test "a signal during #{name} is handled within a quarter of the document's time" do
      data = make.call
      all = Array.new(3) { without_collector { seconds { write.call(data) } } }.min
      with_sender do |sender|
        in_time = ATTEMPTS.times.find do
          after = rand * all / 2
          handled = without_collector { handled_after(sender, after) { write.call(data) } }
          handled && handled < all / 4
        end
        assert in_time, "later in each of #{ATTEMPTS} attempts; the document takes #{all} s"
      end
      assert_equal "[1]", ToJson.generate([1])
    end
  end

  # How many seconds too late a Timeout comes, for a thread whose time slice has just begun: it
  # sleeps.
  def late
    sleep 0.001
    started = now
    Timeout.timeout(AFTER) { yield }
    flunk "no Timeout came"
  rescue Timeout::Error
    now - started - AFTER
  end

  AFTER = 0.03
  # What it may come later than in Ruby, in seconds. Added to this is what Ruby takes for a String
  # as large as the Buffer may be when the Timeout comes, since nothing interrupts that: 8 ms on
  # most machines, 150 ms where the kernel gives out memory slowly. Above 32 MiB malloc takes memory
  # from the kernel each time; a smaller String would get what an earlier one left.
  LATER = 0.020
  BUFFER = 33 << 20

  # Ruby may let a thread run for 100 ms before that of Timeout gets its turn.
  unless SANITIZED
    test "a Timeout during a document of a second comes within 20 ms of when it would in Ruby" do
      data, in_ruby, ours, memory = [PAIRS.call] * 20, 0, [], nil
      in_time = ATTEMPTS.times.find do
        without_collector do
          # The latest one so far: it differs by a whole time slice.
          in_ruby = [in_ruby, late { nil while true }].max
          ours << late { ToJson.generate(data) }
          ours.last - in_ruby < LATER + (memory = seconds { "a".dup * BUFFER })
        end
      end
      assert in_time, "later in each of #{ATTEMPTS} attempts: #{ours.min} s at best, in Ruby " \
                      "#{in_ruby} s at most, and #{memory} s for a String"
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
