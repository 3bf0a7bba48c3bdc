# frozen_string_literal: true

require "test_helper"
require_relative "memory_program"
require_relative "memory_case"

# only: and except: that a client chooses: right, and nothing grows or compiles.
class DeclaredMasksTest < DeclaredMemoryCase
  MASKS = Figures.of("Masks")

  test "#{MASKS} different Masks leave what they name, for a Hash and in each view" do
    calls = Array.new(MASKS) { |number| Masks.call(number) }
    assert_operator calls.map { |options, _| options.inspect }.uniq.size, :>, MASKS * 0.95
    wrong = calls.reject do |options, due|
      JSON.parse(Masks::Post.json!(Masks::ROW, **options)) == due
    end
    assert_empty wrong.first(3)
  end

  test "a Mask writes its fields in the order of declaration, as to_h and into an IO too" do
    200.times do |number|
      options, due = Masks.call(number)
      text = Masks::Post.json!(Masks::ROW, **options)
      assert_equal Masks::Post.to_h(Masks::ROW, **options), due
      assert_equal text, Masks::Post.json!(Masks::ROW, into: StringIO.new, **options).string
      if options[:view].is_a?(Array) && due.key?("x")
        assert_equal JSON.parse(text).keys,
                     JSON.parse(Masks::Post.json!(Masks::ROW, view: %i[full short], except: []))
                       .keys & due
                       .keys
      end
    end
  end

  test "#{MASKS} different Masks keep nothing and compile nothing" do
    left = run_apart("masks", MASKS)
    Figures.reached("Masks", MASKS)
    assert_flat left
    assert_compiled_nothing left
  end

  test "names and views that nobody declares are told, make no Symbol and keep nothing" do
    left = run_apart("names that nobody declares", MASKS)
    assert_flat left
    assert_compiled_nothing left
  end

  # Generated code has these names in quotes.
  test "in a list, a field name that looks like a question to a Mask is only a name" do
    %w[bits0 bits7 inside9].product(["", '\\"']).each do |word, before|
      name = :"#{before}(#{word} & 1) > 0"
      row = Struct.new(:id, name, :last).new(1, 2, 3)
      type = Class.new(ToJson::Serializer) do
        attributes :id, name
        attribute(:last, if: name)
      end
      assert_equal [{ name.name => 2, "last" => 3 }], JSON.parse(type.json!([row], except: :id))
      assert_equal [{ "id" => 1, "last" => 3 }], JSON.parse(type.json!([row], except: [name]))
    end
  end

  Author = Class.new(ToJson::Serializer) { attributes :id, :name }
  Reader = Class.new(ToJson::Serializer) { attributes :id, :name; def serialize(one) = super }
  Row = Struct.new(:id, :author, :comments)
  Person = Struct.new(:id, :name)

  # Associations of every kind.
  class RowSerializer < ToJson::Serializer
    attributes :id
    has_one :author, serializer: Author
    has_many :comments, serializer: Author
    association :any, source: :author, serializer: ->(_) { Author }
    has_many :told, source: :comments, serializer: { Person => Author }
    has_one(:inline, source: :author) do
      attributes :id; has_one(:deep, source: :itself) { attributes :name }
    end
    flatten(:person) { attribute :flat, :name }
    def person(row) = row.author
    has_one :own, source: :author, serializer: Reader
  end

  {
    { only: "id,author(id)" } =>
      '"id":1,"author":{"id":1}',
      { except: "id,author(id),comments,any,told,inline,flat,own" } => '"author":{"name":"a"}',
    { only: "comments(id)" } =>
      '"comments":[{"id":1},{"id":1}]', { only: "any(id)" } => '"any":{"id":1}',
      { only: "told(id)" } => '"told":[{"id":1},{"id":1}]',
    { only: "inline(deep(name))" } =>
      '"inline":{"deep":{"name":"a"}}', { only: "flat" } => '"flat":"a"',
      { only: "own(id)" } => '"own":{"id":1}',
    { only: "author" } => '"author":{"id":1,"name":"a"}'
  }.each do |options, due|
    test "associations under a Mask are asked once a document, not once a row: #{options}" do
      author = Person.new(1, "a")
      made = ->(count) do
        RowSerializer.json!(Array.new(count) { Row.new(1, author, [author, author]) }, **options)
      end
      allocated = lambda do |count|
        rows = Array.new(count) { Row.new(1, author, [author, author]) }
        before = GC.stat(:total_allocated_objects)
        RowSerializer.json!(rows, **options)
        GC.stat(:total_allocated_objects) - before
      end
      2.times { assert_equal "[{#{due}},{#{due}}]", made.call(2) }
      least = Array.new(3) { allocated.call(300) - allocated.call(100) }.min
      assert_operator least, :<=, 200 * 8, "objects of 200 rows"
    end
  end

  # A Mask's bits are asked in words of 62.
  test "a Mask of 130 fields leaves each of them, and the part of an association behind them" do
    inner = Class.new(ToJson::Serializer) { attributes :id, :name }
    names = Array.new(130) { |index| :"f#{index}" }
    made = Class.new(ToJson::Serializer) { attributes(*names); has_one :author, serializer: inner }
    row = names.to_h { |name| [name, 1] }.merge(author: { id: 1, name: "a" })
    names.each do |name|
      assert_equal %({"#{name}":1}), made.json!(row, only: name)
      refute_includes made.json!(row, except: [name]), %("#{name}":)
    end
    assert_equal '{"f61":1,"f62":1,"f129":1,"author":{"name":"a"}}',
                 made.json!(row, only: "f129,f62,f61,author(name)")
  end

  Node = Struct.new(:id, :name, :parts, :first)

  class NodeSerializer < ToJson::Serializer
    attributes :id, :name
    has_many :parts, serializer: "DeclaredMasksTest::NodeSerializer"
    has_one :first, serializer: "DeclaredMasksTest::NodeSerializer"
  end

  test "a serializer within itself has at each level the part that is said of it" do
    leaf = Node.new(3, "c", nil, nil)
    [[leaf, leaf], [leaf, leaf].each, [leaf.to_h, leaf.to_h], [leaf.to_h, leaf]].each do |parts|
      top = Node.new(1, "a", [Node.new(2, "b", parts, leaf)], nil)
      assert_equal '{"id":1,"parts":[{"name":"b","parts":[{"id":3},{"id":3}]}]}',
                   NodeSerializer.json!(top, only: "id,parts(name,parts(id))")
      assert_equal '[{"parts":[{"first":{"id":3,"name":"c","parts":null,"first":null}}]}]',
                   NodeSerializer.json!([top], only: "parts(first)")
      assert_equal '{"name":"a","parts":[{"name":"b","parts":[{},{}],"first":{}}],"first":null}',
                   NodeSerializer.json!(top, except: "id,parts(id,parts(id,name,parts,first)," \
                                                     "first(id,name,parts,first))")
    end
  end

  test "an unknown name is told, wherever it stands in what is selected" do
    ["nam", "id,parts(nam)", "parts(parts(first(nam)))", "parts(id(name))"].each do |only|
      [{ only: only }, { except: only }].each do |options|
        error = assert_raises(ToJson::UnknownFieldError) do
          NodeSerializer.json!(Node.new(1), **options)
        end
        assert_match(/"nam"|"id" is an attribute/, error.message)
      end
    end
    assert_equal '{"id":1}', NodeSerializer.json!(Node.new(1), only: :id)
  end

  Sea = Struct.new(:id, :depth, :person)
  SeaSerializer = Class.new(ToJson::Serializer) do
    attributes :id, :depth
    has_one :person, serializer: Author
  end

  # Has values of two classes, whose serializers a Hash names.
  class MixedSerializer < ToJson::Serializer
    attributes :id
    has_many :all, serializer: { Person => Author, Sea => SeaSerializer }
  end

  test "a name within a Hash of serializers is one that one of them has" do
    ann = Person.new(1, "a")
    mixed = { id: 7, all: [ann, Sea.new(2, 90, ann)] }
    {
      "all(id)" => '{"all":[{"id":1},{"id":2}]}',
      "all(name,depth)" => '{"all":[{"name":"a"},{"depth":90}]}',
      "all(depth,person(name))" => '{"all":[{},{"depth":90,"person":{"name":"a"}}]}'
    }.each { |only, due| assert_equal due, MixedSerializer.json!(mixed, only: only) }
    assert_equal '{"id":7,"all":[{"id":1},{"id":2,"person":{"id":1,"name":"a"}}]}',
                 MixedSerializer.json!(mixed, except: "all(name,depth)")

    prefix = "DeclaredMasksTest::MixedSerializer: all: "
    {
      "all(nam)" => "#{prefix}unknown field \"nam\", did you mean \"name\"? Known: id, name, " \
                    "depth, person.",
      "all(name(x))" => "#{prefix}\"name\" is an attribute and has no fields inside. Name it " \
                        "without fields."
    }.each do |names, message|
      [{ only: names }, { except: names }].each do |options|
        [mixed, { id: 7, all: [] }].each do |object|
          error = assert_raises(ToJson::UnknownFieldError) do
            MixedSerializer.json!(object, **options)
          end
          assert_equal message, error.message
        end
      end
    end
    inside = assert_raises(ToJson::UnknownFieldError) do
      MixedSerializer.json!(mixed, only: "all(person(nam))")
    end
    assert_match(/\$\.all\[1\]: .*unknown field "nam"/, inside.message)
  end

  test "the Plans of a class are as many after any Masks as before" do
    plans = -> { [Masks::Post, Masks::Comment, Masks::Author].map { |klass| klass.compile! } }
    before = plans.call
    500.times { |number| Masks::Post.json!([Masks::ROW], **Masks.call(number).first) }
    between = plans.call
    500.times { |number| Masks::Post.json!([Masks::ROW], **Masks.call(1_000 + number).first) }
    assert_equal between, plans.call
    # one that asks a Mask, for each form
    before.zip(between) { |one, other| assert_operator other - one, :<=, 4 }
  end
end
