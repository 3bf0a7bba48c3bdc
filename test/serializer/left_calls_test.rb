# frozen_string_literal: true

require_relative "calls_case"
require "timeout"

# json! that an exception, a throw or a Fiber leaves, and instances that are at work.
class LeftCallsTest < CallsCase
  test "a busy instance works on a dup" do
    klass = serializer do
      attr_accessor :deep
      def serialize(depth) = put(:inner, depth.zero? ? "end" : json!(depth - 1))
    end
    instance = klass.new
    assert_equal '{"inner":"{\\"inner\\":\\"end\\"}"}', settled { instance.json!(1) }
  end

  test "what leaves serialize leaves json!, with its place, and the next document is right" do
    klass = serializer do
      def serialize(how)
        put(:list) { array([1]) { put(:k) { how.call } } }
      end
    end
    settled { klass.json!(-> {}) }
    3.times do
      error = assert_raises(IOError) { klass.json!(-> { raise IOError, "gone" }) }
      assert_equal "$.list[0].k", ToJson.location(error)
      assert_equal :thrown, catch(:out) { klass.json!(-> { throw :out, :thrown }) }
      assert_raises(Timeout::Error) { Timeout.timeout(0.01) { klass.json!(-> { sleep }) } }
      Thread.new { klass.json!(-> { Thread.current.kill }) }.join
      instance = klass.new
      assert_raises(IOError) { instance.json!(-> { raise IOError }) }
      assert_equal '{"list":[]}', instance.json!(-> {})
      assert_equal '{"list":[]}', klass.json!(-> {})
    end
  end

  test "an exception keeps its backtrace and its cause" do
    klass = serializer { def serialize(a) = a.call }
    raising = lambda do
      raise KeyError, "first"
    rescue KeyError
      raise IOError, "second"
    end
    messages = Array.new(3) do
      error = assert_raises(IOError) { klass.json!(raising) }
      assert_equal "first", error.cause.message
      error.backtrace.first[/\A[^:]+:\d+/]
    end
    assert_equal 1, messages.uniq.size
    assert_match(/left_calls_test/, messages.first)
  end

  test "an open container at the end, and two roots, are told as ever" do
    klass = serializer { def serialize(open) = open ? open_array : 2.times { value 1 } }
    settled_error(ToJson::GrammarError) { klass.json!(true) }
    settled_error(ToJson::GrammarError) { klass.json!(false) }
  end

  test "a document left standing in a Fiber disturbs no other, and may still end" do
    klass = serializer { def serialize(fiber) = put(:a, fiber ? Fiber.yield : 1) }
    settled { klass.json!(false) }
    waiting = Array.new(5) { Fiber.new { klass.json!(true) }.tap(&:resume) }
    assert_equal '{"a":1}', settled { klass.json!(false) }
    assert_equal '{"a":2}', waiting.pop.resume(2)
    waiting.clear
    GC.start
    assert_equal '{"a":1}', settled { klass.json!(false) }
  end

  test "stack overflow in serialize is an error, and the next document is right" do
    klass = serializer { def serialize(deep) = deep ? self.class.json!(true) : put(:a, 1) }
    settled { klass.json!(false) }
    3.times { assert_raises(SystemStackError, ToJson::NestingError) { klass.json!(true) } }
    assert_equal '{"a":1}', klass.json!(false)
  end

  test "an exception goes on as it is: once, and whatever raise and exception mean to the user" do
    odd = Class.new(StandardError) { def exception(*) = RuntimeError.new("another") }
    klass = serializer do
      def serialize(how) = how.call
      def raise(*) = nil # rubocop:disable Style/OptionalArguments
    end
    settled { klass.json!(-> {}) }
    2.times do
      assert_raises(ArgumentError) { klass.json!(-> { Integer("x") }) }
      error = begin
        klass.json!(-> { Kernel.raise(odd.allocate) })
      rescue StandardError => e
        e
      end
      assert_instance_of RuntimeError, error # raise itself asked the exception, once
      events = 0
      TracePoint.new(:raise) { events += 1 }.enable do
        assert_raises(ArgumentError) { klass.new.json!(-> { Integer("x") }) }
      end
      assert_equal 1, events
    end
  end

  test "an instance is idle again wherever an exception from outside meets its document" do
    klass = serializer do
      attr_reader :count
      def serialize = put(:n, @count = count.to_i + 1)
    end
    settled { klass.new.json!.size }
    12.times do # nearly half of the interrupts met an open document without a guard
      instance = klass.new
      running = Queue.new
      thread = Thread.new do
        running << true
        loop { instance.json! }
      rescue IOError
        nil
      end
      running.pop
      sleep 0.0005
      thread.raise(IOError)
      thread.join
      before = instance.count.to_i
      assert_equal %({"n":#{before + 1}}), instance.json!
      assert_equal before + 1, instance.count # the instance itself, no dup of a busy one
      assert_nil instance.scope
    end
  end

  test "an instance is idle again after a stack overflow at any place" do
    klass = serializer do
      attr_reader :count
      def serialize(a) = put(:n, @count = count.to_i + a)
    end
    settled { klass.new.json!(1) }
    deeper = ->(instance) { instance.json!(1) && deeper.(instance) }
    padded = ->(instance, pad) { pad.zero? ? deeper.(instance) : padded.(instance, pad - 1) }
    [0, 1, 2, 7, 16].each do |pad|
      instance = klass.new
      assert_raises(SystemStackError, ToJson::NestingError) { padded.(instance, pad) }
      before = instance.count.to_i
      instance.json!(1)
      assert_equal before + 1, instance.count
      assert_nil instance.scope
    end
  end

  test "a copy of a serializer that was at work writes into no other document" do
    klass = Class.new do
      include ToJson::Serialize; attr_reader :copy; def serialize = put(
        :copied, (@copy = dup) ? 1 : 0
      )
    end
    instance = klass.new
    settled { instance.json! }
    error = assert_raises(ToJson::GrammarError) do
      ToJson.json { |j| j.put(:a) { instance.copy.put(:foreign, 1) } }
    end
    assert_match(/is not writing a document now/, error.message)
  end

  test "a copy taken while its original was at work is a serializer of its own" do
    klass = Class.new do
      include ToJson::Serialize
      attr_reader :copy, :count
      def serialize
        @count = count.to_i + 1
        @copy ||= dup
        put :n, count
      end
    end
    copy = klass.new.tap(&:json!).copy
    assert_equal ['{"n":2}', '{"n":3}'], Array.new(2) { copy.json! }
    assert_equal 3, copy.count
  end
end
