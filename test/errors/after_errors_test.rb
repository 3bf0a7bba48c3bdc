# frozen_string_literal: true

require "timeout"
require "test_helper"
require "support/ways_out"

# After anything that leaves a document: no partial document, nothing kept, the next call right.
class AfterErrorsTest < ToJsonTest
  # A document with user code of every kind; `fault` is called at the n-th point where user code
  # runs.
  class Points
    Key = Struct.new(:points) { def to_s = (points.tick; "key") }
    Value = Struct.new(:points) { def as_json(*) = (points.tick; { v: [1] }) }
    Text = Struct.new(:points) { def to_json(*) = (points.tick; '{"t":1}') }
    Row = Struct.new(:points) { def a = (points.tick; 1); def b = (points.tick; "é" * 20) }
    Part = Class.new(ToJson::Serializer) do
      def serialize(points) = (points.tick; put(:part) { points.tick; value 1 }; points.tick)
    end
    EXPECTED = '{"a":{"b":[1,2]},"list":[{"n":1},{"n":2}],"h":{"key":{"v":[1]}},"t":{"t":1},' +
               %("a":1,"b":"#{"é" * 20}","e":[7,8],) +
               '"s":[{"part":1},{"part":1}],"o":{"p":[1]}}'

    def initialize(at, fault) = (@at, @fault, @count = at, fault, 0)
    attr_reader :count

    def tick
      @count += 1
      @fault.call if @count == @at
    end

    def document(**out)
      ToJson.json(**out) do |j|
        tick
        j.put(:a) { tick; j.put(:b) { tick; j.array { tick; j.value 1; tick; j.value 2 } } }
        j.put(:list, [1, 2]) { |n| tick; j.put :n, n; tick }
        j.put :h, { Key.new(self) => Value.new(self) }
        j.put :t, Text.new(self)
        j.put_fields Row.new(self), :a, :b
        j.put :e, Enumerator.new { |y| tick; y << 7; tick; y << 8; tick }
        j.put :s, [Part.new(self), Part.new(self)]
        j.open :o; tick; j.open :p; j.open_array; tick; j.value 1; j.close; tick; j.close; j.close
        tick
      end
    end
  end

  Boom = Class.new(StandardError)
  FAULTS = {
    "raise" => [-> { raise Boom }, ->(run) { begin; run.call; rescue Boom; :gone; end }],
    "throw" => [-> { throw :out, :gone }, ->(run) { catch(:out) { run.call } }],
    "an exception that is no StandardError" =>
      [-> { raise NotImplementedError },
       ->(run) { begin; run.call; rescue NotImplementedError; :gone; end }],
    "Thread#raise" =>
      [-> { Thread.current.raise(Boom) }, ->(run) { begin; run.call; rescue Boom; :gone; end }],
    "Thread#kill" =>
      [-> { Thread.current.kill }, ->(run) { Thread.new { run.call }.join.value || :gone }],
    "an abandoned Fiber" => [-> { Fiber.yield :gone }, ->(run) { Fiber.new { run.call }.resume }],
    "a Fiber that raises" =>
      [-> { raise Boom }, ->(run) { begin; Fiber.new { run.call }.resume; rescue Boom; :gone; end }]
  }.freeze
  SINKS = {
    "a String of its own" => -> { {} },
    "into: a String" => -> { { into: +"before" } },
    "into: an IO" => -> { { into: StringIO.new } }
  }.freeze

  test "the document of all points is what it should be" do
    points = Points.new(0, nil)
    assert_document(Points::EXPECTED) { |**out| Points.new(0, nil).document(**out) }
    points.document
    assert_operator points.count, :>, 25
  end

  FAULTS.each do |fault, (leave, run)|
    SINKS.each do |where, out|
      test "#{fault} at every point where user code runs, #{where}" do
        last = Points.new(0, nil).tap(&:document).count
        with_each_size([[1, 1], [16, 16], WaysOut::USUAL_SIZES]) do |how|
          (1..last).each do |at|
            given = out.call
            assert_equal :gone, run.call(-> { Points.new(at, leave).document(**given) }),
                         "at #{at} #{how}"
            assert_equal "before", given[:into] if given[:into].is_a?(String)
            if given[:into].is_a?(StringIO)
              assert_raises(ToJson::FragmentError, "at #{at} #{how}: #{given[:into].string}") do
                ToJson::Fragment.new(given[:into].string)
              end
            end
            assert_equal Points::EXPECTED, Points.new(0, nil).document,
                         "the next document after #{at} #{how}"
          end
        end
      end
    end
  end

  test "Timeout out of a document that never ends" do
    3.times do
      endless = Enumerator.new { |y| loop { y << 1 } }
      into = +"before"
      assert_raises(Timeout::Error) do
        Timeout.timeout(0.02) { ToJson.generate(endless, into: into) }
      end
      assert_equal "before", into
      assert_equal "[1]", ToJson.generate([1])
    end
  end

  test "thousands of documents that fail leave memory as it was" do
    fail_once = lambda do |_|
      ToJson.json { |j| j.put(:a) { j.open :b; j.put :c, "x" * 50; raise Boom } }
    rescue Boom
      nil
    end
    1000.times(&fail_once)
    GC.start
    before = GC.stat(:heap_live_slots)
    20_000.times(&fail_once)
    GC.start
    assert_operator GC.stat(:heap_live_slots) - before, :<, 2000
  end

  test "no Writer is left in use after 1,000 abandoned Fibers" do
    1000.times { Fiber.new { ToJson.json { |j| j.put :a, 1; Fiber.yield } }.resume }
    GC.start
    GC.start
    assert_operator ObjectSpace.each_object(ToJson::Writer).count, :<, 600
    assert_equal "[1]", ToJson.generate([1])
  end
end
