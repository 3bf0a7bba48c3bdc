# frozen_string_literal: true

require_relative "json_api_case"

# type, id, links and meta of resources, and what the other words of a class mean in one.
class JsonApiResourceWordsTest < JsonApiCase
  Thing = Struct.new(:id, :slug, :name, :note, :owner, :parts)

  def thing(**given)
    Thing.new(*{ id: 1, slug: "a", name: "Cup", **given }.values_at(*Thing.members))
  end

  # The class is a constant, so that others can name it.
  def serializer(name = "ThingSerializer", parent = ToJson::Serializer, &body)
    self.class.send(:remove_const, name) if self.class.const_defined?(name, false)
    @serializer = self.class.const_set(name, Class.new(parent))
    @serializer.class_eval(&body)
    @serializer
  end

  def data(object = thing, **options) = parsed(object, **options)["data"]

  # With members that the specification does not have.
  def unchecked(object = thing) = JSON.parse(@serializer.json_api!(object))["data"]

  TYPES = { "PostSerializer" => "posts", "Api::V1::BlogPostSerializer" => "blog_posts",
            "CategorySerializer" => "categories", "DaySerializer" => "days",
            "BoxSerializer" => "boxes", "BusSerializer" => "buses", "PersonSerializer" => "people",
            "NewsSerializer" => "news", "BranchSerializer" => "branches",
            "SalesPersonSerializer" => "sales_people", "HTTPRouteSerializer" => "http_routes",
            "Post" => "posts" }.freeze

  TYPES.each do |name, type|
    test "#{name} has the type #{type}" do
      assert_equal type, ToJson::JsonApi::Names.type(name)
    end
  end

  test "type, id and lid say what identifies a resource" do
    serializer do
      type "cups"
      id :slug
      lid { |thing| thing.name }
      attributes :id, :note
    end
    assert_equal({ "type" => "cups", "id" => "a", "lid" => "Cup",
                   "attributes" => { "note" => nil } }, data(schema: false))
    assert_equal({ "type" => "cups", "lid" => "Cup", "attributes" => { "note" => nil } },
                 JSON.parse(@serializer.json_api!(thing(slug: nil)))["data"])
  end

  test "id may be a block, a method of the serializer, or what attribute :id is read from" do
    serializer { id { |thing| "#{thing.slug}-#{context[:n]}" } }
    assert_equal "a-2", data(context: { n: 2 })["id"]
    serializer do
      attributes slug: :id
    end
    assert_equal({ "type" => "things", "id" => "a" }, data)
    serializer do
      attributes :name
      def id(thing) = thing.slug.upcase
    end
    assert_equal "A", data["id"]
  end

  test "a subclass inherits these words and changes some" do
    serializer do
      type :cups
      link(:self) { |thing| "/#{thing.slug}" }
      link :home, "/"
      resource_meta(a: 1)
    end
    serializer("MugSerializer", @serializer) do
      type :mugs
      link :home, false
      link :about, "/about"
      resource_meta false
    end
    assert_equal({ "type" => "mugs", "id" => "1",
                   "links" => { "self" => "/a", "about" => "/about" } }, unchecked)
  end

  test "a module may declare them" do
    linked = Module.new do
      def self.included(base) = base.link(:self) { |thing| "/#{thing.slug}" }
    end
    serializer { include linked }
    assert_equal({ "self" => "/a" }, data["links"])
  end

  test "a link is a String, a Symbol, a block, or a link object; a condition leaves it out" do
    serializer do
      link :self, "https://example.com/cup"
      link :related, :slug
      link :about, href: "/about", title: "All", rel: "help", hreflang: %w[en ga], meta: { a: 1 }
      link(:describedby) { |thing| { href: "/schema", type: thing.note } if thing.note }
      link :hidden, "/hidden", if: ->(_) { false }
    end
    assert_equal({ "self" => "https://example.com/cup", "related" => "a",
                   "about" => { "href" => "/about", "title" => "All", "rel" => "help",
                                "hreflang" => %w[en ga], "meta" => { "a" => 1 } },
                   "describedby" => nil }, unchecked["links"])
    assert_equal({ "href" => "/schema", "type" => "text/html" },
                 unchecked(thing(note: "text/html"))["links"]["describedby"])
  end

  test "links and meta of a relationship stand there without data" do
    parts = serializer("PartSerializer") { attributes :name }
    serializer do
      has_many :parts, serializer: parts
      relationship_link(:parts, :related) { |thing| "/#{thing.slug}/parts" }
      relationship_meta(:parts) { |thing| { count: thing.parts.size } if thing.parts }
    end
    one = thing(parts: [thing(id: 2)])
    expected = { "links" => { "related" => "/a/parts" }, "meta" => { "count" => 1 } }
    assert_equal({ "parts" => expected }, data(one)["relationships"])
    linked = { "data" => [{ "type" => "parts", "id" => "2" }] }
    assert_equal({ "parts" => { **expected, **linked } },
                 data(one, include: "parts")["relationships"])
    refute data["relationships"]["parts"].key?("meta")
  end

  test "views, conditions, defaults, conversions and nested count as in plain documents" do
    serializer do
      attributes :name, if: ->(_) { context[:all] }
      attribute :note, default: "none"
      attribute :slug, as: :integer, skip_nil: true
      nested(:inside) { attributes :name }
      view(:full) { attributes :owner }
    end
    assert_equal({ "note" => "none", "slug" => 5, "inside" => { "name" => "Cup" } },
                 data(thing(slug: "5"))["attributes"])
    full = data(thing(slug: nil, owner: 3), view: :full, context: { all: true })
    assert_equal({ "name" => "Cup", "note" => "none", "inside" => { "name" => "Cup" },
                   "owner" => 3 }, full["attributes"])
    assert_raises(ToJson::UnknownViewError) { @serializer.json_api!(thing, view: "fall") }
    one = thing(slug: "5")
    assert_equal data(one, view: :full, context: {}), data(one, view: [:full], context: {})
    @serializer.view(:other) { remove :slug }
    error = assert_raises(ArgumentError) { @serializer.json_api!(thing, view: %i[full other]) }
    assert_match(/takes one view; declare one that is from: :full, :other/, error.message)
  end

  test "a condition of an association counts for its data and for what is included" do
    parts = serializer("PartSerializer") { attributes :name }
    serializer do
      has_many :parts, serializer: parts, if: ->(_) { context[:all] }
    end
    one = thing(parts: [thing(id: 2)])
    document = parsed(one, include: "parts", context: {})
    refute document["data"].fetch("relationships", {}).key?("parts")
    assert_equal [], document["included"]
    assert_equal 1, parsed(one, include: "parts", context: { all: true })["included"].size
  end

  test "the key case is that of members, and of names in include and fields" do
    parts = serializer("PartSerializer") { attributes :name }
    serializer do
      type :old_things
      transform_keys :camel
      attribute :long_name, :name
      has_many :small_parts, serializer: parts, source: :parts
      link :self, "/"
    end
    document = parsed(thing(parts: [thing(id: 2)]), include: "SmallParts")
    assert_equal({ "LongName" => "Cup" }, document["data"]["attributes"])
    assert_equal %w[SmallParts], document["data"]["relationships"].keys
    assert_equal({ "self" => "/" }, document["data"]["links"])
    %w[LongName long_name].each do |name|
      document = parsed(thing(parts: []), include: "small_parts", fields: { old_things: name })
      assert_equal({ "LongName" => "Cup" }, document["data"]["attributes"])
    end
  end

  test "an association with an inline block is an attribute" do
    serializer { has_many(:parts) { attributes :name } }
    assert_equal({ "parts" => [{ "name" => "Cup" }] }, data(thing(parts: [thing]))["attributes"])
    error = assert_raises(ToJson::JsonApi::ParameterError) do
      @serializer.json_api!(thing, include: "parts")
    end
    assert_equal "include", error.parameter
  end

  class FlatOwnerSerializer < ToJson::Serializer
    attributes :name, :note
  end

  # By its name, the fields did not count as attributes.
  test "flatten adds attributes, which a fieldset may name" do
    one = thing(owner: thing(name: "Ann"))
    [FlatOwnerSerializer, FlatOwnerSerializer.name].each do |owner|
      serializer do
        attributes :slug
        flatten :owner, serializer: owner
      end
      assert_equal({ "slug" => "a", "name" => "Ann", "note" => nil }, data(one)["attributes"])
      assert_equal({ "name" => "Ann" }, data(one, fields: { things: "name" })["attributes"])
      assert_equal({ "slug" => "a" }, data(one, fields: { things: "slug" })["attributes"])
    end
    serializer { flatten :owner, serializer: Class.new(ToJson::Serializer) { attributes :id } }
    error = assert_raises(ToJson::DefinitionError) { @serializer.json_api!(one) }
    assert_includes error.message, 'the key "id" of the field "id" is a member of every resource'
  end

  { "attributes :type" => /the key "type" of the field "type" is a member of every resource/,
    "attributes :links" => /"links" .* is reserved by JSON:API/,
    "attributes name: :relationships" => /"relationships" .* is reserved by JSON:API/,
    "has_one :id, serializer: 'A'" => /"id" .* is a member/,
    "transform_keys :lower_camel; attribute :aB; has_one :a_b, serializer: 'A'" =>
      /the key "aB" of the field "a_b" is that of the field "aB"/,
    "transform_keys :lower_camel; has_many :aB; has_one :a_b" => /"a_b" is that of the field "aB"/,
    "attribute 'a.b', :name" => /"a.b" .* is not a valid member name of JSON:API/,
    "transform_keys ->(name) { '-' + name }; attributes :name" =>
      /"-name" .* is not a valid member name/,
    "relationship_link(:part, :self) { 1 }" => /relationship_link: unknown relationship :part/,
    "def serialize(thing) = put(:a, 1)" => /JSON:API works only with declared fields/ }
    .each do |body, message|
      test "#{body} makes no resource" do
        serializer { class_eval(body) }
        assert_match message, assert_raises(ToJson::DefinitionError) {
          @serializer.json_api!(thing)
        }.message
      end
    end

  { "type 'a b!'" => /type: "a b!" is not a valid member name of JSON:API/,
    "type nil" => /a name must be/,
    "link :self" => /link :self: takes a URL, the name of a method, the members .* got nothing/,
    "link(:self, '/') { 1 }" => /link :self: takes a URL/,
    "link :self, title: 'a'" => /link :self: a link object needs href:/,
    "link :self, hrf: 'a'" => /unknown option :hrf/,
    "resource_meta" => /resource_meta takes pairs, a block .*, or false; got nothing/,
    "resource_meta 5" => /got 5/,
    "id { |a, b| 1 }" => /requires 2/,
    "has_one :a, linkage: 5" => /linkage: takes true, false or the name/ }.each do |body, message|
    test "#{body} is refused where it stands" do
      assert_match message, assert_raises(ToJson::DefinitionError) {
        serializer { class_eval(body) }
      }.message
    end
  end

  class Serializer < ToJson::Serializer
    attributes :name
  end

  test "a class that is only called Serializer needs a type" do
    error = assert_raises(ToJson::DefinitionError) { Serializer.json_api!({ id: 1, name: "a" }) }
    assert_equal "#{Serializer}: a class without a name of its own needs a type for JSON:API. " \
                 "Declare type :posts.", error.message
  end

  test "a type may have letters that are not of English" do
    @serializer = self.class.const_set(:ÜbungSerializer, Class.new(Serializer))
    assert_equal "übungs", unchecked["type"] # the schema has only letters of English
  end

  test "a class without a name needs a type" do
    assert_match(/needs a type/, assert_raises(ToJson::DefinitionError) {
      Class.new(ToJson::Serializer) { attributes :name }.json_api!(thing)
    }.message)
    @serializer = Class.new(ToJson::Serializer) { type :cups }
    assert_equal({ "type" => "cups", "id" => "1" }, data)
  end

  test "a class that changes writes resources anew" do
    serializer { attributes :name }
    assert_equal({ "name" => "Cup" }, data["attributes"])
    @serializer.attributes :slug
    assert_equal({ "name" => "Cup", "slug" => "a" }, data["attributes"])
    @serializer.type :cups
    assert_equal "cups", data["type"]
  end

  test "Rules of the class count, also where they change" do
    serializer { attributes :name }
    at = thing(name: Time.at(5))
    assert_kind_of String, data(at)["attributes"]["name"]
    @serializer.rules time: :unix
    assert_equal 5, data(at)["attributes"]["name"]
    assert_equal 5000, data(at, rules: { time: :unix_ms })["attributes"]["name"]
  end

  test "plain documents ignore these words" do
    serializer do
      attributes :name
      type :cups
      link :self, "/"
      resource_meta(a: 1)
    end
    assert_equal '{"name":"Cup"}', @serializer.json!(thing)
  end

  test "digest, inspect and explain know them" do
    serializer { attributes :name }
    digests = [@serializer.digest]
    @serializer.type :cups
    digests << @serializer.digest
    @serializer.link(:self, "/a")
    digests << @serializer.digest
    @serializer.link(:self) { |thing| thing.slug }
    digests << @serializer.digest
    assert_equal digests.uniq, digests
    assert_includes @serializer.definition.inspect, 'type "cups"; link :self, { … }'
    assert_includes @serializer.explain,
                    "\n  for JSON:API and HAL: type \"cups\"; link :self, { … }\n"
  end

  test "an association that a subclass removes takes its links and meta along" do
    parent = serializer do
      has_many :parts, serializer: "ThingSerializer"
      relationship_link(:parts, :related) { "/parts" }
      relationship_meta(:parts) { { a: 1 } }
    end
    serializer("HeirSerializer", parent) { remove :parts }
    assert_equal({ "type" => "heirs", "id" => "1" }, data)
    serializer("TypoSerializer", parent) { relationship_link(:partz, :related) { "/parts" } }
    error = assert_raises(ToJson::DefinitionError) { data }
    assert_match(/relationship_link: unknown relationship :partz, did you mean :parts/,
                 error.message)
  end
end
