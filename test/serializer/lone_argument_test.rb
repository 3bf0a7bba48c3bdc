# frozen_string_literal: true

require "test_helper"
require "json"

# A serializer that `new` gave one object keeps it without an Array until somebody asks for its
# arguments. Nobody sees the difference.
class LoneArgumentTest < ToJsonTest
  Person = Struct.new(:id, :name)

  class PlainSerializer < ToJson::Serializer
    attributes :id, :name
  end

  class MethodSerializer < ToJson::Serializer
    attributes :id, :name
    def name(person) = scope.equal?(person) ? person.name : "another"
  end

  class WrittenSerializer < ToJson::Serializer
    def serialize(person)
      put :id, person.id
      put :name, scope.name
    end
  end

  SERIALIZERS = [PlainSerializer, MethodSerializer, WrittenSerializer].freeze
  ANN = Person.new(1, "Ann")
  JSON_OF_ANN = '{"id":1,"name":"Ann"}'

  def each_made
    SERIALIZERS.each { |klass| yield klass.new(ANN), klass }
  end

  test "each way out writes it, again and again" do
    each_made do |made|
      2.times do
        assert_equal JSON_OF_ANN, made.to_json
        assert_equal JSON_OF_ANN, made.to_s
        assert_equal JSON_OF_ANN, made.json!
        assert_equal JSON_OF_ANN, made.json!(context: { a: 1 })
        assert_equal "[#{JSON_OF_ANN}]", ToJson.generate([made])
        assert_equal({ "id" => 1, "name" => "Ann" }, made.to_h)
        assert_equal "[#{JSON_OF_ANN}]", JSON.generate([made])
      end
    end
  end

  test "another object of the call counts" do
    each_made { |made| assert_equal '{"id":2,"name":"Bob"}', made.json!(Person.new(2, "Bob")) }
  end

  test "scope is the object, and what new was given can be asked" do
    each_made do |made|
      assert_same ANN, made.scope
      assert_equal [nil, ANN], made.__send__(:__to_json_arguments)
      assert_predicate made.__send__(:__to_json_arguments), :frozen?
      assert_same ANN, made.scope
      assert_equal JSON_OF_ANN, made.to_json
    end
  end

  test "copies and frozen ones have it" do
    each_made do |made|
      assert_equal JSON_OF_ANN, made.dup.to_json
      assert_equal JSON_OF_ANN, made.clone.to_json
      assert_equal JSON_OF_ANN, made.freeze.to_json
      assert_same ANN, made.dup.scope
    end
  end

  test "values of any kind are kept" do
    [nil, true, 1, 1.5, :a, "text", [], {}, 2**70].each do |value|
      assert_equal [nil, value], PlainSerializer.new(value).__send__(:__to_json_arguments)
    end
    assert_nil PlainSerializer.new.__send__(:__to_json_arguments)
    assert_equal "null", PlainSerializer.new(nil).to_json
    assert_equal "[]", PlainSerializer.new([]).to_json
  end

  test "keywords and more arguments are kept, too" do
    assert_equal '{"id":1}', PlainSerializer.new(ANN, only: :id).to_json
    assert_equal [nil, 1, 2], WrittenSerializer.new(1, 2).__send__(:__to_json_arguments)
    assert_raises(ArgumentError) { WrittenSerializer.new(1, 2).to_json }
  end

  test "initialize again replaces it" do
    each_made do |made|
      made.send(:initialize, Person.new(2, "Bob"))
      assert_equal '{"id":2,"name":"Bob"}', made.to_json
      made.scope
      made.json!
      made.send(:initialize, ANN)
      assert_equal JSON_OF_ANN, made.to_json
      made.send(:initialize, ANN, root: :it) unless made.is_a?(WrittenSerializer)
      assert_includes made.to_json, JSON_OF_ANN
    end
  end

  test "it survives the garbage collector" do
    made = SERIALIZERS.cycle.first(300).map { |klass| klass.new(Person.new(1, +"Ann")) }
    GC.start
    GC.compact if GC.respond_to?(:compact)
    Array.new(10_000) { +"x" }
    assert(made.all? { |one| one.to_json == JSON_OF_ANN })
    assert(made.all? { |one| one.scope.name == "Ann" })
    GC.start
    assert(made.all? { |one| one.to_json == JSON_OF_ANN })
  end

  Held = Class.new

  test "an object is not kept longer than its serializer" do
    200.times { PlainSerializer.new(Held.new).scope }
    GC.start
    assert_operator ObjectSpace.each_object(Held).count, :<, 50
  end

  test "new and to_json make two objects" do
    PlainSerializer.new(ANN).to_json
    before = GC.stat(:total_allocated_objects)
    100.times { PlainSerializer.new(ANN).to_json }
    assert_operator GC.stat(:total_allocated_objects) - before, :<, 300
  end

  test "a json! of the user is called, wherever it comes from" do
    own = Module.new { def json!(*, **) = "own" }
    { "the class" => ->(klass) { klass.define_method(:json!) { |*, **| "own" } },
      "include" => ->(klass) { klass.include(own) },
      "prepend" => ->(klass) { klass.prepend(own) } }.each do |what, change|
      klass = Class.new(ToJson::Serializer) { attributes :id, :name }
      assert_equal JSON_OF_ANN, klass.new(ANN).to_json
      change.call(klass)
      assert_equal "own", klass.new(ANN).to_json, what
    end
    made = PlainSerializer.new(ANN)
    made.define_singleton_method(:json!) { |*, **| "own" }
    assert_equal "own", made.to_json
    assert_equal JSON_OF_ANN, PlainSerializer.new(ANN).to_json
  end

  test "new of the user's that gives an argument, for a class's own document" do
    klass = Class.new(ToJson::Serializer) do
      def self.new(*) = super(ANN)
      def serialize(*) = put(:scope, scope.id)
    end
    assert_equal '{"scope":1}', klass.new.to_json
    assert_equal '{"scope":2}', klass.json!(Person.new(2, "Bob"))
  end
end
