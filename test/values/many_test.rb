# frozen_string_literal: true

# "Many" as a value: Array, Set, Range, Enumerator, and what is like them.

require_relative "value_case"
require "set"
require "date"

class ManyTest < ValueCase
  # Enumerable and nothing else.
  class Stairs
    include Enumerable
    attr_reader :runs

    def initialize(*steps) = @steps = steps

    def each(&block)
      @runs = @runs.to_i + 1
      @steps.each(&block)
    end
  end

  # [sentence, JSON, value maker]
  {
    "an empty Array" => ["[]", -> { [] }],
    "nested Arrays" => ["[[],[[1]],[[[2]]]]", -> { [[], [[1]], [[[2]]]] }],
    "an Array of every scalar" =>
      ['[null,true,false,1,1.5,"a","b"]', -> { [nil, true, false, 1, 1.5, "a", :b] }],
    "a subclass of Array" => ["[1,2]", -> { Class.new(Array).new([1, 2]) }],
    "a subclass of Array, whatever methods it has" =>
      ["[1]", -> { Class.new(Array) { def as_json(*) = "x"; def to_s = "y" }.new([1]) }],
    "a Set" => ['[1,"a",[2]]', -> { Set[1, "a", [2]] }],
    "an empty Set" => ["[]", -> { Set.new }],
    "a subclass of Set" => ["[1]", -> { Class.new(Set)[1] }],
    "a Range" => ["[1,2,3]", -> { 1..3 }],
    "a Range that excludes its end" => ["[1,2]", -> { 1...3 }],
    "an empty Range" => ["[]", -> { 3..1 }],
    "a Range of Strings" => ['["a","b"]', -> { "a".."b" }],
    "a Range of Dates" =>
      ['["2026-02-28","2026-03-01"]', -> { Date.new(2026, 2, 28)..Date.new(2026, 3, 1) }],
    "a Range with a step" => ["[1,4,7]", -> { (1..9) % 3 }],
    "an arithmetic sequence" => ["[0.0,0.5,1.0]", -> { 0.0.step(1.0, 0.5) }],
    "an Enumerator" => ["[1,2]", -> { [1, 2].each }],
    "an Enumerator that yields several values" =>
      ['[["a",0],["b",1]]', -> { %w[a b].each_with_index }],
    "an Enumerator that yields nothing each time" =>
      ["[null,null]", -> { Enumerator.new { |y| y.yield; y.yield } }],
    "an Enumerator with a block" =>
      ["[1,2,3]", -> { Enumerator.new { |y| y << 1 << 2; y.yield 3 } }],
    "a lazy Enumerator" => ["[2,4]", -> { [1, 2].lazy.map { |n| n * 2 } }],
    "the first of an endless lazy Enumerator" =>
      ["[1,3]", -> { (1..).lazy.select(&:odd?).first(2).lazy }],
    "a chain of Enumerators" => ["[1,2,3]", -> { [1].each + [2, 3] }],
    "a custom Enumerable" => ["[3,4]", -> { Stairs.new(3, 4) }],
    "a custom Enumerable, whatever methods it has" =>
      ["[5]", -> { Class.new(Stairs) { def to_s = "x"; def as_json(*) = "y" }.new(5) }],
    "an object with to_ary" => ["[1,[2]]", -> { Class.new { def to_ary = [1, [2]] }.new }],
    "an Enumerable with to_ary is asked for the Array" =>
      ["[9]", -> { Class.new(Stairs) { def to_ary = [9] }.new(5) }],
    "an object with to_ary by method_missing" => ["[7]", lambda {
      Class.new {
        def method_missing(*) = [7]
        def respond_to_missing?(name, all = false) = name == :to_ary || super
      }.new
    }],
    "a Struct with to_ary" => ["[1]", -> { Struct.new(:a) { def to_ary = [a] }.new(1) }]
  }.each do |what, (json, value)|
    writes("#{what} is an array", json, &value)
    writes("#{what} is an array as a member", "{\"m\":#{json}}") { { m: instance_exec(&value) } }
  end

  writes("a private to_ary does not count", '"text"') do
    Class.new { def to_s = "text"; private def to_ary = [1] }.new
  end
  writes("a to_ary that gives nil declines", '"text"') do
    Class.new { def to_s = "text"; def to_ary = nil }.new
  end

  {
    "an endless Range" =>
      [-> { 1.. }, "endless Range"],
      "a Range without end and begin" => [-> { nil.. }, "endless Range"],
    "a Range up to infinity" => [-> { 1..Float::INFINITY }, "endless Range"],
    "a Range without a beginning" => [-> { ..3 }, "cannot be iterated"],
    "a Range of Floats" => [-> { 1.0..2.0 }, "Range of Float cannot be iterated"],
    "a Range of Times" => [-> { Time.at(0)..Time.at(1) }, "Range of Time cannot be iterated"]
  }.each do |what, (value, words)|
    refuses("#{what} raises", ToJson::UnsupportedTypeError, path: "$.a[0]", message: words) do
      { a: [instance_exec(&value)] }
    end
  end

  test "an Enumerable is iterated once" do
    stairs = Stairs.new(1, 2)
    assert_equal "[1,2]", ToJson.generate(stairs)
    assert_equal 1, stairs.runs
  end

  test "an Enumerator is consumed as it comes, never copied" do
    live = 0
    most = 0
    source = Enumerator.new do |y|
      1000.times do |index|
        most = [most, live += 1].max
        y << { index: index }
        live -= 1
      end
    end
    assert_equal 1000, JSON.parse(ToJson.generate(source)).size
    assert_equal 1, most
  end

  test "an Enumerator's cursor for next is left where it was" do
    source = [1, 2, 3].each
    source.next
    assert_equal "[1,2,3]", ToJson.generate(source)
    assert_equal 2, source.next
  end

  test "an Array of any size is written whole" do
    [1, 2, 1023, 1024, 1025, 100_000].each do |size|
      assert_equal "[#{(0...size).to_a.join(",")}]", ToJson.generate((0...size).to_a)
      assert_equal "[#{(0...size).to_a.join(",")}]", ToJson.generate(0...size)
    end
  end

  test "an exception in each passes, with the path of the element that was due" do
    source = Enumerator.new { |y| y << 1; y << 2; raise IOError, "gone" }
    error = assert_raises(IOError) { ToJson.generate({ rows: source }) }
    assert ToJson.location(error).start_with?("$.rows"), ToJson.location(error)
    assert_equal "[1]", ToJson.generate([1])
  end
end
