# frozen_string_literal: true

# What a part of a document that failed, was rescued or changed leaves behind: nothing.

require_relative "../test_helper"

class AfterFailuresTest < ToJsonTest
  Point = Struct.new(:id)

  # An each that keeps its block.
  class Keeping
    include Enumerable

    def each(&block)
      @block = block
      yield Point.new(1)
    end

    def again = @block.call(Point.new(2))
  end

  # An each that runs in a Fiber, which is left after the first element.
  class Parked
    include Enumerable
    attr_reader :fiber

    def each
      @fiber = Fiber.new { [1, 2].each { |id| yield Point.new(id); Fiber.yield } }
      @fiber.resume
    end
  end

  # An each that rescues what an element raises.
  class Rescuing
    include Enumerable

    def initialize(elements) = @elements = elements

    def each
      @elements.each do |element|
        yield element
      rescue RuntimeError
        nil
      end
    end
  end

  def declared(&) = Class.new(ToJson::Serializer, &)

  def deep(depth) = depth.zero? ? ToJson.generate([1]) : deep(depth - 1)

  {
    "a Plan" => ->(many) { Class.new(ToJson::Serializer) { attributes :id }.json!(many) },
    "a serialize of its own" =>
      ->(many) {
        Class.new(ToJson::Serializer) { attributes :id; def serialize(point) = super }.json!(many)
      },
    "a value" => ->(many) { ToJson.generate({ a: many }) },
    "a block" => ->(many) { ToJson.json { |j| j.array(many) { |point| j.put :id, point.id } } }
  }.each do |name, write|
    test "an element that comes when #{name} was written is refused" do
      keeping = Keeping.new
      write.call(keeping)
      deep(50)
      assert_raises(ToJson::GrammarError) { keeping.again }
      parked = Parked.new
      write.call(parked)
      deep(50)
      parked.fiber.resume
      assert_raises(ToJson::GrammarError) { parked.fiber.resume } if parked.fiber.alive?
    rescue ToJson::GrammarError
      assert_equal "[1]", ToJson.generate([1])
    end
  end

  test "of an element that a collection rescued nothing stays, in a document that goes on" do
    bad = Class.new { def id = 2; def tags = []; def last = raise("no") }.new
    good = Struct.new(:id, :tags, :last)
    serializer = declared { attributes :id; has_many(:tags) { attributes :id }; attributes :last }
    assert_equal '[{"id":1,"tags":[],"last":5},{"id":3,"tags":[],"last":5}]',
                 serializer.json!(Rescuing.new([good.new(1, [], 5), bad, good.new(3, [], 5)]))
    text = ToJson.json do |j|
      j.array(Rescuing.new([1, 2, 3])) { |id| j.put :id, id; raise "no" if id == 2 }
    end
    assert_equal '[{"id":1},{"id":3}]', text
  end

  test "the context of an association that raised is nobody else's" do
    inner = declared { attribute(:v) { |object| raise "no" if object[:id] == 2; context[:user] } }
    told = declared { def serialize(_) = put(:context, context[:user]) }
    serializer = declared do
      flatten :b, serializer: inner, context: ->(object) { { user: "of #{object[:id]}" } }
      attribute :c, as: told
    end
    rows = Rescuing.new([1, 2, 3].map { |id| { id: id, b: { id: id }, c: 1 } })
    assert_equal '[{"v":"of 1","c":{"context":"doc"}},{"v":"of 3","c":{"context":"doc"}}]',
                 serializer.json!(rows, context: { user: "doc" })
  end

  test "what a block leaves behind never sees another document's context" do
    late = []
    inner = declared { attribute(:who) { late << -> { context[:user] }; context[:user] } }
    outer = declared { has_one :a, serializer: inner; attribute(:seen) { late.map(&:call) } }
    outer.json!({ a: { x: 1 } }, context: { user: "alice" })
    late.pop(late.size - 1)
    assert_equal '{"a":{"who":"bob"},"seen":[null,"bob"]}',
                 outer.json!({ a: { x: 1 } }, context: { user: "bob" })
  end

  test "a class that changes while its Plan is made is compiled anew" do
    inner = declared { attributes :id }
    outer = declared { has_one(:b, serializer: inner); attributes :title }
    changed = false
    inner.define_singleton_method(:definition) do
      outer.class_eval { def title(_) = "changed" } unless changed
      changed = true
      super()
    end
    2.times { outer.json!({ b: { id: 1 }, title: "plain" }) }
    assert_equal '{"b":{"id":1},"title":"changed"}', outer.json!({ b: { id: 1 }, title: "plain" })
  end

  test "where it happened is told after a serializer in place was rescued" do
    inner = declared { attribute(:x) { raise "inner" } }
    mixed = declared do
      attribute(:last) { raise "outer" }
      define_method(:serialize) do |object|
        begin; put :x, inner.new(object); rescue RuntimeError; nil; end; super(object)
      end
    end
    error = assert_raises(RuntimeError) { mixed.json!({ a: 1 }) }
    assert_equal "$.last", ToJson.location(error)
  end

  test "meta: is a Hash" do
    serializer = declared { attributes :id }
    [:inspect, "x", 5].each do |meta|
      assert_raises(ArgumentError) { serializer.json!({ id: 1 }, root: :a, meta: meta) }
    end
  end
end
