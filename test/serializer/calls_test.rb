# frozen_string_literal: true

require_relative "../test_helper"
require "timeout"

# json! of a class and of an instance: arguments, changes of the class, exceptions. The first
# document of a class goes the general way, and the others take the fast one.
class CallsTest < ToJsonTest
  def serializer(parent = ToJson::Serializer, &body) = Class.new(parent, &body)

  # The value of the block, which must be the same each time.
  def settled
    first = yield
    3.times { assert_equal first, yield }
    first
  end

  # The error of the block, which must say the same each time.
  def settled_error(error)
    messages = Array.new(3) { assert_raises(error) { yield }.message }
    assert_equal 1, messages.map { |message| message.sub(/expected .*\)/, "expected)") }.uniq.size,
                 messages.inspect
    messages.first
  end

  test "serializers of no to five arguments write the same" do
    6.times do |count|
      names = Array.new(count) { |index| "v#{index}" }
      klass = serializer do
        class_eval("def serialize(#{names.join(", ")}) = value([#{names.join(", ")}])", __FILE__,
                   __LINE__)
      end
      values = names.each_index.to_a
      assert_equal "[#{values.join(",")}]", settled { klass.json!(*values) }
      assert_equal "[#{values.join(",")}]", settled { klass.new.json!(*values) }
    end
  end

  test "too few and too many arguments raise ArgumentError" do
    klass = serializer { def serialize(a, b) = put(a, b) }
    [[], [1], [1, 2, 3], [1, 2, 3, 4, 5, 6]].each do |arguments|
      message = settled_error(ArgumentError) { klass.json!(*arguments) }
      assert_match(/\Awrong number of arguments \(given #{arguments.size}, expected/, message)
      settled_error(ArgumentError) { klass.new.json!(*arguments) }
      assert_equal '{"k":1}', klass.json!(:k, 1)
    end
  end

  test "classes that are called in turn keep their own Rules, and a change of them or a " \
       "collection in between counts" do
    plain, unix = serializer { def serialize(at) = put(:at, at) },
                  serializer { rules(time: :unix) && def serialize(at) = put(:at, at) }
    frozen = serializer { rules(time: :unix) && def serialize(at) = put(:at, at) }.freeze
    at = Time.at(7).utc
    expected = ['{"at":"1970-01-01T00:00:07.000Z"}', '{"at":7}', '{"at":7}']
    30.times do |turn|
      GC.start if turn % 10 == 5
      assert_equal expected, [plain, unix, frozen].map { |klass| klass.json!(at) }
      assert_equal expected, [plain, unix, frozen].map { |klass| klass.new.json!(at) }
    end
    2.times { assert_equal '{"at":7}', unix.json!(at) } # nobody between it and the change
    unix.rules(time: :iso8601)
    assert_equal expected[0], unix.json!(at)
    plain.rules(time: :unix)
    3.times do
      assert_equal ['{"at":7}', expected[0], '{"at":7}'], [plain, unix, frozen].map { |klass|
        klass.json!(at)
      }
    end
  end

  test "the library's keywords keep their meaning" do
    klass = serializer { def serialize(a) = put(:a, [a, context]) }
    assert_equal '{"a":[1,{}]}', settled { klass.json!(1) }
    assert_equal '{"a":[1,"c"]}', settled { klass.json!(1, context: "c") }
    assert_equal 'x{"a":[1,{}]}', settled { klass.json!(1, into: +"x") }
    assert_equal '{"a":[1,"c"]}', settled { klass.new.json!(1, context: "c") }
    assert_match(/view/, settled_error(ArgumentError) { klass.json!(1, view: :full) })
    settled_error(ToJson::NestingError) { klass.json!([[1]], max_depth: 2) }
  end

  test "keywords of the user's go where Ruby sends them" do
    klass = serializer { def serialize(hash) = put(:keys, hash.keys) }
    assert_equal '{"keys":["id"]}', settled { klass.json!({ id: 1 }) }
    assert_equal '{"keys":["id"]}', settled { klass.json!(id: 1) }
    assert_equal '{"keys":["into"]}', settled { klass.json!({ into: 1 }) }
    settled_error(ArgumentError) { klass.json!({ id: 1 }, id: 2) }
  end

  test "arguments that new kept are used, and later ones replace them" do
    klass = serializer { def serialize(a, b) = put(a, b) }
    assert_equal '{"x":1}', settled { klass.json!(:x, 1) }
    assert_equal '{"k":1}', settled { klass.new(:k, 1).json! }
    kept = klass.new(:k, 1)
    assert_equal '{"k":1}', settled { kept.json! }
    assert_equal '{"l":2}', settled { kept.json!(:l, 2) }
    assert_equal '{"k":1}', settled { kept.json!(into: +"") }
  end

  test "optional, rest, post and keyword parameters are served as before" do
    assert_equal "[1,2]", settled {
      (@optional ||= serializer { def serialize(a, b = 2) = value([a, b]) }).json!(1)
    }
    assert_equal "[1,2]", settled {
      (@rest ||= serializer { def serialize(*all) = value(all) }).json!(1, 2)
    }
    assert_equal "[1,2]", settled {
      (@keyword ||= serializer { def serialize(a, b: 2) = value([a, b]) }).json!(1)
    }
    assert_equal "[1,3]", settled { @keyword.json!(1, b: 3) }
  end

  test "a private serialize is called" do
    klass = serializer { private def serialize(a) = put(:a, a) }
    assert_equal '{"a":1}', settled { klass.json!(1) }
    assert_equal '{"a":1}', settled { klass.new.json!(1) }
  end

  test "the module form is served" do
    point = Struct.new(:x) do
      include ToJson::Serialize
      def serialize = put(:x, x)
    end
    assert_equal '{"x":1}', settled { point.new(1).json! }
    one = point.new(2)
    assert_equal '{"x":2}', settled { one.json! }
    assert_match(/frozen/, settled_error(ToJson::Error) { point.new(3).freeze.json! })
  end

  test "an object that was extended alone leaves its class as it was" do
    klass = Class.new { def serialize = put(:a, 1) }
    object = klass.new.extend(ToJson::Serialize)
    assert_equal '{"a":1}', settled { object.json! }
  end

  test "an instance's block is its document" do
    klass = serializer { def serialize = put(:a, 1) }
    instance = klass.new
    assert_equal '{"a":1}', settled { instance.json! }
    assert_equal '{"b":2}', settled { instance.json! { instance.put :b, 2 } }
  end

  test "a busy instance works on a dup" do
    klass = serializer do
      attr_accessor :deep
      def serialize(depth) = put(:inner, depth.zero? ? "end" : json!(depth - 1))
    end
    instance = klass.new
    assert_equal '{"inner":"{\\"inner\\":\\"end\\"}"}', settled { instance.json!(1) }
  end

  test "a subclass with other parameters is served, defined before or after its parent's " \
       "first call" do
    parent = serializer { def serialize(a) = put(:a, a) }
    before = serializer(parent) { def serialize(a, b, c) = put(:abc, [a, b, c]) }
    settled { parent.json!(1) }
    after = serializer(parent) { def serialize(a, b, c) = put(:abc, [a, b, c]) }
    grandchild = serializer(after)
    [before, after, grandchild].each do |klass|
      assert_equal '{"abc":[1,2,3]}', settled { klass.json!(1, 2, 3) }
      assert_equal '{"abc":[1,2,3]}', settled { klass.new.json!(1, 2, 3) }
    end
    assert_equal '{"a":1}', settled { parent.json!(1) }
  end

  test "a subclass that calls super writes both" do
    parent = serializer { def serialize(a) = put(:a, a) }
    child = serializer(parent) do
      def serialize(a, b)
        super(a)
        put :b, b
      end
    end
    settled { parent.json!(1) }
    assert_equal '{"a":1,"b":2}', settled { child.json!(1, 2) }
  end

  test "a serialize that is redefined, included or prepended later is the one that is called" do
    klass = serializer { def serialize(a) = put(:a, a) }
    heir = serializer(klass)
    settled { klass.json!(1) }
    settled { heir.json!(1) }
    klass.remove_method(:serialize) # Ruby warns of methods that are redefined
    klass.class_eval { def serialize(a, b, c) = put(:abc, [a, b, c]) }
    assert_equal '{"abc":[1,2,3]}', settled { klass.json!(1, 2, 3) }
    assert_equal '{"abc":[1,2,3]}', settled { heir.json!(1, 2, 3) }
    heir.include(Module.new { def serialize(a, b, c, d, e) = put(:five, [a, b, c, d, e]) })
    assert_equal '{"five":[1,2,3,4,5]}', settled { heir.json!(1, 2, 3, 4, 5) }
    klass.prepend(Module.new { def serialize = put(:none, 0) })
    assert_equal '{"none":0}', settled { klass.json! }
    assert_equal '{"none":0}', settled { klass.new.json! }
  end

  test "a json! of the user's own comes first, defined before or after the first call" do
    klass = serializer { def serialize(a) = put(:a, a) }
    klass.define_singleton_method(:json!) { |a| "<#{super(a)}>" }
    assert_equal '<{"a":1}>', settled { klass.json!(1) }
    heir = serializer(klass)
    assert_equal '<{"a":1}>', settled { heir.json!(1) }

    late = serializer { def serialize(a) = put(:a, a) }
    late_heir = serializer(late) { def serialize(a) = put(:heir, a) }
    settled { [late.json!(1), late_heir.json!(1), late_heir.new.json!(1)] }
    late.define_singleton_method(:json!) { |a| "<#{super(a)}>" }
    late.class_eval { def json!(a) = "(#{super})" }
    assert_equal '<{"a":1}>', settled { late.json!(1) }
    assert_equal '({"a":1})', settled { late.new.json!(1) }
    assert_equal '<{"heir":1}>', settled { late_heir.json!(1) }
    assert_equal '({"heir":1})', settled { late_heir.new.json!(1) }
  end

  # Another serialize, of two arguments; Ruby warns of methods that are redefined.
  def redefine(klass)
    klass.remove_method(:serialize) if klass.method_defined?(:serialize, false)
    klass.class_eval { def serialize(a, b) = put(:ab, [a, b]) }
  end

  test "a class with a json! of its own is served when its serialize is redefined" do
    ways = { '<{"ab":[1,2]}>' => ->(klass) {
      klass.define_singleton_method(:json!) { |*all| "<#{super(*all)}>" }
    },
             '{"ab":[1,2]}' => ->(klass) { klass.class_eval { def json!(*all) = "(#{super})" } },
             '[{"ab":[1,2]}]' => ->(klass) do
               klass.extend(Module.new { def json!(*all) = "[#{super}]" })
             end }
    ways.each do |document, own|
      klass = serializer { def serialize(a) = put(:a, a) }
      settled { [klass.json!(1), klass.new.json!(1)] }
      own.call(klass)
      redefine(klass)
      assert_equal document, settled { klass.json!(1, 2) }
      assert_equal document.start_with?("{") ? '({"ab":[1,2]})' : '{"ab":[1,2]}', settled {
        klass.new.json!(1, 2)
      }
    end
  end

  test "a subclass of other parameters is served behind a json! that its parent got, before or " \
       "after" do
    parent = serializer { def serialize(a) = put(:a, a) }
    heir = serializer(parent)
    redefine(heir)
    settled { [parent.json!(1), heir.json!(1, 2), heir.new.json!(1, 2)] }
    parent.define_singleton_method(:json!) { |*all| "<#{super(*all)}>" }
    late = serializer(parent)
    redefine(late)
    [heir, late].each do |klass|
      assert_equal '<{"ab":[1,2]}>', settled { klass.json!(1, 2) }
      assert_equal '{"ab":[1,2]}', settled { klass.new.json!(1, 2) }
    end
    assert_equal '<{"a":1}>', settled { parent.json!(1) }
    redefine(parent)
    assert_equal '<{"ab":[1,2]}>', settled { parent.json!(1, 2) }
  end

  test "a subclass of other parameters with a json! of its own is served, by its class or by a " \
       "module" do
    module_own = Module.new { def json!(*all) = "<#{super}>" }
    [->(klass) { klass.define_singleton_method(:json!) { |*all| "<#{super(*all)}>" } },
     ->(klass) { klass.extend(module_own) }].each do |own|
      parent = serializer { def serialize(a) = put(:a, a) }
      early = serializer(parent)
      [own, method(:redefine)].each { |change| change.call(early) }
      settled { [parent.json!(1), parent.new.json!(1)] }
      late = serializer(parent)
      [own, method(:redefine)].each { |change| change.call(late) }
      [early, late].each do |klass|
        assert_equal '<{"ab":[1,2]}>', settled { klass.json!(1, 2) }
        assert_equal '{"ab":[1,2]}', settled { klass.new.json!(1, 2) }
      end
      assert_equal '{"a":1}', settled { parent.json!(1) }
    end
  end

  test "a class's own hooks hear nothing of json!" do
    klass = serializer { def serialize(a) = put(:a, a) }
    heard = []
    klass.define_singleton_method(:extend) { |*modules| heard.concat(modules) && super(*modules) }
    klass.define_singleton_method(:include) { |*modules| heard.concat(modules) && super(*modules) }
    assert_equal '{"a":1}', settled { klass.json!(1) }
    assert_equal '{"a":1}', settled { klass.new.json!(1) }
    assert_empty heard
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
    assert_match(/calls_test/, messages.first)
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

  test "a serializer class that is made and changed in a Ractor is served there" do
    ractor = silently do
      Ractor.new do
        klass = Class.new(ToJson::Serializer) { def serialize(a) = put(:a, a) }
        first = Array.new(3) { klass.json!(1) }.uniq
        klass.define_singleton_method(:json!) { |*all| "<#{super(*all)}>" }
        klass.remove_method(:serialize)
        klass.class_eval { def serialize(a, b) = put(:ab, [a, b]) }
        first << klass.json!(1, 2)
      end
    end
    assert_equal ['{"a":1}', '<{"ab":[1,2]}>'], ractor.value
  end

  test "classes work in a Ractor, and one called there first changes nothing" do
    klass = self.class.const_set(:Ractoral, serializer { def serialize(a) = put(:a, a) })
    assert_equal '{"a":1}', silently {
      Ractor.new(klass) { |k| Array.new(5) { k.json!(1) }.uniq.first }
    }.value
    settled { klass.json!(1) }
    assert_equal '{"a":1}', silently {
      Ractor.new(klass) { |k| Array.new(5) { k.json!(1) }.uniq.first }
    }.value
  end

  test "a copy of a class, made by clone or dup, serializes as its original" do
    parent = serializer { def serialize(a) = put(:a, a) }
    child = serializer(parent) { def serialize(a) = put(:child, a) }
    settled { parent.json!(1) }
    assert_equal '{"child":1}', settled { child.clone.json!(1) }
    assert_equal '{"a":1}', settled { parent.dup.json!(1) }
    settled { child.json!(1) }
    assert_equal '{"child":1}', settled { child.clone.new.json!(1) }
  end

  test "nothing about a class makes its first calls fail" do
    odd = [
      serializer { def self.method(name) = raise(NotImplementedError, name.to_s) },
      serializer { def self.include(*) = raise("no more modules") },
      serializer { def self.extend(*) = raise("no more modules") },
      serializer { def self.subclasses = raise("none of your business") }
    ]
    odd.each do |klass|
      klass.define_method(:serialize) { |a| put(:a, a) }
      assert_equal '{"a":1}', settled { klass.json!(1) }
    end
    singular = serializer
    assert_equal '{"a":1}', settled {
      singular.new.tap { |one| one.define_singleton_method(:serialize) { put(:a, 1) } }.json!
    }
    in_trap = serializer { def serialize = put(:trap, 1) }
    texts = []
    before = trap("USR1") { texts << in_trap.json! }
    3.times { |count| Process.kill("USR1", Process.pid) && (sleep 0.001 until texts.size > count) }
    assert_equal ['{"trap":1}'] * 3, texts
  ensure
    trap("USR1", before || "DEFAULT") if before
  end

  test "a new of the user's own is called once a document" do
    made = 0
    other = Class.new { include ToJson::Serialize; def serialize = put(:other, 1) }
    klass = Class.new { include ToJson::Serialize; def serialize = put(:own, 1) }
    klass.define_singleton_method(:new) { made += 1 and other.allocate }
    assert_equal '{"other":1}', settled { klass.json! }
    assert_equal 4, made
  end

  test "a new that comes later may give a serializer of another class, and one at work" do
    klass = Class.new { include ToJson::Serialize; def serialize(x) = put(:x, x) }
    3.times { assert_equal '{"x":0}', klass.json!(0) }
    shared = serializer do
      rules(time: :unix)
      define_method(:serialize) do |x|
        put :x, x
        put :inner, klass.json!(0) if x == 1
        put :end, 1
      end
    end.new
    klass.define_singleton_method(:new) { |*| shared }
    assert_equal '{"x":7,"end":1}', settled { klass.json!(Time.at(7)) }
    assert_equal '{"x":1,"inner":"{\"x\":0,\"end\":1}","end":1}', settled { klass.json!(1) }
    assert_equal '{"x":0,"end":1}', settled { klass.json!(0) }
  end

  # What a `new` that comes later returns, each with the document of `klass.json!(1)`.
  LATE = {
    "an instance at work" => [->(_, busy) { busy }, '{"own":1}'],
    "a serializer with arguments" => [->(other, _) { other.new(7) }, '{"other":1}'],
    "a serializer of another class" => [->(other, _) { other.new }, '{"other":1}'],
    "what Ruby's returns" => [->(*) {}, '{"own":1}']
  }.freeze

  LATE.each do |what, (given, document)|
    test "a new that comes later is called once for each document: it returns #{what}" do
      other = serializer { def serialize(x) = put(:other, x) }
      klass = Class.new { include ToJson::Serialize; def serialize(x) = put(:own, x) }
      3.times { assert_equal '{"own":1}', klass.json!(1) }
      made = 0
      busy = klass.new
      klass.define_singleton_method(:new) do |*|
        (made += 1) && (given.call(other, busy) || super())
      end
      at_work = Fiber.new { busy.json! { Fiber.yield } }.tap(&:resume)
      assert_equal document, settled { klass.json!(1) }
      assert_equal 4, made
      at_work.resume
    end
  end

  test "an initialize that comes later is called once for each document" do
    klass = Class.new { include ToJson::Serialize; def serialize(x) = put(:x, [x, @count]) }
    3.times { assert_equal '{"x":[1,null]}', klass.json!(1) }
    made = 0
    parked = []
    klass.define_method(:initialize) do
      @count = (made += 1)
      parked << Fiber.new { json! { Fiber.yield } }.tap(&:resume) if made.even?
      ToJson::PlanCache.next_epoch if made > 2
    end
    assert_equal(Array.new(5) { |index| %({"x":[1,#{index + 1}]}) },
                 Array.new(5) { klass.json!(1) })
    freezing = Class.new { include ToJson::Serialize; def serialize(x) = put(:x, x) }
    3.times { assert_equal '{"x":1}', freezing.json!(1) }
    freezing.define_method(:initialize) { freeze }
    assert_match(/frozen/, settled_error(ToJson::Error) { freezing.json!(1) })
    parked.each(&:resume)
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

  test "a json! that a parent gets from a module later is not hidden by its children" do
    parent = serializer { def serialize(a) = put(:a, a) }
    child = serializer(parent)
    grandchild = serializer(child) { def serialize(a) = put(:b, a) }
    settled { [parent.json!(1), child.json!(1), grandchild.json!(1), grandchild.new.json!(1)] }
    around = ->(mark) do
      Module.new do
        define_method(:json!) { |*arguments, **keywords| "#{mark}#{super(*arguments, **keywords)}" }
      end
    end
    parent.extend(around.("e"))
    assert_equal 'e{"a":1}', settled { child.json!(1) }
    assert_equal 'e{"b":1}', settled { grandchild.json!(1) }
    parent.prepend(around.("p"))
    assert_equal 'p{"a":1}', settled { child.new.json!(1) }
    parent.include(around.("i"))
    assert_equal 'pi{"b":1}', settled { grandchild.new.json!(1) }
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

  test "a concern's serialize that is redefined is the one that is called" do
    concern = Module.new { include ToJson::Serialize; def serialize = put(:before, 1) }
    klass = Class.new.include(concern)
    assert_equal '{"before":1}', settled { klass.json! }
    concern.remove_method(:serialize)
    concern.define_method(:serialize) { |a, b, c| put(:after, [a, b, c]) }
    assert_equal '{"after":[1,2,3]}', settled { klass.json!(1, 2, 3) }
  end

  test "a serializer class may be defined in a signal handler" do
    made = nil
    before = trap("USR2") { made = Class.new(ToJson::Serializer) { def serialize = put(:a, 1) } }
    Process.kill("USR2", Process.pid)
    sleep 0.001 until made
    assert_equal '{"a":1}', settled { made.json! }
  ensure
    trap("USR2", before || "DEFAULT")
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

  test "a serialize that is undefined is missed at the next call" do
    parent = serializer { def serialize = put(:parent, 1) }
    klass = serializer(parent) { def serialize = put(:a, 1) }
    settled { [klass.json!, klass.new.json!] }
    klass.undef_method(:serialize)
    2.times { assert_raises(NoMethodError) { klass.json! } }
    2.times { assert_raises(NoMethodError) { klass.new.json! } }
    assert_equal '{"parent":1}', settled { parent.json! }
  end

end
