# frozen_string_literal: true

require_relative "calls_case"

# json! of a class whose serialize, json!, new, initialize or Rules are its own, or come later.
class ChangedClassesTest < CallsCase
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

  test "a concern's serialize that is redefined is the one that is called" do
    concern = Module.new { include ToJson::Serialize; def serialize = put(:before, 1) }
    klass = Class.new.include(concern)
    assert_equal '{"before":1}', settled { klass.json! }
    concern.remove_method(:serialize)
    concern.define_method(:serialize) { |a, b, c| put(:after, [a, b, c]) }
    assert_equal '{"after":[1,2,3]}', settled { klass.json!(1, 2, 3) }
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
