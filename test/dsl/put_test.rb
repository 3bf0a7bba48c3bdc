# frozen_string_literal: true

require "test_helper"
require "support/ways_out"

# The `put` rows of the DSL's table, each in the class form, the module form and with an explicit
# receiver.
class PutTest < ToJsonTest
  EACH_OF = Class.new do
    include Enumerable
    def initialize(*items) = @items = items
    def each(&block) = @items.each(&block)
  end
  Pair = Struct.new(:a, :b)

  WRITES = {
    "put with a key and a value writes the pair" => ['{"k":1}', ->(j) { j.put :k, 1 }],
    "put takes a String as the key" => ['{"k":1}', ->(j) { j.put "k", 1 }],
    "put takes what has a to_s as the key" =>
      ['{"12":1,"":2,"1.5":3,"true":4}', ->(j) {
        j.put 12, 1
        j.put nil, 2
        j.put 1.5, 3
        j.put true, 4
      }],
    "put escapes its key" =>
      ['{"a\"b\\\\c\n":1,"é":2}', ->(j) { j.put :"a\"b\\c\n", 1; j.put "é", 2 }],
    "put with a dynamic Symbol is no different" =>
      ['{"dynamic key":1}', ->(j) { j.put ["dynamic", "key"].join(" ").to_sym, 1 }],
    "put with a key longer than 32 bytes writes all of it" =>
      [%({"#{"k" * 33}":1,"#{"l" * 300}":2}), ->(j) {
        j.put :"#{"k" * 33}", 1
        j.put :"#{"l" * 300}", 2
      }],
    "put keeps the order of its calls" =>
      ['{"z":1,"a":2,"m":3}', ->(j) { j.put :z, 1; j.put :a, 2; j.put :m, 3 }],
    "put of the same key twice writes both" =>
      ['{"a":1,"a":2}', ->(j) { j.put :a, 1; j.put :a, 2 }],
    "put with keywords writes each pair" => ['{"a":1,"b":2}', ->(j) { j.put a: 1, b: 2 }],
    "put with keywords takes String keys" => ['{"a b":1,"c":2}', ->(j) { j.put "a b" => 1, c: 2 }],
    "put with a Hash is put with its pairs" =>
      ['{"a":1,"b":[2]}', ->(j) { j.put({ a: 1, "b" => [2] }) }],
    "put with an empty Hash writes nothing" => ["{}", ->(j) { j.put({}) }],
    "put with no keywords after a splat of nothing writes nothing" =>
      ['{"a":1}', ->(j) { j.put(:a, 1, **{}) }],
    "put with keywords after a key writes them as its Hash" =>
      ['{"k":{"name":"Fred","age":7}}', ->(j) { j.put :k, name: "Fred", age: 7 }],
    "put with nil writes null" => ['{"k":null}', ->(j) { j.put :k, nil }],
    "put with an Array writes its elements" =>
      ['{"k":[1,[2],[]]}', ->(j) { j.put :k, [1, [2], []] }],
    "put with a Hash value writes an object" =>
      ['{"k":{"a":{"b":1}},"e":{}}', ->(j) { j.put :k, { a: { b: 1 } }; j.put :e, {} }],
    "put with a block writes the key and what the block writes" =>
      ['{"k":{"a":1,"b":2}}', ->(j) { j.put(:k) { j.put :a, 1; j.put :b, 2 } }],
    "put with a block that calls value writes that value" =>
      ['{"k":7}', ->(j) { j.put(:k) { j.value 7 } }],
    "put with a block that calls array writes an array" =>
      ['{"k":[1,2]}', ->(j) { j.put(:k) { j.array 1, 2 } }],
    "put with a block ignores what the block returns" =>
      ['{"k":{"a":1}}', ->(j) { j.put(:k) { j.put :a, 1; "unused" } }],
    "put with a block that writes nothing writes no key" =>
      ['{"a":1,"b":2}', ->(j) { j.put :a, 1; j.put(:k) {}; j.put :b, 2 }],
    "put with a block that writes nothing as the first and last pair" =>
      ['{"a":1}', ->(j) { j.put(:k) {}; j.put :a, 1; j.put(:l) { nil } }],
    "put with a value and a block that writes nothing writes no key" =>
      ['{"b":2}', ->(j) { j.put(:k, 5) { |_| nil }; j.put :b, 2 }],
    "put with a value and a block gives the value to the block" =>
      ['{"k":{"double":10}}', ->(j) { j.put(:k, 5) { |v| j.put :double, v * 2 } }],
    "put with nil and a block writes null and skips the block" =>
      ['{"k":null}', ->(j) { j.put(:k, nil) { flunk } }],
    "put with false and a block runs the block" =>
      ['{"k":"false"}', ->(j) { j.put(:k, false) { |v| j.value v.inspect } }],
    "put with an Array and a block writes an array, the block run per item" =>
      ['{"k":[{"n":1},{"n":2}]}', ->(j) {
        j.put(
          :k, [1, 2]
        ) do |n|
          j.put :n, n
        end
      }],
    "put with an Array and a block of two gives item and index" =>
      ['{"k":[["a",0],["b",1]]}', ->(j) {
        j.put(:k, %w[a b]) do |x, i|
          j.value [x, i]
        end
      }],
    "put with an empty Array and a block writes []" =>
      ['{"k":[]}', ->(j) { j.put(:k, []) { flunk } }],
    "put with an Array whose items write nothing writes []" =>
      ['{"k":[]}', ->(j) { j.put(:k, [1, 2]) {} }],
    "put with an Array skips the items that write nothing" =>
      ['{"k":[{"n":1},{"n":3}]}', ->(j) {
        j.put(:k, [1, 2, 3]) do |n|
          j.put :n, n if n.odd?
        end
      }],
    "put with a block gives nil items to the block" =>
      ['{"k":["nil",1]}', ->(j) { j.put(:k, [nil, 1]) { |x| j.value x.nil? ? "nil" : x } }],
    "put with an Enumerable and a block runs it per item" =>
      ['{"k":[2,4]}', ->(j) { j.put(:k, EACH_OF.new(1, 2)) { |n| j.value n * 2 } }],
    "put with a Range and a block runs it per item" =>
      ['{"k":[1,2,3]}', ->(j) { j.put(:k, 1..3) { |n| j.value n } }],
    "put with a Hash and a block gives the Hash to the block once" =>
      ['{"k":{"size":2}}', ->(j) {
        j.put(
          :k, { a: 1, b: 2 }
        ) do |h|
          j.put :size, h.size
        end
      }],
    "put with a Struct and a block gives the Struct to the block once" =>
      ['{"k":{"a":1,"b":2}}', ->(j) {
        j.put(
          :k, Pair.new(1, 2)
        ) do |s|
          j.put_fields s, :a, :b
        end
      }],
    "put with collection: true walks what would be one" =>
      ['{"k":[["a",1],["b",2]]}', ->(j) {
        j.put(
          :k, { a: 1, b: 2 }, collection: true
        ) do |pair|
          j.value pair
        end
      }],
    "put with collection: false gives an Array to the block once" =>
      ['{"k":{"size":2}}', ->(j) {
        j.put(
          :k, [1, 2],
          collection: false
        ) do |a|
          j.put :size, a.size
        end
      }],
    "put with collection: nil tells many from one by itself" =>
      ['{"k":[1]}', ->(j) { j.put(:k, [1], collection: nil) { |x| j.value x } }],
    "put without a block takes collection: for a Hash value" =>
      ['{"k":{"collection":true}}', ->(j) { j.put :k, collection: true }],
    "put nests as deep as blocks do" =>
      ['{"a":{"b":{"c":{"d":[[[]]]}}}}', ->(j) {
        j.put(:a) do
          j.put(:b) do
            j.put(:c) do
              j.put(:d) { j.array { j.array { j.array } } }
            end
          end
        end
      }],
    "put writes values that take room at every boundary" => [%({"a":#{"9" * 40},"b":"#{"é" * 50}"}),
                                                             ->(j) do
                                                               j.put a: ("9" * 40).to_i, b: "é" * 50
                                                             end]
  }.freeze

  WRITES.each { |sentence, (expected, words)| test(sentence) { assert_writes(expected, &words) } }

  test "put returns nil" do
    answers = []
    ToJson.json do |j|
      answers << j.put(:a, 1) << j.put(b: 1) << j.put(:c) { j.put :d, 1 } << j.put(
        :e, [1]
      ) { |x| j.value x } << j.put({})
    end
    assert_equal [nil] * 5, answers
  end

  test "put undoes all of its keywords when one of them fails" do
    assert_document('{"a":1,"after":2}', sinks: false) do |**out|
      ToJson.json(**out) do |j|
        j.put :a, 1
        assert_raises(ToJson::NumberError) { j.put b: 2, c: Float::NAN }
        j.put :after, 2
      end
    end
  end

  WRONG = {
    "put without arguments" => ->(j) { j.put },
    "put with a key alone" => ->(j) { j.put :a },
    "put with three arguments" => ->(j) { j.put :a, 1, 2 },
    "put with a value and keywords" => ->(j) { j.put :a, 1, b: 2 },
    "put with a block alone" => ->(j) { j.put { j.value 1 } },
    "put with keywords and a block" => ->(j) { j.put(a: 1) { |v| j.value v } },
    "put with an unknown keyword beside a block" => ->(j) do
      j.put(:a, [1], colection: true) { |v| j.value v }
    end
  }.freeze

  WRONG.each do |call, words|
    test "#{call} is an ArgumentError that names the path and shows how" do
      error = assert_failure(ArgumentError, message: 'put :name, "Fred"') do |**out|
        ToJson.json(**out) { |j| j.put(:x) { words.call(j) } }
      end
      assert_includes error.message, "$.x: "
    end
  end
end
