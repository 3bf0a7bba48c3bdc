# frozen_string_literal: true

require "test_helper"
require "support/ways_out"

# Slots in which nothing is written: gone without a trace, at every depth, whatever was delivered
# meanwhile.
class EmptyTest < ToJsonTest
  # Each writes nothing; the word in which it may stand comes with it.
  NOTHINGS = {
    "an empty block of put" => ->(j) { j.put(:gone) {} },
    "an empty block of put with a value" => ->(j) { j.put(:gone, 5) { |_| nil } },
    "put of no pairs" => ->(j) { j.put({}) },
    "put_fields of no fields" => ->(j) { j.put_fields({ a: 1 }) },
    "put_fields whose condition never holds" =>
      ->(j) { j.put_fields_if :zero?, { a: 1, b: 2 }, :a, :b },
    "put_fields_unless_nil of nils" => ->(j) { j.put_fields_unless_nil({}, :a, :b, :c) },
    "put_field_unless_blank of a blank one" =>
      ->(j) { j.put_field_unless_blank({ a: "" }, :a) { |v| j.value v } },
    "open and close of a key" => ->(j) { j.open :gone; j.close },
    "an empty put in an empty put" => ->(j) { j.put(:gone) { j.put(:too) { j.put(:three) {} } } },
    "an empty value in an empty put" => ->(j) { j.put(:gone) { j.value { j.value {} } } },
    "several empty ones in an empty put" =>
      ->(j) { j.put(:gone) { j.put(:a) {}; j.value {}; j.open :b; j.close } },
    "open, a put of nothing and close" => ->(j) { j.open :gone; j.put(:too) {}; j.close },
    "open of open of open and as many closes" => ->(j) do
      3.times { j.open :gone }; 3.times { j.close }
    end
  }.freeze

  NOTHINGS.each do |what, nothing|
    test "#{what} leaves no trace at the root" do
      assert_writes("{}", &nothing)
    end

    test "#{what} leaves no trace before, between and after pairs" do
      assert_writes('{"a":1,"b":{"c":2}}') do |j|
        nothing.call(j)
        j.put :a, 1
        nothing.call(j)
        nothing.call(j)
        j.put(:b) { nothing.call(j); j.put :c, 2; nothing.call(j) }
        nothing.call(j)
      end
    end

    test "#{what} leaves no key of the put around it" do
      assert_writes('{"a":1,"z":2}') do |j|
        j.put :a, 1
        j.put(:outer) { j.put(:inner) { nothing.call(j) } }
        j.put :z, 2
      end
    end

    test "#{what} adds no element" do
      assert_writes('[{"n":1},{"n":3}]') do |j|
        j.array([1, 2, 3, 4]) { |n| nothing.call(j); j.put :n, n if n.odd?; nothing.call(j) }
      end
      assert_writes("[[],[]]") do |j|
        j.array { j.array([1, 2]) { nothing.call(j) }; j.array { nothing.call(j) } }
      end
    end

    test "#{what} before a value leaves the slot free for it" do
      assert_writes('{"k":7}') { |j| j.put(:k) { nothing.call(j); j.value 7 } }
      assert_writes("[7]") { |j| nothing.call(j); j.array { nothing.call(j); j.value 7 } }
    end

    test "#{what} under 40 keys that hold nothing else" do
      nest = ->(j, depth) do
        depth.zero? ? nothing.call(j) : j.put(:"k#{depth}") { nest.call(j, depth - 1) }
      end
      assert_writes('{"a":1}') { |j| nest.call(j, 40); j.put :a, 1; nest.call(j, 40) }
    end
  end

  test "what is written after an empty slot stays at its place when chunks were delivered in " \
       "between" do
    assert_writes("{#{(0..99).map { |n| %("k#{n}":"#{"v" * n}") }.join(",")}}") do |j|
      100.times do |n|
        j.put(:"gone#{n * 1111}") { j.put(:deeper) {} }
        j.put :"k#{n}", "v" * n
      end
    end
  end

  test "a slot that is written late keeps the keys above it that were held back" do
    assert_writes('{"a":{"b":{"c":[{"d":1}]}}}') do |j|
      j.put(:a) do
        j.put(:x) {}
        j.put(:b) do
          j.put(:y) { j.value {} }; j.put(:c) { j.array([0, 1]) { |n| j.put :d, n if n == 1 } }
        end
      end
    end
  end

  test "an empty array is something" do
    assert_writes('{"k":[]}') { |j| j.put(:k) { j.array } }
    assert_writes('{"k":[]}') { |j| j.put(:k) { j.array {} } }
    assert_writes('{"k":[]}') { |j| j.put(:k) { j.open_array; j.close } }
    assert_writes('{"k":[[]]}') { |j| j.put(:k) { j.array { j.array([1]) {} } } }
  end

  test "a serializer in place that writes nothing is {}" do
    empty = Class.new(ToJson::Serializer) { def serialize = nil }
    assert_writes('{"k":{},"l":[{},{}],"m":{}}') do |j|
      j.put :k, empty.new
      j.put :l, [empty.new, empty.new]
      j.put(:m) { j.value empty.new }
    end
    assert_serializer "{}", empty
  end

  test "a serializer in place in a slot that holds nothing else keeps the slot" do
    empty = Class.new(ToJson::Serializer) { def serialize = put(:gone) {} }
    assert_writes('{"a":{"b":{}}}') do |j|
      j.put(:a) { j.put(:b) { j.value { j.value empty.new } } }
    end
  end
end
