# frozen_string_literal: true

require "test_helper"
require "delegate"
require "json"

# `as:` a serializer. Where nobody sees its instances, a value of one object is written by its Plan,
# as an association is. The document is the same as with an instance of each value.
class AsSerializerTest < ToJsonTest
  Person = Struct.new(:id, :name)
  Broken = Struct.new(:id) { def name = raise(IOError, "gone") }
  Plain = Class.new { def id = 3 and def name = "Cleo" }
  ManyOfOne = Class.new { def to_ary = [Person.new(4, "Dan")] }
  Listing = Class.new do
    include Enumerable
    def each = yield(Person.new(5, "Eve"))
  end
  Answers = Class.new(BasicObject) do
    def id = 6
    def name = "Fay"
    def respond_to?(*) = false
  end
  # Its class has an `equal?` that must not be asked.
  Unequal = Class.new(Person) { def equal?(_other) = false }
  Counting = Struct.new(:id, :reads) { def name = "read #{self.reads += 1}" }
  ANN = Person.new(1, "Ann")

  # A class by its Plan, and the same class with an `initialize` that must be called.
  def both(&block)
    [Class.new(ToJson::Serializer, &block),
     Class.new(ToJson::Serializer) do
       class_eval(&block)
       def initialize(*) = super
     end]
  end

  NAMES = proc { attributes :id, :name }

  def outer(inner, name = :it, **options)
    Class.new(ToJson::Serializer) do
      attributes :before
      attribute name, as: inner, **options
      attributes :after
    end
  end

  Row = Struct.new(:before, :it, :after)

  # The document, or the error with its path.
  def outcome
    yield
  rescue ToJson::Error, NoMethodError, IOError, ArgumentError => error
    [error.class, error.message.sub(/ for .*/m, ""), ToJson.location(error)]
  end

  # Both ways give the same for the value, alone, in a list, in a Hash; under these keywords.
  def assert_alike(value, inner: both(&NAMES), options: {}, **keywords)
    by_plan, by_instance = inner.map { |one| outer(one, **options) }
    [Row.new(1, value, 2), [Row.new(1, value, 2)] * 2,
     { before: 1, it: value, after: 2 }].each do |row|
      due = outcome { by_instance.json!(row, **keywords) }
      assert_equal due, outcome { by_plan.json!(row, **keywords) }
      yield due if block_given?
    end
  end

  {
    "a Struct" => ANN, "a plain object" => Plain.new, "nil" => nil, "false" => false,
    "a Hash" => { id: 1, name: "x" }, "a Hash with Strings" => { "id" => 1, "name" => "<é>" },
    "a Hash with a default" => Hash.new(7), "an empty Hash" => {},
    "a list" => [ANN, nil, { id: 2 }], "an empty list" => [], "an Enumerator" => [ANN].each,
    "an Enumerable" => Listing.new, "an object with to_ary" => ManyOfOne.new,
    "a BasicObject" => Answers.new, "a Delegator" => SimpleDelegator.new(ANN),
    "an object with equal?" => Unequal.new(7, "Gus"), "an Integer" => 5, "a String" => "text",
    "a serializer" => Class.new(ToJson::Serializer).new(1),
    "one whose getter fails" => Broken.new(1), "a list of it" => [ANN, Broken.new(1)],
    "text that needs escapes" => Person.new("\u2028<\"", "é" * 100), "a class" => Person,
    "a Float that has no JSON" => Person.new(Float::NAN, 1)
  }.each do |name, value|
    test "the value is #{name}" do
      assert_alike(value)
      assert_alike(value, rules: { html_safe: true })
    end

    test "the value is #{name}, with options" do
      [{ skip_nil: true }, { skip_blank: true }, { default: nil }, { default: ANN },
       { default: [ANN] }, { if: ->(row) { row } }, { unless: ->(row) { row } }].each do |options|
        assert_alike(value, options: options)
      end
    end
  end

  test "convert: is asked about the instance" do
    [ToJson::Serializer, Object, Person].each do |type|
      assert_alike(ANN, rules: { convert: { type => ->(_) { "converted" } } })
    end
    by_plan, = both(&NAMES)
    text = outer(by_plan).json!(Row.new(1, ANN, 2),
                                rules: { convert: { by_plan => ->(_) { "its own" } } })
    assert_equal '{"before":1,"it":"its own","after":2}', text
  end

  test "a dialect, a depth and keywords mean the same" do
    %i[strict json rails oj].each do |dialect|
      [ANN, nil, [ANN], { id: 1 }].each { |value| assert_alike(value, rules: { dialect: dialect }) }
    end
    (1..4).each { |depth| assert_alike(ANN, max_depth: depth) }
    assert_alike(ANN, root: :row)
    assert_alike(ANN, only: :it) { |due| assert_includes due, '"name":"Ann"' }
    both(&NAMES).each do |inner|
      assert_raises(ToJson::UnknownFieldError) { outer(inner).json!({ it: ANN }, only: "it(id)") }
    end
    assert_alike(ANN, except: %i[it before])
    assert_alike(ANN, except: :before)
  end

  test "an indented document is laid out alike" do
    texts = both(&NAMES).map do |inner|
      ToJson.pretty_generate([outer(inner).new(Row.new(1, ANN))])
    end
    assert_equal texts.last, texts.first
    assert_includes texts.first, %(      "name": "Ann"\n)
  end

  {
    "a method" => proc {
      attributes :id, :name
      def id(person) = person.id + 1
    },
    "a block" => proc {
      attributes :id
      attribute(:name) { object.name.upcase }
    },
    "scope" => proc {
      attributes :id
      attribute(:name) { scope.name }
    },
    "a list" => proc {
      attributes :id
      has_many(:name) { attributes :size }
    },
    "a condition" => proc { attributes :id, :name, if: :id },
    "a conversion" => proc { attributes :id, :name, as: ->(value) { value.to_s } },
    "a conversion in C" => proc { attributes :id, :name, as: :string },
    "a default" => proc { attributes :id, :name, default: 0 },
    "a key case" => proc {
      transform_keys :camel
      attributes :id, :name
    },
    "a root" => proc {
      root :person, :people
      attributes :id, :name
    },
    "views" => proc {
      attributes :id
      view(:full) { attributes :name }
    },
    "one field" => proc { attributes :id }, "an object inside" => proc {
      attributes :id
      nested(:more) { attributes :name }
    },
    "30 fields" => proc { 30.times { |index| attribute :"f#{index}", :id } },
    "Rules" => proc {
      rules html_safe: true
      attributes :id, :name
    }
  }.each do |what, body|
    test "the serializer has #{what}" do
      [ANN, nil, [ANN], { id: 1, name: "<b>" }, Broken.new(1)].each do |value|
        assert_alike(value, inner: both(&body))
      end
    end
  end

  test "the getters of one object are called once" do
    both(&NAMES).each do |inner|
      counting = Counting.new(1, 0)
      text = outer(inner).json!(Row.new(Object, counting, { "long" * 3_000 => "\u2028" * 3_000 }))
      assert_includes text, '"it":{"id":1,"name":"read 1"}'
    end
  end

  test "a list of objects makes no instances" do
    [both(&NAMES).first, both { 30.times { |at| attribute :"f#{at}", :id } }.first].each do |inner|
      made, rows = outer(inner), Array.new(1_000) { Row.new(1, ANN, 2) }
      made.json!(rows)
      before = GC.stat(:total_allocated_objects)
      made.json!(rows)
      assert_operator GC.stat(:total_allocated_objects) - before, :<, 50
    end
  end

  test "explain says how it is written" do
    whys = { NAMES => "fused: part of this object's native call",
             proc { has_many(:x) { attributes :id } } => "by code of its own: x is no attribute",
             proc { attribute(:id) { 1 } } => "a conversion in Ruby" }
    whys.each do |body, words|
      explained = outer(both(&body).first).explain
      assert_equal words, explained[/^  it: (.*)/, 1]
    end
    assert_equal "a conversion in Ruby", outer(both(&NAMES).last).explain[/^  it: (.*)/, 1]
  end

  test "what is declared later counts" do
    later = { '"later":true' => ->(inner) { inner.attribute(:later) { true } },
              '"name":"new"' => lambda { |inner|
                inner.define_singleton_method(:new) { |_| super(Person.new(0, "new")) }
              },
              '"name":"made"' => lambda { |inner|
                inner.extend(Module.new { def new(_) = super(Person.new(0, "made")) })
              },
              '"name":"initialized"' => lambda { |inner|
                inner.define_method(:initialize) { |_| super(Person.new(0, "initialized")) }
              },
              '"it":{"own":1}' => lambda { |inner|
                inner.define_method(:serialize) { |_| put :own, 1 }
              } }
    later.each do |due, change|
      inner, = both(&NAMES)
      made = outer(inner)
      assert_equal '{"before":1,"it":{"id":1,"name":"Ann"},"after":2}',
                   made.json!(Row.new(1, ANN, 2))
      change.call(inner)
      assert_includes made.json!(Row.new(1, ANN, 2)), due
    end
  end

  test "a private new is not called" do
    inner, = both(&NAMES)
    inner.private_class_method :new
    assert_raises(NoMethodError) { outer(inner).json!(Row.new(1, ANN, 2)) }
  end

  test "a serializer within itself, and two within each other, are written" do
    node = Class.new(ToJson::Serializer)
    other = Class.new(ToJson::Serializer) { attribute :it, as: node }
    node.attribute :before
    node.attribute :it, as: other
    text = node.json!(Row.new(1, Row.new(2, Row.new(3, Row.new(4)))))
    assert_equal '{"before":1,"it":{"it":{"before":3,"it":{"it":null}}}}', text
  end

  InnerSerializer = Class.new(ToJson::Serializer, &NAMES)
  class OuterSerializer < ToJson::Serializer
    attribute :it, as: InnerSerializer
  end

  test "other Ractors write it" do
    [InnerSerializer, OuterSerializer].each(&:compile!)
    ractor = silently do
      Ractor.new { OuterSerializer.json!([{ it: Person.new(1, "Ann") }, { it: [] }]) }
    end
    assert_equal '[{"it":{"id":1,"name":"Ann"}},{"it":[]}]', ractor.value
  end
end
