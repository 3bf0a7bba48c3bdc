# frozen_string_literal: true

require "bigdecimal"
require "date"
require "minitest/mock"
require "set"
require_relative "../support/ractor_value"
require_relative "json_api_case"

# Ids, collections, classes and Ractors that are unusual.
class JsonApiEdgesTest < JsonApiCase
  Node = Struct.new(:id, :parent, :children)

  # An id that is neither a String nor an Integer.
  Code = Struct.new(:text) do
    def to_s = text
  end

  class NodeSerializer < ToJson::Serializer
    has_one :parent, serializer: "NodeSerializer"
    has_many :children, serializer: "NodeSerializer"
  end

  class LinkedSerializer < ToJson::Serializer
    type :nodes
    has_many :children, serializer: "NodeSerializer", linkage: true
  end

  def setup
    @serializer = NodeSerializer
  end

  test "an id that is no UTF-8 is an EncodingError with its path, also if it is included" do
    error = assert_raises(ToJson::EncodingError) do
      NodeSerializer.json_api!(Node.new(1, nil, [Node.new("\xFF")]), include: "children")
    end
    assert_match(/\A\$\.data\.relationships\.children\.data\[0\]\.id: /, error.message)
  end

  test "include: and fields: that another thread changes are kept as they were read" do
    post = { id: 1, title: "t", body: "b", author: { id: 2, name: "n" }, comments: [] }
    write = lambda do |made, include, fields|
      made::PostSerializer.json_api!(post, include: include, fields: fields)
    end
    due = write[blog, ["author"], { "posts" => ["title"] }]
    made, include, fields = blog, [+"author"], { "posts" => [+"title"] }
    of = ToJson::JsonApi::Resource.method(:of)
    changing = lambda do |*arguments, **options|
      include[0].replace("comments")
      fields["posts"][0].replace("body")
      of.call(*arguments, **options)
    end
    ToJson::JsonApi::Resource.stub(:of, changing) { write[made, include, fields] }
    assert_equal [["comments"], { "posts" => ["body"] }], [include, fields]
    2.times { assert_equal due, write[made, ["author"], { "posts" => ["title"] }] }
  end

  test "a Hash that has a type twice gives both lists" do
    twice = {}.compare_by_identity
    twice[+"posts"], twice[+"posts"] = "title", "body"
    post = { id: 1, title: "t", body: "b", author: nil, comments: [] }
    2.times do
      document = blog::PostSerializer.json_api!(post, fields: twice)
      assert_includes document, '"attributes":{"title":"t","body":"b"}'
    end
  end

  # 19 paths in 900 bytes took minutes for 300 objects, and the class kept what they led to.
  test "what a client includes has a limit, and what a Choice keeps of it too" do
    names = %w[parent children]
    paths = names.product(*([names] * 5)).map { |path| path.join(".") }
    error = assert_raises(ToJson::JsonApi::ParameterError) do
      NodeSerializer.json_api!(nil, include: paths)
    end
    assert_equal "include: the paths lead through more than 100 relationships.", error.message
    random = Random.new(1)
    nodes = Array.new(100) { |id| Node.new(id) }
    nodes.each do |node|
      node.parent, *node.children = nodes.sample(4, random: random)
    end
    include = paths.sample(24, random: random).map { |path| path[0, path.rindex(".")] }.join(",")
    document = NodeSerializer.json_api!(nodes.first(9), include: include)
    assert ToJson::JsonApi.valid?(document)
    choice = NodeSerializer.instance_variable_get(:@to_json_choices)[2].values.last
    assert_equal [100], choice.instance_variable_get(:@forms).each_value.map(&:size)
  end

  # Identifiers of a BigDecimal were "0.5e1", and its resource "5.0".
  test "an identifier names its resource, whatever the id is" do
    [BigDecimal("5"), BigDecimal("0.1"), 1e20, 2.5, 3r, :a, "é".encode("UTF-16LE"), "é".b, [1, 2],
     true, Date.new(2026, 11, 27), Code.new("c")].each do |id|
      child = Node.new(id, nil, [])
      document = parsed(Node.new(1, child, [child]), include: "parent,children")
      related = document["data"]["relationships"]
      assert_equal [related["parent"]["data"]], related["children"]["data"]
      assert_equal identities(related["children"]["data"]), identities(document["included"])
    end
  end

  test "an id is one in all encodings" do
    children = ["é", "é".b, "é".encode("UTF-16BE"), "é".encode("ISO-8859-1"), "7",
                "7".encode("UTF-16LE")].map { |id| Node.new(id, nil, []) }
    assert_equal %w[nodes:é nodes:7],
                 identities(parsed(Node.new(1, nil, children), include: "children")["included"])
  end

  KID = ->(value) { value == 0 ? nil : value * 2 }

  # The options of an id, an id, and the id in the document.
  IDS = [[{ as: KID }, 4, "8"], [{ as: KID }, nil, nil], [{ as: KID }, 0, nil],
         [{ as: KID, default: 7 }, nil, "14"], [{ default: 7 }, nil, "7"],
         [{ default: false }, nil, "false"], [{ default: ->(_) { 7 } }, nil, "7"],
         [{ as: :integer }, "4", "4"], [{ default: nil }, nil, nil]].freeze

  # The result of `as:` was written as it is. A nil was named "#<Object:0x…>", or had no default.
  test "identifiers know the as: and the default: of an id, which is text" do
    IDS.each do |options, id, expected|
      kid = Class.new(ToJson::Serializer) do
        type :kids
        attribute(:id, **options)
      end
      node = Class.new(ToJson::Serializer) do
        type :nodes
        has_one :parent, serializer: kid
        has_many :children, serializer: kid
      end
      child = Node.new(id)
      assert_equal({ "type" => "kids", "id" => expected }.compact,
                   JSON.parse(kid.json_api!(child))["data"])
      { parent: Node.new(1, child), children: Node.new(1, nil, [child]) }.each do |name, given|
        text = -> { node.json_api!(given, include: name) }
        next assert_raises(ToJson::UnsupportedTypeError, &text) unless expected

        document = judged(text.call)
        assert_equal ["kids:#{expected}"], identities(document["included"])
        assert_equal ["kids:#{expected}"],
                     identities([document["data"]["relationships"][name.to_s]["data"]].flatten)
      end
    end
  end

  # The expression of the default changed the Array of values: the next relationship was stored in
  # the related object.
  test "relationships with a default beside others" do
    serializer = Class.new(ToJson::Serializer) do
      type :pairs
      has_one :parent, serializer: NodeSerializer, default: ->(_) { Node.new(9) }
      has_many :children, serializer: NodeSerializer, default: [].freeze
    end
    { Node.new(6, 0, 1).freeze => "6", { id: 6 }.freeze => "6", nil => "9" }.each do |one, id|
      text = serializer.json_api!(Node.new(1, one, [Node.new(5)]), include: "parent,children")
      related = judged(text)["data"]["relationships"]
      assert_equal [{ "data" => { "type" => "nodes", "id" => id } },
                    { "data" => [{ "type" => "nodes", "id" => "5" }] }], related.values
    end
  end

  test "ids of one text are one, whatever they are" do
    children = [Node.new(Code.new("a-b")), Node.new("a-b"), Node.new("5"), Node.new("05")]
    document = JSON.parse(NodeSerializer.json_api!(Node.new(5, nil, children),
                                                   include: "children"))
    assert_equal %w[nodes:a-b nodes:05], identities(document["included"])
    assert_equal %w[nodes:a-b nodes:a-b nodes:5 nodes:05],
                 identities(document.dig("data", "relationships", "children", "data"))
  end

  # Those of 19 digits and more were two resources.
  test "an Integer and its text are one id, of up to 128 bits" do
    [17, 18, 19, 38].flat_map { |digits| [10**digits - 1, 10**digits, -10**digits] }.each do |id|
      children = [Node.new(id, nil, []), Node.new(id.to_s, nil, [])]
      assert_equal ["nodes:#{id}"],
                   identities(parsed(Node.new(1, nil, children), include: "children")["included"])
    end
  end

  test "a to-many may be any collection" do
    children = [Node.new(2, nil, []), nil, Node.new(3, nil, [])]
    expected = NodeSerializer.json_api!(Node.new(1, nil, children), include: "children")
    only_to_ary = Object.new.tap { |one| one.define_singleton_method(:to_ary) { children } }
    [children.each, children.lazy, Set.new(children), only_to_ary].each do |given|
      assert_equal expected, NodeSerializer.json_api!(Node.new(1, nil, given), include: "children")
    end
    linked = LinkedSerializer.json_api!(Node.new(1, nil, children))
    [children.each, children.lazy].each do |given|
      assert_equal linked, LinkedSerializer.json_api!(Node.new(1, nil, given))
    end
  end

  # They became an Array, until memory ended.
  test "an endless Range of related objects is refused at its place" do
    [(1..), (1..Float::INFINITY)].each do |range|
      error = assert_raises(ToJson::UnsupportedTypeError) do
        NodeSerializer.json_api!(Node.new(1, nil, range), include: "children")
      end
      assert_match(/\A\$\.data\.relationships\.children\.data: an endless Range/, error.message)
    end
  end

  test "ids of any class are written as their text" do
    ids = [5, 2**70, "a\"é", :b, 1.5, Code.new("c"), { d: 1 }, [1], true]
    expected = ids.map { |id| id.to_s }
    [[LinkedSerializer, nil], [NodeSerializer, "children"]].each do |serializer, include|
      one = Node.new(1, nil, ids.map { |id| Node.new(id, nil, []) })
      document = JSON.parse(serializer.json_api!(one, include: include))
      data = document.dig("data", "relationships", "children", "data")
      assert_equal(expected, data.map { |identifier| identifier["id"] })
      assert_equal ["nodes"], data.map { |identifier| identifier["type"] }.uniq
      assert_equal(expected, document["included"].map { |resource| resource["id"] }) if include
    end
  end

  test "a list that changes while its ids are read is written as it was" do
    children = Array.new(3) { |at| Node.new(at + 2, nil, []) }
    children[0].define_singleton_method(:id) do
      children.clear
      2
    end
    document = JSON.parse(NodeSerializer.json_api!(Node.new(1, nil, children),
                                                   include: "children"))
    assert_equal %w[nodes:2 nodes:3 nodes:4], identities(document["included"])
  end

  test "primary data that is met again further inside shows what it leads to" do
    leaf = Node.new(3, nil, [])
    second = Node.new(2, leaf, [])
    first = Node.new(1, nil, [second])
    second.children << first
    text = NodeSerializer.json_api!([first, second], include: "children.parent,children.children")
    assert_empty ToJson::JsonApi.validate(text).map(&:to_s)
    assert_equal %w[nodes:3], identities(JSON.parse(text)["included"])
  end

  test "lines have the linkage that is asked for" do
    assert_equal "{\"type\":\"nodes\",\"id\":\"1\",\"relationships\":{\"children\":{\"data\":[" \
                 "{\"type\":\"nodes\",\"id\":\"2\"}]}}}\n",
                 LinkedSerializer.json_api_ndjson([Node.new(1, nil, [Node.new(2)])].each)
    assert_equal "null\n", LinkedSerializer.json_api_ndjson([nil])
    lines = LinkedSerializer.json_api_ndjson([Node.new(1, nil, 5)], on_error: :skip)
    assert_equal "", lines
  end

  test "on_error: of lines receives the program's object" do
    broken, heard = Node.new(1, nil, 5), []
    lines = LinkedSerializer.json_api_ndjson([nil, broken],
                                             on_error: lambda do |error, node, index|
                                               heard << [error.class, node, index]
                                               { failed: node.id }
                                             end)
    assert_equal "null\n{\"failed\":1}\n", lines
    assert_equal [[broken, 1]], heard.map { |one| one.drop(1) }
  end

  test "a nil among the objects is null, as in plain documents" do
    assert_equal '{"data":[null]}', NodeSerializer.json_api!([nil])
    assert_equal '{"data":[null],"included":[]}', NodeSerializer.json_api!([nil], include: "parent")
  end

  test "include and fields in other encodings, and as nil" do
    one = Node.new(1, nil, [])
    expected = NodeSerializer.json_api!(one, include: "parent", fields: { nodes: "parent" })
    ["parent".b, "parent".encode("UTF-16LE")].each do |name|
      assert_equal expected,
                   NodeSerializer.json_api!(one, include: name, fields: { nodes: name })
    end
    assert_equal expected,
                 NodeSerializer.json_api!(one, include: :parent, fields: { nodes: :parent })
    assert_equal '{"data":{"type":"nodes","id":"1"}}',
                 NodeSerializer.json_api!(one, fields: { nodes: nil })
    error = assert_raises(ToJson::JsonApi::ParameterError) do
      NodeSerializer.json_api!(one, include: "\xD8\x00".dup.force_encoding("UTF-16BE"))
    end
    assert_equal "include", error.parameter
  end

  test "what contains itself is refused, whatever it is given for" do
    list, names = [], ["children"]
    list << list
    names << names
    hash = {}
    hash["children"] = hash
    inside = { "children" => [] }
    inside["children"] << inside
    { { include: list } => "include: the Array contains itself.",
      { include: names } => "include: the Array contains itself.",
      { include: { children: list } } => "include: the Array contains itself.",
      { include: hash } => "include: a path leads through more than 10 relationships.",
      { include: inside } => "include: a path leads through more than 10 relationships.",
      { fields: { nodes: names } } => "fields: nodes: the Array contains itself.",
      { fields: hash } => "fields: the fields of children are a String, or an Array of names; " \
                          "got Hash" }.each do |options, message|
      error = assert_raises(ArgumentError, ToJson::JsonApi::ParameterError) do
        NodeSerializer.json_api!(nil, **options)
      end
      assert_equal message, error.message
    end
    assert_equal '{"data":null,"included":[]}',
                 NodeSerializer.json_api!(nil, include: [[[["children"]]]])
  end

  test "an error repeats only the beginning of a long text of a client" do
    long = "x" * 10_000
    [{ "fields" => { long => "a" } }, { "fields" => { long => { "a" => "b" } } }, { long => "a" },
     { "fields" => { long => "\xFF" } }, { "page" => { long => "1" } }, { "include" => long },
     { "fields" => { "nodes" => long } }, { "sort" => long }, { "filter" => { long => "1" } },
     { "page" => { "number" => long } }].each do |params|
      error = assert_raises(ToJson::JsonApi::ParameterError) do
        ToJson::JsonApi::Query.new(params, serializer: NodeSerializer, filter: [])
      end
      assert_operator ToJson::JsonApi.errors!(error).size, :<, 500
      assert ToJson::JsonApi.valid?(ToJson::JsonApi.errors!(error))
    end
    negotiation = ToJson::JsonApi::Negotiation.new
    ["#{long}=1", "ext=#{long}", "ext=\"#{long}\""].each do |parameter|
      type = "application/vnd.api+json; #{parameter}"
      [{ content_type: type }, { accept: type }].each do |header|
        found = ToJson::JsonApi.errors!(negotiation.error(**header))
        assert_operator found.size, :<, 500
      end
    end
  end

  test "a choice that is long or not plain is read anew, and writes the same" do
    one = Node.new(1, nil, [])
    expected = NodeSerializer.json_api!(one, include: "parent")
    long = (["parent"] * 200).join(",")
    text = Class.new(String).new("parent")
    [long, text, [text], ["parent"] * 200].each do |given|
      assert_equal expected, NodeSerializer.json_api!(one, include: given)
    end
  end

  test "a frozen class writes, and keeps nothing" do
    frozen = Class.new(NodeSerializer) { type :nodes }.freeze
    one = Node.new(1, Node.new(2, nil, []), [])
    expected = NodeSerializer.json_api!(one, include: "parent")
    2.times { assert_equal expected, frozen.json_api!(one, include: "parent") }
    2.times { assert_equal '{"_embedded":{"children":[]}}', frozen.hal!(Node.new(1, nil, [])) }
  end

  test "another Ractor is told that it works in the main one only" do
    verbose, $VERBOSE = $VERBOSE, nil
    ToJson::JsonApi::Query.name # is loaded, which only the main Ractor can do before Ruby 3.2
    found = Ractor.new(NodeSerializer) do |serializer|
      calls = %i[json_api! json_api_stream json_api_ndjson hal!].map do |word|
        -> { serializer.public_send(word, nil) }
      end
      calls.insert(3, -> { ToJson::JsonApi::Query.new("include=a", serializer: serializer) })
      calls.map do |call|
        call.call
      rescue ToJson::Error => error
        error.message
      end
    end
    words = found.value
    assert_equal [*["JSON:API"] * 4, "HAL"].map { |what|
      "JsonApiEdgesTest::NodeSerializer: #{what} works only in the main Ractor."
    }, words
  ensure
    $VERBOSE = verbose
  end

  # It was an object of this library.
  test "scope is what the call was given, in JSON:API and in HAL" do
    klass = Class.new(ToJson::Serializer) do
      type :things
      id(&:itself)
      attribute(:seen) { scope }
    end
    one, many = '"seen":5', '"seen":[5,6]'
    { json!: one, json_api!: one, hal!: one }.each do |call, due|
      assert_includes klass.public_send(call, 5), due
    end
    %i[json! json_api! hal!].each { |call| assert_includes klass.public_send(call, [5, 6]), many }
    assert_equal [5, 6], klass.json_api_ndjson([5, 6]).scan(/"seen":(\d)/).flatten.map(&:to_i)
    assert_includes klass.json_api_stream(5).each.to_a.join, one
    assert_includes klass.new(5).json_api!, one
  end
end
