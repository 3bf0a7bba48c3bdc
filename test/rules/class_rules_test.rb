# frozen_string_literal: true

require_relative "../test_helper"

# Rules of a class, of its subclasses, and of modules.
class ClassRulesTest < ToJsonTest
  def teardown
    ToJson.default_rules = {}
    super
  end

  # A serializer class with these Rules.
  def serializer(parent = ToJson::Serializer, **options)
    Class.new(parent) do
      rules(**options) unless options.empty?
      define_method(:serialize) { |value| put :v, value }
    end
  end

  test "a class's Rules hold for its documents" do
    assert_equal '{"v":0}', serializer(time: :unix).json!(Time.at(0))
    assert_equal '{"v":"\u003c"}', serializer(html_safe: true).json!("<")
    assert_equal '{"v":null}', serializer(nan: :null).json!(Float::NAN)
  end

  test "rules without arguments tells the ones in force" do
    type = serializer(nan: :null)
    assert_equal ToJson::Rules.new(nan: :null), type.rules
    assert_equal ToJson.default_rules, serializer.rules
    assert_equal ToJson::Rules.new(nan: :null), Class.new(type).rules
  end

  test "a subclass inherits Rules and lays its own over them" do
    parent = serializer(nan: :null)
    child = serializer(parent, html_safe: true)
    grandchild = serializer(child)
    [child, grandchild].each do |type|
      assert_equal '{"v":[null,"\u003c"]}', type.json!([Float::NAN, "<"])
    end
    assert_equal '{"v":"<"}', parent.json!("<")
    assert_raises(ToJson::NumberError) { serializer.json!(Float::NAN) }
  end

  test "a parent's Rules may change later, and reach its subclasses" do
    parent = serializer
    child = serializer(parent)
    assert_equal '{"v":"<"}', child.json!("<")
    parent.rules html_safe: true
    assert_equal '{"v":"\u003c"}', parent.json!("<")
    assert_equal '{"v":"\u003c"}', child.json!("<")
  end

  test "a parent's Rules that change reach a subclass that alone was served, before and after, " \
       "and one that was frozen after it had served" do
    [false, true].each do |frozen|
      parent = serializer
      child = serializer(parent)
      3.times { assert_equal '{"v":"<"}', child.json!("<") }
      child.freeze if frozen
      parent.rules html_safe: true
      3.times { assert_equal '{"v":"\u003c"}', child.json!("<"), frozen.inspect }
      GC.start
      assert_equal '{"v":"\u003c"}', child.json!("<")
    end
  end

  test "a class takes a dialect or Rules as its base" do
    strict = Class.new(ToJson::Serializer) { rules :strict; def serialize(v) = put(:v, v) }
    assert_raises(ToJson::UnsupportedTypeError) { strict.json!(1..2) }
    based = Class.new(ToJson::Serializer) do
      rules ToJson::Rules.new(nan: :null), html_safe: true; def serialize(v) = put(:v, v)
    end
    assert_equal '{"v":[null,"\u003c"]}', based.json!([Float::NAN, "<"])
  end

  test "a call's Rules go before the class's" do
    type = serializer(html_safe: true)
    assert_equal '{"v":"<"}', type.json!("<", rules: ToJson::Rules.new)
    assert_raises(ToJson::UnsupportedTypeError) { type.json!(1..2, rules: :strict) }
    assert_equal '{"v":"\u003c"}', type.json!("<")
  end

  test "a serializer in place writes under the Rules of its document" do
    inner = serializer(html_safe: true)
    outer = serializer(html_safe: false)
    assert_equal '{"v":{"v":"<"}}', outer.json!(inner.new("<"))
    assert_equal '{"v":{"v":"\u003c"}}', inner.json!(outer.new("<"))
    assert_equal '[{"v":"<"}]', ToJson.generate([inner.new("<")])
  end

  test "max_depth: of a call goes before the class's" do
    type = serializer(max_depth: 2)
    assert_equal '{"v":[]}', type.json!([])
    error = assert_raises(ToJson::NestingError) { type.json!([[]]) }
    assert_equal "$.v[0]", error.path
    assert_equal '{"v":[[[]]]}', type.json!([[[]]], max_depth: 4)
    [0, -1, nil.to_a, "3", 1.5].each do |depth|
      assert_raises(ArgumentError, TypeError, depth.inspect) { type.json!([], max_depth: depth) }
    end
  end

  test "the module form has Rules of its class" do
    type = Class.new do
      include ToJson::Serialize; rules html_safe: true; def serialize = put(:v, "<")
    end
    assert_equal '{"v":"\u003c"}', type.new.json!
    assert_equal '{"v":"\u003c"}', Class.new(type).new.json!
  end

  test "a concern has Rules for the classes that include it, and may change them later" do
    concern = Module.new { include ToJson::Serialize; rules html_safe: true }
    type = Class.new { include concern; def serialize = put(:v, ["<", 0.0]) }
    assert_equal ToJson::Rules.new(html_safe: true), concern.rules
    assert_equal '{"v":["\u003c",0.0]}', type.new.json!
    concern.rules nan: :null
    assert_equal ToJson::Rules.new(html_safe: true, nan: :null), concern.rules
    assert_equal '{"v":["\u003c",0.0]}', Class.new {
      include concern; def serialize = put(:v, ["<", 0.0])
    }.new.json!
  end

  test "an unknown option in a class fails when the class is defined" do
    assert_raises(ArgumentError) { Class.new(ToJson::Serializer) { rules nope: 1 } }
    assert_raises(ArgumentError) { Class.new(ToJson::Serializer) { rules :nope } }
    assert_raises(ArgumentError) { Class.new(ToJson::Serializer) { rules "strict" } }
  end

  test "Rules that a module brings hold for a class that has served, for its subclasses, and for " \
       "a frozen one that keeps nothing" do
    unix = Module.new { include ToJson::Serialize; rules time: :unix }
    { "put" => Class.new { include ToJson::Serialize; def serialize(object) = put(:t, object.t) },
      "declared" => Class.new(ToJson::Serializer) { attributes :t } }.each do |kind, type|
      classes = [type, Class.new(type), (Class.new(type).freeze if kind == "put")].compact
      object = Struct.new(:t).new(Time.at(7).utc)
      3.times do
        classes.each do |one|
          assert_equal '{"t":"1970-01-01T00:00:07.000Z"}', one.new.json!(object)
        end
      end
      type.include(unix)
      classes.each { |one| 2.times { assert_equal '{"t":7}', one.new.json!(object), kind } }
    end
  end
end
