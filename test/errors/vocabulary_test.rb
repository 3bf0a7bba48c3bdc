# frozen_string_literal: true

require "bigdecimal"
require "pathname"
require "test_helper"
require "support/ways_out"

# Each class of error: where it comes from, its path, what it says to do.
class VocabularyTest < ToJsonTest
  LATIN = "caf\xE9".dup.force_encoding(Encoding::UTF_8).freeze
  MODEL = Class.new { def self.model_name = "Post"; def self.name = "Post" }

  # class => {what: [path, words of the message, value]}
  VALUES = {
    ToJson::NumberError => {
      "NaN" =>
        ["Float::NAN is not valid JSON. Pass nan: :null to write null instead.", -> { Float::NAN }],
      "Infinity" => ["Float::INFINITY is not valid JSON. Pass nan: :null", -> { Float::INFINITY }],
      "-Infinity" =>
        ["-Float::INFINITY is not valid JSON. Pass nan: :null", -> { -Float::INFINITY }],
      "a BigDecimal that is NaN" =>
        ["BigDecimal NaN is not valid JSON. Pass nan: :null", -> { BigDecimal("NaN") }]
    },
    ToJson::EncodingError => {
      "bytes that are no UTF-8" => ["invalid: :replace", -> { LATIN }],
      "a binary String" => ["invalid: :replace", -> { "\xFF".b }],
      "bytes that are no text in another encoding" =>
        ["invalid: :replace", -> { "\x81\x20".dup.force_encoding(Encoding::Shift_JIS) }],
      "a Symbol that is no text" => ["invalid: :replace", -> { "a\xFF".b.to_sym }],
      "a key that is no text" => ["invalid: :replace", -> { { LATIN => 1 } }]
    },
    ToJson::UnsupportedTypeError => {
      "a bare object" =>
        ["Object has no JSON form. Give it as_json, to_json, to_h or to_s, or pass convert:",
         -> { Object.new }],
      "a Proc" => ["Proc has no JSON form", -> { -> {} }],
      "an IO" => ["IO has no JSON form", -> { $stdin }],
      "a Complex" => ["Complex has no JSON form", -> { Complex(1, 2) }],
      "an Exception" => ["RuntimeError has no JSON form", -> { RuntimeError.new("x") }],
      "a Method" => ["Method has no JSON form", -> { 1.method(:+) }],
      "a Thread" => ["Thread has no JSON form", -> { Thread.current }],
      "a class without a name" => ["This one has no name", -> { Class.new }],
      "an endless Range" => ["an endless Range never ends. Use (range).first(n)", -> { (1..) }],
      "a to_h that gives no Hash" =>
        ["to_h returned Integer instead of a Hash",
         -> { Class.new { def to_h = 5; def self.name = "Odd" }.new }],
      "a to_json that gives no String" =>
        ["to_json returned Integer instead of a String of JSON",
         -> { Class.new { def to_json(*) = 5 }.new }]
    },
    ToJson::SerializerNotFound => {
      "a model" =>
        ["its columns are not written by default. Put its fields, or use a serializer.",
         -> { MODEL.new }]
    },
    ToJson::FragmentError => {
      "a to_json that gives no JSON" =>
        ["is not valid JSON", -> { Class.new { def to_json(*) = "{oops" }.new }],
      "a to_json that gives two values" =>
        ["Give one JSON value in UTF-8", -> { Class.new { def to_json(*) = "1 2" }.new }]
    }
  }.freeze

  # how the value stands in the document => its path
  PLACES = {
    "$" => ->(v, out) { ToJson.generate(v, **out) },
    "$[1]" => ->(v, out) { ToJson.generate([1, v], **out) },
    "$.users[0].score" => ->(v, out) { ToJson.generate({ users: [{ score: v }] }, **out) },
    "$.a.b" => ->(v, out) { ToJson.json(**out) { |j| j.put(:a) { j.put :b, v } } },
    "$.list[1].x" =>
      ->(v, out) { ToJson.json(**out) { |j| j.put(:list, [1, v]) { |x| j.put :x, x } } },
    "$.in.place" => ->(v, out) do
      ToJson.json(**out) do |j|
        j.put :in, Class.new(ToJson::Serializer) { def serialize(x) = put(:place, x) }.new(v)
      end
    end
  }.freeze

  VALUES.each do |klass, cases|
    cases.each do |what, (message, value)|
      test "#{what} raises #{klass} with the path, what came and what to do" do
        PLACES.each do |path, document|
          error = assert_failure(klass, message: message) { |**out| document.call(value.call, out) }
          assert_operator error.path, :start_with?, path
          assert_operator error.message, :start_with?, "#{error.path}: "
          assert_equal error.path, ToJson.location(error)
        end
      end
    end
  end

  test "a wrong byte is named by its offset" do
    error = assert_raises(ToJson::EncodingError) { ToJson.generate({ a: LATIN }) }
    assert_match(/\$\.a: .*offset 3/, error.message)
  end

  test "a Fragment that is no JSON names the offset and has no path" do
    error = assert_raises(ToJson::FragmentError) { ToJson::Fragment.new('{"a":tru}') }
    assert_match(/at offset \d+ of 9 bytes/, error.message)
    assert_nil error.path
  end

  test "keys that read the same raise DuplicateKeyError under duplicates: :raise" do
    assert_failure(ToJson::DuplicateKeyError, path: "$.h.a", message: '"a"') do |**out|
      ToJson.generate({ h: { a: 1, "a" => 2 } }, duplicates: :raise, **out)
    end
  end

  test "every error is a ToJson::Error and a StandardError" do
    classes = ToJson.constants.map { |name| ToJson.const_get(name) }.select do |c|
      c.is_a?(Class) && c <= Exception
    end
    assert_equal %w[CacheError DefinitionError DuplicateKeyError EncodingError Error FragmentError
                    GrammarError NPlusOneError NestingError NumberError PoisonedError ReadError
                    SelectionError SerializerNotFound SinkError UnknownFieldError UnknownViewError
                    UnsupportedTypeError], classes.map { |c| c.name.delete_prefix("ToJson::") }.sort
    assert classes.all? { |c| c <= ToJson::Error && c <= StandardError }
    assert_operator ToJson::SerializerNotFound, :<, ToJson::UnsupportedTypeError
  end

  # into: => what the message says
  SINKS = {
    "an Integer, which has a << of its own" =>
      [5, "into: needs a String, or an object with write or <<; got Integer."],
    "a Proc, which has one too" =>
      [->(text) { text }, "into: needs a String, or an object with write or <<; got Proc."],
    "a Method" =>
      [[].method(:push), "into: needs a String, or an object with write or <<; got Method."],
    "a Pathname, whose write replaces the file" =>
      [Pathname("rows.json"), "into: a Pathname cannot take JSON, since each write replaces the " \
                              "file. Use path.open(\"wb\") { |file| ... into: file }."],
    "a Float" => [5.0, "into: needs a String, or an object with write or <<; got Float."],
    "an Object" => [Object.new, "got Object."],
    "a UTF-16 String" =>
      ["".encode("UTF-16LE"),
       "into: a String in UTF-16LE cannot take JSON. Use UTF-8, US-ASCII or binary."],
    "a Latin-1 String" =>
      ["".dup.force_encoding("ISO-8859-1"), "into: a String in ISO-8859-1 cannot take JSON"]
  }.freeze

  SINKS.each do |what, (sink, message)|
    test "into: #{what} raises SinkError before serialize runs" do
      ran = false
      serializer = Class.new(ToJson::Serializer) { define_method(:serialize) { ran = true } }
      [-> { ToJson.generate(1, into: sink) }, -> { serializer.json!(into: sink) }, -> {
        ToJson.json(into: sink) { ran = true }
      },
       -> { ToJson::Serializer.json!(into: sink) { ran = true } }].each do |call|
        assert_includes assert_raises(ToJson::SinkError, &call).message, message
      end
      refute ran
    end
  end

  test "into: a frozen String raises FrozenError before serialize runs" do
    ran = false
    assert_raises(FrozenError) { ToJson.json(into: "frozen") { ran = true } }
    refute ran
  end

  # what `write` answers => message
  ANSWERS = {
    "a negative number" => [->(_) { -1 }, /#write returned -1 for \d+ bytes\. It/],
    "more than it was given" =>
      [->(text) { text.bytesize + 1 }, /#write returned \d+ for \d+ bytes\. It/],
    "a number beyond all bounds" => [->(_) { 2**70 }, /#write returned \d+ for \d+ bytes\. It/],
    "0 twice in a row" => [->(_) { 0 }, /took nothing twice in a row\. Let it wait/]
  }.freeze

  ANSWERS.each do |what, (answer, message)|
    test "a write that answers #{what} raises SinkError" do
      sink = Class.new { define_method(:write, &answer) }.new
      with_each_size do |how|
        error = assert_raises(ToJson::SinkError, how) { ToJson.generate([1, 2, 3], into: sink) }
        assert_match message, error.message
        assert_equal "[1]", ToJson.generate([1])
      end
    end
  end

  test "a write that answers 0 once is asked again" do
    sink = Class.new {
      attr_reader :text
      def initialize = (@text = +""; @calls = 0)
      def write(t) = (@calls += 1).odd? ? 0 : (@text << t; nil)
    }.new
    with_each_size([[1, 1]]) { ToJson.generate([1, 2], into: sink) }
    assert_equal "[1,2]", sink.text
  end
end
