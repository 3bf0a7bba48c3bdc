# frozen_string_literal: true

require "test_helper"
require "support/ways_out"

# max_depth: containers open at once, in values, in the DSL, in serializers; and structures that
# contain themselves.
class DepthTest < ToJsonTest
  def nested_array(depth) = depth.zero? ? 1 : [nested_array(depth - 1)]
  def nested_hash(depth) = (1..depth).inject(1) { |inner, _| { "a" => inner } }

  NESTS = {
    "put with blocks" =>
      [->(j, n) { n.zero? ? j.value(1) : j.put(:a) { NESTS["put with blocks"][0].call(j, n - 1) } },
       '{"a":', "}"],
    "array with blocks" =>
      [->(j, n) { n.zero? ? j.value(1) : j.array { NESTS["array with blocks"][0].call(j, n - 1) } },
       "[", "]"],
    "open" => [->(j, n) { n.times { j.open :a }; j.value 1; n.times { j.close } }, '{"a":', "}"],
    "open_array" =>
      [->(j, n) { n.times { j.open_array }; j.value 1; n.times { j.close } }, "[", "]"],
    "a Hash" =>
      [->(j, n) { j.value((1..n).inject(1) { |inner, _| { "a" => inner } }) }, '{"a":', "}"],
    "an Array" => [->(j, n) { j.value((1..n).inject(1) { |inner, _| [inner] }) }, "[", "]"],
    "items of put" =>
      [->(j, n) { n.zero? ? j.value(1) : j.array([1]) { NESTS["items of put"][0].call(j, n - 1) } },
       "[", "]"]
  }.freeze

  NESTS.each do |what, (words, opening, closing)|
    test "#{what} may nest 100 deep, and no deeper" do
      assert_document(opening * 100 + "1" + closing * 100) do |**out|
        ToJson.json(**out) { |j| words.call(j, 100) }
      end
      assert_failure(ToJson::NestingError,
                     message:
                       "nested more than 100 deep. Raise max_depth: if that is meant") do |**out|
        ToJson.json(**out) { |j| words.call(j, 101) }
      end
    end

    test "#{what} under max_depth: of the call" do
      [1, 2, 3, 500].each do |depth|
        assert_equal opening * depth + "1" + closing * depth, ToJson.json(max_depth: depth) { |j|
          words.call(j, depth)
        }
        assert_raises(ToJson::NestingError) do
          ToJson.json(max_depth: depth) { |j| words.call(j, depth + 1) }
        end
      end
    end
  end

  test "depth: is told where it takes from max_depth:" do
    { [99, [[]], "$[0]"] => 1, [100, [], "$"] => 0,
      [7000, {}, "$"] => 0 }.each do |(around, value, path), left|
      words =
        "nested more than #{left} deep below the #{around} containers that depth: counts. Raise " \
        "max_depth: if"
      assert_failure(ToJson::NestingError, path: path, message: words) do |**out|
        ToJson.generate(value, depth: around, **out)
      end
    end
    assert_equal "[[]]", ToJson.generate([[]], depth: 98)
  end

  test "siblings do not add up" do
    assert_writes("[#{(["[[]]"] * 300).join(",")}]") { |j| j.array(1..300) { j.array { j.array } } }
    assert_equal "[#{(['{"a":{}}'] * 300).join(",")}]",
                 ToJson.generate([{ a: {} }] * 300, max_depth: 3)
  end

  test "empty slots do not count" do
    assert_equal '{"z":1}', ToJson.json(max_depth: 1) { |j|
      300.times { j.put(:a) {} }; j.put :z, 1
    }
  end

  test "max_depth of Rules, of the class and of the call: the nearest wins" do
    deep = Class.new(ToJson::Serializer) { rules(max_depth: 3); def serialize(x) = value(x) }
    assert_equal "[[[1]]]", deep.json!(nested_array(3))
    assert_raises(ToJson::NestingError) { deep.json!(nested_array(4)) }
    assert_equal "[[[[1]]]]", deep.json!(nested_array(4), max_depth: 4)
    assert_equal "[[[[1]]]]", deep.json!(nested_array(4), rules: { max_depth: 4 })
    assert_raises(ToJson::NestingError) { ToJson.generate(nested_array(2), max_depth: 1) }
  end

  test "max_depth counts from the root of the document, through serializers in place" do
    wrap = Class.new(ToJson::Serializer) { def serialize(x) = put(:x, x) }
    assert_equal '{"x":{"x":{"x":1}}}', wrap.json!(wrap.new(wrap.new(1)), max_depth: 3)
    assert_failure(ToJson::NestingError) do |**out|
      wrap.json!(wrap.new(wrap.new(1)), max_depth: 2, **out)
    end
  end

  # what contains itself
  ENDLESS = {
    "an Array" => -> { [].tap { |a| a << a } },
    "a Hash" => -> { {}.tap { |h| h[:me] = h } },
    "an Array within a Hash" => -> { { list: [] }.tap { |h| h[:list] << h } },
    "a Struct" => -> { Struct.new(:me).new.tap { |s| s.me = s } },
    "an as_json that gives a new one each time" =>
      -> { Class.new { def as_json(*) = self.class.new }.new },
    "a to_h that holds its object" => -> { Class.new { def to_h = { me: self } }.new },
    "a to_ary that holds its object" => -> { Class.new { def to_ary = [self] }.new },
    "an Enumerable that yields itself" =>
      -> { Class.new { include Enumerable; def each = yield(self) }.new },
    "a serializer that puts a new one of itself" =>
      -> { Class.new(ToJson::Serializer) { def serialize = put(:me, self.class.new) }.new },
    "a serializer that puts itself" =>
      -> { Class.new(ToJson::Serializer) { def serialize = put(:me, self) }.new },
    "a serializer whose value is itself" =>
      -> { Class.new(ToJson::Serializer) { def serialize = value(self) }.new },
    "a serializer whose value is a new one of itself" => -> do
      Class.new(ToJson::Serializer) { def serialize = value(self.class.new) }.new
    end
  }.freeze

  ENDLESS.each do |what, make|
    test "#{what} that never ends raises NestingError with the path" do
      error = assert_failure(ToJson::NestingError,
                             message: "a structure that contains itself never ends") do |**out|
        ToJson.generate(make.call, **out)
      end
      assert_operator error.path, :start_with?, "$"
      in_thread = Thread.new do
        assert_raises(ToJson::NestingError) { ToJson.generate([make.call]) }
      end
      assert_instance_of ToJson::NestingError, in_thread.value
      assert_instance_of ToJson::NestingError, Fiber.new {
        assert_raises(ToJson::NestingError) { ToJson.generate([make.call]) }
      }.resume
    end
  end

  test "a million deep raises NestingError at the default, in the main thread, a Thread and a " \
       "Fiber" do
    deep = nested = []
    1_000_000.times { nested << (inner = []); nested = inner }
    run = -> { assert_raises(ToJson::NestingError) { ToJson.generate(deep) } }
    [run.call, Thread.new(&run).value, Fiber.new(&run).resume].each do |error|
      assert_includes error.path, "…"
    end
    deep.clear
  end

  test "a max_depth that the machine's stack cannot hold ends in a named error, and the next " \
       "document is right" do
    deep = nested = []
    200_000.times { nested << (inner = []); nested = inner }
    [-> { ToJson.generate(deep, max_depth: 10_000_000) },
     -> { Fiber.new { ToJson.generate(deep, max_depth: 10_000_000) }.resume }].each do |call|
      text = begin
        call.call
      rescue SystemStackError, ToJson::NestingError => error
        error
      end
      assert_equal "[" * 200_001 + "]" * 200_001, text if text.is_a?(String)
      assert_equal "[1]", ToJson.generate([1])
    end
  end

  [0, -1, 2**31, 2**70, -2**70, 1.5, "5", :many, true].each do |depth|
    test "max_depth: #{depth.inspect} is an ArgumentError that tells what it takes" do
      serializer = Class.new(ToJson::Serializer) { def serialize = array }
      [-> { ToJson.generate([[1]], max_depth: depth) }, -> {
        ToJson.json(max_depth: depth) { |j| j.array }
      }, -> { serializer.json!(max_depth: depth) },
       -> { serializer.new(max_depth: depth).json! }, -> do
         ToJson::Serializer.json!(max_depth: depth) { array }
       end].each do |call|
        error = assert_raises(ArgumentError, &call)
        limits = /\Amax_depth: takes .*an Integer from 1 to 2147483647.*/
        assert_match(/#{limits}; got #{Regexp.escape(depth.inspect)}\z/, error.message)
      end
    end
  end
end
