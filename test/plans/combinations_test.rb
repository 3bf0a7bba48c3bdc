# frozen_string_literal: true

require "test_helper"
require "open3"
require "rbconfig"
require "fuzz/kit/ways_out"

# Options of fields and forms of data that meet: combinations that bin/fuzz definitions found.
class CombinationsTest < ToJsonTest
  Pair = Struct.new(:a, :b)

  def declared(parent = ToJson::Serializer, &body) = Class.new(parent, &body)

  def tiny(&block)
    Fuzz::WaysOut.tiny(&block).then { |result| result.error ? raise(result.error) : result.text }
  end

  test "a key that transform_keys made is written where the Writer is full, too" do
    serializer = declared { transform_keys :camel; attributes :first_name }
    assert_equal '{"FirstName":1}', tiny { serializer.json!({ first_name: 1 }) }
    assert_equal '{"FirstName":1}', Fuzz::WaysOut.one_byte { |io|
      serializer.json!({ first_name: 1 }, into: io)
    }.text
  end

  test "a Hash in an object is read where the Writer is full, too" do
    serializer = declared { has_one(:a) { attributes :x } }
    assert_equal '{"a":{"x":1}}', tiny { serializer.json!(Pair.new({ x: 1 })) }
  end

  test "a path names the key that is written" do
    serializer = declared { transform_keys :camel; attributes :first_name }
    error = assert_raises(ToJson::NumberError) { serializer.json!({ first_name: Float::NAN }) }
    assert_equal "$.FirstName", error.path
  end

  test "a condition of nested is asked of a Hash" do
    serializer = declared { nested(:n, if: :b) { attributes :a } }
    assert_equal ["{}", "[{}]", '{"n":{"a":1}}'],
                 [serializer.json!({ a: 1 }), serializer.json!([{ a: 1 }]),
                  serializer.json!({ a: 1, b: true })]
  end

  test "a flattened serializer that is written by code of its own is not lost for a Hash" do
    inner = declared { attributes :x; has_one :a, serializer: self }
    serializer = declared { flatten :b, serializer: inner; attributes :y }
    assert_equal '{"x":1,"a":null,"y":2}', serializer.json!({ b: { x: 1 }, y: 2 })
    assert_equal '{"x":1}', declared {
      flatten(:b) { attributes :x }
    }.json!({ b: { x: 1 } }, except: [])
  end

  test "only and except reach flattened fields among the others" do
    serializer = declared { attributes :a; flatten(:b) { attributes :x, :y } }
    row = { a: 1, b: { x: 2, y: 3 } }
    assert_equal ['{"a":1}', '{"x":2}', '{"a":1,"y":3}'],
                 [serializer.json!(row, only: :a), serializer.json!(row, only: :x),
                  serializer.json!(row, except: :x)]
    assert_raises(ToJson::UnknownFieldError) { serializer.json!(row, only: :z) }
    around = declared { has_one :b, serializer: serializer, only: [:a] }
    assert_equal '{"b":{"a":1}}', around.json!({ b: row })
  end

  test "a serialize of one's own with a root" do
    serializer = declared { root :it, :all; attributes :a; def serialize(object) = super }
    assert_equal ['{"it":{"a":1}}', '{"all":[{"a":1},{"a":2}]}', '{"x":{"a":1}}'],
                 [serializer.json!({ a: 1 }), serializer.json!([{ a: 1 }, { a: 2 }]),
                  serializer.json!({ a: 1 }, root: :x)]
  end

  test "a serialize of one's own that is recursive" do
    serializer = declared do
      attributes :a
      has_many :b, serializer: self
      def serialize(object)
        put :before, 1
        super
      end
    end
    assert_equal '{"before":1,"a":1,"b":[{"before":1,"a":2,"b":[]}]}',
                 serializer.json!({ a: 1, b: [{ a: 2, b: [] }] })
  end

  test "the root of a serializer stands at the top level only" do
    rooted = declared { root :it; attributes :a }
    mixed = declared(rooted) { def serialize(object) = super }
    assert_equal '{"v":{"a":1}}', declared { attribute :v, as: rooted }.json!({ v: { a: 1 } })
    assert_equal '{"v":[{"a":1}]}', declared { attribute :v, as: rooted }.json!({ v: [{ a: 1 }] })
    assert_equal '{"b":[{"a":1}]}', declared {
      has_many :b, serializer: ->(_) { mixed }
    }.json!({ b: [{ a: 1 }] })
    assert_equal '{"b":{"a":1}}', declared { has_one :b, serializer: mixed }.json!({ b: { a: 1 } })
  end

  test "view, only and except of an association reach a serialize of one's own" do
    mixed = declared do
      attributes :a, :b; view(:short) { remove :b }; def serialize(object) = super
    end
    row = { x: { a: 1, b: 2 } }
    assert_equal '{"x":{"a":1}}', declared {
      has_one :x, serializer: mixed, except: [:b]
    }.json!(row)
    assert_equal '{"x":{"b":2}}', declared { has_one :x, serializer: mixed, only: [:b] }.json!(row)
    assert_equal '{"x":{"a":1}}', declared {
      has_one :x, serializer: mixed, view: :short
    }.json!(row)
    assert_equal '{"x":{"a":1}}', declared {
      has_one :x, serializer: mixed
    }.json!(row, only: { x: [:a] })
  end

  test "a block with an optional parameter gets the object" do
    assert_equal '{"x":1}', declared {
      attribute(:x) { |object = nil| object && object[:a] }
    }.json!({ a: 1 })
  end

  test "a block of meta may take no parameter" do
    assert_equal '{"it":{"a":1},"meta":{"who":"me"}}', declared {
      root :it; attributes :a; meta { { who: context[:who] } }
    }.json!({ a: 1 }, context: { who: "me" })
  end

  test "a default of has_many" do
    serializer = declared { has_many(:b, default: []) { attributes :a } }
    assert_equal ['{"b":[]}', '{"b":[]}'],
                 [serializer.json!({ b: nil }), serializer.json!(Pair.new)]
  end

  test "nil among many whose serializers their values tell" do
    inner = declared { attributes :a }
    assert_equal '{"b":[null,{"a":1}]}', declared {
      has_many :b, serializer: ->(_) { inner }
    }.json!({ b: [nil, { a: 1 }] })
  end

  test "an anonymous class stays one" do
    inner = declared { attributes :a }
    outer = declared { has_one(:b, serializer: inner, context: {}); attribute(:c) { 1 } }
    outer.json!({ b: { a: 1 } })
    [inner, outer].each { |klass| refute_match(/ToJson/, klass.name.to_s) }
  end

  # The getters of blank objects were called.
  test "skip_blank of an association reads nothing of a blank object" do
    one = Class.new(ToJson::Serializer) { attributes :id }
    [false, "", [], {}, Struct.new(:id) { def empty? = true }.new(1)].each do |blank|
      [declared { has_one :a, serializer: one, skip_blank: true },
       declared { has_one(:a, skip_blank: true) { attributes :id } }].each do |type|
        assert_equal "{}", type.json!({ a: blank })
        assert_equal '{"a":{"id":7}}', type.json!({ a: { id: 7 } })
        assert_equal "{}", type.json!({ a: blank }, only: { a: [:id] })
      end
    end
  end

  test "skip_blank asks the value as it was read, whatever as: is" do
    upper = ->(value) { [value] }
    assert_equal "{}", declared { attribute :a, as: upper, skip_blank: true }.json!({ a: "" })
    assert_equal "{}", declared { attribute :a, as: :string, skip_blank: true }.json!({ a: "" })
  end

  test "max_depth counts the object that a later part begins" do
    inner = declared { attributes :x }
    late = declared { flatten(:b, serializer: ->(_) { inner }); attribute(:a) { |o| o[:a] } }
    assert_equal '{"a":[1]}', late.json!({ a: [1] }, max_depth: 2)
    assert_raises(ToJson::NestingError) { late.json!({ a: [1] }, max_depth: 1) }
    masked = declared { has_many(:b) { attributes :x }; attributes :a }
    assert_equal '{"a":[1]}', masked.json!({ a: [1] }, only: :a, max_depth: 2)
    assert_raises(ToJson::NestingError) { masked.json!({ a: [1] }, only: :a, max_depth: 1) }
  end

  test "an empty serializer in place counts as the object that it is" do
    empty = declared { def serialize = nil }
    assert_raises(ToJson::NestingError) do
      ToJson.json(max_depth: 1) { |j| j.array { j.value empty.new } }
    end
    assert_raises(ToJson::NestingError) { ToJson.json(max_depth: 1) { |j| j.put :a, empty.new } }
  end

  test "the context of an association is that of a serializer in place below it" do
    inner = declared { attribute(:who) { context[:who] } }
    middle = declared { attribute :v, as: inner }
    assert_equal '{"b":{"v":{"who":"child"}}}', declared {
      has_one :b, serializer: middle, context: { who: "child" }
    }.json!({ b: { v: { x: 1 } } }, context: { who: "caller" })
  end

  # In a process of its own: it crashed.
  test "serializers that lend their methods, and a collection of garbage in the middle of a " \
       "document" do
    out,
    status = Open3.capture2e(*PlainRuby.start, "-W0",
                             *$LOAD_PATH.grep(/lib\z/).flat_map { |path| ["-I", path] }, "-e",
                             <<~RUBY)
      require "to_json"
      inner = Class.new(ToJson::Serializer) { attribute(:x) { |o| o[:x] } }
      outer = Class.new(ToJson::Serializer) do
        attribute(:a) { |o| o[:gc]&.call; 1 }
        has_one :b, serializer: ->(_) { inner }
      end
      100.times { outer.json!({ gc: -> { GC.start; 10_000.times { Object.new } }, b: { x: 1 } }) }
      print outer.json!({ b: { x: 1 } })
    RUBY
    assert status.success?, out.lines.first(3).join
    assert_equal '{"a":1,"b":{"x":1}}', out
  end

  # Not whether the data happen to reach that far.
  test "an unknown name in an association is refused where its fields are known, whatever the " \
       "data" do
    inner = declared { attributes :x }
    serializer = declared { has_many :a, serializer: inner; has_one(:b) { attributes :x } }
    [{ a: [:nope] }, { b: [:nope] }].each do |names|
      assert_raises(ToJson::UnknownFieldError) { serializer.json!({ a: [], b: nil }, only: names) }
      assert_raises(ToJson::UnknownFieldError) { serializer.json!([], except: names) }
    end
    beside = declared { has_many :a, serializer: inner; flatten :f, serializer: ->(_) { inner } }
    assert_raises(ToJson::UnknownFieldError) { beside.json!([], only: { a: [:nope] }) }
  end

  test "generated code is free of warnings" do
    assert_silent do
      verbose, $VERBOSE = $VERBOSE, true
      serializer = declared do
        has_one(:b) { attribute(:c) { object } }
        has_one(:d, if: :e) { attribute(:c) { |o| o } }
        nested(:n, if: :e) { attribute(:c) { 1 } }
        flatten(:f) { attribute(:g) { 1 } }
        has_many(:h) { nested(:i) { attribute(:c) { 1 } } }
      end
      serializer.json!({ e: 1 })
      serializer.json!({ e: 1 }, only: :b)
    ensure
      $VERBOSE = verbose
    end
  end
end
