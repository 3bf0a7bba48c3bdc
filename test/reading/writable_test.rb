# frozen_string_literal: true

require_relative "reading_case"

# `writable:` in class bodies: what it takes, what it refuses, and that it changes no document.
class WritableTest < ReadingCase
  class Money
    def self.encode(money) = money.to_s
  end

  REFUSED = {
    "attribute :a, writable: 5" =>
      "attribute :a: writable: takes true, the name to assign, or a Hash of options; got 5",
    "attribute(:a, writable: true) { 1 }" =>
      "attribute :a: writable: a block gives the value, so there is no name to assign. Name one: " \
      "writable: :a.",
    "attribute :a, ->(x) { x }, writable: true" =>
      "attribute :a: writable: a block gives the value, so there is no name to assign. Name one: " \
      "writable: :a.",
    "attribute :a, writable: { nmae: :b }" =>
      "attribute :a: writable: unknown option :nmae, did you mean :name? Known: name, as, in.",
    "attribute :a, writable: { name: 1 }" =>
      "attribute :a: writable: name: a name must be a Symbol or a String; got 1",
    "attribute :a, writable: { as: :strng }" =>
      "attribute :a: writable: as: unknown conversion :strng, did you mean :string? Known: " \
      "string, integer, float, boolean, date, time, decimal, fragment, array, object, any.",
    "attribute :a, writable: { as: 5 }" =>
      "attribute :a: writable: as: takes :string, :integer, :float, :boolean, :date, :time, " \
      ":decimal, :fragment, :array, :object, :any, an object with call(value), or a class or " \
      "module with decode(value); got 5",
    "attribute :a, as: WritableTest::Money, writable: true" =>
      "attribute :a: writable: WritableTest::Money has no decode(value), so what it wrote cannot " \
      "be read. Define decode, or add writable: { as: … }.",
    "attribute :a, as: ->(x) { x }, writable: true" =>
      "attribute :a: writable: the as: of this field has no decode(value), so what it wrote " \
      "cannot be read. Define decode, or add writable: { as: … }.",
    "attribute :a, writable: { in: [] }" =>
      "attribute :a: writable: in: takes an Array of names, or a Hash with names as keys, as " \
      "Post.statuses; got []",
    "has_one :a, writable: true" =>
      "has_one :a: writable: nothing in a document tells the serializer to read with. Add " \
      "serializer: with a class, or with a Hash from classes to serializers.",
    "has_one :a, serializer: ->(x) { x }, writable: true" =>
      "has_one :a: writable: nothing in a document tells the serializer to read with. Add " \
      "serializer: with a class, or with a Hash from classes to serializers.",
    "has_many(:a, writable: { destroy: true }) { attributes :b }" =>
      "has_many :a: writable: destroy: works only with nested: true, which assigns the " \
      "attributes of accepts_nested_attributes_for.",
    "has_many(:a, writable: { nested: 1 }) { attributes :b }" =>
      "has_many :a: writable: nested: takes true or false; got 1",
    "has_many(:a, writable: { nested: true, build: Object }) { attributes :b }" =>
      "has_many :a: writable: nested: and build: cannot be combined: with nested: the model " \
      "builds the objects.",
    "has_many(:a, writable: { build: 5 }) { attributes :b }" =>
      "has_many :a: writable: build: takes a class, its name, or an object with " \
      "call(attributes); got 5",
    "flatten :a, serializer: { String => 'X' }, writable: true" =>
      "flatten :a: writable: a flatten is read by one serializer. Name it, or use has_one.",
    "nested(:a, writable: true) { attributes :b }" =>
      "nested :a: writable: belongs to the fields inside: attributes :street, writable: true."
  }.freeze

  REFUSED.each do |code, message|
    test "#{code.inspect} is refused" do
      error = assert_raises(ToJson::DefinitionError) { serializer { class_eval(code) } }
      assert_equal "WritableTest::Blog::PostSerializer: #{message}", error.message
    end
  end

  test "a Field says how it is read back" do
    fields = serializer do
      attributes :a, :b, writable: true
      attribute :c, writable: :d
      attribute :e, writable: { as: :decimal, name: "f" }
      attribute :g, writable: false
      attribute :h
      has_many(:i, writable: { nested: true }) { attributes :id }
    end.definition.fields
    assert_equal [{}, {}, { name: :d }, { as: :decimal, name: :f }, nil, nil, { nested: true }],
                 fields.map(&:writable)
    assert_equal "#<ToJson::Field attribute :a, writable: true>", fields[0].inspect
    assert_equal "#<ToJson::Field attribute :c, writable: {:name => :d}>", fields[2].inspect
  end

  test "writable: changes no document, no digest and no cache key" do
    body = lambda do |options|
      serializer do
        attributes :id, :title, **options
        attribute :at, as: :time, **options
        has_one(:author, **options) { attributes :name, **options }
      end
    end
    written = [{}, { writable: true }].map do |options|
      made = body.call(options)
      [made.json!({ id: 1, title: "a", at: nil, author: { name: "b" } }), made.digest,
       made.explain.gsub(/\bP\d+/, "P")]
    end
    assert_equal written.first, written.last
  end

  test "a subclass inherits what is writable, and may declare the field anew" do
    above = serializer { attributes :a, :b, :c, writable: true }
    below = Class.new(above) do
      attribute :b
      remove :c
    end
    assert_equal({ a: 1 }, below.parse({ a: 1 }))
    assert_problems(["/b", :not_writable]) { below.parse({ b: 1 }) }
    assert_problems(["/c", :unknown]) { below.parse({ c: 1 }) }
    assert_equal({ a: 1, b: 2, c: 3 }, above.parse({ a: 1, b: 2, c: 3 }))
  end

  test "a view has writable fields of its own" do
    made = serializer do
      attributes :a, writable: true
      attributes :b
      view(:admin) { attribute :b, writable: true }
    end
    assert_equal({ b: 2 }, made.parse({ b: 2 }, view: :admin))
    assert_equal({ b: 2 }, made.parse({ b: 2 }, view: "admin"))
    assert_problems(["/b", :not_writable]) { made.parse({ b: 2 }) }
    assert_raises(ToJson::UnknownViewError) { made.parse({}, view: :nobody) }
  end

  test "without a writable field nothing can be read" do
    error = assert_raises(ToJson::DefinitionError) { serializer { attributes :a }.parse({}) }
    assert_match(/no field is writable, so nothing is read\. Declare what may be read/,
                 error.message)
  end

  # Each of seven serializers names all others, so there are some 2,000 paths.
  test "whether a field is writable is asked once for each serializer inside" do
    all = Array.new(7) { serializer { attributes :id } }
    all.each do |one|
      (all - [one]).each do |other|
        one.has_one :"k#{all.index(other)}", serializer: other, writable: true
      end
    end
    calls = 0
    all.last.define_singleton_method(:definition) { (calls += 1) && super() }
    assert_raises(ToJson::DefinitionError) { all.first.parse({}) }
    assert_operator calls, :<, 200
    all.last.attribute :name, writable: true
    assert_equal({ k6: { name: "x" } }, all.first.parse({ k6: { name: "x" } }))
  end

  test "two fields that would assign the same are refused" do
    made = serializer do
      attributes :a, writable: true
      attribute :b, :a, writable: true
    end
    error = assert_raises(ToJson::DefinitionError) { made.parse({}) }
    assert_match(/:a and :b are both writable and would both assign :a\./, error.message)
  end

  test "a field that would assign what a field of nested assigns is refused" do
    made = serializer do
      attributes :a, writable: true
      nested(:b) { attribute :c, :a, writable: true }
    end
    error = assert_raises(ToJson::DefinitionError) { made.parse({}) }
    assert_match(/:a and :b are both writable and would both assign :a\./, error.message)
  end

  test "a class that changes is compiled anew" do
    made = serializer { attributes :a, writable: true }
    assert_problems(["/b", :unknown]) { made.parse({ b: 1 }) }
    made.attributes :b, writable: true
    assert_equal({ b: 1 }, made.parse({ b: 1 }))
  end
end
