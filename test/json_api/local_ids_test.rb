# frozen_string_literal: true

require_relative "json_api_case"

# Resources without an id: what links them, and what is refused.
class JsonApiLocalIdsTest < JsonApiCase
  Node = Struct.new(:id, :token, :parent, :children)

  class PlainSerializer < ToJson::Serializer
    type :nodes
    has_one :parent, serializer: PlainSerializer
    has_many :children, serializer: PlainSerializer
  end

  class LocalSerializer < ToJson::Serializer
    type :nodes
    lid :token
    has_one :parent, serializer: LocalSerializer
    has_many :children, serializer: LocalSerializer, linkage: true
  end

  # The serializers of its associations are found by their values.
  class FoundSerializer < ToJson::Serializer
    type :tops
    has_many :children, serializer: ->(_) { LocalSerializer }, linkage: true
  end

  NAMED = "JsonApiLocalIdsTest::Node has no id, so no resource identifier can name it. Save it " \
          "first, or declare lid in JsonApiLocalIdsTest::PlainSerializer."

  test "primary data needs no id" do
    assert_equal '{"data":{"type":"nodes"}}', PlainSerializer.json_api!(Node.new)
    text = PlainSerializer.json_api!([Node.new, Node.new], include: "parent")
    assert_equal 2, JSON.parse(text)["data"].size
  end

  test "no identifier is written without an id: the error says what to do" do
    new = Node.new(nil, nil, Node.new(2))
    { Node.new(1, nil, new) => ["$.data.relationships.parent.data", "parent"],
      Node.new(1, nil, nil, [Node.new(2), new]) =>
        ["$.data.relationships.children.data[1]", "children"],
      Node.new(1, nil, Node.new(2, nil, new)) =>
        ["$.included[0].relationships.parent.data", "parent.parent"] }
      .each do |one, (place, include)|
        error = assert_raises(ToJson::UnsupportedTypeError) do
          PlainSerializer.json_api!(one, include: include)
        end
        assert_equal "#{place}: #{NAMED}", error.message
      end
    linked = Class.new(PlainSerializer) do
      type :nodes
      has_many :children, serializer: PlainSerializer, linkage: true
    end
    error = assert_raises(ToJson::UnsupportedTypeError) do
      linked.json_api!(Node.new(1, nil, nil, [new]))
    end
    assert_equal "$.data.relationships.children.data[0]: #{NAMED}", error.message
  end

  test "the local id stands for the id, in each representation" do
    new = Node.new(nil, "a", nil, [])
    new.parent = new
    root = Node.new(1, "b", nil, [new, Node.new(2, "c", new, []), new])
    document = JSON.parse(LocalSerializer.json_api!(root, include: "children.parent"))
    local = { "type" => "nodes", "lid" => "a" }
    both = { "type" => "nodes", "id" => "2" }
    assert_equal [local, both, local], document.dig("data", "relationships", "children", "data")
    first, second = document["included"]
    assert_equal 2, document["included"].size
    assert_equal local, first.slice("type", "id", "lid")
    assert_equal local, first.dig("relationships", "parent", "data")
    assert_equal({ "type" => "nodes", "id" => "2", "lid" => "c" },
                 second.slice("type", "id", "lid"))
  end

  test "the local id stands for the id where only values tell the serializer" do
    root = Node.new(1, nil, nil, [Node.new(nil, :a, nil, []), Node.new(3, "c", nil, [])])
    data = [{ "type" => "nodes", "lid" => "a" }, { "type" => "nodes", "id" => "3" }]
    ["children", nil].each do |include|
      document = JSON.parse(FoundSerializer.json_api!(root, include: include))
      assert_equal data, document.dig("data", "relationships", "children", "data")
    end
  end

  test "primary data that has a local id is not included" do
    one = Node.new(nil, "a", nil, [])
    one.parent = Node.new(nil, "a", nil, [])
    document = JSON.parse(LocalSerializer.json_api!(one, include: "parent"))
    assert_equal [], document["included"]
    assert_equal({ "type" => "nodes", "lid" => "a" },
                 document.dig("data", "relationships", "parent", "data"))
    both = LocalSerializer.json_api!([one, one], include: "parent")
    assert_equal 1, JSON.parse(both)["data"].size
  end

  test "an id and a local id of one text are two resources" do
    kids = [Node.new("a", nil, nil, []), Node.new(nil, "a", nil, [])]
    document = JSON.parse(LocalSerializer.json_api!(Node.new(1, nil, nil, kids),
                                                    include: "children"))
    assert_equal [{ "id" => "a" }, { "lid" => "a" }],
                 (document["included"].map { |resource| resource.slice("id", "lid") })
  end

  test "a lid that is declared later counts" do
    inner = self.class.const_set(:LateSerializer, Class.new(ToJson::Serializer) { type :late })
    outer = Class.new(ToJson::Serializer) do
      type :tops
      has_one :parent, serializer: inner, linkage: true
    end
    one = Node.new(1, nil, Node.new(nil, "a"))
    assert_raises(ToJson::UnsupportedTypeError) { outer.json_api!(one) }
    inner.lid :token
    assert_equal({ "type" => "late", "lid" => "a" },
                 JSON.parse(outer.json_api!(one)).dig("data", "relationships", "parent", "data"))
  ensure
    self.class.send(:remove_const, :LateSerializer)
  end
end
