# frozen_string_literal: true

require_relative "calls_case"

# json! of a class and of an instance: arguments, kinds of classes, Ractors.
class CallsTest < CallsCase
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

  test "a class's own hooks hear nothing of json!" do
    klass = serializer { def serialize(a) = put(:a, a) }
    heard = []
    klass.define_singleton_method(:extend) { |*modules| heard.concat(modules) && super(*modules) }
    klass.define_singleton_method(:include) { |*modules| heard.concat(modules) && super(*modules) }
    assert_equal '{"a":1}', settled { klass.json!(1) }
    assert_equal '{"a":1}', settled { klass.new.json!(1) }
    assert_empty heard
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

  test "a serializer class may be defined in a signal handler" do
    made = nil
    before = trap("USR2") { made = Class.new(ToJson::Serializer) { def serialize = put(:a, 1) } }
    Process.kill("USR2", Process.pid)
    sleep 0.001 until made
    assert_equal '{"a":1}', settled { made.json! }
  ensure
    trap("USR2", before || "DEFAULT")
  end
end
