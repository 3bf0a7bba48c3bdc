# frozen_string_literal: true

require "test_helper"
require "support/ways_out"

# Exceptions of the user's own code and of the Sink: they pass through with their class, and
# ToJson.location tells where.
class LocationTest < ToJsonTest
  class Mine < StandardError
    def initialize(text = "mine") = super
  end

  User = Struct.new(:name, :fails) { def score = fails ? raise(Mine) : 1 }
  USERS = Array.new(140) { |n| User.new("u#{n}", n == 137) }.freeze

  # where the exception is raised => [path, document]
  PLACES = {
    "a getter of put_fields" =>
      ["$.users[137]",
       ->(out) do
         ToJson.json(**out) { |j| j.put(:users, USERS) { |u| j.put_fields u, :name, :score } }
       end],
    "a getter called by the user" =>
      ["$.users[137]",
       ->(out) { ToJson.json(**out) { |j| j.put(:users, USERS) { |u| j.put :score, u.score } } }],
    "a block" =>
      ["$.a.b", ->(out) { ToJson.json(**out) { |j| j.put(:a) { j.put(:b) { raise Mine } } } }],
    "a block of items" =>
      ["$[2]",
       ->(out) do
         ToJson.json(**out) { |j| j.array([1, 2, 3]) { |x| x == 3 ? raise(Mine) : j.value(x) } }
       end],
    "the serialize of a class" =>
      ["$", ->(out) { Class.new(ToJson::Serializer) { def serialize = raise(Mine) }.json!(**out) }],
    "the serialize of one in place" =>
      ["$.k[1]",
       ->(out) do
         ToJson.json(**out) do |j|
           j.put :k, [1, Class.new(ToJson::Serializer) { def serialize = raise(Mine) }.new]
         end
       end],
    "an as_json" =>
      ["$[0].k",
       ->(out) { ToJson.generate([{ k: Class.new { def as_json(*) = raise(Mine) }.new }], **out) }],
    "a to_h" =>
      ["$[1]", ->(out) { ToJson.generate([1, Class.new { def to_h = raise(Mine) }.new], **out) }],
    "an each" =>
      ["$.e[1]",
       ->(out) { ToJson.generate({ e: Enumerator.new { |y| y << 1 << 2; raise Mine } }, **out) }],
    "convert:" =>
      ["$.t",
       ->(out) { ToJson.generate({ t: Mine.new }, convert: { Mine => ->(e) { raise e } }, **out) }],
    "a condition" =>
      ["$.k",
       ->(out) do
         ToJson.json(**out) { |j| j.put(:k) { j.put_fields_if ->(_) { raise Mine }, { a: 1 }, :a } }
       end],
    "the root" => ["$", ->(out) { ToJson.json(**out) { raise Mine } }]
  }.freeze

  PLACES.each do |where, (path, document)|
    test "an exception of #{where} passes through with its class, its message and the path" do
      error = assert_failure(Mine) { |**out| document.call(out) }
      assert_equal "mine", error.message
      assert_instance_of Mine, error
      assert_operator ToJson.location(error), :start_with?, path
    end
  end

  test "ToJson.location of an exception that no document saw is nil" do
    assert_nil ToJson.location(Mine.new)
    assert_nil ToJson.location(ToJson::Error.new("x"))
  end

  test "ToJson.location of one of ours is its path" do
    error = assert_raises(ToJson::NumberError) { ToJson.generate([Float::NAN]) }
    assert_equal "$[0]", ToJson.location(error)
  end

  test "an exception that is rescued inside the document knows its place too" do
    place = nil
    ToJson.json do |j|
      j.put(:a) { j.put(:b) { raise Mine } }
    rescue Mine => error
      place = ToJson.location(error)
    end
    assert_equal "$.a.b", place
  end

  test "the place is the first one: a document around the document does not move it" do
    outer = Class.new(ToJson::Serializer) do
      def serialize = put(:outer) { value ToJson.json { |j| j.put(:inner) { raise Mine } } }
    end
    assert_equal "$.inner", ToJson.location(assert_raises(Mine) { outer.json! })
  end

  test "one exception raised in two documents keeps its first place" do
    error = Mine.new
    assert_raises(Mine) { ToJson.json { |j| j.put(:first) { raise error } } }
    assert_raises(Mine) { ToJson.json { |j| j.put(:second) { raise error } } }
    assert_equal "$.first", ToJson.location(error)
  end

  test "the place is not an instance variable that inspect shows the user as his own" do
    error = assert_raises(Mine) { ToJson.json { |j| j.put(:a) { raise Mine } } }
    assert_equal "mine", error.message
    refute_includes error.inspect, "$.a"
  end

  test "a frozen exception passes through as it is" do
    error = Mine.new.freeze
    assert_same error, assert_raises(Mine) { ToJson.json { |j| j.put(:a) { raise error } } }
    assert_nil ToJson.location(error)
    assert_equal "[1]", ToJson.generate([1])
  end

  test "an exception whose own methods refuse to be told the place passes through as it is" do
    odd = Class.new(StandardError) do
      def extend(*) = raise("odd")
      def instance_variable_set(*) = raise("odd")
      def instance_variable_defined?(*) = raise("odd")
    end
    error = odd.new
    assert_same error, assert_raises(odd) { ToJson.json { |j| j.put(:a) { raise error } } }
    assert_equal "[1]", ToJson.generate([1])
  end

  test "exceptions that are no StandardError pass through too" do
    [NotImplementedError, SystemExit, Interrupt, Class.new(Exception), NoMemoryError,
     SystemStackError].each do |klass|
      error = begin
        ToJson.json { |j| j.put(:a) { raise klass } }
      rescue Exception => e
        e
      end
      assert_instance_of klass, error
      assert_equal "[1]", ToJson.generate([1])
    end
  end

  test "the backtrace is the user's" do
    line = __LINE__ + 1
    error = assert_raises(Mine) { ToJson.json { |j| j.put(:a) { raise Mine } } }
    assert_operator error.backtrace.first, :start_with?, "#{__FILE__}:#{line}:"
    refute_includes error.backtrace.join, "/lib/to_json"
  end

  test "the cause stays" do
    error = assert_raises(Mine) do
      ToJson.json { |j| j.put(:a) { begin; raise IndexError; rescue IndexError; raise Mine; end } }
    end
    assert_instance_of IndexError, error.cause
  end

  if Exception.method_defined?(:detailed_message) # Ruby >= 3.2
    test "the detailed message tells the place" do
      error = assert_raises(Mine) { ToJson.json { |j| j.put(:a) { raise Mine } } }
      assert_equal "mine", error.message
      assert_includes error.detailed_message, "mine"
      assert_includes error.detailed_message, "$.a"
      assert_includes error.detailed_message(highlight: true), "$.a"
      assert_includes error.full_message(highlight: false), "$.a"
    end

    test "the detailed message of the user's own class is kept and told the place" do
      own = Class.new(StandardError) do
        def detailed_message(highlight: false, **) = "own #{highlight}"
      end
      error = assert_raises(own) { ToJson.json { |j| j.put(:a) { raise own } } }
      assert_match(/\Aown false.*\$\.a/, error.detailed_message)
    end

    test "the detailed message of a class whose method takes no keywords is told the place" do
      own = Class.new(StandardError) { def detailed_message = "own" }
      error = assert_raises(own) { ToJson.json { |j| j.put(:a) { raise own } } }
      assert_match(/\Aown.*\$\.a/, error.detailed_message)
    end

    test "the detailed message of a frozen exception is as it was" do
      error = Mine.new.freeze
      assert_raises(Mine) { ToJson.json { |j| j.put(:a) { raise error } } }
      refute_includes error.detailed_message, "$.a"
    end
  end

  # The Sink's exceptions, at its n-th write.
  Full = Class.new(IOError)

  class Filling
    attr_reader :text

    def initialize(room) = (@room = room; @text = +"")

    def write(bytes)
      raise Full, "full" if (@room -= 1).negative?

      @text << bytes
      bytes.bytesize
    end
  end

  test "an exception of the Sink passes through with the place, wherever it comes" do
    expected = ToJson.generate({ users: USERS.first(20).map { |u| { name: u.name } } })
    with_each_size([[1, 1], [16, 16]]) do |how|
      rooms = 0
      loop do
        sink = Filling.new(rooms)
        begin
          ToJson.json(into: sink) { |j| j.put(:users, USERS.first(20)) { |u| j.put :name, u.name } }
          assert_equal expected, sink.text
          break
        rescue Full => error
          assert_equal "full", error.message
          assert_match(/\A\$/, ToJson.location(error), how)
          assert_operator expected, :start_with?, sink.text
          assert_operator sink.text.size, :<, expected.size
          assert_equal "[1]", ToJson.generate([1])
          rooms += 1
        end
      end
      assert_operator rooms, :>, 10
    end
  end

  test "a word called by the Sink's own write raises GrammarError" do
    kept = nil
    sink = Class.new { define_method(:write) { |_| kept.put :x, 1 } }.new
    with_each_size([[1, 1], WaysOut::USUAL_SIZES]) do
      error = assert_raises(ToJson::GrammarError) do
        ToJson.json(into: sink) { |j| kept = j; j.put :a, 1; j.put :b, 2 }
      end
      assert_includes error.message, "inside the write method of the Sink"
    end
  end

  test "a Sink may write documents of its own" do
    log = []
    sink = Class.new { define_method(:write) { |text| log << ToJson.generate([text]); nil } }.new
    with_each_size([[7, 3]]) { ToJson.generate([1, 2, 3], into: sink) }
    assert_equal "[1,2,3]", log.map { |entry| ToJson::Tree.parse(entry).first }.join
  end

  # Where its fields are declared is known: the lines of this file.
  class Declaring < ToJson::Serializer
    LINE = __LINE__
    attributes :id, :name
    attribute :own, if: :own?
    has_one(:inner) { attributes :x }
    has_many :others, serializer: "LocationTest::Other"
    flatten(:flat) { attributes :y }
  end

  class Other < ToJson::Serializer
    LINE = __LINE__
    attributes :z
  end

  {
    %i[id] => [Declaring::LINE + 1, "name"],
    %i[id name] => [Declaring::LINE + 2, "own"],
    %i[id name own? own inner] => [Declaring::LINE + 3, "x"],
    %i[id name own? own others] => [Other::LINE + 1, "z"]
  }.each do |members, (line, field)|
    test "an object with no more than #{members.join(", ")} leads to the declaration of #{field}" do
      object = Object.new
      values = { others: [Object.new], inner: nil }
      [*members, :inner].uniq.each do |name|
        value = members.include?(name) ? values[name] || true : nil
        object.define_singleton_method(name) { value }
      end
      error = assert_raises(NoMethodError) { Declaring.json!(object) }
      place = Regexp.escape("#{File.expand_path(__FILE__)}:#{line}")
      assert_match(/\A#{place}:in .#{field}'\z/, ToJson.declaration(error))
    end
  end

  test "an exception of no generated code leads to no declaration" do
    error = assert_raises(RuntimeError) { ToJson.json { |_| raise "mine" } }
    assert_nil ToJson.declaration(error)
    assert_nil ToJson.declaration(RuntimeError.new("never raised"))
    lines = Declaring.definition.fields.first(3).map { |field| field.declared_at[/\d+\z/].to_i }
    assert_equal [1, 1, 2].map { |line| Declaring::LINE + line }, lines
  end
end
