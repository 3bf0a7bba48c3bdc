# frozen_string_literal: true

# Hash: keys of every kind, order, collisions, subclasses.

require_relative "value_case"

class HashTest < ValueCase
  writes("an empty Hash is an empty object", "{}") { {} }
  writes("pairs stand in the order in which they came", '{"b":1,"a":2,"c":{"z":{},"y":[]}}') do
    { b: 1, a: 2, c: { z: {}, y: [] } }
  end
  writes("a Hash of any size keeps its order",
         "{#{(0..2000).map { |n| "\"k#{n}\":#{n}" }.join(",")}}") do
    (0..2000).to_h { |n| ["k#{n}", n] }
  end

  # [key, its text in JSON]
  KEYS = [
    [:symbol, "symbol"], ["string", "string"], ["", ""], ["with \"quotes\"", 'with \"quotes\"'],
    ["é\n", 'é\n'], [1, "1"], [-1, "-1"],
    [2**70, (2**70).to_s], [1.5, "1.5"], [1e20, "1.0e+20"], [Float::NAN, "NaN"],
    [Float::INFINITY, "Infinity"], [nil, ""],
    [true, "true"], [false, "false"], [1/3r, "1/3"], [Complex(1, 2), "1+2i"], [String, "String"],
    [[1, :a], "[1, :a]"],
    [1..2, "1..2"], [Time.at(0).utc, "1970-01-01 00:00:00 UTC"]
  ].freeze

  KEYS.each do |key, text|
    writes("a key that is #{key.inspect} reads #{text}", "{\"#{text}\":1}") { { key => 1 } }
  end

  writes("a key that is an object is its to_s", '{"mine":1}') { { object_with(to_s: "mine") => 1 } }
  writes("a key's to_s may be in any encoding", '{"é":1}') do
    { object_with(to_s: "é".encode("UTF-16LE")) => 1 }
  end
  writes("a key that is a subclass of String is its to_s", '{"other":1}') do
    { Class.new(String) { def to_s = "other" }.new("text") => 1 }
  end
  test "a key whose to_s gives no String raises" do
    key = object_with(to_s: 1)
    error = assert_failure(ToJson::UnsupportedTypeError,
                           message: "to_s of a key returned Integer instead") do |**out|
      ToJson.generate({ a: { key => 1 } }, **out)
    end
    assert error.path.start_with?("$.a[#<"), error.path
  end

  test "a key whose to_s raises lets its exception pass, with the path" do
    key = object_with { def to_s = raise(KeyError, "no") }
    error = assert_raises(KeyError) { ToJson.generate([{ key => 1 }]) }
    assert ToJson.location(error).start_with?("$[0]"), ToJson.location(error)
  end

  writes("keys that read the same are written as they come", '{"1":1,"1":2,"1":3}') do
    { 1 => 1, "1" => 2, "1": 3 }
  end
  writes("a Hash that compares by identity may have equal keys", '{"a":1,"a":2}') do
    {}.compare_by_identity.tap { |hash| hash[+"a"] = 1; hash[+"a"] = 2 }
  end

  refuses("keys that read the same raise under duplicates: :raise", ToJson::DuplicateKeyError,
          path: '$.a["1"]',
          duplicates: :raise, message: 'two keys of one Hash have the text "1"') do
            { a: { 1 => 1, "1" => 2 } }
          end
  refuses("a Symbol and a String that read the same raise under duplicates: :raise",
          ToJson::DuplicateKeyError, path: "$.id",
          duplicates: :raise) { { id: 1, "id" => 2 } }
  refuses("keys that read the same in two encodings raise under duplicates: :raise",
          ToJson::DuplicateKeyError,
          path: '$["é"]', duplicates: :raise) { { "é".encode("ISO-8859-1") => 1, "é" => 2 } }
  refuses("binary that reads the same as text raises under duplicates: :raise",
          ToJson::DuplicateKeyError,
          path: '$["é"]', duplicates: :raise) { { "é".b => 1, "é" => 2 } }
  refuses("broken keys that read the same once replaced raise under duplicates: :raise",
          ToJson::DuplicateKeyError,
          path: '$["\xFE"]', duplicates: :raise, invalid: :replace) { { "\xFF" => 1, "\xFE" => 2 } }
  writes("the same key in two Hashes is no duplicate", '{"a":{"a":[{"a":1},{"a":1}]}}',
         duplicates: :raise) do
    { a: { a: [{ a: 1 }, { a: 1 }] } }
  end
  writes("a duplicate is none where to_s differs", '{"1":1,"1.0":2,"01":3}', duplicates: :raise) do
    { 1 => 1, 1.0 => 2, "01" => 3 }
  end

  writes("a default is no pair", '{"a":1}') { Hash.new { |hash, key| hash[key] = 2 }.merge!(a: 1) }
  writes("a frozen Hash", '{"a":1}') { { a: 1 }.freeze }
  writes("a subclass of Hash without methods of its own is an object", '{"a":1}') do
    Class.new(Hash)[a: 1]
  end
  writes("a subclass of Hash with its own to_h is that", '{"b":2}') do
    Class.new(Hash) { def to_h = { b: 2 } }[a: 1]
  end
  writes("a subclass of Hash with its own as_json is that", '["own"]') do
    Class.new(Hash) { def as_json(*) = ["own"] }[a: 1]
  end
  writes("a Hash with a singleton method is asked it first", '"single"') do
    { a: 1 }.tap { |hash| def hash.as_json(*) = "single" }
  end
  writes("values of every kind stand in a Hash",
         '{"a":null,"b":"1970-01-01T00:00:00.000Z","c":[1],"d":{"e":"f"}}') do
    { a: nil, b: Time.at(0).utc, c: 1..1, d: { e: :f } }
  end

  if Without.library?("active_support")
    require "active_support/core_ext/hash/indifferent_access"
    require "active_support/ordered_options"
    writes("a HashWithIndifferentAccess is an object", '{"a":{"b":1}}') do
      { a: { b: 1 } }.with_indifferent_access
    end
    writes("OrderedOptions are an object", '{"a":1}') do
      ActiveSupport::OrderedOptions.new.tap { |options| options.a = 1 }
    end
  end

  test "a Hash is left as it was" do
    hash = { "a" => 1, b: [2, { c: 3 }] }
    before = Marshal.dump(hash)
    ToJson.generate(hash)
    assert_equal before, Marshal.dump(hash)
  end
end
