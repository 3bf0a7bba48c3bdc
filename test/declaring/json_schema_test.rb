# frozen_string_literal: true

# S.json_schema. That each document of random serializers follows its schema, bin/fuzz definitions
# says.

require_relative "../test_helper"

class JsonSchemaTest < ToJsonTest
  NULL = { "type" => "null" }.freeze

  def schema_of(**keywords, &)
    Class.new(ToJson::Serializer, &).json_schema(**keywords)
  end

  # The schema of one attribute.
  def type_of(**options)
    schema_of { attribute :it, **options }.dig("properties", "it")
  end

  {
    {} => {},
    { as: :string } => { "type" => %w[string null] },
    { as: :integer } => { "type" => %w[integer null] },
    { as: :float } => { "type" => %w[number null] },
    { as: :boolean } => { "type" => %w[boolean null] },
    { as: :date } => { "type" => %w[string null], "format" => "date" },
    { as: :time } => { "type" => %w[string null], "format" => "date-time" },
    { as: :time, format: :unix } => { "type" => %w[integer null] },
    { as: :time, format: "%Y" } => { "type" => %w[string null] },
    { as: :fragment } => {},
    { as: ->(it) { it } } => {},
    { as: :integer, skip_nil: true } => { "type" => "integer" },
    { as: :integer, default: 0 } => { "anyOf" => [{ "type" => "integer" }, { "const" => 0 }] },
    { as: :integer, default: -> { 0 } } => {}
  }.each do |options, type|
    test "the schema of attribute :it, #{options} is #{type}" do
      assert_equal type, type_of(**options)
    end
  end

  test "keys are as they are written, required where nothing leaves them out" do
    schema = schema_of do
      transform_keys :camel_lower
      attributes :first_name, last_name: :family_name
      attribute :draft, if: :draft?
      attribute :note, skip_nil: true
      nested(:home_address) { attributes :zip_code }
      flatten(:profile) { attributes :shoe_size }
    end
    assert_equal %w[firstName familyName draft note homeAddress shoeSize], schema["properties"].keys
    assert_equal %w[firstName familyName homeAddress], schema["required"]
    assert_equal false, schema["additionalProperties"]
    assert_equal({ "type" => "object", "properties" => { "zipCode" => {} },
                   "required" => ["zipCode"], "additionalProperties" => false },
                 schema.dig("properties", "homeAddress"))
  end

  # What a parser keeps is the last pair of a key.
  test "a key that two fields write takes what each of them writes, unless the last one always " \
       "does" do
    inner = { "type" => "object", "properties" => { "id" => {} }, "required" => ["id"],
              "additionalProperties" => false }
    text = { "type" => %w[string null] }
    {
      proc { attribute :it, as: :string; flatten(:a) { nested(:it) { attributes :id } } } =>
        { "anyOf" => [text, inner] },
      proc { attribute :it, as: :string; flatten(:a) { attribute :it, as: :string } } => text,
      proc { attribute :it, as: :string; flatten(:a) { attributes :it } } => {},
      proc { flatten(:a) { attributes :it }; flatten(:b) { attribute :it, as: :string } } => {},
      proc { flatten(:a) { nested(:it) { attributes :id } }; attribute :it, as: :string } => text
    }.each do |body, due|
      schema = ToJson::Serializer.then { |base| Class.new(base, &body) }.json_schema
      assert_equal due, schema.dig("properties", "it")
    end
    twice = schema_of do
      transform_keys :camel_lower
      attributes :first_name, :firstName
    end
    assert_equal ["firstName"], twice["required"]
  end

  class NodeSerializer < ToJson::Serializer
    root :node, :nodes
    attribute :id, as: :integer
    has_one :parent, serializer: self
    has_many :children, serializer: self, view: :short
    view(:short) { remove :parent, :children }
  end

  test "a serializer that contains itself is described once" do
    schema = NodeSerializer.json_schema
    short = "JsonSchemaTest.NodeSerializer.short"
    assert_equal ["JsonSchemaTest.NodeSerializer", short], schema["$defs"].keys
    node = schema["$defs"].values.first
    assert_equal({ "anyOf" => [{ "$ref" => "#/$defs/JsonSchemaTest.NodeSerializer" }, NULL] },
                 node.dig("properties", "parent"))
    assert_equal({ "type" => %w[array null], "items" => { "$ref" => "#/$defs/#{short}" } },
                 node.dig("properties", "children"))
    assert_equal({ "node" => { "$ref" => "#/$defs/JsonSchemaTest.NodeSerializer" },
                   "meta" => { "type" => "object" } }, schema["properties"])
    assert_equal ["node"], schema["required"]
  end

  test "collection:, root:, view:, only: and except: are those of a call" do
    plain = NodeSerializer.json_schema(root: false, view: :short)
    assert_equal ["id"], plain["properties"].keys
    refute plain.key?("$defs")
    many = NodeSerializer.json_schema(collection: true, only: "id,parent(id)")
    assert_equal ["nodes"], many["required"]
    reference = many.dig("properties", "nodes", "items", "$ref").delete_prefix("#/$defs/")
    assert_equal %w[id parent], many.dig("$defs", reference, "properties").keys
    assert_equal %w[children], NodeSerializer.json_schema(root: :it, except: "id,parent")
                                             .dig("properties", "it", "required")
    assert_raises(ToJson::UnknownFieldError) { NodeSerializer.json_schema(only: :nme) }
    assert_raises(ToJson::UnknownViewError) { NodeSerializer.json_schema(view: :ful) }
  end

  class OwnSerializer < ToJson::Serializer
    attributes :id
    def serialize(_given) = value(1)
  end

  test "what only a value tells takes any value" do
    schema = schema_of do
      has_one :looked_up
      has_one :chosen, serializer: ->(_value) { NodeSerializer }
      has_one :own, serializer: OwnSerializer
      flatten :others
    end
    assert_equal [{}, {}, {}], schema["properties"].values
    refute schema.key?("additionalProperties")
  end

  test "a Hash of serializers takes what any of them writes" do
    short = Class.new(ToJson::Serializer) { attributes :id }
    schema = schema_of {
 association :it, serializer: { Integer => short, String => OwnSerializer } }
    forms = schema.dig("properties", "it", "anyOf")
    assert_includes forms, {}
    assert_includes forms, NULL
  end

  test "the class's Rules tell how times and floats are written" do
    unix = schema_of do
      rules time: :unix, nan: :null
      attribute :at, as: :time, skip_nil: true
      attribute :share, as: :float, skip_nil: true
    end
    assert_equal [{ "type" => "integer" }, { "type" => %w[number null] }], unix["properties"].values
  end

  test "as: a serializer of its own, a default of nil, and times of another dialect" do
    schema = schema_of do
      rules :json
      attribute :own, as: OwnSerializer, skip_nil: true
      attribute :count, as: :integer, default: nil
      attribute :at, as: :time, skip_nil: true
    end
    assert_equal [{}, { "type" => %w[integer null] }, {}], schema["properties"].values
  end

  test "a class whose own serialize writes, or that declares nothing, has no schema" do
    [OwnSerializer, Class.new(ToJson::Serializer)].each do |klass|
      error = assert_raises(ToJson::DefinitionError) { klass.json_schema }
      assert_match(/json_schema works only with declared fields/, error.message)
    end
  end
end
