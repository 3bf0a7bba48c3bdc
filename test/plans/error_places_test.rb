# frozen_string_literal: true

require "test_helper"

# ToJson.location names the field that was read, whoever wrote it and whatever raised.
class DeclaredErrorPlacesTest < ToJsonTest
  # A relation that fails while it loads.
  class Relation
    def to_ary = raise("no")
  end

  class Row
    def id = 1
    def name = raise("no")
    def comments = Relation.new
    def self_ = self
    def list = [self]
    def blank = Class.new { def empty? = raise("no") }.new
  end

  class PlaceSerializer < ToJson::Serializer
    attributes :id, :name
  end

  class NumberSerializer < ToJson::Serializer
    attributes :id
  end

  def serializer(&body) = Class.new(ToJson::Serializer, &body)

  # What a class declares => the path, and keywords of the call.
  PLACES = {
    "attributes :id, :name" => ["$.name"],
    "has_many(:comments) { attributes :id }" => ["$.comments"],
    "attributes :id; has_many(:comments) { attributes :id }; attribute :last, :id" =>
      ["$.comments"],
    "attribute :id, if: :id; has_many(:comments) { attributes :id }" => ["$.comments"],
    "has_one(:self_) { attributes :id; has_many(:comments) { attributes :id } }" =>
      ["$.self_.comments"],
    "has_many(:list) { attributes :id; has_many(:comments) { attributes :id } }" =>
      ["$.list[0].comments"],
    "has_one(:self_) { attributes :id, :name }" => ["$.self_.name"],
    "has_many(:list) { attributes :id, :name }" => ["$.list[0].name"],
    "association(:self_) { attributes :id, :name }" => ["$.self_.name"],
    "association(:list) { attributes :id, :name }" => ["$.list[0].name"],
    "has_one :self_, serializer: PlaceSerializer, context: 1" => ["$.self_.name"],
    "has_many :list, serializer: ->(_) { PlaceSerializer }" => ["$.list[0].name"],
    "has_one :self_, serializer: { Row => PlaceSerializer }" => ["$.self_.name"],
    "association(:self_) { association(:list) { has_one(:self_) { attributes :name } } }" =>
      ["$.self_.list[0].self_.name"],
    "association(:self_) { attributes :id }; attributes :name" => ["$.name"],
    "association(:self_) { attributes :id }; has_many(:comments) { attributes :id }" =>
      ["$.comments"],
    "flatten(:self_) { attributes :id, :name }" => ["$.name"],
    "flatten(:self_) { has_many(:comments) { attributes :id } }" => ["$.comments"],
    "nested(:n) { attributes :id, :name }" => ["$.n.name"],
    "attribute :blank, skip_blank: true; has_many(:list) { attributes :id }" => ["$.blank"],
    "has_one(:self_) { attributes :name, :id } " => ["$.self_.name", { except: "self_(id)" }],
    "has_many(:list) { attributes :name, :id }" => ["$.list[0].name", { only: "list(name)" }],
    "has_one(:self_) { has_many(:list) { attributes :name, :id } }" =>
      ["$.self_.list[0].name", { except: "self_(list(id))" }],
    "has_one(:self_) { attributes :id; has_many(:comments) { attributes :name, :id } }" =>
      ["$.self_.comments", { except: "self_(id)" }],
    "view(:a) { attributes :id }; view(:b) { has_one :self_, serializer: PlaceSerializer }" =>
      ["$.self_.name", { view: %i[a b] }],
    # the field that raises stands after an association: its path does not name the association
    "has_many(:list) { attributes :id }; attributes :name" => ["$.name"],
    "has_many(:list) { attributes :id }; flatten(:self_) { attributes :name }" => ["$.name"],
    "has_many(:list) { attributes :id }; attributes :id, :name" => ["$.name", { except: :id }],
    "has_many :list, serializer: { Row => NumberSerializer }; attributes :name" => ["$.name"],
    "has_one :self_, serializer: { Row => NumberSerializer }; attributes :name" => ["$.name"],
    "has_one :self_, serializer: ->(_) { NumberSerializer }; attributes :name" => ["$.name"],
    "has_one :self_, serializer: NumberSerializer, context: 1; attributes :name" => ["$.name"],
    "has_one :self_, serializer: { Row => NumberSerializer }; has_many(:comments) { }" =>
      ["$.comments"]
  }.freeze

  PLACES.each do |source, (path, options)|
    test "#{source}: it is #{path}#{" under #{options}" if options}" do
      made = serializer { class_eval(source, __FILE__, __LINE__) }
      [Row.new, [Row.new]].each do |given|
        2.times do
          error = assert_raises(RuntimeError) { made.json!(given, **options.to_h) }
          assert_equal given.is_a?(Array) ? path.sub("$", "$[0]") : path, ToJson.location(error)
        end
      end
    end
  end

  test "a backtrace that was set by hand tells the field as long as it has the frames" do
    made = serializer { attributes :id; attribute(:kept) { raise ArgumentError, "no", caller } }
    assert_equal "$.kept", ToJson.location(assert_raises(ArgumentError) { made.json!(Row.new) })
    lost = serializer do
      has_many(:list) { attribute(:lost) { raise ArgumentError, "no", ["somewhere.rb:1"] } }
    end
    assert_equal "$.list[0]", ToJson.location(assert_raises(ArgumentError) { lost.json!(Row.new) })
    none = serializer { attribute(:none) { raise ArgumentError, "no", [] } }
    assert_equal "$", ToJson.location(assert_raises(ArgumentError) { none.json!(Row.new) })
    odd = Class.new(StandardError) do
      def backtrace_locations = raise("odd"); def backtrace = raise("odd")
    end
    assert_nil ToJson
      .location(assert_raises(odd) { serializer { attribute(:a) { raise odd } }.json!(Row.new) })
  end

  test "what an element before raised and somebody rescued says nothing of the field after it" do
    made = serializer do
      attribute(:a) { PlaceSerializer.json!(Row.new) rescue "-" }
      association(:self_) { attribute(:b) { PlaceSerializer.json!(Row.new) rescue "-" } }
      attributes :name
    end
    assert_equal "$.name", ToJson.location(assert_raises(RuntimeError) { made.json!(Row.new) })
  end
end
