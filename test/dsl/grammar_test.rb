# frozen_string_literal: true

require "test_helper"
require "support/ways_out"

# What a slot and an element take, and what is said when a call does not fit.
class GrammarTest < ToJsonTest
  KEY = "a value where a key is expected: this object already has pairs. Use put :key, value."
  VALUE =
    "a pair where a value is expected: this slot already has a value. Use value, or write " \
    "everything as pairs."
  SECOND = "a second value in a slot that takes one. Use array for several."
  ROOTS = "a second value at the root: a document has one. Use array for several."

  # name => [path, message, words]
  ILLEGAL = {
    "value after put at the root" => ["$", KEY, ->(j) { j.put :a, 1; j.value 2 }],
    "array after put at the root" => ["$", KEY, ->(j) { j.put :a, 1; j.array 2 }],
    "value with a block after put at the root" =>
      ["$", KEY, ->(j) { j.put :a, 1; j.value { j.put :b, 2 } }],
    "put after value at the root" => ["$", VALUE, ->(j) { j.value 1; j.put :a, 2 }],
    "put after array at the root" => ["$", VALUE, ->(j) { j.array; j.put :a, 2 }],
    "put_fields after value at the root" =>
      ["$", VALUE, ->(j) { j.value 1; j.put_fields({ a: 1 }, :a) }],
    "two values at the root" => ["$", ROOTS, ->(j) { j.value 1; j.value 2 }],
    "two arrays at the root" => ["$", ROOTS, ->(j) { j.array 1; j.array 2 }],
    "value and array at the root" => ["$", ROOTS, ->(j) { j.value 1; j.array }],
    "two blocks of value at the root" =>
      ["$", ROOTS, ->(j) { j.value { j.put :a, 1 }; j.value { j.put :b, 1 } }],
    "put after a block of value at the root" =>
      ["$", VALUE, ->(j) { j.value { j.put :a, 1 }; j.put :b, 1 }],
    "value after put in the block of a key" =>
      ["$.k", KEY, ->(j) { j.put(:k) { j.put :a, 1; j.value 2 } }],
    "put after value in the block of a key" =>
      ["$.k", VALUE, ->(j) { j.put(:k) { j.value 1; j.put :a, 2 } }],
    "two values in the block of a key" =>
      ["$.k", SECOND, ->(j) { j.put(:k) { j.value 1; j.value 2 } }],
    "two arrays in the block of a key" =>
      ["$.k", SECOND, ->(j) { j.put(:k) { j.array 1; j.array 2 } }],
    "two values in a block of value" =>
      [nil, SECOND, ->(j) { j.array { j.value { j.value 1; j.value 2 } } }],
    "value after put in an element" =>
      ["$[1]", KEY,
       ->(j) { j.array([1, 2]) { |n| n == 1 ? j.value(n) : (j.put :a, 1; j.value 2) } }],
    "put after value in an element" =>
      [nil, VALUE, ->(j) { j.array([1]) { j.value 1; j.put :a, 1 } }],
    "put after value in a bare array block" =>
      [nil, VALUE, ->(j) { j.array { j.value 1; j.put :a, 1 } }],
    "value after put in a bare array block" =>
      ["$[0]", KEY, ->(j) { j.array { j.put :a, 1; j.value 1 } }],
    "two values in the block of one" =>
      ["$.k", SECOND, ->(j) { j.put(:k, 5) { |v| j.value v; j.value v } }]
  }.freeze

  ILLEGAL.each do |call, (path, message, words)|
    test "#{call} is a GrammarError with the path and what to do" do
      error = assert_failure(ToJson::GrammarError, path: path, message: message) do |**out|
        ToJson.json(**out, &words)
      end
      assert_equal "#{error.path}: #{message}", error.message
      inherited = Class.new(ToJson::Serializer) { define_method(:serialize) { words.call(self) } }
      assert_failure(ToJson::GrammarError, path: path) { |**out| inherited.json!(**out) }
    end
  end

  # A call that does not fit leaves the document as it was, so a rescue inside it may go on.
  ILLEGAL.each do |call, (_, _, words)|
    next unless call.include?("at the root")

    test "#{call}, rescued inside the document, changes nothing" do
      expected = ToJson.json { |j| words.call(OnlyFirst.new(j)) }
      assert_document(expected) do |**out|
        ToJson.json(**out) do |j|
          words.call(j)
        rescue ToJson::GrammarError
          nil
        end
      end
    end
  end

  # Passes on the first word only.
  class OnlyFirst
    def initialize(receiver) = @receiver = receiver

    %i[put put_fields value array].each do |word|
      define_method(word) do |*arguments, **keywords, &block|
        first, @receiver = @receiver, nil
        first&.public_send(word, *arguments, **keywords,
                           &(block && proc { words_of(first, &block) }))
      end
    end

    private

    # The block of a script calls the receiver it closed over, which is this one.
    def words_of(first, &block)
      @receiver = first
      block.call
    ensure
      @receiver = nil
    end
  end

  PATHS = {
    "keys" => ["$.a.b.c", ->(j, bad) { j.put(:a) { j.put(:b) { j.put :c, bad } } }],
    "indexes of items" => ["$.a[2].b", ->(j, bad) { j.put(:a, [1, 2, bad]) { |x| j.put :b, x } }],
    "indexes of values" => ["$[1]", ->(j, bad) { j.array { j.value 1; j.value bad } }],
    "indexes of arguments" => ["$[2]", ->(j, bad) { j.array 1, 2, bad }],
    "indexes of nested arrays" =>
      ["$[1][0][2]", ->(j, bad) { j.array { j.value 1; j.array { j.array 1, 2, bad } } }],
    "indexes that count what was written, not the items skipped" =>
      ["$[1].b", ->(j, bad) { j.array([1, nil, bad]) { |x| j.put :b, x if x } }],
    "keys of Hashes" => ["$.a.b[1].c", ->(j, bad) { j.put :a, { b: [1, { c: bad }] } }],
    "keys of keywords" => ["$.b", ->(j, bad) { j.put a: 1, b: bad }],
    "keys that are no names in brackets" =>
      ['$["a b"]["1x"][""]["é"]',
       ->(j, bad) { j.put("a b") { j.put(:"1x") { j.put("") { j.put "é", bad } } } }],
    "keys that are numbers" => ["$[\"12\"]", ->(j, bad) { j.put "12", bad }],
    "keys after siblings that ended" =>
      ["$.d", ->(j, bad) { j.put(:a) { j.put :b, 1 }; j.put(:c) { j.array 1, 2 }; j.put :d, bad }],
    "keys after empty siblings" =>
      ["$.d", ->(j, bad) { j.put(:a) {}; j.open :b; j.close; j.put :d, bad }],
    "keys through open" =>
      ["$.a[0].b", ->(j, bad) { j.open :a; j.open_array; j.open; j.put :b, bad }],
    "the root" => ["$", ->(j, bad) { j.value bad }],
    "the root through a block" => ["$", ->(j, bad) { j.value { j.value bad } }]
  }.freeze

  PATHS.each do |what, (path, words)|
    test "a path shows #{what}" do
      assert_failure(ToJson::NumberError, path: path, message: "#{path}: Float::NAN") do |**out|
        ToJson.json(**out) { |j| words.call(j, Float::NAN) }
      end
    end
  end

  test "a deep path shows its first and last parts" do
    error = assert_raises(ToJson::NumberError) do
      ToJson.generate((1..50).inject(Float::NAN) { |inner, n| { "k#{n}": inner } })
    end
    assert_equal "$.#{50.downto(39).map { |n| "k#{n}" }.join(".")}….k4.k3.k2.k1", error.path
  end
end
