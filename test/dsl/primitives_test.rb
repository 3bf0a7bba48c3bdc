# frozen_string_literal: true

require "test_helper"
require "support/ways_out"

# `open`, `open k`, `open_array` and `close`: legal shapes, and every illegal order of calls.
class PrimitivesTest < ToJsonTest
  WRITES = {
    "open a key, open an array, close both" =>
      ['{"ids":[1]}', ->(j) { j.open :ids; j.open_array; j.value 1; j.close; j.close }],
    "open a key takes pairs" =>
      ['{"a":{"b":1,"c":2}}', ->(j) { j.open :a; j.put :b, 1; j.put :c, 2; j.close }],
    "open a key takes one value" => ['{"a":5}', ->(j) { j.open :a; j.value 5; j.close }],
    "open a key takes one array" => ['{"a":[1,2]}', ->(j) { j.open :a; j.array 1, 2; j.close }],
    "open a key takes a String" => ['{"a b":1}', ->(j) { j.open "a b"; j.value 1; j.close }],
    "open a key and close at once writes nothing" => ["{}", ->(j) { j.open :a; j.close }],
    "open a key and close at once between pairs writes nothing" =>
      ['{"x":1,"y":2}', ->(j) { j.put :x, 1; j.open :a; j.close; j.put :y, 2 }],
    "open at the root takes pairs" => ['{"a":1}', ->(j) { j.open; j.put :a, 1; j.close }],
    "open at the root takes one value" => ["5", ->(j) { j.open; j.value 5; j.close }],
    "open at the root and close at once leaves the root free" =>
      ['{"a":1}', ->(j) { j.open; j.close; j.put :a, 1 }],
    "open in an array is an element" =>
      ['[{"a":1},{"a":2}]',
       ->(j) { j.open_array; 2.times { |i| j.open; j.put :a, i + 1; j.close }; j.close }],
    "open in an array and close at once adds no element" =>
      ["[1,2]", ->(j) { j.open_array; j.value 1; j.open; j.close; j.value 2; j.close }],
    "open_array at the root" => ["[1,2]", ->(j) { j.open_array; j.value 1; j.value 2; j.close }],
    "open_array and close at once is []" => ["[]", ->(j) { j.open_array; j.close }],
    "open_array in open_array" =>
      ["[[],[[1]],[]]",
       ->(j) { j.open_array; j.open_array; j.close; j.array { j.array 1 }; j.array; j.close }],
    "open_array takes pairs as one element" =>
      ['[{"a":1,"b":2}]', ->(j) { j.open_array; j.put :a, 1; j.put :b, 2; j.close }],
    "open within the block of put" =>
      ['{"k":{"a":{"b":1}}}', ->(j) { j.put(:k) { j.open :a; j.put :b, 1; j.close } }],
    "open a key within the item of an array" =>
      ['[{"a":{"n":1}},{"a":{"n":2}}]',
       ->(j) { j.array([1, 2]) { |n| j.open :a; j.put :n, n; j.close } }],
    "blocks within open" =>
      ['{"a":{"b":[{"c":1}]}}',
       ->(j) { j.open :a; j.put(:b) { j.array([1]) { |n| j.put :c, n } }; j.close }],
    "open and close through loops that no block follows" => [
      '{"a":{"b":{"c":1}}}', ->(j) do
        %i[a b].each { |k| j.open k }; j.put :c, 1; 2.times { j.close }
      end
    ],
    "the example of a tree from a flat list" => [
      '[{"id":1,"kids":[{"id":2,"kids":[]}]},{"id":3,"kids":[]}]',
      lambda { |j|
        depth = 0
        j.open_array
        [[0, 1], [1, 2], [0, 3]].each do |level, id|
          (depth - level).times { 3.times { j.close } }
          depth = level + 1
          j.open
          j.put :id, id
          j.open :kids
          j.open_array
        end
        depth.times { 3.times { j.close } }
        j.close
      }
    ],
    "empty opens in opens take all back" =>
      ['{"z":1}', ->(j) { j.open :a; j.open; j.open; j.close; j.close; j.close; j.put :z, 1 }],
    "an empty key in an open takes both back" =>
      ['{"z":1}', ->(j) { j.open :a; j.open :b; j.close; j.close; j.put :z, 1 }]
  }.freeze

  WRITES.each { |sentence, (expected, words)| test(sentence) { assert_writes(expected, &words) } }

  test "open, open_array and close return nil" do
    answers = []
    ToJson.json { |j| answers << j.open(:a) << j.open_array << j.close << j.close }
    assert_equal [nil] * 4, answers
  end

  test "a helper method may close what another opened in the same block" do
    serializer = Class.new(ToJson::Serializer) do
      def serialize = (start; put :a, 1; stop)
      def start = open(:k)
      def stop = close
    end
    assert_serializer '{"k":{"a":1}}', serializer
  end

  # name => [path, message, words]
  ILLEGAL = {
    "close with nothing open" => ["$", "close without a matching open", ->(j) { j.close }],
    "close twice" =>
      ["$", "close without a matching open", ->(j) { j.open :a; j.value 1; j.close; j.close }],
    "close after the last pair" =>
      ["$", "close without a matching open", ->(j) { j.put :a, 1; j.close }],
    "close of the slot that a put block is" =>
      ["$.k", "close without a matching open", ->(j) { j.put(:k) { j.close } }],
    "close of the element slot that an array block is" =>
      ["$[0]", "close without a matching open", ->(j) { j.array([1]) { j.close } }],
    "close of the array that a bare block is" =>
      ["$[0]", "close without a matching open", ->(j) { j.array { j.close } }],
    "close in a block of what was opened outside it" =>
      ["$.a.b", "close without a matching open", ->(j) { j.open :a; j.put(:b) { j.close } }],
    "close in an item block of what was opened outside it" =>
      ["$[0][0]", "close without a matching open",
       ->(j) { j.open_array; j.value([1]) { j.close } }],
    "open left open at the root" =>
      ["$", "Every open and open_array needs a close", ->(j) { j.open }],
    "open of a key left open at the root" =>
      ["$.a", "Every open and open_array needs a close", ->(j) { j.open :a; j.put :b, 1 }],
    "open_array left open at the root" =>
      [nil, "Every open and open_array needs a close", ->(j) { j.open_array; j.value 1 }],
    "open left open in a put block" =>
      ["$.k.a", "Every open and open_array needs a close", ->(j) { j.put(:k) { j.open :a } }],
    "open left open in an item block" =>
      ["$[0].a", "Every open and open_array needs a close", ->(j) { j.array([1]) { j.open :a } }],
    "open_array left open in a bare block" =>
      [nil, "Every open and open_array needs a close", ->(j) { j.array { j.open_array } }],
    "open left open in a value block" =>
      [nil, "Every open and open_array needs a close", ->(j) { j.value { j.open_array } }],
    "one of two left open" =>
      ["$.a", "Every open and open_array needs a close",
       ->(j) { j.open :a; j.open_array; j.close }],
    "open of a key where a value is due" =>
      [nil, "a pair where a value is expected", ->(j) { j.open_array; j.value 1; j.open :a }],
    "open without a key where one is due" =>
      [nil, "a value where a key is expected", ->(j) { j.put :a, 1; j.open }],
    "open_array where a key is due" =>
      [nil, "a value where a key is expected", ->(j) { j.put :a, 1; j.open_array }],
    "open_array twice in a slot" =>
      ["$.a", "a second value in a slot", ->(j) { j.open :a; j.open_array; j.close; j.open_array }],
    "open_array after the root's value" =>
      ["$", "a second value at the root", ->(j) { j.value 1; j.open_array }],
    "open after the root's value" =>
      ["$", "a second value at the root", ->(j) { j.value 1; j.open }],
    "open of a key after the root's value" =>
      ["$", "a pair where a value is expected", ->(j) { j.value 1; j.open :a }]
  }.freeze

  ILLEGAL.each do |call, (path, message, words)|
    test "#{call} is a GrammarError with the path" do
      assert_failure(ToJson::GrammarError, path: path, message: message) do |**out|
        ToJson.json(**out, &words)
      end
    end
  end

  WRONG = {
    "open with two arguments" => ->(j) { j.open :a, :b },
    "open with a block" => ->(j) { j.open(:a) { j.value 1 } },
    "open without a key and with a block" => ->(j) { j.open { j.value 1 } },
    "open_array with an argument" => ->(j) { j.open_array 1 },
    "open_array with a block" => ->(j) { j.open_array { j.value 1 } },
    "close with an argument" => ->(j) { j.close 1 }
  }.freeze

  WRONG.each do |call, words|
    test "#{call} is an ArgumentError" do
      assert_failure(ArgumentError) { |**out| ToJson.json(**out, &words) }
    end
  end

  test "open with a block says which call takes one" do
    error = assert_raises(ArgumentError) { ToJson.json { |j| j.open(:a) { j.value 1 } } }
    assert_equal "$: open takes no block: close ends what it begins. Use put :key do ... end or " \
                 "value do ... end.", error.message
  end
end
