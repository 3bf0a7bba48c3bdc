# frozen_string_literal: true

require "minitest/mock"
require_relative "json_api_case"

# Which serializer an associated object has, which linkage is written without include, and what is
# kept by a cache.
class JsonApiAssociationsTest < JsonApiCase
  Item = Struct.new(:id, :name, :target, :others, :target_id) do
    def cache_key_with_version = "#{id}/#{name}"
  end
  Cat = Class.new(Item)
  Dog = Class.new(Item)

  class CatSerializer < ToJson::Serializer
    attributes :name
    has_one :target
  end

  class DogSerializer < ToJson::Serializer
    type :hounds
    attributes :name
  end

  # A serializer of items; its associations find the classes above.
  def items(**options, &more)
    self.class.send(:remove_const, :ItemSerializer) if self.class.const_defined?(:ItemSerializer)
    @serializer = self.class.const_set(:ItemSerializer, Class.new(ToJson::Serializer))
    @serializer.class_eval do
      attributes :name
      has_one :target, **options
      has_many :others, **options
    end
    @serializer.class_eval(&more) if more
  end

  def item
    Item.new(1, "I", Cat.new(2, "Tom", Dog.new(3, "Rex")),
             [Dog.new(3, "Rex"), nil, Cat.new(4, "Kit")], 2)
  end

  BY_VALUE = { "the class of the value" => {},
               "a Hash" => { serializer: { Cat => CatSerializer, Dog => "DogSerializer" } },
               "a lambda" => { serializer: lambda { |one|
                 Cat === one ? CatSerializer : "DogSerializer"
               } } }.freeze

  BY_VALUE.each do |name, options|
    test "#{name} tells the serializer, also of what is further inside" do
      items(**options)
      document = parsed(item, include: "target.target,others")
      assert_equal %w[cats:2 hounds:3 cats:4], identities(document["included"])
      assert_equal({ "type" => "hounds", "id" => "3" },
                   document.dig("included", 0, "relationships", "target", "data"))
    end
  end

  test "a lambda that returns nil leaves the serializer to the class of the value" do
    items(serializer: ->(one) { "DogSerializer" if Dog === one })
    document = parsed(item, include: "target.target,others")
    assert_equal %w[cats:2 hounds:3 cats:4], identities(document["included"])
  end

  test "what a lambda leads to is found once, whatever String names it" do
    items(serializer: ->(_) { +"DogSerializer" })
    one = item
    one.others = Array.new(100) { |id| Dog.new(id, "Rex") }
    found = 0
    lookup = ToJson::Lookup.method(:serializer_for)
    counted = ->(*arguments) { (found += 1) && lookup.call(*arguments) }
    ToJson::Lookup.stub(:serializer_for, counted) { parsed(one, include: "others") }
    assert_equal 1, found
  end

  test "a path that only some of the values have is followed where it is" do
    items
    document = parsed(item, include: "others.target")
    assert_equal({ "type" => "cats", "id" => "4", "attributes" => { "name" => "Kit" },
                   "relationships" => { "target" => { "data" => nil } } }, document["included"][1])
  end

  test "an association decides by its value between one and many" do
    items
    @serializer.association(:target_id, source: :target)
    @serializer.association(:all, source: :others)
    document = parsed(item, include: "target_id,all")
    assert_equal({ "type" => "cats", "id" => "2" },
                 document.dig("data", "relationships", "target_id", "data"))
    assert_equal %w[hounds:3 cats:4],
                 identities(document.dig("data", "relationships", "all", "data"))
  end

  test "a value without serializer is SerializerNotFound with its place" do
    items
    error = assert_raises(ToJson::SerializerNotFound) do
      @serializer.json_api!(Item.new(1, "I", Object.new, []), include: "target")
    end
    assert_match(/\A\$\.data\.relationships\.target\.data: Object has no name, so no/,
                 error.message)
  end

  test "linkage: true writes identifiers that are not included" do
    items(linkage: true)
    document = parsed(item)
    assert_equal({ "type" => "cats", "id" => "2" },
                 document.dig("data", "relationships", "target", "data"))
    refute document.key?("included")
    assert_equal %w[cats:2], identities(parsed(item, include: "target")["included"])
  end

  test "linkage: with a name reads ids, and not the association" do
    items(serializer: CatSerializer) do
      has_one :owner, serializer: DogSerializer, source: :target, linkage: :target_id
    end
    one = item
    def one.target = raise("it is read")
    assert_equal({ "owner" => { "data" => { "type" => "hounds", "id" => "2" } } },
                 parsed(one)["data"]["relationships"])
    one.target_id = nil
    assert_equal({ "owner" => { "data" => nil } }, parsed(one)["data"]["relationships"])
    assert_equal %w[hounds:2], identities(parsed(item, include: "owner")["included"])
    items { has_one :owner, source: :target, linkage: :target_id }
    assert_match(/linkage: :target_id needs serializer:/,
                 assert_raises(ToJson::DefinitionError) { @serializer.json_api!(item) }.message)
  end

  test "nothing is read of an association that is neither included nor asked for" do
    items
    one = item
    def one.target = raise("it is read")
    assert_equal({ "type" => "items", "id" => "1", "attributes" => { "name" => "I" } },
                 parsed(one)["data"])
  end

  test "each association is read once" do
    items
    one = item
    one.define_singleton_method(:target) do
      @count = (@count || 0) + 1
      super()
    end
    parsed([one], include: "target.target")
    assert_equal 1, one.instance_variable_get(:@count)
  end

  test "a cached resource is written once, whoever includes it, for each fieldset" do
    store = {}
    items
    writes = []
    @serializer.class_eval do
      cache store: store
      remove :others
      remove :name
      attribute(:name) do |one|
        writes << one.id
        one.name
      end
    end
    one = Item.new(1, "I", Dog.new(3, "Rex"), [])
    expected = { "type" => "items", "id" => "1", "attributes" => { "name" => "I" } }
    2.times { assert_equal expected, parsed(one)["data"] }
    assert_equal [1], writes
    2.times { assert_equal %w[hounds:3], identities(parsed(one, include: "target")["included"]) }
    assert_equal [1, 1], writes
    2.times { refute parsed(one, fields: { items: [] })["data"].key?("attributes") }
    assert_equal [1, 1], writes
    assert_equal 3, store.size
    @serializer.type :others
    assert_equal "others", parsed(one)["data"]["type"]
  end

  test "fieldsets without end compile no more than fifty, and write the same" do
    names = (:a..:g).to_a
    items do
      names.each { |name| attribute(name) { |one| "#{name}#{one.id}" } }
      has_many :all, source: :others, serializer: CatSerializer, linkage: true
      has_one :id_of, source: :others, serializer: CatSerializer, linkage: :id
    end
    one = item
    linked = %w[3 4].map { |id| { "type" => "cats", "id" => id } }
    all = (0...128).map { |bits| names.select.with_index { |_, index| bits[index] == 1 } }
    all.each do |chosen|
      data = parsed(one, include: "target",
                         fields: { items: [*chosen, :target, :all, :id_of].join(",") })["data"]
      assert_equal chosen.to_h { |name| [name.name, "#{name}1"] }, data.fetch("attributes", {})
      assert_equal({ "target" => { "data" => { "type" => "cats", "id" => "2" } },
                     "all" => { "data" => linked },
                     "id_of" => { "data" => { "type" => "cats", "id" => "1" } } },
                   data["relationships"])
    end
    kept = @serializer.instance_variable_get(:@to_json_resources)[2].values.first
    assert_equal 50, kept.instance_variable_get(:@plans).size
    assert_operator @serializer.instance_variable_get(:@to_json_choices)[2].size, :<=, 100
  end

  ERRORS = {
    { include: "targt" } => ["include", /include: "targt": .*unknown relationship "targt", did/],
    { include: "target." } => ["include", /a name is missing/],
    { include: "," } => ["include", /a name is missing/],
    { include: "\xFF" } => ["include", /not valid UTF-8/],
    { include: "target.target" } => ["include", /"target.target": .*DogSerializer.*Known: none/],
    { include: (["target"] * 11).join(".") } => ["include", /more than 10 relationships/],
    { include: "name" } => ["include", /unknown relationship "name"/],
    { fields: { items: "nme" } } => ["fields[items]", /unknown field "nme", did you mean "name"/],
    { fields: { items: "\xFF" } } => ["fields[items]", /not valid UTF-8/],
    { fields: { "itms" => "name" } } => ["fields[itms]", /unknown type "itms", did/]
  }.freeze

  ERRORS.each do |options, (parameter, message)|
    test "#{options.inspect} is a ParameterError" do
      items(serializer: DogSerializer)
      error = assert_raises(ToJson::JsonApi::ParameterError) do
        @serializer.json_api!(item, **options)
      end
      assert_equal({ parameter: parameter }, error.source)
      assert_match message, error.message
      assert_raises(ToJson::JsonApi::ParameterError) do
        @serializer.json_api_stream(item, **options)
      end
    end
  end

  test "what is no include and no fields is an ArgumentError" do
    items
    assert_raises(ArgumentError) { @serializer.json_api!(item, include: 5) }
    assert_raises(ArgumentError) { @serializer.json_api!(item, fields: "name") }
    assert_raises(ArgumentError) { @serializer.json_api!(item, fields: { items: 5 }) }
  end

  Leaf = Struct.new(:id, :the_kids, :boss, :some_one)

  class LeafSerializer < ToJson::Serializer
    transform_keys :dash
    has_many :the_kids, serializer: "LeafSerializer"
    has_one :boss, serializer: "LeafSerializer"
    has_one :some_one, serializer: ->(_) { LeafSerializer }
  end

  # The second name took the place of the first, with all that its path led to.
  test "paths may name one relationship by its key and by its declared name" do
    kid = Leaf.new(2, [Leaf.new(3, [])], Leaf.new(4, []))
    one = Leaf.new(1, [kid], nil, Leaf.new(5, [kid], Leaf.new(6, [])))
    { "the_kids.boss,the-kids.the-kids" => %w[2 3 4],
      "some-one.the-kids.boss,some_one.the_kids.the_kids,some_one.boss" => %w[2 3 4 5 6],
      { the_kids: { boss: {} }, "the-kids": { "the_kids" => [] } } => %w[2 3 4] }
      .each do |include, expected|
        document = judged(LeafSerializer.json_api!(one, include: include))
        assert_equal(expected, document["included"].map { |resource| resource["id"] }.sort)
      end
    error = assert_raises(ToJson::JsonApi::ParameterError) do
      LeafSerializer.json_api!(one, include: "the_kids.boss,the-kids.bos")
    end
    assert_includes error.message, '"the-kids.bos": '
  end

  test "a type that fields: names as a String and as a Symbol has the fields of both" do
    expected = LeafSerializer.json_api!(Leaf.new(1), include: "boss", fields: { leafs: "boss" })
    assert_equal expected, LeafSerializer.json_api!(Leaf.new(1), include: "boss",
                                                    fields: { "leafs" => "boss", leafs: [] })
  end

  test "the greatest depth of include is a setting" do
    items
    ToJson::JsonApi.max_include_depth = 1
    assert_raises(ToJson::JsonApi::ParameterError) do
      @serializer.json_api!(item, include: "target.a")
    end
    assert_raises(ArgumentError) { ToJson::JsonApi.max_include_depth = 0 }
  ensure
    ToJson::JsonApi.max_include_depth = 10
  end

  test "text of a client makes no Symbols" do
    items(serializer: CatSerializer)
    @serializer.json_api!(item)
    before = Symbol.all_symbols.size
    50.times do |n|
      @serializer.json_api!(item, include: "client_text_#{n}")
    rescue ToJson::JsonApi::ParameterError
      nil
    end
    assert_operator Symbol.all_symbols.size - before, :<, 20
  end
end
