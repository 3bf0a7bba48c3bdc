# frozen_string_literal: true

# ToJson.generate and ToJson.pretty_generate as calls: arguments, results, layout.

require_relative "value_case"
require "set"

class GenerateTest < ValueCase
  writes("any value may be the root", "[null]") { [nil] }
  { nil => "null", 1 => "1", "a" => '"a"', :a => '"a"', [] => "[]",
    {} => "{}" }.each do |value, json|
    writes("#{value.inspect} may be the root", json) { value }
  end

  test "the result is a new String in UTF-8 that may be changed" do
    one = ToJson.generate("é")
    two = ToJson.generate("é")
    refute_same one, two
    refute_predicate one, :frozen?
    assert_equal Encoding::UTF_8, one.encoding
    assert_equal "\"é\"x", one << "x"
    assert_equal "\"é\"", two
  end

  {
    "no value" =>
      -> { ToJson.generate }, "two values" => -> { ToJson.generate(1, 2) },
      "keywords only" => -> { ToJson.generate(nan: :null) },
    "an unknown option" => -> { ToJson.generate(1, indent: 2) }, "a String for an option" => -> do
      ToJson.generate(1, "nan" => :null)
    end
  }.each do |what, call|
    test "#{what} is an ArgumentError, and the next call is right" do
      assert_raises(ArgumentError) { call.call }
      assert_equal "[1]", ToJson.generate([1])
    end
  end

  test "a Hash in braces is a value, not options" do
    assert_equal '{"nan":1}', ToJson.generate({ nan: 1 })
    assert_equal '{"into":1}', ToJson.generate({ into: 1 })
  end

  test "a document costs its String and nothing else" do
    value = { id: 1, name: "Fred", tags: %w[a b], at: nil, score: 1.5 }
    3.times { ToJson.generate(value) }
    GC.disable
    counts = [100, 100, 300].map do |times|
      before = GC.stat(:total_allocated_objects)
      times.times { ToJson.generate(value) }
      GC.stat(:total_allocated_objects) - before
    end
    assert_equal 200, counts[2] - counts[1]
  ensure
    GC.enable
  end

  test "a document inside another one is a document of its own" do
    inner = object_with { def to_s = ToJson.generate([1, { a: ToJson.generate([]) }]) }
    assert_equal '["[1,{\"a\":\"[]\"}]",2]', ToJson.generate([inner, 2])
  end

  test "documents inside each other to any depth keep to themselves" do
    nest = lambda do |depth|
      depth.zero? ? 0 : object_with do
        define_method(:as_json) do |*|
          [depth, ToJson::Fragment.new(ToJson.generate(nest.call(depth - 1)))]
        end
      end
    end
    assert_equal "#{20.downto(1).map { |n| "[#{n}," }.join}0#{"]" * 20}",
                 ToJson.generate(nest.call(20))
  end

  # [sentence, value maker]: laid out as JSON.pretty_generate does
  PRETTY = {
    "scalars" =>
      -> { [nil, true, 1, 1.5, "a", :b] }, "an empty Array" => -> { [] },
      "an empty Hash" => -> { {} }, "a scalar root" => -> { 7 },
    "empty ones inside" =>
      -> { { a: [], b: {}, c: [[], {}, [[]], { d: {} }] } },
      "nested ones" => -> { { a: [1, { b: [2, [3, { c: nil }]] }], "d" => { e: { f: 1 } } } },
    "an Array of Hashes" =>
      -> { [{ a: 1 }, { b: 2, c: 3 }] }, "an Array of Arrays" => -> { [[1, 2], [3]] },
      "text that looks like layout" => -> { { "a: {" => "\n  }," } },
    "keys that are no Strings" => -> { { 1 => { nil => 2 }, 1.5 => [] } }, "many levels" => -> do
      (1..50).reduce([]) { |inner, n| n.odd? ? { n => inner } : [inner] }
    end
  }.freeze

  PRETTY.each do |what, value|
    test "pretty_generate lays out #{what} as JSON.pretty_generate does" do
      expected = JSON.pretty_generate(value.call)
      assert_document(expected) { |**out| ToJson.pretty_generate(value.call, **out) }
    end
  end if Without.library?("json")

  # What other generators lay out otherwise or not at all.
  {
    "a Set, a Range and an Enumerator" =>
      ["[\n  [\n    1\n  ],\n  [\n    1,\n    2\n  ],\n  [],\n  []\n]",
       -> { [Set[1], 1..2, [].each, (1...1)] }],
    "a Struct" =>
      ["{\n  \"a\": [\n    {\n      \"b\": 1\n    }\n  ]\n}",
       -> { Struct.new(:a).new([Struct.new(:b).new(1)]) }],
    "an own to_h" => ["[\n  {\n    \"a\": 1\n  }\n]", -> { [object_with(to_h: { a: 1 })] }],
    "a Fragment as it is" => ["[\n  {\"a\":[1]}\n]", -> { [ToJson::Fragment.new('{"a":[1]}')] }],
    "a to_json result as it is" =>
      ["[\n  {\"a\":[1]}\n]", -> { [object_with(to_json: '{"a":[1]}')] }]
  }.each do |what, (json, value)|
    test "pretty_generate lays out #{what}" do
      assert_document(json) { |**out| ToJson.pretty_generate(instance_exec(&value), **out) }
    end
  end

  test "pretty_generate takes the same options" do
    assert_equal "[\n  null,\n  \"\\u003c\"\n]",
                 ToJson.pretty_generate([Float::NAN, "<"], nan: :null, html_safe: true)
    assert_equal "[\n\t1\n]", ToJson.pretty_generate([1], indent: "\t"),
                 "what is given wins over its own layout"
    assert_raises(ArgumentError) { ToJson.pretty_generate([], indents: "  ") }
    error = assert_raises(ToJson::NestingError) { ToJson.pretty_generate([[]], max_depth: 1) }
    assert_equal "$[0]", error.path
    assert_equal "[]", ToJson.generate([]), "the next document is not laid out"
  end

  test "random trees are laid out as JSON.pretty_generate does" do
    random = Random.new(88)
    make = lambda do |depth|
      case random.rand(depth.zero? ? 4 : 6)
      when 0 then random.rand(1000)
      when 1 then "text #{random.rand(10)}"
      when 2 then nil
      when 3 then random.rand.round(3)
      when 4 then Array.new(random.rand(4)) { make.call(depth - 1) }
      else Array.new(random.rand(4)) { |n| ["k#{n}", make.call(depth - 1)] }.to_h
      end
    end
    500.times do
      value = make.call(6)
      assert_equal JSON.pretty_generate(value), ToJson.pretty_generate(value)
    end
  end if Without.library?("json")
end
