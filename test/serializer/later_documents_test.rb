# frozen_string_literal: true

require "test_helper"

# Documents of a class that was served before go a shorter way than its first: what holds for that
# one holds for them.
class LaterDocumentsTest < ToJsonTest
  TIMES = 4

  # What the block gives each of so many times, which is the same.
  def again(&block) = assert_equal(1, Array.new(TIMES, &block).uniq.size) && block.call

  WAYS = {
    "its class" => ->(type, *arguments) { type.json!(*arguments) },
    "a kept instance" => ->(type, *arguments) do
      (@kept ||= {}.compare_by_identity)[type] ||= type.new; @kept[type].json!(*arguments)
    end
  }.freeze

  # How a document may be left: each calls the block, which gives `out` to a document that calls it.
  LEAVING = {
    "an exception" => ->(document) { document.call(-> { raise IOError, "out" }) rescue IOError },
    "throw" => ->(document) { catch(:out) { document.call(-> { throw :out }) } },
    "return" => ->(document) { document.call(proc { return }) },
    "a Thread that is killed" => ->(document) do
      Thread.new { document.call(-> { Thread.current.kill }) }.join
    end
  }.freeze

  WAYS.each do |name, json|
    test "any number of arguments, by #{name}" do
      type = Class.new(ToJson::Serializer) do
        def serialize(a = nil, *more, b: 0)
          (put :a, a; put :more, more; put :b, b; put :scope, scope)
        end
      end
      assert_equal('{"a":null,"more":[],"b":0,"scope":null}', again { json.call(type) })
      assert_equal('{"a":1,"more":[2,3],"b":0,"scope":1}', again { json.call(type, 1, 2, 3) })
      assert_raises(ArgumentError) do
        json.call(Class.new(ToJson::Serializer) { def serialize = nil }
                    .tap { |none| json.call(none) }, 1)
      end
    end

    test "an exception names its path, and the next document is whole, by #{name}" do
      type = Class.new(ToJson::Serializer) { def serialize(x) = put(:a) { put(:b, [x]) } }
      TIMES.times do
        assert_equal("$.a.b[0]",
                     assert_raises(ToJson::NumberError) { json.call(type, Float::NAN) }.path)
        assert_equal('{"a":{"b":[1]}}', json.call(type, 1))
      end
    end

    LEAVING.each do |way, leave|
      test "what is left by #{way} is idle again, by #{name}" do
        made = nil
        type = Class.new(ToJson::Serializer) do
          define_method(:serialize) { |out| made = self; put :a, 1; put(:b) { out&.call } }
        end
        assert_equal('{"a":1}', again { json.call(type, nil) })
        writers = ObjectSpace.each_object(ToJson::Writer).count
        (TIMES * 4).times do
          leave.call(->(out) { json.call(type, out) })
          stale = made
          # which has the same Writer
          assert_equal('{"a":1}',
                       type
                         .json!(
                           -> { assert_raises(ToJson::GrammarError) { stale.put(:stray, 1) } }
                         ))
        end
        assert_equal('{"a":1}', json.call(type, nil))
        assert_operator(ObjectSpace.each_object(ToJson::Writer).count - writers, :<=, 1)
      end
    end

    test "documents of the same class within it, by #{name}" do
      type = Class.new(ToJson::Serializer) do
        def serialize(n)
          (put :n, n; put :text, (n.zero? ? nil : json!(n - 1)); put :other,
           self.class.json!(0) if n == 1)
        end
      end
      if Without.library?("json")
        assert_equal({ "n" => 1, "text" => '{"n":0,"text":null}',
                       "other" => '{"n":0,"text":null}' }, JSON.parse(again { json.call(type, 1) }))
      end
    end

    test "what is open at the end is an error, by #{name}" do
      type = Class.new(ToJson::Serializer) do
        def serialize(open) = (put :a, 1; self.open(:b) if open)
      end
      TIMES.times do
        assert_raises(ToJson::GrammarError) { json.call(type, true) }
        assert_equal('{"a":1}', json.call(type, false))
      end
    end

    test "fields that are declared later are written, by #{name}" do
      type = Class.new(ToJson::Serializer) { def serialize(_) = put(:own, 1) }
      assert_equal('{"own":1}', again { json.call(type, Struct.new(:id).new(7)) })
      type.class_eval { remove_method :serialize; attributes :id }
      assert_equal('{"id":7}', again { json.call(type, Struct.new(:id).new(7)) })
    end

    test "Rules that change are heard, by #{name}" do
      type = Class.new(ToJson::Serializer) { def serialize(x) = put(:x, x) }
      assert_equal('{"x":"<"}', again { json.call(type, "<") })
      type.rules(html_safe: true)
      assert_equal('{"x":"\u003c"}', again { json.call(type, "<") })
    end
  end

  # Subclasses of ToJson::Serializer are allocated; whoever includes the module is made by new.
  { "a Serializer's" => [ToJson::Serializer, 0],
    "an including class's" => [Object, 5] }.each do |name, (parent, times)|
    test "#{name} new of the user's is called #{times} times in five documents" do
      calls = 0
      type = Class.new(parent) { include ToJson::Serialize; def serialize = put(:a, 1) }
      assert_equal('{"a":1}', again { type.json! })
      type.define_singleton_method(:new) { |*arguments| calls += 1; super(*arguments) }
      5.times { assert_equal('{"a":1}', type.json!) }
      assert_equal(times, calls)
    end
  end

  test "keywords and blocks after plain calls are heard" do
    [Class.new(ToJson::Serializer), Class.new { include ToJson::Serialize }].each do |type|
      type.class_eval { def serialize(a = 0, b: context[:b]) = (put :a, a; put :b, b) }
      kept = type.new
      [type, kept].each do |receiver|
        again { receiver.json!(1) }
        assert_equal('{"a":1,"b":2}', again { receiver.json!(1, b: 2) })
        assert_equal('{"a":1,"b":3}', again { receiver.json!(1, context: { b: 3 }) })
        assert_equal('{"a":1,"b":null}', again { receiver.json!(1) })
      end
      assert_equal('{"c":1}', again { kept.json!(1) { |a| kept.put :c, a } })
      assert_equal('{"a":1,"b":null}', again { kept.json!(1) })
    end
  end

  test "a frozen object that includes Serialize is refused, a frozen Serializer writes" do
    frozen = Class.new { include ToJson::Serialize; def serialize = put(:a, 1) }.new
    again { frozen.json! }
    TIMES.times do
      assert_match(/frozen/, assert_raises(ToJson::Error) { frozen.freeze.json! }.message)
    end
    other = Class.new(ToJson::Serializer) { def serialize = put(:a, 1) }.new
    again { other.json! }
    assert_equal('{"a":1}', again { other.freeze.json! })
  end

  test "a serialize of one object's own is called" do
    type = Class.new(ToJson::Serializer) { def serialize = put(:a, 1) }
    one, other = type.new, type.new
    again { one.json! }
    def one.serialize = (super; put :own, 2)
    assert_equal(['{"a":1,"own":2}', '{"a":1}'], again { [one.json!, other.json!] })
  end

  test "arguments that new kept are those of every document" do
    kept = Class.new(ToJson::Serializer) { def serialize(x, y: 2) = (put :x, x; put :y, y) }
    plain = kept.new
    again { plain.json!(5) }
    assert_equal('{"x":1,"y":3}', again { (@with ||= kept.new(1, y: 3)).json! })
    assert_equal('{"x":5,"y":2}', again { plain.json!(5) })
  end

  test "the base class takes its block, whoever asked before" do
    assert_raises(ToJson::Error) { ToJson::Serializer.json! }
    assert_raises(ArgumentError) { ToJson::Serializer.new(view: :any) } # asks for its fields
    assert_equal('{"a":1}', again { ToJson::Serializer.json! { put :a, 1 } })
    assert_raises(ToJson::Error) { ToJson::Serializer.json! }
  end
end
