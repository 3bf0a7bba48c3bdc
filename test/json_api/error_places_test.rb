# frozen_string_literal: true

require_relative "json_api_case"

# Where in the document an error was raised, and what it says of the value.
class JsonApiErrorPlacesTest < JsonApiCase
  Node = Struct.new(:id, :name, :kids, :boss, :token)

  class NodeSerializer < ToJson::Serializer
    attributes :name
    has_many :kids, serializer: NodeSerializer
    has_one :boss, serializer: "NodeSerializer"
  end

  class LinkedSerializer < ToJson::Serializer
    transform_keys :dash
    has_many :the_kids, source: :kids, serializer: NodeSerializer, linkage: true
    has_one :boss, serializer: ->(_) { NodeSerializer }, linkage: true
    association :crew, source: :kids, serializer: { Node => NodeSerializer }, linkage: true
  end

  # Its resources are found by their values.
  class FoundSerializer < ToJson::Serializer
    has_one :boss
  end

  # One of whose getters raises.
  class Broken
    Node.members.each do |name|
      define_method(name) { name == @getter ? raise("no #{name}") : (9 if name == :id) }
    end

    def initialize(getter) = @getter = getter
  end

  def error(serializer, objects, **options)
    assert_raises(StandardError) { serializer.json_api!(objects, **options) }
  end

  def place(...) = ToJson.location(error(...))

  DUE = "where a collection is due. Give an Array, a relation or another Enumerable, or declare " \
        "has_one."

  { 5 => "Integer", "text" => "String", { a: 1 } => "Hash", Node.new(1) => Node.name,
    1.5 => "Float" }.each do |value, type|
    test "#{type} where a collection is due says so, as in plain documents" do
      one = Node.new(1, "a", value)
      include = error(NodeSerializer, one, include: "kids")
      assert_equal "$.data.relationships.kids.data: #{type} #{DUE}", include.message
      assert_instance_of ToJson::UnsupportedTypeError, include
      linked = error(LinkedSerializer, [one])
      assert_equal "$.data[0].relationships.the-kids.data: #{type} #{DUE}", linked.message
      assert_equal "$.kids: #{type} #{DUE}",
                   assert_raises(ToJson::Error) { NodeSerializer.json!(one) }.message
    end
  end

  # The frame of a method in C that begins a Fiber has no path, so a NoMethodError came instead.
  test "an error of a relationship is the same in a Fiber that an Enumerator begins" do
    kids = [Node.new(1, "a", [Node.new(nil, "b")])]
    due = error(NodeSerializer, kids, include: "kids")
    got = assert_raises(ToJson::UnsupportedTypeError) do
      NodeSerializer.json_api_stream(kids, include: "kids").each.next
    end
    assert_equal due.message, got.message
    assert_equal ToJson.location(due), ToJson.location(got)
  end

  # It raised a LocalJumpError, and plain documents did not.
  test "an Enumerable whose each needs a block is a collection" do
    type = Class.new do
      include Enumerable
      def each
        yield Node.new(2, "b")
        yield Node.new(3, "c")
      end
    end
    list, array = [type.new, type.new.to_a].map do |kids|
      NodeSerializer.json_api!(Node.new(1, "a", kids), include: "kids")
    end
    assert_equal array, list
    assert_equal NodeSerializer.json_api!(type.new.to_a), NodeSerializer.json_api!(type.new)
  end

  test "a BasicObject where a collection is due says so too" do
    one = Node.new(1, "a", Class.new(BasicObject).new)
    assert_match(/\A\$\.data\.relationships\.kids\.data: #<Class:.*> where a collection is due\./,
                 error(NodeSerializer, one, include: "kids").message)
  end

  test "a value that has no id is a NoMethodError with its place, which names the value" do
    [[NodeSerializer, "kids", [Node.new(2), nil, 5], "kids.data[1].id"],
     [NodeSerializer, "boss", 5, "boss.data.id"],
     [LinkedSerializer, "boss", 5, "boss.data.id"]].each do |serializer, name, value, below|
      one = Node.new(1, "a")
      one[name] = value
      found = error(serializer, one, include: name)
      assert_instance_of NoMethodError, found
      assert_match(/undefined method .id' for (5:Integer|an instance of Integer)/, found.message)
      assert_equal "$.data.relationships.#{below}", ToJson.location(found)
    end
  end

  test "a getter that raises has the place of its relationship" do
    assert_equal "$.data[1].relationships.kids.data",
                 place(NodeSerializer, [Node.new(1), Broken.new(:kids)], include: "kids")
    assert_equal "$.data.relationships.the-kids.data", place(LinkedSerializer, Broken.new(:kids))
    assert_equal "$.data.relationships.boss.data", place(LinkedSerializer, Broken.new(:boss))
    assert_equal "$.data.id", place(NodeSerializer, Broken.new(:id), include: "kids")
    assert_equal "$.data[0].relationships.kids.data[1].id",
                 place(NodeSerializer, [Node.new(1, "a", [Node.new(2), Broken.new(:id)])],
                       include: "kids")
    assert_equal "$.data.relationships.crew.data.id",
                 place(Class.new(LinkedSerializer) {
                         type :nodes
                         remove :the_kids
                         association :crew, source: :kids, serializer: NodeSerializer, linkage: true
                       }, Node.new(1, "a", Broken.new(:id)))
  end

  test "the declaration of that relationship is known" do
    found = error(NodeSerializer, Broken.new(:kids), include: "kids")
    assert_match(/places_test\.rb:11:in .kids'\z/, ToJson.declaration(found))
  end

  test "a resource that is to be included has the place where it will be" do
    kids = [Node.new(2, "b", []), Node.new(1, "a", []), Node.new(3, "c", 5), Broken.new(:boss)]
    one = Node.new(1, "a", kids)
    assert_equal "$.included[1].relationships.kids.data",
                 place(NodeSerializer, one, include: "kids.kids")
    kids[2].kids = [Node.new(4, "d", [Node.new(5, "e"), 6])]
    assert_equal "$.included[2].relationships.kids.data[1].id",
                 place(NodeSerializer, Node.new(1, "a", kids.first(3)),
                       include: "kids.kids.kids")
    kids[3] = Broken.new(:name)
    assert_equal "$.included[2].attributes.name", place(NodeSerializer, one, include: "kids")
  end

  test "no serializer for a value, and an each that raises, have the place" do
    assert_match(/\A\$\.data\.relationships\.boss\.data: no serializer for Integer/,
                 error(FoundSerializer, Node.new(1, "a", [], 5), include: "boss").message)
    kids = Enumerator.new { |all| all << Node.new(2) << raise("no more") }
    assert_equal "$.data.relationships.the-kids.data",
                 place(LinkedSerializer, Node.new(1, "a", kids))
  end

  test "in lines the place begins with the record" do
    lines = [Node.new(1), Node.new(2, "b", 5)].each
    found = assert_raises(ToJson::Error) { LinkedSerializer.json_api_ndjson(lines) }
    assert_equal "$[1].relationships.the-kids.data", found.path
  end

  test "an error of a document inside a getter keeps its own place" do
    one = Node.new(1, "a")
    def one.kids
      NodeSerializer.json_api!(JsonApiErrorPlacesTest::Node.new(2, "b", 7), include: "kids")
    end
    found = error(NodeSerializer, one, include: "boss,kids")
    assert_equal "$.data.relationships.kids.data: Integer #{DUE}", found.message
    one = Node.new(1, "a")
    def one.kids = NodeSerializer.json!(JsonApiErrorPlacesTest::Broken.new(:name))
    assert_equal "$.name", place(NodeSerializer, one, include: "kids")
  end

  test "a frozen exception leaves as it is" do
    one = Node.new(1, "a")
    frozen = RuntimeError.new("frozen").freeze
    one.define_singleton_method(:kids) { raise frozen }
    assert_same frozen, error(NodeSerializer, one, include: "kids")
  end
end
