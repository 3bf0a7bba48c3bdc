# frozen_string_literal: true

require "test_helper"
require_relative "user_code_points"

# User code leaves a document from every point where it runs, in every way there is: the next
# document is right.
class LeavingPointsTest < ToJsonTest
  Boom = Class.new(StandardError)

  # How the code leaves: a lambda that runs a point with code that does so, and checks what came of
  # it.
  WAYS = {
    "raise" => ->(test, point) { test.assert_raises(Boom) { point.call(-> { raise Boom }) } },
    "an exception that is no StandardError" =>
      ->(test, point) {
        test.assert_raises(NoMemoryError) { point.call(-> { raise NoMemoryError }) }
      },
    "throw" =>
      ->(test, point) {
        test.assert_equal :thrown, catch(:out) { point.call(-> { throw :out, :thrown }) }
      },
    "Thread#kill" => lambda { |test, point|
      thread = Thread.new { point.call(-> { Thread.current.kill }) }
      test.assert_nil thread.value
    },
    "Thread#raise" => lambda { |test, point|
      waiting = Queue.new
      thread = Thread.new { point.call(-> { waiting.push(1) && sleep }) }
      thread.report_on_exception = false
      waiting.pop
      thread.raise(Boom)
      test.assert_raises(Boom) { thread.value }
    },
    "Timeout" =>
      ->(test, point) {
        test.assert_raises(Timeout::Error) { Timeout.timeout(0.002) { point.call(-> { sleep }) } }
      },
    "an abandoned Fiber" => lambda { |test, point|
      fiber = Fiber.new { point.call(-> { Fiber.yield(:parked) }) }
      test.assert_equal :parked, fiber.resume
    },
    "a Fiber that comes back after other documents" => lambda { |test, point|
      fiber = Fiber.new { point.call(-> { Fiber.yield(:parked) || 1 }) }
      test.assert_equal :parked, fiber.resume
      test.assert Points.sound?
      test.assert_kind_of Object, fiber.resume
    }
  }.freeze

  WAYS.each do |way, leave|
    test "after #{way} at every point where user code runs the next document is right" do
      Points::ALL.each do |name, point|
        leave.call(self, point)
        assert Points.sound?, "after #{way} in #{name}"
      end
    end
  end

  # Delivered as they come, by element, and in memory that stays.
  KINDS = { "an IO" => {}, "an IO in chunks of 8 bytes" => { chunk: 8 },
            "an IO with flush: 0" => { flush: 0 }, "a Buffer" => :buffer }.freeze
  FAILING = ["raise", "an exception that is no StandardError", "throw", "Thread#kill",
             "Thread#raise", "Timeout"].freeze

  def parses?(text)
    ToJson::Fragment.new(text)
    true
  rescue ToJson::FragmentError
    false
  end

  KINDS.each do |what, kind|
    test "what leaves a document into #{what} leaves no text that parses, and the next document " \
         "is right" do
      FAILING.each do |way|
        Points::ALL.each do |name, point|
          Points.into(kind) do |sinks|
            WAYS.fetch(way).call(self, point)
            outermost = sinks.first
            if outermost
              refute parses?(outermost.is_a?(Array) ? outermost.join : outermost.to_s),
                     "#{way} in #{name}"
            end
          end
          assert Points.sound?, "after #{way} in #{name}"
        end
      end
    end

    test "Fibers that are left, or come back, do no harm to #{what}" do
      (WAYS.keys - FAILING).each do |way|
        Points::ALL.each do |name, point|
          Points.into(kind) { WAYS.fetch(way).call(self, point) }
          assert Points.sound?, "after #{way} in #{name}"
        end
      end
    end
  end

  # return and break belong to the method and the call around their block, so they stand here in
  # full.
  test "after a return out of every point the next document is right" do
    Points::ALL.each do |name, point|
      leaving = Module.new do
        define_singleton_method(:run) { |&code| point.call(code) }
        def self.leave
          run { return :left }
          :not_left
        end
      end
      assert_equal :left, leaving.leave, name
      assert Points.sound?, "after return in #{name}"
    end
  end

  test "break out of the whole document gives break's value and leaves a clean Writer" do
    assert_equal :left, (ToJson.json { |j| j.put(:a, 1) && break; break :left })
    assert_equal :left, (ToJson::Serializer.json! { put(:a) { put :b, 1 }; break :left })
    assert Points.sound?
  end

  test "a call parked in a Fiber neither writes nor closes anything when it comes back after its " \
       "document" do
    fiber = nil
    assert_raises(ToJson::GrammarError) do
      ToJson.json do |j|
        fiber = Fiber.new { j.put(:a) { Fiber.yield; j.put :late, 1 } }
        fiber.resume
      end
    end
    later = ToJson.json do |j|
      j.put(:x) do
        j.put :y, 1
        assert_raises(ToJson::GrammarError) { fiber.resume }
        j.put :z, 2
      end
    end
    assert_equal '{"x":{"y":1,"z":2}}', later
  end

  test "each parked in a Fiber, and an own method, come back too late with a GrammarError" do
    ["each", "as_json", "to_s of a key", "a getter among others", "a serializer in place",
     "each with a block of the DSL"].each do |name|
      parked = nil
      code = lambda do
        parked = Fiber.new { Points::ALL.fetch(name).call(-> { Fiber.yield || 1 }) }
        parked.resume
      end
      ToJson.json { |j| j.put :x, Points::AsJson.new(code) } # a document of its own in the Fiber
      assert_equal '{"x":1}', ToJson.json { |j| parked.resume && j.put(:x, 1) }, name
    end
  end

  test "values of one document parked in a Fiber inside it come back too late with a " \
       "GrammarError" do
    { "each" => Points::Each, "as_json" => Points::AsJson, "to_h" => Points::ToH,
      "to_s" => Points::ToS }.each do |name, own|
      fiber = nil
      assert_raises(ToJson::GrammarError) do
        ToJson.json do |j|
          fiber = Fiber.new { j.put :here, own.new(-> { Fiber.yield || 1 }) }
          fiber.resume
          j.open :never_closed
        end
      end
      assert_equal '{"x":[1]}', ToJson.json { |j|
        j.put(:x) do
          j.array { assert_raises(ToJson::GrammarError, name) { fiber.resume }; j.value 1 }
        end
      }
    end
  end

  test "a Sink's write parked in a Fiber comes back too late without harm" do
    ToJson::Writer.sizes(16, 16)
    fiber = nil
    sink = Points::Sink.new(-> { fiber == Fiber.current && Fiber.yield(:parked) })
    assert_raises(ToJson::GrammarError) do
      ToJson.json(into: sink) do |j|
        fiber = Fiber.new { j.put :long, "x" * 100 }
        fiber.resume
        j.put :more, "y" * 100
      end
    end
    10.times { assert Points.sound? }
    assert_raises(ToJson::GrammarError) { fiber.resume }
    assert Points.sound?
  ensure
    ToJson::Writer.sizes(4096, 64 * 1024)
  end
end
