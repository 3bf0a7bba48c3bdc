# frozen_string_literal: true

require "test_helper"
require "support/ways_out"

# `put_field` and `put_fields` with their conditional kin.
class FieldsTest < ToJsonTest
  Post = Struct.new(:id, :title, :body, :tags)
  POST = Post.new(1, "Hi", nil, [])
  HASH = { id: 1, "title" => "Hi", body: nil, "id" => 9 }.freeze
  VALUES = Struct.new(:n, :f, :t, :e, :w, :u, :a, :h, :z, :x)
                 .new(nil, false, true, "", " \t\n", "\u00a0\u3000", [], {}, 0, "x")
  Nested = Struct.new(:items, :author, :none)
  NESTED = Nested.new([1, 2], Post.new(7, "A"), nil)

  WRITES = {
    "put_field reads by calling the method" => ['{"id":1}', ->(j) { j.put_field POST, :id }],
    "put_field writes under the mapped name" =>
      ['{"number":1}', ->(j) { j.put_field POST, :id, :number }],
    "put_field takes Strings" =>
      ['{"id":1,"number":1}', ->(j) { j.put_field POST, "id"; j.put_field POST, "id", "number" }],
    "put_field takes a pair" => ['{"number":1}', ->(j) { j.put_field POST, %i[id number] }],
    "put_field takes a Hash of one" => ['{"number":1}', ->(j) { j.put_field POST, id: :number }],
    "put_field writes nil as null" => ['{"body":null}', ->(j) { j.put_field POST, :body }],
    "put_field reads a Hash by Symbol, then by String" =>
      ['{"id":1,"title":"Hi"}', ->(j) { j.put_field HASH, :id; j.put_field HASH, :title }],
    "put_field reads a Hash by a String's Symbol first" =>
      ['{"id":1}', ->(j) { j.put_field HASH, "id" }],
    "put_field of a Hash's absent key writes null" =>
      ['{"nope":null}', ->(j) { j.put_field HASH, :nope }],
    "put_field of a Hash's nil does not look for the String" =>
      ['{"body":null}', ->(j) { j.put_field HASH.merge("body" => 1), :body }],
    "put_field takes no notice of a Hash's default" =>
      ['{"x":null}', ->(j) { j.put_field Hash.new(5), :x }],
    "put_field with a block gives it the value" =>
      ['{"author":{"id":7}}', ->(j) { j.put_field(NESTED, :author) { |a| j.put_field a, :id } }],
    "put_field with a name and a block" =>
      ['{"by":{"id":7}}', ->(j) { j.put_field(NESTED, :author, :by) { |a| j.put_field a, :id } }],
    "put_field with a block over many runs it per item" =>
      ['{"items":[[1,0],[2,1]]}', ->(j) {
        j.put_field(NESTED, :items) do |x, i|
          j.value [x, i]
        end
      }],
    "put_field with a block over nil writes null" =>
      ['{"none":null}', ->(j) { j.put_field(NESTED, :none) { flunk } }],
    "put_field with a block that writes nothing writes no key" =>
      ["{}", ->(j) { j.put_field(NESTED, :author) {} }],
    "put_fields writes each" =>
      ['{"id":1,"title":"Hi","body":null,"tags":[]}',
       ->(j) { j.put_fields POST, :id, :title, :body, :tags }],
    "put_fields takes any mix" => ['{"id":1,"t":"Hi","b":null,"tags":[]}',
                                   ->(j) {
                                     j.put_fields POST, :id, %i[title t], { body: :b, tags: nil }
                                   }],
    "put_fields takes one Array of a mix" =>
      ['{"id":1,"t":"Hi","tags":[],"b":null}', ->(j) {
        j.put_fields POST,
          [:id, %i[title t], :tags, { body: :b }]
      }],
    "put_fields takes one Array of two names as a pair" =>
      ['{"title":1}', ->(j) { j.put_fields POST, %i[id title] }],
    "put_fields takes an Array of three as a list" =>
      ['{"id":1,"title":"Hi","body":null}', ->(j) { j.put_fields POST, %i[id title body] }],
    "put_fields takes an Array of one as a list" =>
      ['{"id":1}', ->(j) { j.put_fields POST, %i[id] }],
    "put_fields takes an Array of a pair as a list" =>
      ['{"n":1}', ->(j) { j.put_fields POST, [%i[id n]] }],
    "put_fields takes pairs at any depth" =>
      ['{"n":1,"t":"Hi"}', ->(j) { j.put_fields POST, [[[%i[id n]]], [[["title", :t]]]] }],
    "put_fields takes a list of a Symbol and a Hash, which is no pair" =>
      ['{"id":1,"t":"Hi"}', ->(j) { j.put_fields POST, [:id, { title: :t }] }],
    "put_fields takes Strings and Symbols in one pair" =>
      ['{"n":1}', ->(j) { j.put_fields POST, [["id", :n]] }],
    "put_fields takes keywords as a Hash" =>
      ['{"n":1,"title":"Hi"}', ->(j) { j.put_fields POST, id: :n, title: nil }],
    "put_fields takes a name beside keywords" =>
      ['{"title":"Hi","n":1}', ->(j) { j.put_fields POST, :title, id: :n }],
    "put_fields without names writes nothing" => ["{}", ->(j) { j.put_fields POST }],
    "put_fields with an empty Array writes nothing" => ["{}", ->(j) { j.put_fields POST, [] }],
    "put_fields of the same field twice writes both" =>
      ['{"id":1,"id":1}', ->(j) { j.put_fields POST, :id, :id }],
    "put_fields reads a Hash by key" =>
      ['{"id":1,"t":"Hi","nope":null}', ->(j) { j.put_fields HASH, :id, [:title, :t], :nope }],
    "put_fields takes names that are no identifiers" =>
      ['{"a b":1,"c\"d":2}', ->(j) { j.put_fields({ "a b": 1, "c\"d" => 2 }, :"a b", "c\"d") }],
    "put_fields_unless_nil leaves out nil" =>
      ['{"f":false,"e":""}', ->(j) { j.put_fields_unless_nil VALUES, :n, :f, :e }],
    "put_field_unless_nil leaves out nil" =>
      ['{"t":true}',
       ->(j) { j.put_field_unless_nil VALUES, :n; j.put_field_unless_nil VALUES, :t }],
    "put_fields_unless_blank leaves out nil, false, empty and white space" => [
      '{"t":true,"z":0,"x":"x"}', ->(j) do
        j.put_fields_unless_blank VALUES, :n, :f, :t, :e, :w, :u, :a, :h, :z, :x
      end
    ],
    "put_field_unless_blank maps names" =>
      ['{"y":"x"}',
       ->(j) { j.put_field_unless_blank VALUES, :x, :y; j.put_field_unless_blank VALUES, :w, :v }],
    "put_fields_if sends a Symbol to the value" =>
      ['{"z":0}', ->(j) { j.put_fields_if :integer?, { z: 0, f: 0.5 }, :z, :f }],
    "put_fields_if calls a Proc with the value" =>
      ['{"a":3}', ->(j) { j.put_fields_if ->(v) { v > 2 }, { a: 3, b: 1 }, :a, :b }],
    "put_fields_unless turns it round" =>
      ['{"b":1}', ->(j) { j.put_fields_unless ->(v) { v > 2 }, { a: 3, b: 1 }, :a, :b }],
    "put_field_if maps names" =>
      ['{"c":3}',
       ->(j) { j.put_field_if :odd?, { a: 3 }, :a, :c; j.put_field_if :even?, { a: 3 }, :a, :d }],
    "put_field_unless maps names" =>
      ['{"d":3}',
       ->(j) do
         j.put_field_unless :odd?, { a: 3 }, :a, :c; j.put_field_unless :even?, { a: 3 }, :a, :d
       end],
    "put_field_if takes what has call" =>
      ['{"a":3}', ->(j) { j.put_field_if 3.method(:==), { a: 3 }, :a }],
    "put_field_if takes any true answer" =>
      ['{"a":3}', ->(j) { j.put_field_if ->(_) { "yes" }, { a: 3 }, :a }],
    "put_field_if with a block gives it the value" =>
      ['{"a":{"n":3}}', ->(j) { j.put_field_if(:odd?, { a: 3 }, :a) { |v| j.put :n, v } }],
    "put_field_unless_nil with a block skips nil" =>
      ["{}", ->(j) { j.put_field_unless_nil(NESTED, :none) { flunk } }],
    "put_field_unless_blank with a block" =>
      ['{"items":[1,2]}', ->(j) { j.put_field_unless_blank(NESTED, :items) { |x| j.value x } }],
    "a condition that holds for no field writes nothing" =>
      ['{"k":[]}', ->(j) { j.put(:k, [1]) { j.put_fields_if :zero?, { a: 3 }, :a } }]
  }.freeze

  WRITES.each { |sentence, (expected, words)| test(sentence) { assert_writes(expected, &words) } }

  test "put_fields writes more fields than one native call takes" do
    names = (1..130).map { |n| :"field_#{n}" }
    object = Struct.new(*names).new(*1..130)
    expected = "{#{names.map.with_index(1) { |name, n| %("#{name}":#{n}) }.join(",")}}"
    assert_writes(expected) { |j| j.put_fields object, *names }
    assert_writes(expected) { |j| j.put_fields object, names }
    assert_writes(expected) { |j| j.put_fields object.to_h, names.map(&:to_s) }
  end

  test "put_fields reads by public methods only" do
    object = Class.new { private def secret = 1; protected def hidden = 2; def open_one = 3 }.new
    %i[secret hidden].each do |name|
      10.times do
        error = assert_raises(NoMethodError) do
          ToJson.json { |j| j.put_fields object, :open_one, name }
        end
        assert_equal name, error.name
      end
    end
  end

  test "put_fields goes through method_missing" do
    object = Class.new do
      def method_missing(name, *) = "<#{name}>"; def respond_to_missing?(*) = true
    end.new
    10.times do
      assert_equal '{"a":"<a>","b":"<b>"}', ToJson.json { |j| j.put_fields object, :a, :b }
    end
  end

  test "put_fields sees a method that is redefined between two calls" do
    type = Class.new { def a = 1; def b = 2 }
    answers = Array.new(12) do |n|
      type.class_eval { remove_method :a; define_method(:a) { 10 } } if n == 8
      ToJson.json { |j| j.put_fields type.new, :a, :b }
    end
    assert_equal ['{"a":1,"b":2}'] * 8 + ['{"a":10,"b":2}'] * 4, answers
  end

  test "put_fields of the same list serves objects of many classes" do
    objects = [{ a: 1, b: 2 }, { "a" => 1, "b" => 2 }, Struct.new(:a, :b).new(1, 2),
               Struct.new(:b, :a).new(2, 1),
               Class.new { def a = 1; def b = 2 }.new]
    5.times do
      objects.each do |object|
        assert_equal '{"a":1,"b":2}', ToJson.json { |j| j.put_fields object, :a, :b }
      end
    end
  end

  test "names with quotes, newlines or interpolation reach public_send as they are" do
    names = [:"a\"; raise \"x\nb", :"\#{raise}", :"x) ; exit! ; (", :"a b", :class, :"ü", :"end",
             :+]
    object = Class.new { names.each { |name| define_method(name) { |*| 1 } } }.new
    expected = ToJson.generate(names.to_h { |name| [name, 1] })
    10.times { assert_equal expected, ToJson.json { |j| j.put_fields object, *names } }
  end

  test "a field list that varies with every call is written right and compiled no more than so " \
       "often" do
    object = Class.new { def method_missing(name, *) = name; def respond_to_missing?(*) = true }.new
    2000.times do |n|
      name = :"varying_#{n}"
      assert_equal %({"#{name}":"#{name}","fixed":"fixed"}), ToJson.json { |j|
        j.put_fields object, name, :fixed
      }
    end
  end

  test "put_fields undoes all of its pairs when a later field raises" do
    object = Class.new { def a = 1; def b = raise("no") }.new
    assert_document('{"x":1,"y":2}', sinks: false) do |**out|
      ToJson.json(**out) do |j|
        j.put :x, 1
        assert_raises(RuntimeError) { j.put_fields object, :a, :b }
        j.put :y, 2
      end
    end
  end

  test "a field's value may raise, the path names the field" do
    object = Struct.new(:a, :b).new(1, Float::NAN)
    5.times do
      assert_failure(ToJson::NumberError, path: "$.p.b") do |**out|
        ToJson.json(**out) { |j| j.put(:p) { j.put_fields object, :a, :b } }
      end
    end
    assert_failure(ToJson::NumberError, path: "$.c") do |**out|
      ToJson.json(**out) { |j| j.put_field object, :b, :c }
    end
  end

  [2, 4, 9, 20, 48].each do |count|
    names = Array.new(count) { |i| :"wide#{i}" }
    wide = Struct.new(*names).new(*0...count)

    test "put_fields of #{count} names makes no garbage" do
      klass = Class.new(ToJson::Serializer) do
        class_eval("def serialize(many) = array(many) { |one| put_fields one, " \
                   "#{names.map(&:inspect).join(", ")} }", __FILE__, __LINE__)
      end
      allocated = lambda do |times|
        many = [wide] * times
        before = GC.stat(:total_allocated_objects)
        klass.json!(many)
        GC.stat(:total_allocated_objects) - before
      end
      assert_equal "[{#{names.each_with_index.map { |name, i| %("#{name}":#{i}) }.join(",")}}]",
                   klass.json!([wide])
      allocated.call(100)
      assert_operator Array.new(5) { allocated.call(300) - allocated.call(100) }.min, :<, 20
    end
  end

  test "a getter may serialize another document, and write into none" do
    inner = Class.new { def a = ToJson.json { |j| j.put :inner, 1 }; def b = 2 }.new
    5.times do
      assert_equal '{"a":"{\"inner\":1}","b":2}', ToJson.json { |j| j.put_fields inner, :a, :b }
    end
  end

  WRONG = {
    "put_fields without an object" => ->(j) { j.put_fields },
    "put_field without a field" => ->(j) { j.put_field POST },
    "put_field without anything" => ->(j) { j.put_field },
    "put_field with three names" => ->(j) { j.put_field POST, :id, :a, :b },
    "put_field with a Hash of two" => ->(j) { j.put_field POST, id: :a, title: :b },
    "put_fields with a number for a name" => ->(j) { j.put_fields POST, 1 },
    "put_fields with nil for a name" => ->(j) { j.put_fields POST, nil },
    "put_fields with a Hash to a number" => ->(j) { j.put_fields POST, { id: 1 } },
    "put_fields_if without an object" => ->(j) { j.put_fields_if :zero? },
    "put_fields_if with a number for a condition" => ->(j) { j.put_fields_if 1, POST, :id },
    "put_field_unless with nil for a condition" => ->(j) { j.put_field_unless nil, POST, :id }
  }.freeze

  WRONG.each do |call, words|
    test "#{call} is an ArgumentError that names the path" do
      assert_failure(ArgumentError, message: "$.x: ") do |**out|
        ToJson.json(**out) { |j| j.put(:x) { words.call(j) } }
      end
    end
  end
end
