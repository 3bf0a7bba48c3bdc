# frozen_string_literal: true

require "test_helper"
require "support/ways_out"

# Which blocks get the index, and what each kind of block is given.
class ArityTest < ToJsonTest
  ITEM = [[1, 2], [3, 4]].freeze # items that are Arrays show what is taken apart

  # block => what its parameters are for the second item
  BLOCKS = {
    "no parameters" => [->(out) { proc { out << :called } }, :called],
    "|x|" => [->(out) { proc { |x| out << [x] } }, [[3, 4]]],
    "|x,|" => [->(out) { proc { |x,| out << [x] } }, [3]],
    "|x, i|" => [->(out) { proc { |x, i| out << [x, i] } }, [[3, 4], 1]],
    "|(a, b), i|" => [->(out) { proc { |(a, b), i| out << [a, b, i] } }, [3, 4, 1]],
    "|*all|" => [->(out) { proc { |*all| out << all } }, [[3, 4]]],
    "|x, *rest|, whose arity is -2" => [->(out) { proc { |x, *rest| out << [x, rest] } }, [3, [4]]],
    "|x, i = 9|, whose arity is -2" => [->(out) { proc { |x, i = 9| out << [x, i] } }, [3, 4]],
    "|x, i, j|, whose arity is 3" => [->(out) { proc { |x, i, j| out << [x, i, j] } }, [3, 4, nil]],
    "|x; local|" => [->(out) { proc { |x; local| local = x; out << [local] } }, [[3, 4]]],
    "a lambda of one" => [->(out) { ->(x) { out << [x] } }, [[3, 4]]],
    "a lambda of two" => [->(out) { ->(x, i) { out << [x, i] } }, [[3, 4], 1]],
    "a lambda of one and an optional" => [->(out) { ->(x, i = 9) { out << [x, i] } }, [[3, 4], 9]],
    "a method of one" =>
      [->(out) { Class.new { define_method(:take) { |x| out << [x] } }.new.method(:take) },
       [[3, 4]]],
    "a method of two" =>
      [->(out) { Class.new { define_method(:take) { |x, i| out << [x, i] } }.new.method(:take) },
       [[3, 4], 1]],
    "numbered parameter _1" => [->(out) { proc { out << [_1] } }, [[3, 4]]],
    "numbered parameters _1 and _2" => [->(out) { proc { out << [_1, _2] } }, [[3, 4], 1]]
  }.freeze

  BLOCKS.each do |what, (make, expected)|
    test "a block with #{what} over many" do
      { put: [:k, ITEM], value: [ITEM], array: [ITEM] }.each do |word, arguments|
        seen = []
        assert_equal "[]",
                     ToJson.json { |j| j.public_send(word, *arguments, &make.call(seen)) }
                                   .delete_prefix('{"k":')
                                   .delete_suffix("}"), word
        assert_equal expected, seen.last, word
        assert_equal 2, seen.size, word
      end
      seen = []
      ToJson.json { |j| j.array(*ITEM, &make.call(seen)) }
      assert_equal expected, seen.last, "array of several"
    end
  end

  test "put with a value and a block gives one value whole" do
    seen = []
    ToJson.json do |j|
      j.put(:k, [1, 2], collection: false) { |x| seen << x }
      j.put(:k, [1, 2], collection: false) { |x, y| seen << [x, y] }
      j.put(:k, "v", &->(x) { seen << x })
    end
    assert_equal [[1, 2], [1, 2], "v"], seen
  end

  test "&:symbol calls the method of each item" do
    item = Class.new { def initialize(j, n) = (@j, @n = j, n); def write = @j.put(:n, @n) }
    assert_document('{"k":[{"n":1},{"n":2}]}') do |**out|
      ToJson.json(**out) { |j| j.put(:k, [item.new(j, 1), item.new(j, 2)], &:write) }
    end
    assert_document('[{"n":1},{"n":2}]') do |**out|
      ToJson.json(**out) { |j| j.array(item.new(j, 1), item.new(j, 2), &:write) }
    end
    assert_document('{"k":{"n":1}}') do |**out|
      ToJson.json(**out) { |j| j.put(:k, item.new(j, 1), &:write) }
    end
  end

  test "&method writes each item with a helper" do
    serializer = Class.new(ToJson::Serializer) do
      def serialize(items)
        put :one, items, &method(:item)
        put :two, items, &method(:pair)
      end

      def item(x) = put(:x, x)
      def pair(x, i) = put(:"x#{i}", x)
    end
    assert_serializer '{"one":[{"x":7},{"x":8}],"two":[{"x0":7},{"x1":8}]}', serializer, [7, 8]
  end

  test "a lambda without parameters serves a block that gets none" do
    assert_document('{"k":[1]}') do |**out|
      ToJson.json(**out) { |j| j.put(:k, &-> { j.array(&-> { j.value 1 }) }) }
    end
    assert_document("[{\"a\":1}]") do |**out|
      ToJson.json(**out) { |j| j.array { j.value(&-> { j.put :a, 1 }) } }
    end
  end

  test "a lambda of three over many is an ArgumentError of Ruby's" do
    assert_failure(ArgumentError, message: "wrong number of arguments") do |**out|
      ToJson.json(**out) { |j| j.put(:k, [1], &->(_x, _i, _n) {}) }
    end
  end

  test "a lambda without parameters over many is an ArgumentError of Ruby's" do
    assert_failure(ArgumentError, message: "wrong number of arguments") do |**out|
      ToJson.json(**out) { |j| j.put(:k, [1], &-> {}) }
    end
  end
end
