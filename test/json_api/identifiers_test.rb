# frozen_string_literal: true

require_relative "json_api_case"

# Identifiers of one type, which stand in the native call of their resource, and the resources that
# a to-many leads to.
class JsonApiIdentifiersTest < JsonApiCase
  Node = Struct.new(:id, :kids, :boss)

  class NodeSerializer < ToJson::Serializer
    type :nodes
    has_many :kids, serializer: NodeSerializer
    has_one :boss, serializer: NodeSerializer
  end

  def linked(*ids)
    Node.new(1, ids.map { |id| Node.new(id, [], nil) }, ids.empty? ? nil : Node.new(ids.last))
  end

  def document(node, **options)
    NodeSerializer.json_api!(node, include: "kids,boss", **options)
  end

  def identifiers(node, **options)
    related = JSON.parse(document(node, **options)).dig("data", "relationships")
    [related.dig("kids", "data"), related.dig("boss", "data")]
  end

  IDS = {
    "numbers" => [2, 0, -7, 10**18, 2**70],
    "text" => ["a", "é", "q\"\\", "</script>", "\u2028", "0x", ""],
    "long text" => ["a" * 100, "<" * 300, "b" * 70_000],
    "both" => [2, "two", "3", "a" * 50]
  }.freeze
  RULES = {
    "compact" => {}, "html_safe" => { html_safe: true }, "indented" => { indent: "  " },
    "canonical" => { rfc8785: true, dialect: :json }, "ascii" => { ascii_only: true }
  }.freeze

  IDS.each do |kind, ids|
    RULES.each do |name, rules|
      test "identifiers of #{kind} by #{name} rules" do
        expected = ids.map { |id| { "type" => "nodes", "id" => id.to_s } }
        found = identifiers(linked(*ids), rules: ToJson::Rules.new(**rules))
        assert_equal [expected, expected.last], found
      end
    end
  end

  Owner = Struct.new(:id, :uuid, :pet, :pets)
  Pet = Struct.new(:id)
  CHOICES = { "a Hash" => { Pet => NodeSerializer }, "a lambda" => ->(_) { NodeSerializer } }.freeze

  CHOICES.each do |kind, choice|
    test "methods of the serializer give its own id, not those of its relationships: #{kind}" do
      owners = Class.new(ToJson::Serializer) do
        type :owners
        attributes :id
        has_one :pet, serializer: choice, linkage: true
        has_many :pets, serializer: choice, linkage: true
        def id(owner) = owner.uuid
        %i[type lid data].each { |name| define_method(name) { |_| raise "called" } }
      end
      data = JSON.parse(owners.json_api!(Owner.new(1, "u1", Pet.new(2), [Pet.new(3)])))["data"]
      assert_equal "u1", data["id"]
      assert_equal({ "pet" => { "data" => { "type" => "nodes", "id" => "2" } },
                     "pets" => { "data" => [{ "type" => "nodes", "id" => "3" }] } },
                   data["relationships"])
    end
  end

  test "identifiers in bytes, none of them too" do
    assert_equal '{"data":{"type":"nodes","id":"1","relationships":{"kids":{"data":' \
                 '[{"type":"nodes","id":"2"},{"type":"nodes","id":"b"}]},"boss":{"data":' \
                 '{"type":"nodes","id":"b"}}}}}',
                 NodeSerializer.json_api!(linked(2, "b"), include: "kids,boss")
                               .sub(/,"included".*\]/, "")
    assert_equal '{"data":{"type":"nodes","id":"1","relationships":{"kids":{"data":[]},' \
                 '"boss":{"data":null}}},"included":[]}', document(linked)
  end

  test "identifiers that fill many buffers, to a String, to an IO, under flush:" do
    node = linked(*2..5_000, *Array.new(200) { |i| "#{i}#{"x" * 500}" })
    whole = document(node)
    assert_equal [*2..5_000].map(&:to_s),
                 identifiers(node).first.first(4_999).map { |one| one["id"] }
    [{ chunk: 4_096 }, { flush: 5 }, { flush: 0.000001 }].each do |delivery|
      io = StringIO.new
      document(node, into: io, **delivery)
      assert_equal whole, io.string
    end
  end

  test "an id that is no text has its place" do
    error = assert_raises(ToJson::Error) { document(linked(2, "a", "\xff")) }
    assert_match(/\A\$\.data\.relationships\.kids\.data\[2\]\.id: /, error.message)
    node = Node.new(1, [], Node.new("\xff"))
    error = assert_raises(ToJson::Error) { document(node) }
    assert_match(/\A\$\.data\.relationships\.boss\.data\.id: /, error.message)
  end

  test "depth counts the array and the object of identifiers" do
    document(linked(2), max_depth: 6)
    assert_raises(ToJson::NestingError) { document(linked(2), max_depth: 5) }
    one = Node.new(1, [], Node.new(2, []))
    document(one, max_depth: 5)
    assert_raises(ToJson::NestingError) { document(one, max_depth: 4) }
  end

  test "nil among many is no identifier, and each getter is called once" do
    calls = 10
    kid = Class.new do
      define_method(:id) { (calls += 1).to_s }
      define_method(:kids) { [] }
      define_method(:boss) { nil }
    end
    node = Node.new(1, [nil, kid.new, nil, kid.new], nil)
    NodeSerializer.json_api!(node, fields: { nodes: "kids" }, include: "kids")
    assert_equal 14, calls # of the identifiers, and of the resources
    assert_equal [[{ "type" => "nodes", "id" => "15" }, { "type" => "nodes", "id" => "16" }], nil],
                 identifiers(node)
    assert_equal [], identifiers(Node.new(1, [nil], nil)).first
  end

  # Calls of Writer#item that one more resource takes.
  def calls(objects, **options)
    count = 0
    TracePoint.new(:c_call) do |point|
      count += 1 if point.method_id == :item && point.defined_class == ToJson::Writer
    end.enable { NodeSerializer.json_api!(objects, **options) }
    count
  end

  test "a resource with its relationships is one native call" do
    one, two = linked(2, 3), linked(2, 3)
    two.id = 9
    before = calls([one], include: "kids,boss")
    assert_equal 1, calls([one, two], include: "kids,boss") - before
  end

  PATHS = %w[kids boss kids.kids kids.boss boss.kids kids.kids.boss boss.boss.kids kids.boss.kids
             boss.kids.kids].freeze

  # With conflicts each resource is kept by itself.
  test "resources that were met together, and some of them again elsewhere, are complete" do
    random = Random.new(25)
    300.times do |round|
      nodes = Array.new(random.rand(1..9)) { |id| Node.new(id) }
      nodes.each do |node|
        node.kids = Array.new(random.rand(4)) { nodes.sample(random: random) }
        node.boss = nodes.sample(random: random) if random.rand(3) > 0
      end
      given = nodes.sample(random.rand(1..3), random: random)
      include = PATHS.sample(random.rand(1..4), random: random)
      together = NodeSerializer.json_api!(given, include: include)
      apart = with_conflicts { NodeSerializer.json_api!(given, include: include) }
      assert_equal apart, together, "round #{round}: #{include}"
      flushed = NodeSerializer.json_api!(given, include: include, into: +"", flush: 0.000001)
      assert_equal apart, flushed
    end
  end

  def with_conflicts
    before = ToJson::JsonApi.conflicts
    ToJson::JsonApi.conflicts = :raise
    yield
  ensure
    ToJson::JsonApi.conflicts = before
  end
end
