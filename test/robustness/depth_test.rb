# frozen_string_literal: true

require "test_helper"
require "fuzz/actors"

# Too deep, circular and without end: a named error in the main thread, in a Thread and in a Fiber,
# never a crash.
class DepthRobustnessTest < ToJsonTest
  DEEP = 400_000 # a stack of 8 MiB holds fewer: no level takes less than 32 bytes of it
  UNLIMITED = { max_depth: 2**31 - 1 }.freeze
  SANITIZED = ENV["TO_JSON_SANITIZED"] == "1" # under ASan Ruby does not see the end of its stack

  # Gives itself anew for ever.
  class Endless
    def as_json = Endless.new
  end

  # Is its own comment.
  class Circle < ToJson::Serializer
    def serialize = put(:again, Circle.new)
  end

  def self.deep(bottom) = DEEP.times.inject(bottom) { |inner, _| yield inner }

  PLACES = {
    "the main thread" => ->(&run) { run.call },
    "a Thread" =>
      ->(&run) {
        Thread.new { run.call }.tap { |thread| thread.report_on_exception = false }.value
      },
    "a Fiber" => ->(&run) { Fiber.new { run.call }.resume }
  }.freeze

  # Data that do not end before the default limit, and data that are merely very deep.
  ENDLESS = {
    "an Array that holds itself" => -> { ToJson.generate([].tap { |array| array << array }) },
    "a Hash that holds itself" =>
      -> { ToJson.generate({}.tap { |hash| hash[:a] = { b: [hash] } }) },
    "two objects that give each other" =>
      -> {
        ToJson
          .generate(Fuzz::AsJson.new(nil).tap { |one| one.instance_variable_set(:@given, [one]) })
      },
    "an as_json that gives itself anew" => -> { ToJson.generate(Endless.new) },
    "a serializer within itself" => -> { Circle.json! },
    "a block within itself" => -> { ToJson.json { |j| DepthRobustnessTest.within(j) } },
    "open without end" => -> { ToJson.json { |j| loop { j.open :a } } },
    "open_array without end" => -> { ToJson.json { |j| loop { j.open_array } } },
    "#{DEEP} Arrays" => -> { ToJson.generate(DEEPEST.fetch("Arrays").call) }
  }.freeze

  def self.within(word) = word.put(:a) { within(word) }

  # Made anew in each test: kept, they would be marked in every collection of the whole suite.
  DEEPEST = {
    "Arrays" => -> { deep([]) { |inner| [inner] } },
    "Hashes" => -> { deep({}) { |inner| { a: inner } } },
    "Structs" => -> { deep(nil) { |inner| Fuzz::Couple.new(inner) } },
    "objects with as_json" => -> { deep(1) { |inner| Fuzz::AsJson.new(inner) } }
  }.freeze

  PLACES.each do |place, run|
    ENDLESS.each do |name, document|
      test "#{name} is a NestingError in #{place}" do
        error = assert_raises(ToJson::NestingError) { run.call(&document) }
        assert_match(/\A\$.*nested more than 100 deep/, error.message)
        assert_operator error.path.size, :<, 300
        assert_equal "[1]", ToJson.generate([1])
      end
    end

    next if SANITIZED

    DEEPEST.each do |name, make|
      test "#{DEEP} #{name} with max_depth lifted end with a named error in #{place}" do
        value = make.call
        assert_raises(ToJson::NestingError, SystemStackError) do
          run.call { ToJson.generate(value, **UNLIMITED) }
        end
        assert_equal "[1]", ToJson.generate([1])
      end
    end

    test "recursion of user code with max_depth lifted ends with a named error in #{place}" do
      assert_raises(ToJson::NestingError, SystemStackError) do
        run.call { Circle.json!(**UNLIMITED) }
      end
      assert_raises(ToJson::NestingError, SystemStackError) do
        run.call { ToJson.json(**UNLIMITED) { |j| self.class.within(j) } }
      end
      assert_equal "[1]", ToJson.generate([1])
    end
  end

  test "exactly max_depth containers are written, one more is an error, in every way to nest" do
    nests = { "Arrays" => ->(n, **o) {
      ToJson.generate((n - 1).times.inject([]) { |inner, _| [inner] }, **o)
    },
              "Hashes" =>
                ->(n, **o) {
                  ToJson.generate((n - 1).times.inject({}) { |inner, _| { a: inner } }, **o)
                },
              "blocks" => ->(n, **o) { ToJson.json(**o) { |j| put_within(j, n) } },
              "arrays of the DSL" => ->(n, **o) { ToJson.json(**o) { |j| array_within(j, n) } } }
    nests.each do |name, nest|
      [1, 2, 7, 100].each do |depth|
        text = nest.call(depth, max_depth: depth)
        assert_equal depth, text.count("[{"), name
        assert_raises(ToJson::NestingError, name) { nest.call(depth + 1, max_depth: depth) }
      end
    end
  end

  private

  def put_within(word, depth)
    depth == 1 ? word.put(:a, 1) : word.put(:a) { put_within(word, depth - 1) }
  end
  def array_within(word, depth) = word.array { array_within(word, depth - 1) if depth > 1 }
end
