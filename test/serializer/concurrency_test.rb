# frozen_string_literal: true

require "test_helper"
require "support/ways_out"

# One instance for many threads, documents interleaved in Fibers, Fibers that never come back.
class ConcurrencyTest < ToJsonTest
  Slow = Class.new(ToJson::Serializer) do
    def serialize(n, passes = 0)
      put :n, n
      passes.times { Thread.pass }
      put(:list, [n, n + 1]) { |x| Thread.pass if passes.positive?; put :x, x }
      put :inner, self.class.new(n + 1) if n.even?
      put :last, "é" * (n % 50)
    end
  end

  def self.expected(n)
    inner = n.even? ? %(,"inner":#{expected(n + 1)}) : ""
    %({"n":#{n},"list":[{"x":#{n}},{"x":#{n + 1}}]#{inner},"last":"#{"é" * (n % 50)}"})
  end

  test "four threads share one instance" do
    shared = Slow.new(0)
    wrong = Array.new(4) do |t|
      Thread.new do
        (0...250).filter_map do |i|
          n = t * 1000 + i; (got = shared.json!(n, 2)) == self.class.expected(n) ? nil : [n, got]
        end
      end
    end.flat_map(&:value)
    assert_empty wrong
  end

  test "four threads share one object that includes Serialize" do
    type = Class.new do
      include ToJson::Serialize; def serialize(n) = (put :n,
                                                     n
                                                     Thread.pass
                                                     put(:m) { Thread.pass; value n })
    end
    shared = type.new
    wrong = Array.new(4) do |t|
      Thread.new do
        (0...250).reject { |i| n = t * 1000 + i; shared.json!(n) == %({"n":#{n},"m":#{n}}) }
      end
    end.flat_map(&:value)
    assert_empty wrong
  end

  # The dialect runs Ruby at the beginning of a document, when the object did not count as busy yet.
  # Documents were mixed, and the process crashed.
  test "another thread may begin a document of the same object at each event of a beginning" do
    type = Class.new do
      include ToJson::Serialize
      rules dialect: :rails
      attr_accessor :waits
      def serialize(number) = (put :n, number; waits.pop if number == 2; put :again, number)
    end
    object = type.new.tap { |one| one.waits = Queue.new }
    object.json!(1)
    due, events = [1, 2].map { |n| %({"n":#{n},"again":#{n}}) }, 0
    (1..).each do |nth|
      count, other, main = 0, nil, Thread.current
      trace = TracePoint.new(:call, :c_call, :return, :c_return) do
        next unless Thread.current == main && other.nil? && (count += 1) == nth

        other = Thread.new { object.json!(2) }
        Thread.pass until object.waits.num_waiting == 1
      end
      first = trace.enable { object.json!(1) }
      break unless other

      events += 1
      object.waits << 1
      assert_equal due, [first, other.value], nth
    end
    assert_operator events, :>, 4
  end

  # An object in place was checked before its class was compiled, which runs Ruby.
  test "another thread may begin a document of an object that is about to be written as a value" do
    due, events = [1, 2].map { |n| %({"n":#{n},"again":#{n}}) }, 0
    (1..).each do |nth|
      type = Class.new do
        include ToJson::Serialize
        attr_accessor :waits
        def serialize(number = 1) = (put :n, number; waits.pop if number == 2; put :again, number)
      end
      object = type.new.tap { |one| one.waits = Queue.new }
      count, other, main = 0, nil, Thread.current
      trace = TracePoint.new(:call, :c_call, :return, :c_return) do
        next unless Thread.current == main && other.nil? && (count += 1) == nth

        other = Thread.new { object.json!(2) }
        Thread.pass until object.waits.num_waiting == 1 || !other.alive?
      end
      first = trace.enable { ToJson.generate([object]) }
      break unless other

      events += 1
      object.waits << 1
      assert_equal ["[#{due.first}]", due.last], [first, other.value], nth
    end
    assert_operator events, :>, 40
  end

  test "threads that meet at the first document of a class share one object" do
    200.times do
      type = Class.new do
        include ToJson::Serialize; def serialize(n) = (put :n,
                                                       n
                                                       Thread.pass
                                                       put(:m) { Thread.pass; value n })
      end
      # asked for the Rules, once
      type.define_singleton_method(:ancestors) { super().tap { sleep 0.0002 } }
      shared = type.new
      wrong = Array.new(4) do |n|
        Thread.new { Array.new(3) { shared.json!(n) }.uniq - [%({"n":#{n},"m":#{n}})] }
      end.flat_map(&:value)
      assert_empty wrong
    end
  end

  test "four threads in block forms of one caller" do
    caller = Class.new {
      def initialize = (@a, @b, @c, @d = 1, 2, 3, 4)
      def doc(n) = ToJson::Serializer.json! { put :n, n; Thread.pass; put :sum, @a + @b + @c + @d }
    }.new
    wrong = Array.new(4) do |t|
      Thread.new do
        (0...250).reject { |i| n = t * 1000 + i; caller.doc(n) == %({"n":#{n},"sum":10}) }
      end
    end.flat_map(&:value)
    assert_empty wrong
  end

  test "two documents interleaved in Fibers" do
    fibers = [1, 2].map do |k|
      Fiber.new do
        ToJson.json do |j|
          j.put :k, k
          Fiber.yield
          j.put(:list) { j.array([1, 2, 3]) { |x| Fiber.yield; j.put :x, x * k } }
          Fiber.yield
          j.put :last, k
        end
      end
    end
    results = Array.new(6) { fibers.map(&:resume) }.last
    assert_equal ['{"k":1,"list":[{"x":1},{"x":2},{"x":3}],"last":1}',
                  '{"k":2,"list":[{"x":2},{"x":4},{"x":6}],"last":2}'], results
  end

  test "documents as items of an Enumerator, each begun before the last one ended" do
    texts = Enumerator.new do |y|
      3.times { |n| ToJson.json { |j| j.put :n, n; y << n; j.put :m, n } }
    end
    assert_equal [0, 1, 2], [texts.next, texts.next, texts.next]
    assert_equal '{"x":[0,1,2]}', ToJson.json { |j| j.put :x, texts }
  end

  test "an Enumerator with a Fiber of its own is walked inside a document" do
    external = [1, 2, 3].each
    assert_document('{"a":1,"list":[2,3]}') do |**out|
      external.rewind
      ToJson.json(**out) do |j|
        j.put :a, external.next; j.put(:list) { j.array { 2.times { j.value external.next } } }
      end
    end
  end

  test "a Fiber may write into the document that waits for it" do
    assert_document('{"a":1,"b":2}') do |**out|
      ToJson.json(**out) { |j| j.put :a, 1; Fiber.new { j.put :b, 2 }.resume }
    end
  end

  test "an abandoned Fiber's Writer is collected, and its serializer is usable" do
    shared = Class.new(ToJson::Serializer) do
      def serialize(n) = (put :n, n; put(:k) { Fiber.yield if n == 1; value n })
    end.new
    50.times { Fiber.new { shared.json!(1) }.resume }
    GC.start
    assert_equal '{"n":2,"k":2}', shared.dup.json!(2)
    assert_equal '{"n":2,"k":2}', shared.json!(2)
    assert_equal '{"a":1}', ToJson.generate({ a: 1 })
  end

  test "an abandoned Fiber in an IO document leaves other documents alone" do
    sinks = Array.new(20) do
      sink = StringIO.new
      Fiber.new { ToJson.json(into: sink) { |j| j.put :a, 1; Fiber.yield; j.put :b, 2 } }.resume
      sink
    end
    GC.start
    assert_equal '{"z":1}', ToJson.json { |j| j.put :z, 1 }
    assert sinks.all? { |sink| sink.string.empty? }
  end

  test "an instance kept from a block is dead once its document has ended" do
    kept = nil
    ToJson.json { |j| kept = j; j.put :a, 1 }
    3.times do
      ToJson.json do |j|
        j.put(:b) { assert_raises(ToJson::GrammarError) { kept.put :c, 1 }; j.value 1 }
      end
    end
    error = assert_raises(ToJson::GrammarError) { kept.put :c, 1 }
    assert_includes error.message, "is not writing a document now"
  end

  # What a Fiber is left waiting in, inside a call of the document.
  PARKED = {
    "the block of put" => ->(j) { j.put(:late) { Fiber.yield; j.put :x, 1 } },
    "the block of an item" => ->(j) { j.put(:late, [1, 2]) { |x| Fiber.yield; j.value x } },
    "the each of a value" => ->(j) { j.put :late, Enumerator.new { |y| Fiber.yield; y << 1 } },
    "a getter of put_fields" =>
      ->(j) { j.put_fields Struct.new(:a) { def b = Fiber.yield }.new(1), :a, :b },
    "a serializer in place" => ->(j) do
      j.put :late, Class.new(ToJson::Serializer) { def serialize = (Fiber.yield; put :x, 1) }.new
    end
  }.freeze

  PARKED.each do |where, words|
    test "a Fiber that comes back in #{where} after its document ended raises GrammarError" do
      fiber = nil
      begin
        ToJson.json { |j| fiber = Fiber.new { words.call(j) }; fiber.resume; j.put :a, 1 }
      rescue ToJson::GrammarError
        nil # its levels stand open
      end
      ToJson.json do |j|
        j.put :other, 1
        assert_raises(ToJson::GrammarError) { fiber.resume }
        j.put :document, 2
      end.then { |text| assert_equal '{"other":1,"document":2}', text }
      assert_equal "[1]", ToJson.generate([1])
    end
  end

  test "Thread#raise out of a document leave nothing behind" do
    shared = Slow.new(0)
    20.times do
      thread = Thread.new { loop { shared.json!(3, 1) } }
      thread.report_on_exception = false
      Thread.pass
      thread.raise(IndexError)
      assert_raises(IndexError) { thread.join }
    end
    assert_equal self.class.expected(4), shared.json!(4)
  end

  test "Thread#kill in a document leaves nothing behind" do
    shared = Class.new(ToJson::Serializer) do
      def serialize(queue) = (put :a, 1; put(:k) { queue << true; sleep })
    end.new
    20.times do
      queue = Queue.new
      thread = Thread.new { shared.json!(queue) }
      queue.pop
      thread.kill.join
    end
    assert_equal '{"a":[1]}', ToJson.generate({ a: [1] })
    assert_raises(ToJson::GrammarError) { shared.put :x, 1 }
  end
end
