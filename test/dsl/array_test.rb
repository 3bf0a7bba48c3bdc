# frozen_string_literal: true

require "set"
require "test_helper"
require "support/ways_out"

# The `array` rows, and what "many" is.
class ArrayTest < ToJsonTest
  WRITES = {
    "array without arguments is []" => ["[]", ->(j) { j.array }],
    "array of nil is []" => ["[]", ->(j) { j.array nil }],
    "array of nil with a block is []" => ["[]", ->(j) { j.array(nil) { flunk } }],
    "array of an Array writes its elements" => ["[1,[2],null]", ->(j) { j.array [1, [2], nil] }],
    "array of an empty Array is []" => ["[]", ->(j) { j.array [] }],
    "array of one other writes one element" => ["[5]", ->(j) { j.array 5 }],
    "array of false writes one element" => ["[false]", ->(j) { j.array false }],
    "array of a String writes one element" => ['["a"]', ->(j) { j.array "a" }],
    "array of a Hash writes one element" => ['[{"a":1}]', ->(j) { j.array({ a: 1 }) }],
    "array with keywords writes their Hash as one element" => ['[{"a":1}]', ->(j) { j.array a: 1 }],
    "array of several writes each" => ['[1,"a",null,[2,3]]', ->(j) { j.array 1, "a", nil, [2, 3] }],
    "array of several and keywords writes a Hash last" =>
      ['[1,{"a":2}]', ->(j) { j.array 1, a: 2 }],
    "array of several nils writes nulls" => ["[null,null]", ->(j) { j.array nil, nil }],
    "array of two Arrays writes both" => ["[[1],[2]]", ->(j) { j.array [1], [2] }],
    "array of a splat of nothing is []" => ["[]", ->(j) { j.array(*[]) }],
    "array with a block of items opens one object per element for its puts" =>
      ['[{"n":1,"m":2},{"n":2,"m":3}]', ->(j) {
        j.array([1, 2]) do |x|
          j.put :n, x
          j.put :m, x + 1
        end
      }],
    "array with a block of items adds each value as an element" =>
      ["[1,10,2,20]", ->(j) { j.array([1, 2]) { |x| j.value x; j.value x * 10 } }],
    "array with a block of items adds each array as an element" =>
      ["[[1],[],[2],[]]", ->(j) { j.array([1, 2]) { |x| j.array x; j.array } }],
    "array with a block that writes nothing for an item adds none" =>
      ["[2]", ->(j) { j.array([1, 2, 3]) { |x| j.value x if x.even? } }],
    "array with a block that writes nothing for any item is []" =>
      ["[]", ->(j) { j.array([1, 2, 3]) {} }],
    "array with items of either kind" =>
      ['[{"a":1},2,{"a":3}]',
       ->(j) { j.array([1, 2, 3]) { |x| x.odd? ? j.put(:a, x) : j.value(x) } }],
    "array with several arguments runs the block for each" =>
      ['[{"a":1},{"a":"b"},{"a":null}]', ->(j) { j.array(1, "b", nil) { |x| j.put :a, x } }],
    "array with several arguments gives the index too" =>
      ["[[7,0],[8,1]]", ->(j) { j.array(7, 8) { |x, i| j.value [x, i] } }],
    "array with one other runs the block once" =>
      ['[{"a":5}]', ->(j) { j.array(5) { |x| j.put :a, x } }],
    "array with one Hash runs the block once" =>
      ['[{"size":2}]', ->(j) { j.array({ a: 1, b: 2 }) { |h| j.put :size, h.size } }],
    "array with collection: true walks a Hash" =>
      ['[["a",1],["b",2]]',
       ->(j) { j.array({ a: 1, b: 2 }, collection: true) { |pair| j.value pair } }],
    "array with collection: false takes an Array as one element" =>
      ["[[1,2]]", ->(j) { j.array([1, 2], collection: false) }],
    "array with collection: false gives an Array to the block once" =>
      ["[2]", ->(j) { j.array([1, 2], collection: false) { |a| j.value a.size } }],
    "array with a bare block adds values" => ["[1,2]", ->(j) { j.array { j.value 1; j.value 2 } }],
    "array with a bare block opens one object for its puts" =>
      ['[{"a":1,"b":2}]', ->(j) { j.array { j.put :a, 1; j.put :b, 2 } }],
    "array with a bare block that writes nothing is []" => ["[]", ->(j) { j.array {} }],
    "array in an array" =>
      ["[[],[[]],[[1]]]",
       ->(j) { j.array { j.array; j.array { j.array }; j.array { j.array 1 } } }],
    "array with objects between values in blocks of value" =>
      ['[1,{"a":2},3]', ->(j) { j.array { j.value 1; j.value { j.put :a, 2 }; j.value 3 } }],
    "array as the value of a key" =>
      ['{"k":[],"l":[1]}', ->(j) { j.put(:k) { j.array }; j.put(:l) { j.array 1 } }],
    "array of more items than a chunk has bytes" =>
      ["[#{(1..300).to_a.join(",")}]", ->(j) { j.array(1..300) }]
  }.freeze

  WRITES.each { |sentence, (expected, words)| test(sentence) { assert_writes(expected, &words) } }

  test "array returns nil" do
    answers = []
    ToJson.json do |j|
      j.array do
        answers << j.array << j.array(1) << j.array([1]) { |x| j.value x } << j.array { j.value 1 }
      end
    end
    assert_equal [nil] * 4, answers
  end

  ToAry = Struct.new(:items) { def to_ary = items }
  Listing = Class.new do
    include Enumerable
    def initialize(*items) = @items = items
    def each(&block) = @items.each(&block)
  end
  EachOnly = Class.new { def each = yield(1); def to_s = "each only" }
  HashChild = Class.new(Hash)
  StructChild = Struct.new(:a)
  Delegating = Class.new do
    def method_missing(name, *args) = name == :to_ary ? [1, 2] : super
    def respond_to_missing?(name, _) = name == :to_ary
  end

  MANY = {
    "an Array" =>
      -> { [1, 2] }, "a subclass of Array" => -> { Class.new(Array).new([1, 2]) },
      "what responds to to_ary" => -> { ToAry.new([1, 2]) },
    "what says by respond_to_missing? that it has to_ary" =>
      -> { Delegating.new }, "an Enumerable" => -> { Listing.new(1, 2) },
    "a Set" =>
      -> { Set[1, 2] }, "a Range" => -> { 1..2 }, "an Enumerator" => -> { [1, 2].each },
      "a lazy Enumerator" => -> { (1..Float::INFINITY).lazy.first(2).lazy },
    "an Enumerator::Yielder" => -> { Enumerator.new { |y| y << 1 << 2 } }
  }.freeze
  ONE = {
    "a Hash" =>
      -> { { a: 1 } }, "a subclass of Hash" => -> { HashChild[a: 1] },
      "a Struct" => -> { StructChild.new(1) }, "an Integer" => -> { 5 },
    "a String" =>
      -> { "text" }, "false" => -> { false },
      "what has each but is no Enumerable" => -> { EachOnly.new },
    "an IO" => -> { $stdin }, "a Dir" => -> { Dir.new(__dir__) }
  }.freeze

  MANY.each do |what, make|
    test "#{what} is many: a block runs per item in put, value and array" do
      assert_document('{"k":[1,2]}') do |**out|
        ToJson.json(**out) { |j| j.put(:k, make.call) { |x| j.value x } }
      end
      assert_document('[["i",1,0],["i",2,1]]') do |**out|
        ToJson.json(**out) { |j| j.value(make.call) { |x, i| j.value ["i", x, i] } }
      end
      assert_document('[{"x":1},{"x":2}]') do |**out|
        ToJson.json(**out) { |j| j.array(make.call) { |x| j.put :x, x } }
      end
      assert_document("[1,2]") { |**out| ToJson.json(**out) { |j| j.array(make.call) } }
      assert_document("[1,2]") { |**out| ToJson.generate(make.call, **out) }
    end

    test "#{what} is one where collection: false says so" do
      assert_document("[true]") do |**out|
        ToJson.json(**out) do |j|
          j.array(make.call, collection: false) { |x| j.value !x.is_a?(Integer) }
        end
      end
    end
  end

  ONE.each do |what, make|
    test "#{what} is one: a block runs once with it" do
      seen = []
      assert_document('{"k":true}') do |**out|
        ToJson.json(**out) { |j| j.put(:k, make.call) { |x| seen << x.class; j.value true } }
      end
      assert_document("[true]") do |**out|
        ToJson.json(**out) { |j| j.array(make.call) { |_| j.value true } }
      end
      assert_equal [make.call.class], seen.uniq
    end
  end

  test "items that an Enumerable yields as several are one Array" do
    pairs = Class.new { include Enumerable; def each = (yield 1, 2; yield 3, 4) }.new
    assert_document("[[1,2],[3,4]]") { |**out| ToJson.json(**out) { |j| j.array(pairs) } }
    assert_document("[[[1,2],0],[[3,4],1]]") do |**out|
      ToJson.json(**out) { |j| j.array(pairs) { |x, i| j.value [x, i] } }
    end
  end

  test "many is iterated once" do
    count = 0
    once = Enumerator.new { |y| count += 1; y << 1 }
    assert_equal '{"k":[1]}', ToJson.json { |j| j.put(:k, once) { |x| j.value x } }
    assert_equal 1, count
  end

  test "an Array that grows and shrinks under its own block is walked as it is then" do
    growing = [1, 2]
    assert_equal "[1,2,3]", ToJson.json { |j|
      j.array(growing) { |x| growing << 3 if x == 1; j.value x }
    }
    shrinking = [1, 2, 3]
    assert_equal "[1]", ToJson.json { |j| j.array(shrinking) { |x| shrinking.clear; j.value x } }
  end

  test "collection: true of what cannot be walked is a named error" do
    assert_failure(NoMethodError) do |**out|
      ToJson.json(**out) { |j| j.array(5, collection: true) { |x| j.value x } }
    end
  end
end
