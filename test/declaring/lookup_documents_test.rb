# frozen_string_literal: true

require_relative "lookup_case"

# Lookups within documents: what was found for a class of values holds until the document ends.
class LookupDocumentsTest < LookupCase
  # Values of these classes have serializers, which write the class's own letter.
  def lettered(*letters, inherits: Object)
    letters.map do |letter|
      type = named_top(:"Lookup#{letter}", inherits)
      type.attr_writer(:letter)
      type.define_method(:letter) { defined?(@letter) ? @letter.call : letter }
      make("Lookup#{letter}Serializer").attributes(:letter)
      type
    end
  end

  def all_of(*values, field: :has_many)
    holder = Struct.new(:all)
    post = make("Api#{LookupWorld.constants.size}::PostSerializer")
    post.__send__(field, :all)
    documents = values.map { |value| post.json!(holder.new(value), collection: false) }
    documents.map { |document| document.delete_prefix('{"all":').delete_suffix("}") }
  end

  def letters(*letters) = "[#{letters.map { |letter| %({"letter":"#{letter}"}) }.join(",")}]"

  test "each value of a collection is written by its class's serializer" do
    a, b, c = lettered("A", "B", "C")
    values = [a.new, b.new, nil, c.new, a.new, b.new]
    expected = letters("A", "B", "nil", "C", "A", "B").sub('{"letter":"nil"}', "null")
    assert_equal expected, all_of(values).first
    assert_equal [letters("A", "A"), letters("B"), "[]", letters("A", "A")],
                 all_of([a.new, a.new], [b.new], [], [a.new, a.new].each)
    assert_equal [letters("B", "A"), '{"letter":"C"}'],
                 all_of([b.new, a.new], c.new, field: :association)
  end

  test "what a getter puts into the Array changes nothing of those that are written" do
    a, b = lettered("A", "B")
    values = [a.new, a.new, a.new]
    values[0].define_singleton_method(:letter) { values[1] = b.new; values << b.new; "A" }
    assert_equal letters("A", "B", "A", "B"), all_of(values).first
    values = Array.new(3) { a.new }
    changes = 0
    letter = -> { changes += 1; values[2] = b.new if changes == 1; "A" }
    values.each { |value| value.letter = letter }
    assert_equal letters("A", "A", "A"), all_of(values).first
  end

  test "a proxy is written as the class that it names, each value by its own word" do
    a, b = lettered("A", "B")
    proxy = named_top(:LookupProxy, Struct.new(:class, :letter))
    values = [proxy.new(a, "a"), proxy.new(b, "b"), a.new, proxy.new(a, "c"), proxy.new(a, "d")]
    assert_equal letters("a", "b", "A", "c", "d"), all_of(values).first
    assert_equal letters("a", "c"), all_of([values[0], values[3]]).first
    assert_equal %w[a b c].map { |letter| letters(letter)[1..-2] },
                 all_of(values[0], values[1], values[3], field: :has_one)
    silent = BasicObject.new
    assert_raises(ToJson::SerializerNotFound) { all_of(silent, field: :has_one) }
    assert_raises(ToJson::SerializerNotFound) { all_of([silent]) }
  end

  test "no value is asked for its class if a lambda says its serializer" do
    a = lettered("A").first
    a.define_method(:class) { raise "asked" }
    serializer = LookupWorld::LookupASerializer
    %i[has_one association].each_with_index do |field, index|
      post = make("Api#{index}::PostSerializer")
      post.__send__(field, :one, serializer: ->(_) { serializer })
      assert_equal '{"one":{"letter":"A"}}', post.json!(Struct.new(:one).new(a.new))
    end
  end

  test "a superclass's serializer writes what has none of its own, up to an abstract class" do
    base = lettered("Base").first
    plain = Class.new(base)
    assert_raises(ToJson::SerializerNotFound) { all_of(plain.new, field: :has_one) } # no name
    named = named_top(:LookupNamed, base)
    assert_equal letters("Base", "Base"), all_of([named.new, base.new]).first
    named.define_singleton_method(:abstract_class?) { equal?(named) }
    below = named_top(:LookupBelow, named)
    assert_raises(ToJson::SerializerNotFound) { all_of(below.new, field: :has_one) }
    assert_raises(ToJson::SerializerNotFound) { all_of(Struct.new(:a).new(1), field: :has_one) }
  end

  test "no serializer is named after Ruby's own superclasses" do
    %w[Object BasicObject Struct Data].each { |name| make("#{name}Serializer") }
    types = [Class.new, Class.new(BasicObject), Struct.new(:a)]
    types << Data.define(:a) if RUBY_VERSION >= "3.2"
    types.each do |type|
      value = named_top(:LookupNone, type).allocate
      assert_raises(ToJson::SerializerNotFound, type) { all_of(value, field: :has_one) }
    end
  end

  test "a document of a hundred classes has each of them, and the next one asks anew" do
    types = lettered(*Array.new(100) { |index| "T#{index}" })
    values = types.map(&:new) * 3
    expected = letters(*Array.new(100) { |index| "T#{index}" } * 3)
    assert_equal [expected, expected], all_of(values, values)
    remove("LookupT7Serializer")
    make("LookupT7Serializer").attribute(:letter) { "new" }
    assert_includes all_of([types[7].new, types[8].new]).first, '{"letter":"new"}'
    GC.start
    GC.compact if GC.respond_to?(:compact)
    assert_equal letters("T1", "T2"), all_of([types[1].new, types[2].new]).first
  end

  test "a class that changes within a document changes no value that follows in it" do
    a = lettered("A").first
    of_a = LookupWorld::LookupASerializer
    holder = Struct.new(:one)
    ways = [{ a => of_a }, { a => "::#{of_a.name}" }, of_a].map { |told| { serializer: told } }
    [*ways, {}].each_with_index do |way, index|
      post = make("Api#{index}::PostSerializer")
      post.has_one(:one, **way)
      before = post.json!(holder.new(a.new))
      changing = a.new.tap { |it| it.letter = -> { of_a.attribute(:"x#{index}") { 2 }; "A" } }
      all = [a.new, changing, a.new, a.new].map { |value| holder.new(value) }
      assert_equal "[#{([before] * 4).join(",")}]", post.json!(all)
      assert_equal before.sub("}}", %(,"x#{index}":2}})), post.json!(holder.new(a.new))
    end
  end

  test "what a Hash of serializers says last is known until a class changes, and no longer" do
    a, b = lettered("A", "B")
    of_a = LookupWorld::LookupASerializer
    post = make("PostSerializer")
    post.has_one(:one, serializer: { a => of_a, b => LookupWorld::LookupBSerializer })
    holder = Struct.new(:one)
    write = ->(value) { post.json!(holder.new(value)) }
    one, other = %({"one":{"letter":"A"}}), %({"one":{"letter":"B"}})
    assert_equal [one, one, other, other, one], [a, a, b, b, a].map { |type| write[type.new] }
    of_a.attribute(:two) { 2 }
    GC.start
    GC.compact if GC.respond_to?(:compact)
    two = %({"one":{"letter":"A","two":2}})
    assert_equal [two, two, other], [a, a, b].map { |type| write[type.new] }
    of_a.define_method(:serialize) { |_| put :own, 3 }
    own = %({"one":{"own":3}})
    assert_equal [own, own], [a, a].map { |type| write[type.new] }
    changing = a.new.tap { |it| it.letter = -> { of_a.attribute(:late) { 4 }; "A" } }
    of_a.remove_method(:serialize)
    assert_equal two, write[changing]
    assert_equal %({"one":{"letter":"A","two":2,"late":4}}), write[a.new]
  end

  test "after a value that was looked up, errors and models have their places again" do
    inner = lettered("Inner").first
    post = make("PostSerializer")
    post.has_one(:one)
    post.attributes(:after)
    post.has_one(:other)
    after = -> { raise "no" }
    holder = Struct.new(:one, :other) { define_method(:after) { after.call } }
    error = assert_raises(RuntimeError) { post.json!(holder.new(inner.new, nil)) }
    assert_equal "$.after", ToJson.location(error)
    broken = inner.new.tap { |one| one.define_singleton_method(:letter) { raise "no" } }
    after = -> { 1 }
    error = assert_raises(RuntimeError) { post.json!(holder.new(broken, nil)) }
    assert_equal "$.one.letter", ToJson.location(error)
    2.times do
      error = assert_raises(RuntimeError) { post.json!([holder.new(inner.new, broken)]) }
      assert_equal "$[0].other.letter", ToJson.location(error)
    end
    assert_equal %({"one":{"letter":"Inner"},"after":1,"other":null}),
                 post.json!(holder.new(inner.new, nil))
  end
end
