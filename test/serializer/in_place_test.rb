# frozen_string_literal: true

require "test_helper"
require "support/ways_out"

# A serializer as a value: written in place, into the same Writer. Recursion, context, busy
# instances.
class InPlaceTest < ToJsonTest
  Node = Struct.new(:id, :kids)
  TREE = Node.new(1, [Node.new(2, [Node.new(3, [])]), Node.new(4, [])])
  TREE_JSON = '{"id":1,"kids":[{"id":2,"kids":[{"id":3,"kids":[]}]},{"id":4,"kids":[]}]}'

  Comment = Class.new(ToJson::Serializer) do
    def serialize(text, loud: false) = put(:text, loud ? text.upcase : text)
  end
  Bare = Class.new(ToJson::Serializer) { def serialize(x) = value(x) }
  Listing = Class.new(ToJson::Serializer) do
    def serialize(items) = array(items) { |item| put :item, item }
  end
  Empty = Class.new(ToJson::Serializer) { def serialize = nil }

  WRITES = {
    "as the value of put" =>
      ['{"k":{"text":"a"},"z":1}', ->(j) { j.put :k, Comment.new("a"); j.put :z, 1 }],
    "as a keyword of put" =>
      ['{"k":{"text":"a"},"l":{"text":"b"}}',
       ->(j) { j.put k: Comment.new("a"), l: Comment.new("b") }],
    "as the root" => ['{"text":"a"}', ->(j) { j.value Comment.new("a") }],
    "as an element" =>
      ['[{"text":"a"},{"text":"b"}]',
       ->(j) { j.array { j.value Comment.new("a"); j.value Comment.new("b") } }],
    "as an argument of array" => ['[{"text":"a"},1]', ->(j) { j.array Comment.new("a"), 1 }],
    "as the only argument of array" => ['[{"text":"a"}]', ->(j) { j.array Comment.new("a") }],
    "among the elements of an Array" =>
      ['{"k":[1,{"text":"a"},[{"text":"b"}]]}',
       ->(j) { j.put :k, [1, Comment.new("a"), [Comment.new("b")]] }],
    "as the value of a Hash" =>
      ['{"k":{"x":{"text":"a"}}}', ->(j) { j.put :k, { x: Comment.new("a") } }],
    "as what a field holds" =>
      ['{"f":{"text":"a"}}', ->(j) { j.put_fields({ f: Comment.new("a") }, :f) }],
    "with keywords of new" =>
      ['{"k":{"text":"A"}}', ->(j) { j.put :k, Comment.new("a", loud: true) }],
    "that writes one value" =>
      ['{"k":7,"l":null,"m":[[]]}',
       ->(j) { j.put :k, Bare.new(7); j.put :l, Bare.new(nil); j.put :m, [Bare.new([])] }],
    "that writes an array" =>
      ['{"k":[{"item":1},{"item":2}],"l":[]}',
       ->(j) { j.put :k, Listing.new([1, 2]); j.put :l, Listing.new([]) }],
    "that writes nothing" =>
      ['{"k":{},"l":[{}]}', ->(j) { j.put :k, Empty.new; j.put :l, [Empty.new] }],
    "written twice" =>
      ['[{"text":"a"},{"text":"a"}]',
       ->(j) { s = Comment.new("a"); j.array { j.value s; j.value s } }],
    "with a block of put, as the one value" =>
      ['{"k":{"text":"a"}}', ->(j) { j.put(:k, Comment.new("a")) { |s| j.value s } }],
    "given by as_json" =>
      ['{"k":{"text":"a"}}',
       ->(j) { j.put :k, Class.new { def as_json(*) = Comment.new("a") }.new }],
    "in serializers in serializers" =>
      ['{"k":{"text":"a"}}',
       ->(j) { j.value Bare.new(Bare.new({ k: Bare.new(Comment.new("a")) })) }]
  }.freeze

  Rooted = Class.new(ToJson::Serializer) { root :post; attributes :a }

  ROOTED = {
    "as the root of the document: its root stands" =>
      ['{"post":{"a":1}}', ->(j) { j.value Rooted.new({ a: 1 }) }],
    "as the value of a pair: no root" =>
      ['{"k":{"a":1},"l":{"a":2}}',
       ->(j) { j.put :k, Rooted.new({ a: 1 }); j.put :l, Rooted.new({ a: 2 }) }],
    "as the value of a pair, with root: its own" =>
      ['{"k":{"post":{"a":1}}}', ->(j) { j.put :k, Rooted.new({ a: 1 }, root: :post) }],
    "in the block of a pair: no root" =>
      ['{"k":{"a":1}}', ->(j) { j.put(:k) { j.value Rooted.new({ a: 1 }) } }],
    "as an element: no root" => ['[{"a":1}]', ->(j) { j.array [Rooted.new({ a: 1 })] }]
  }.freeze

  ROOTED.each do |where, (expected, words)|
    test("a serializer with a root, #{where}") { assert_writes(expected, &words) }
  end

  WRITES.each do |where, (expected, words)|
    test("a serializer #{where}") { assert_writes(expected, &words) }
  end

  test "a class recurses into itself by new" do
    tree = Class.new(ToJson::Serializer) do
      def serialize(node)
        (put :id, node.id; put :kids, node.kids.map { |kid| self.class.new(kid) })
      end
    end
    assert_serializer TREE_JSON, tree, TREE
  end

  test "a class recurses into itself by helpers that write" do
    tree = Class.new(ToJson::Serializer) do
      def serialize(node) = (put :id, node.id; put(:kids, node.kids) { |kid| serialize kid })
    end
    assert_serializer TREE_JSON, tree, TREE
  end

  test "an instance that puts itself is written by a dup, with what new was given" do
    type = Class.new(ToJson::Serializer) do
      def serialize(log) = (log << object_id; put :n, log.size; put :again, self if log.size < 3)
    end
    log = []
    assert_equal '{"n":1,"again":{"n":2,"again":{"n":3}}}', type.new(log).json!
    assert_equal 3, log.uniq.size
  end

  test "an object that includes Serialize recurses through others of its kind and itself" do
    type = Class.new(Struct.new(:id, :friends)) do
      include ToJson::Serialize; def serialize = (put :id, id; put :friends, friends)
    end
    fred = type.new(1, [])
    fred.friends << type.new(2, [type.new(3, [])])
    assert_document('{"id":1,"friends":[{"id":2,"friends":[{"id":3,"friends":[]}]}]}') do |**out|
      fred.json!(**out)
    end
    fred.friends.replace([fred])
    assert_failure(ToJson::NestingError) { |**out| fred.json!(**out) }
  end

  test "a serializer called within another's getter writes a document of its own" do
    inner = Class.new(ToJson::Serializer) { def serialize(x) = put(:x, x) }
    getter = Struct.new(:id) do
      define_method(:nested) { inner.json!(id) }; define_method(:in_place) { inner.new(id) }
    end
    outer = Class.new(ToJson::Serializer) do
      def serialize(object)
        4.times { |n| put(:"r#{n}") { put_fields object, :id, :nested, :in_place } }
      end
    end
    row = '{"id":7,"nested":"{\"x\":7}","in_place":{"x":7}}'
    assert_serializer "{#{(0..3).map { |n| %("r#{n}":#{row}) }.join(",")}}", outer, getter.new(7)
  end

  test "the same class called within its own getter" do
    type = Class.new(ToJson::Serializer) { def serialize(object) = put_fields(object, :n, :inner) }
    object = Struct.new(:n) do
      define_method(:inner) do
        n.zero? ? nil : ToJson::Fragment.new(type.json!(self.class.new(n - 1)))
      end
    end
    assert_serializer '{"n":2,"inner":{"n":1,"inner":{"n":0,"inner":null}}}', type, object.new(2)
  end

  test "json! of a busy instance works on a dup" do
    type = Class.new(ToJson::Serializer) do
      def serialize(n)
        put :n, n
        put :inner, json!(n - 1) if n.positive?
        put :after, n
      end
    end
    assert_serializer '{"n":1,"inner":"{\"n\":0,\"after\":0}","after":1}', type, 1
  end

  test "json! of a busy serializer does not disturb the one at work when it raises" do
    type = Class.new(ToJson::Serializer) do
      def serialize(n)
        raise IndexError if n.zero?

        put :n, n
        assert_index_error { json!(0) }
        put :after, n
      end

      def assert_index_error
        yield
        put :never, 1
      rescue IndexError
        put :rescued, true
      end
    end
    assert_serializer '{"n":1,"rescued":true,"after":1}', type, 1
  end

  test "into: of a serializer in place is an ArgumentError" do
    assert_failure(ArgumentError,
                   message: "into: works only for a whole document, not for") do |**out|
      ToJson.generate([Comment.new("a", into: +"")], **out)
    end
  end

  Seen = Class.new(ToJson::Serializer) do
    def serialize(inner = nil) = (put :context, context; put :inner, inner if inner)
  end

  test "context is {} where none is given, and frozen" do
    seen = nil
    Class.new(ToJson::Serializer) { define_method(:serialize) { seen = context } }.json!
    assert_equal({}, seen)
    assert_predicate seen, :frozen?
  end

  test "a serializer in place has the context of the one around it" do
    assert_document('{"context":5,"inner":{"context":5,"inner":{"context":5}}}') do |**out|
      Seen.json!(Seen.new(Seen.new), context: 5, **out)
    end
    assert_document('{"context":5,"inner":[{"context":5},{"context":5}]}') do |**out|
      Seen.json!([Seen.new, Seen.new], context: 5, **out)
    end
  end

  test "a serializer in place with a context of its own passes that one on" do
    assert_document('{"context":1,"inner":[{"context":2,"inner":{"context":2}},{"context":' \
                    "1}]}") do |**out|
      Seen.json!([Seen.new(Seen.new, context: 2), Seen.new], context: 1, **out)
    end
  end

  test "a context of nil or false is passed on too" do
    assert_document('{"context":1,"inner":{"context":null,"inner":{"context":null}}}') do |**out|
      Seen.json!(Seen.new(Seen.new, context: nil), context: 1, **out)
    end
    assert_document('{"context":false,"inner":{"context":false}}') do |**out|
      Seen.json!(Seen.new, context: false, **out)
    end
  end

  test "a document that begins inside another inherits no context" do
    outer = Class.new(ToJson::Serializer) { def serialize = put(:inner, Seen.json!) }
    assert_equal '{"inner":"{\"context\":{}}"}', outer.json!(context: 5)
  end

  test "context: of ToJson.json and of the block form reaches serializers in place" do
    assert_document('{"s":{"context":5}}') do |**out|
      ToJson.json(context: 5, **out) { |j| j.put :s, Seen.new }
    end
    assert_document('{"s":{"context":5}}') do |**out|
      ToJson::Serializer.json!(context: 5, **out) { put :s, Seen.new }
    end
  end

  test "context and scope of an instance that is not at work are what new was given" do
    instance = Comment.new("a", context: 5)
    assert_equal ["a", 5], [instance.scope, instance.context]
    assert_equal [nil, {}], [Comment.new.scope, Comment.new.context]
  end

  test "an exception in a serializer in place lets go of all instances" do
    failing = Class.new(ToJson::Serializer) { def serialize(x) = x == 1 ? raise("no") : put(:x, x) }
    inner, outer = failing.new(1), Bare.new([failing.new(2)])
    assert_raises(RuntimeError) { ToJson.generate([outer, inner]) }
    assert_raises(ToJson::GrammarError) { inner.put :x, 1 }
    assert_raises(ToJson::GrammarError) { outer.put :x, 1 }
    assert_equal '[{"x":2}]', outer.json!
  end

  # The document kept an instance and a context for each record, and searched all of them each time.
  test "a feed of serializers with contexts of their own keeps the instances of one context" do
    kid = Class.new(ToJson::Serializer) do
      attribute(:seen) { [context[:a], (@calls = @calls.to_i + 1)] }
    end
    row = Class.new(ToJson::Serializer) { has_one :kid, serializer: kid }
    object, shared, most = { kid: 1 }, { a: :shared }, 0
    feed = Enumerator.new do |yielder|
      200.times do |index|
        yielder << row.new(object, context: { a: index })
        next unless index % 20 == 19

        GC.start
        most = [most, ObjectSpace.each_object(kid).count].max
      end
      3.times { yielder << row.new(object, context: shared) }
    end
    lines = ToJson.ndjson(feed).lines
    assert_operator most, :<, 20
    assert_equal (0...200).map { |index| "{\"kid\":{\"seen\":[#{index},1]}}\n" }, lines.first(200)
    assert_equal (1..3).map { |call| "{\"kid\":{\"seen\":[\"shared\",#{call}]}}\n" }, lines.last(3)
  end

  test "rules of a serializer in place are those of the document" do
    at = Class.new(ToJson::Serializer) do
      rules(time: :unix); def serialize = put(:at, Time.at(7).utc)
    end
    assert_equal '{"at":7}', at.json!
    assert_equal '[{"at":"1970-01-01T00:00:07.000Z"}]', ToJson.generate([at.new])
  end
end
