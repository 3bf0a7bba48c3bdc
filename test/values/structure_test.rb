# frozen_string_literal: true

# Struct, Data, OpenStruct, delegators: objects that are written by what they hold.

require_relative "value_case"
require "delegate"
verbose, $VERBOSE = $VERBOSE, nil # Ruby 3.4 warns that it leaves the standard library
require "ostruct"
$VERBOSE = verbose
require "set"

class StructureTest < ValueCase
  Point = Struct.new(:x, :y)
  Named = Struct.new(:name, :tags, keyword_init: true)
  Fraction = Struct.new(:whole) { def to_s = "fraction #{whole}" }

  writes("a Struct is an object of its members", '{"x":1,"y":[2]}') { Point.new(1, [2]) }
  writes("a Struct with keywords is an object of its members", '{"name":"a","tags":null}') do
    Named.new(name: "a")
  end
  writes("a Struct in a Struct", '{"x":{"x":1,"y":null},"y":{"name":1,"tags":2}}') do
    Point.new(Point.new(1), Named.new(name: 1, tags: 2))
  end
  writes("a Struct of many members", "{#{(0..60).map { |n| "\"m#{n}\":#{n}" }.join(",")}}") do
    Struct.new(*(0..60).map { |n| :"m#{n}" }).new(*0..60)
  end
  writes("a Struct whose members need escapes", '{"a\"b":1,"é":2}') do
    Struct.new(:"a\"b", :é).new(1, 2)
  end
  writes("an array of Structs", '[{"x":1,"y":2},{"x":3,"y":4}]') do
    [Point.new(1, 2), Point.new(3, 4)]
  end
  writes("a frozen Struct", '{"x":1,"y":2}') { Point.new(1, 2).freeze }
  writes("a subclass of a Struct class", '{"x":1,"y":2}') { Class.new(Point).new(1, 2) }
  writes("a Struct with its own to_s is that", '"fraction 3"') { Fraction.new(3) }
  writes("a Struct with its own to_h is that", '{"sum":3}') do
    Struct.new(:a, :b) { def to_h = { sum: a + b } }.new(1, 2)
  end
  writes("a Struct with its own as_json is that", "[1,2]") do
    Struct.new(:a, :b) { def as_json(*) = to_a }.new(1, 2)
  end
  writes("a Struct with its own each is an object all the same", '{"x":1}') do
    Struct.new(:x) { def each = yield(7) }.new(1)
  end
  writes("a Struct that overrides a reader is written by what it holds", '{"x":1}') do
    Class.new(Struct.new(:x)) { def x = 100 }.new(1)
  end
  refuses("a value that JSON does not have is named by its member", ToJson::NumberError,
          path: "$[0].y.x") do
    [Point.new(1, Point.new(Float::NAN))]
  end

  if defined?(Data) && Data.respond_to?(:define) # Ruby >= 3.2
    Coordinate = Data.define(:lat, :long)
    writes("a Data is an object of its members", '{"lat":1,"long":[2]}') { Coordinate.new(1, [2]) }
    writes("a Data without members is an empty object", "{}") { Data.define.new }
    writes("a Data with its own to_h is that", '{"a":1}') do
      Data.define(:b) { def to_h = { a: b } }.new(1)
    end
    writes("a Data with its own to_s is that", '"at 1"') do
      Data.define(:b) { def to_s = "at #{b}" }.new(1)
    end
    writes("a subclass of a Data class", '{"lat":1,"long":2}') { Class.new(Coordinate).new(1, 2) }
    {
      "that says itself what it responds to" => "def respond_to?(...) = super;",
      "with its own to_h" => "def to_h = { other: 1 };", "as it is" => ""
    }.each do |what, method|
      writes("a Data that is Enumerable is an array: #{what}", "[1,2]") do
        Data.define(:a, :b) do
          include Enumerable
          class_eval "def each = (yield a; yield b); #{method}", __FILE__, __LINE__
        end.new(1, 2)
      end
    end

    Pair = Data.define(:a, :b) do
      include Enumerable
      def each = (yield Point.new(a, 0); yield Point.new(b, 0))
    end
    class PointSerializer < ToJson::Serializer
      attributes :x
    end
    class OwnPointSerializer < ToJson::Serializer
      attribute(:x) { |point| point.x + offset }
      def offset = 0
    end
    class PairSerializer < ToJson::Serializer
      association(:points, serializer: PointSerializer) { |pair| pair }
    end
    MANY = '[{"x":1},{"x":2}]'
    # What writes a Pair, each as the two Points that it yields.
    {
      "a serializer" => -> { PointSerializer.json!(Pair.new(1, 2)) },
      "a serializer with a method of its own" => -> { OwnPointSerializer.json!(Pair.new(1, 2)) },
      "an instance" => -> { PointSerializer.new(Pair.new(1, 2)).to_json },
      "ToJson.generate" => -> { ToJson.generate(PointSerializer.to_h(Pair.new(1, 2))) },
      "an association" => -> { PairSerializer.json!([Pair.new(1, 2)])[11..-3] },
      "ndjson" =>
        -> {
          "[#{PointSerializer.ndjson(Pair.new(1, 2), into: +"").lines.map(&:chomp).join(",")}]"
        },
      "a stream" => -> { PointSerializer.stream(Pair.new(1, 2)).each.to_a.join },
      "put with a block" =>
        -> { ToJson.json { |j| j.put(:m, Pair.new(1, 2)) { |p| j.put :x, p.x } }[5..-2] },
      "array with a block" => -> do
        ToJson.json { |j| j.array(Pair.new(1, 2)) { |p| j.put :x, p.x } }
      end
    }.each do |what, write|
      test("#{what} takes a Data that is Enumerable as many") do
        3.times { assert_equal MANY, write.call }
      end
    end

    refuses("a value in a Data is named by its member", ToJson::NumberError, path: "$.lat") do
      Coordinate.new(Float::NAN, 1)
    end
  end

  writes("an OpenStruct is an object", '{"a":1,"b":{"c":[2]}}') do
    OpenStruct.new(a: 1, b: OpenStruct.new(c: [2]))
  end
  writes("an empty OpenStruct is an empty object", "{}") { OpenStruct.new }

  # What a delegator wraps is written as if it stood there itself.
  {
    "a String" =>
      ['"x"', -> { "x" }], "an Integer" => ["1", -> { 1 }], "nil" => ["null", -> { nil }],
      "a Float" => ["1.5", -> { 1.5 }],
    "an Array" =>
      ["[1]", -> { [1] }], "a Hash" => ['{"a":1}', -> { { a: 1 } }],
      "a Struct" => ['{"x":1,"y":2}', -> { Point.new(1, 2) }],
    "a Set" =>
      ["[1]", -> { Set[1] }], "a Time" => ['"1970-01-01T00:00:00.000Z"', -> { Time.at(0).utc }],
      "a Symbol" => ['"s"', -> { :s }],
    "another delegator" =>
      ["[1]", -> { SimpleDelegator.new([1]) }],
      "a Fragment" => ["[ 1 ]", -> { ToJson::Fragment.new("[ 1 ]") }]
  }.each do |what, (json, target)|
    writes("a SimpleDelegator of #{what} is written as that", "[#{json}]") do
      [SimpleDelegator.new(instance_exec(&target))]
    end
  end
  writes("a decorator with its own to_h is that", '{"x":1,"sum":3}') do
    Class.new(SimpleDelegator) { def to_h = { x: x, sum: x + y } }.new(Point.new(1, 2))
  end
  writes("a decorator with its own to_s is that", '"decorated"') do
    Class.new(SimpleDelegator) { def to_s = "decorated" }.new(Point.new(1, 2))
  end
  writes("a decorator of an object with its own as_json is written as that object", '["own"]') do
    SimpleDelegator.new(object_with(as_json: ["own"]))
  end
  writes("a DelegateClass of a Struct is written as that", '{"x":1,"y":2}') do
    DelegateClass(Point).new(Point.new(1, 2))
  end
  refuses("a SimpleDelegator of an object without a JSON form raises", ToJson::UnsupportedTypeError,
          path: "$[0]") do
    [SimpleDelegator.new(Object.new)]
  end
  refuses("delegators that never come to an end are refused", ToJson::NestingError) do
    Class.new(SimpleDelegator) do
      def __getobj__ = self.class.new(1); def respond_to_missing?(*) = false
    end.new(1)
  end

  # A BasicObject that passes all on.
  class Proxy < BasicObject
    def initialize(target) = @target = target
    def method_missing(...) = @target.public_send(...)
    def respond_to_missing?(...) = @target.respond_to?(...)
  end

  writes("a proxy of a Hash is an object", '{"a":1}') { Proxy.new({ a: 1 }) }
  writes("a proxy of an Array is an array", "[1]") { Proxy.new([1]) }
  refuses("a bare BasicObject raises", ToJson::UnsupportedTypeError, path: "$.a",
          message: "BasicObject") do
    { a: BasicObject.new }
  end
  writes("a BasicObject with its own to_s is that", '"basic"') do
    Class.new(BasicObject) { def to_s = "basic" }.new
  end
  writes("a BasicObject with its own to_h is that", '{"a":1}') do
    Class.new(BasicObject) { def to_h = { a: 1 } }.new
  end
end
