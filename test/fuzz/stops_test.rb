# frozen_string_literal: true

# bin/fuzz stops itself: it finds what it is for. Each planted failure is a scenario of a process of
# its own.

require_relative "../test_helper"
require_relative "../support/own_process"

class StopsTest < ToJsonTest
  # Lines of Ruby that declare a scenario; what the machine must say of it.
  PLANTED = {
    "a rescue that puts back what a kill leaves behind" =>
      [<<~'RUBY', /the next call raised RuntimeError: still busy/],
      state = { busy: false }
      work = lambda do
        raise "still busy" if state[:busy]

        begin
          state[:busy] = true
          3.times { |x| x.to_s }
          state[:busy] = false
        rescue Exception
          state[:busy] = false
          raise
        end
        "done"
      end
      { call: work, expect: "done" }
    RUBY
    "a rescue that keeps the stop" => [<<~'RUBY', /the stop was lost/],
      { call: -> { begin; 3.times(&:to_s); rescue Exception; nil; end && "done" }, expect: "done",
        accepts: ["done", nil] }
    RUBY
    "a caller's state that is half written" => [<<~'RUBY', /the state is \[1\]/],
      list = []
      { call: -> { list << 1; 2.to_s; list << 2; list.clear; "done" }, expect: "done",
        whole: ->(_) { found = list.dup; list.clear; "the state is #{found}" if found == [1] } }
    RUBY
    "a lock that stays taken" => [<<~'RUBY', /hangs|deadlock/i],
      lock = Queue.new << 1
      { call: -> { lock.pop; 3.times(&:to_s); lock << 1; "done" }, expect: "done" }
    RUBY
    "a crash" => [<<~'RUBY', /SIGNAL KILL/],
      killed = false
      dies = -> { killed && Process.kill(:KILL, Process.pid) }
      { call: -> { dies.call; killed = true; 2.to_s; killed = false; "done" }, expect: "done" }
    RUBY
    "nothing" => [<<~'RUBY', nil]
      busy = false
      { call: -> { begin; busy = true; 3.times(&:to_s); "done"; ensure; busy = false; end },
        expect: "done" }
    RUBY
  }.freeze

  MACHINE = <<~'RUBY'
    require "fuzz/stops/runner"
    require "fuzz/stops/report"
    Stops.scenarios.clear
    Stops.scenario("planted") { eval(ARGV[0]) }
    runner = Stops::Runner.new(scenarios: Stops.scenarios.values, seed: 1, ways: ARGV[1].split(","))
    report = Stops::Report.new(runner, 1)
    fine = runner.call(done: ->(name, use) { puts report.row(name, use) })
    puts runner.failures.map { |failure| report.failure(failure) }
    puts runner.unreached.inspect, fine
  RUBY

  # The machine asks RubyGems for Ruby's version.
  def run_with_tests(script)
    OwnProcess.run(script, rubygems: true, arguments: [File.join(Project::ROOT, "test")])
  end

  def said_of(scenario, ways = "kill")
    tests = File.join(Project::ROOT, "test")
    script = "$LOAD_PATH.unshift(ARGV.shift)\nENV['TO_JSON_STOPS_TIMEOUT'] = '3'\n#{MACHINE}"
    OwnProcess.run(script, rubygems: true, arguments: [tests, scenario, ways])
  end

  PLANTED.each do |name, (scenario, expected)|
    test "it finds #{name}" do
      ways = name == "a rescue that keeps the stop" ? "raise" : "kill"
      said = said_of(scenario, ways)
      if expected
        assert_equal "false", said.lines.last.chomp
        assert_match expected, said
        assert_match(
          /^  bin\/fuzz stops --scenario 'planted' --use (first|hundredth) --way #{ways} --at \d+/,
          said
        )
        assert_match(/stopped at (call|c_call|c_return|line|return|b_call) /, said)
      else
        assert_equal "true", said.lines.last.chomp, said
      end
    end
  end

  test "all ways stop a sound scenario, at each of its events" do
    %w[kill raise fail throw timeout].each do |way|
      said = said_of(PLANTED.fetch("nothing").first, way)
      assert_equal "true", said.lines.last.chomp, said
      assert_includes said, "#{way} #{said[/first +(\d+) events/, 1]}\n"
    end
  end

  test "a scenario that is never reached fails" do
    said = run_with_tests(<<~'RUBY')
      $LOAD_PATH.unshift(ARGV.shift)
      require "fuzz/stops/runner"
      Stops.scenarios.clear
      Stops.scenario("short") { { call: -> { "done" }, expect: "done" } }
      runner = Stops::Runner.new(scenarios: Stops.scenarios.values, seed: 1,
      ways: ["kill"], uses: [:first], at: 100..102)
      print runner.call, runner.unreached
    RUBY
    assert_equal 'false[["short", :first, "kill"]]', said
  end

  test "of a small share all may miss" do
    said = run_with_tests(<<~'RUBY')
      $LOAD_PATH.unshift(ARGV.shift)
      require "fuzz/stops/runner"
      Stops.scenarios.clear
      Stops.scenario("short") { { call: -> { "done" }, expect: "done" } }
      [[9, 90], [10, 90], [0, 90], [9, nil]].each do |stops, count|
        Stops::Choice.define_method(:of) { |*| [*100...100 + stops] }
        runner = Stops::Runner.new(scenarios: Stops.scenarios.values, seed: 1,
        ways: ["kill"], uses: [:first], count: count)
        print runner.call, " "
      end
    RUBY
    assert_equal "true false false false ", said
  end

  test "a seed chooses the same events again, a count is divided, and all events are shared " \
       "among the ways" do
    said = run_with_tests(<<~'RUBY')
      $LOAD_PATH.unshift(ARGV.shift)
      require "fuzz/stops/runner"
      scenario = Stops.scenarios.values.first
      ways = %w[kill raise]
      choose = ->(seed) { Stops::Choice.new(seed: seed, count: 60,
      combinations: 6, ways: ways).of(scenario, :first, "kill", 1000) }
      all = Stops::Choice.new(seed: 1, count: nil, combinations: 6, ways: ways)
      each = ways.map { |way| all.of(scenario, :first, way, 30) }
      print [choose.(1) == choose.(1), choose.(1) == choose.(2), choose.(1).size,
             each.map(&:size), each.flatten.sort == [*1..30]].inspect
    RUBY
    assert_equal "[true, false, 10, [15, 15], true]", said
  end
end
