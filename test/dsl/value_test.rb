# frozen_string_literal: true

require "test_helper"
require "support/ways_out"

# The `value` row.
class ValueTest < ToJsonTest
  WRITES = {
    "value at the root is the document" => ["42", ->(j) { j.value 42 }],
    "value of nil at the root is null" => ["null", ->(j) { j.value nil }],
    "value of false at the root is false" => ["false", ->(j) { j.value false }],
    "value of a String at the root" => ['"é"', ->(j) { j.value "é" }],
    "value of an empty String at the root" => ['""', ->(j) { j.value "" }],
    "value of an Array at the root" => ["[1,[2]]", ->(j) { j.value [1, [2]] }],
    "value of a Hash at the root" => ['{"a":{}}', ->(j) { j.value({ a: {} }) }],
    "value with keywords writes their Hash" =>
      ['{"name":"Fred","age":7}', ->(j) { j.value name: "Fred", age: 7 }],
    "value with the keyword collection and no block writes a Hash" =>
      ['{"collection":true}', ->(j) { j.value collection: true }],
    "value is an array element" =>
      ['[1,"a",null,{"b":2}]',
       ->(j) { j.array { j.value 1; j.value "a"; j.value nil; j.value b: 2 } }],
    "value is the value of a put block" => ['{"k":1.5}', ->(j) { j.put(:k) { j.value 1.5 } }],
    "value with a block at the root writes what the block writes" =>
      ['{"a":1}', ->(j) { j.value { j.put :a, 1 } }],
    "value with a block as an element" =>
      ['[{"a":1},{"b":2},[3]]', ->(j) {
        j.array do
          j.value { j.put :a, 1 }
          j.value { j.put :b, 2 }
          j.value { j.array 3 }
        end
      }],
    "value with a block that writes nothing as an element adds none" =>
      ["[1,2]", ->(j) { j.array { j.value 1; j.value {}; j.value 2 } }],
    "value with a block that writes nothing first and last" =>
      ["[1]", ->(j) { j.array { j.value {}; j.value 1; j.value {} } }],
    "value with a block that writes nothing leaves the slot free" =>
      ['{"k":3}', ->(j) { j.put(:k) { j.value {}; j.value 3 } }],
    "value with a block that writes nothing leaves the root free" =>
      ['{"a":1}', ->(j) { j.value {}; j.put :a, 1 }],
    "value with a block in a value with a block" =>
      ['{"k":{"a":1}}', ->(j) { j.put(:k) { j.value { j.value { j.put :a, 1 } } } }],
    "value with a value and a block gives it to the block" =>
      ['[{"n":5}]', ->(j) { j.array { j.value(5) { |v| j.put :n, v } } }],
    "value with nil and a block writes null" =>
      ["[null]", ->(j) { j.array { j.value(nil) { flunk } } }],
    "value with many and a block writes an array" =>
      ["[[2,4]]", ->(j) { j.array { j.value([1, 2]) { |n| j.value n * 2 } } }],
    "value with many and a block of two gives the index" =>
      ["[[1,0],[2,1]]", ->(j) { j.value([1, 2]) { |n, i| j.value [n, i] } }],
    "value with collection: false gives many to the block once" =>
      ["2", ->(j) { j.value([1, 2], collection: false) { |a| j.value a.size } }],
    "value with collection: true walks what would be one" =>
      ['[["a",1]]', ->(j) { j.value({ a: 1 }, collection: true) { |pair| j.value pair } }],
    "value with an Integer of any size" =>
      ["[#{2**62},#{-2**63},#{10**40}]",
       ->(j) { j.array { j.value 2**62; j.value(-2**63); j.value 10**40 } }],
    "value with a Fragment writes it in place" =>
      ['[{"x":[ 1 ]}]', ->(j) { j.array { j.value ToJson::Fragment.new('{"x":[ 1 ]}') } }],
    "a root that writes nothing is {}" => ["{}", ->(_) {}]
  }.freeze

  WRITES.each { |sentence, (expected, words)| test(sentence) { assert_writes(expected, &words) } }

  test "value returns nil" do
    answers = []
    ToJson.json do |j|
      j.array { answers << j.value(1) << j.value { j.value 2 } << j.value([3]) { |x| j.value x } }
    end
    assert_equal [nil] * 3, answers
  end

  WRONG = {
    "value without anything" => ->(j) { j.value },
    "value with two arguments" => ->(j) { j.value 1, 2 },
    "value with a value and keywords" => ->(j) { j.value 1, a: 2 },
    "value with keywords and a block" => ->(j) { j.value(a: 2) { |v| j.value v } },
    "value with an unknown keyword beside a block" => ->(j) do
      j.value([1], colection: true) { |v| j.value v }
    end
  }.freeze

  WRONG.each do |call, words|
    test "#{call} is an ArgumentError that names the path and what to use" do
      error = assert_failure(ArgumentError, message: "$.x: ") do |**out|
        ToJson.json(**out) { |j| j.put(:x) { words.call(j) } }
      end
      assert_includes error.message, "Use array for several."
    end
  end
end
