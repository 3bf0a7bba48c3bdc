# frozen_string_literal: true

# Depth and cycles.

require_relative "value_case"

class ValueDepthTest < ValueCase
  def arrays(depth) = (1...depth).reduce([]) { |inner, _| [inner] }
  def hashes(depth) = (1...depth).reduce({}) { |inner, _| { a: inner } }

  { arrays: "[0]", hashes: ".a" }.each do |maker, step|
    writes("100 #{maker} in each other are written",
           maker == :arrays ? ("[" * 100) + ("]" * 100) : "#{'{"a":' * 99}{}#{"}" * 99}") do
      send(maker, 100)
    end

    test "101 #{maker} in each other are refused with the path" do
      shown = "$#{step * 12}…#{step * 4}"
      error = assert_failure(ToJson::NestingError, path: shown,
                             message: "nested more than 100 deep") do |**out|
        ToJson.generate(send(maker, 101), **out)
      end
      assert_includes error.message, "Raise max_depth:"
    end

    test "max_depth: says how many #{maker} may stand in each other" do
      [1, 2, 3, 64, 65, 99, 101, 500].each do |depth|
        ToJson.generate(send(maker, depth), max_depth: depth)
        error = assert_raises(ToJson::NestingError) do
          ToJson.generate(send(maker, depth + 1), max_depth: depth)
        end
        assert_includes error.message, "more than #{depth} deep"
      end
    end
  end

  refuses("an Array that contains itself", ToJson::NestingError,
          path: "$#{"[1]" * 12}…#{"[1]" * 4}") do
    [1].tap { |array| array << array }
  end
  refuses("a Hash that contains itself", ToJson::NestingError,
          path: "$#{".me" * 12}….me.me.me.me") do
    {}.tap { |hash| hash[:me] = hash }
  end
  refuses("a Struct that contains itself", ToJson::NestingError,
          path: "$#{".me" * 12}….me.me.me.me") do
    Struct.new(:me).new.tap { |struct| struct.me = struct }
  end
  refuses("two that contain each other", ToJson::NestingError,
          path: "$#{"[0].a" * 6}…#{"[0].a" * 2}") do
    [].tap { |array| array << { a: array } }
  end
  refuses("an Enumerable that yields itself", ToJson::NestingError,
          path: "$#{"[0]" * 12}…#{"[0]" * 4}") do
    Class.new { include Enumerable; def each = yield(self) }.new
  end
  refuses("an as_json that gives an Array of itself", ToJson::NestingError, path: nil) do
    object_with { def as_json(*) = [self] }
  end
  refuses("a to_h that gives itself anew", ToJson::NestingError, path: nil) do
    object_with { def to_h = { again: self } }
  end
  refuses("a convert: rule that never ends", ToJson::NestingError, path: nil,
          convert: { Symbol => ->(_) { [:again] } }) do
    :again
  end
  refuses("a path of 17 parts leaves out one", ToJson::UnsupportedTypeError,
          path: "$#{"[0]" * 12}…#{"[0]" * 4}") do
    (1..17).reduce(Object.new) { |v, _| [v] }
  end
  refuses("a path of 16 parts is whole", ToJson::UnsupportedTypeError, path: "$#{"[0]" * 16}") do
    (1..16).reduce(Object.new) { |v, _| [v] }
  end

  # More levels than a stack of 8 MiB holds, made without recursion.
  def bottomless(kind)
    (1..400_000).reduce(nil) { |inner, _| kind == :arrays ? [inner] : { a: inner } }
  end

  # {where => what runs the block there}
  PLACES = {
    "the main thread" => ->(&run) { run.call },
    "a Thread" =>
      ->(&run) { Thread.new(&run).tap { |thread| thread.report_on_exception = false }.value },
    "a Fiber" => ->(&run) { Fiber.new(&run).resume },
    "a Fiber of a Thread" =>
      ->(&run) {
        Thread.new { Fiber.new(&run).resume }.tap { |thread|
          thread.report_on_exception = false
        }.value
      },
    "an Enumerator's Fiber" => ->(&run) { Enumerator.new { |y| y << run.call }.next }
  }.freeze

  PLACES.each do |where, there|
    %i[arrays hashes].each do |kind|
      next if SANITIZED

      test "#{kind} 400,000 deep with max_depth: to match are refused in #{where}, not a crash" do
        value = bottomless(kind)
        error = assert_raises(ToJson::NestingError) do
          there.call { ToJson.generate(value, max_depth: 2_000_000) }
        end
        assert_match(/nested \d+ deep, which is all that this thread's stack holds/, error.message)
        step = kind == :arrays ? "[0]" : ".a"
        assert_equal "$#{step * 12}…#{step * 4}", error.path
        assert_equal "[1]", there.call { ToJson.generate([1]) }
      end
    end

    test "a few hundred levels are written in #{where} where max_depth: allows" do
      assert_equal ("[" * 500) + ("]" * 500), there.call {
        ToJson.generate(arrays(500), max_depth: 500)
      }
      assert_equal "#{'{"a":' * 499}{}#{"}" * 499}", there.call {
        ToJson.generate(hashes(500), max_depth: 500)
      }
    end
  end

  unless SANITIZED # under ASan Ruby does not see the end of its stack
    test "a structure of own methods without end is refused whatever max_depth: says" do
      type = Class.new { def as_json(*) = { a: self.class.new } }
      assert_raises(ToJson::NestingError, SystemStackError) do
        ToJson.generate(type.new, max_depth: 2**31 - 1)
      end
      assert_equal "[1]", ToJson.generate([1])
    end
  end
end
