# frozen_string_literal: true

# What has no JSON form: the error names the path, what came, and what to do.

require_relative "value_case"

class UnsupportedTest < ValueCase
  # A class that says it is a model, as ActiveModel's do.
  class Model
    def self.model_name = "Model"
  end

  ADVICE =
    "Give it as_json, to_json, to_h or to_s, or pass convert: {TheClass => ->(value) { ... }}."

  # {what => [maker, its class in the message]}
  UNSUPPORTED = {
    "a bare object" => [-> { Object.new }, "Object"],
    "an object with instance variables" =>
      [-> { Object.new.tap { |o| o.instance_variable_set(:@a, 1) } }, "Object"],
    "a Complex" =>
      [-> { 1i }, "Complex"], "an Exception" => [-> { StandardError.new("x") }, "StandardError"],
    "a NameError" =>
      [-> { NameError.new("x") }, "NameError"],
      "a KeyError" => [-> { KeyError.new("x") }, "KeyError"],
    "a raised NoMethodError" => [-> { begin; nil.nope; rescue => e; e; end }, "NoMethodError"],
    "a raised TypeError" => [-> { begin; Integer([]); rescue => e; e; end }, "TypeError"],
    "an Exception of a class of one's own" =>
      [-> { Class.new(StandardError).new("x") }, /#<Class:0x\h+>/],
    "a SystemExit" =>
      [-> { SystemExit.new }, "SystemExit"],
      "an Errno" => [-> { Errno::ENOENT.new("x") }, "Errno::ENOENT"],
    "a Proc" => [-> { proc {} }, "Proc"], "a lambda" => [-> { -> {} }, "Proc"],
    "a Method" =>
      [-> { method(:puts) }, "Method"],
      "an UnboundMethod" => [-> { Kernel.instance_method(:puts) }, "UnboundMethod"],
    "an IO" =>
      [-> { $stderr }, "IO"], "a File" => [-> { @file ||= File.open(__FILE__) }, "File"],
      "a Dir" => [-> { @dir ||= Dir.open(__dir__) }, "Dir"],
    "a Thread" =>
      [-> { Thread.current }, "Thread"], "a Fiber" => [-> { Fiber.new {} }, "Fiber"],
      "a Mutex" => [-> { Mutex.new }, "Thread::Mutex"],
    "a Queue" =>
      [-> { Queue.new }, "Thread::Queue"], "a Binding" => [-> { binding }, "Binding"],
      "a Random" => [-> { Random.new }, "Random"],
    "a Regexp" =>
      [-> { /a/ }, "Regexp"], "a MatchData" => [-> { "a".match(/a/) }, "MatchData"],
      "an Encoding" => [-> { Encoding::UTF_8 }, "Encoding"],
    "a ThreadGroup" =>
      [-> { ThreadGroup.new }, "ThreadGroup"],
      "a TracePoint" => [-> { TracePoint.new(:line) {} }, "TracePoint"]
  }.freeze

  UNSUPPORTED.each do |what, (value, name)|
    refuses("#{what} raises", ToJson::UnsupportedTypeError, path: "$.a[1]",
            message: name.is_a?(Regexp) ? name : "#{name} has no JSON form. #{ADVICE}") do
              { a: [0, instance_exec(&value)] }
            end
  end

  test "the message is the path, what came, and what to do" do
    error = assert_raises(ToJson::UnsupportedTypeError) do
      ToJson.generate({ user: { avatar: proc {} } })
    end
    assert_equal "$.user.avatar: Proc has no JSON form. #{ADVICE}", error.message
    assert_kind_of ToJson::Error, error
    assert_equal "$.user.avatar", error.path
  end

  test "the value that is refused is asked nothing" do
    object = Object.new
    def object.method_missing(name, *) = raise("asked for #{name}")
    def object.respond_to_missing?(*) = false
    assert_raises(ToJson::UnsupportedTypeError) { ToJson.generate(object) }
  end

  refuses("a model raises SerializerNotFound", ToJson::SerializerNotFound, path: "$[0]",
          message: "UnsupportedTest::Model is a model: its columns are not written by default") do
            [Model.new]
          end

  test "SerializerNotFound is an UnsupportedTypeError" do
    assert_operator ToJson::SerializerNotFound, :<, ToJson::UnsupportedTypeError
  end

  writes("a model with its own to_h is that", '{"id":1}') do
    Class.new(Model) { def to_h = { id: 1 } }.new
  end

  # [sentence, value maker, path]
  [
    ["an Integer key", -> { { 7 => Object.new } }, '$["7"]'],
    ["a nil key", -> { { nil => Object.new } }, '$[""]'],
    ["a Symbol key", -> { { "a-b": Object.new } }, '$["a-b"]'],
    ["a String key with quotes", -> { { "a\"b" => Object.new } }, '$["a\"b"]'],
    ["a key beyond ASCII", -> { { "é" => Object.new } }, '$["é"]'],
    ["a key like an index", -> { { "0" => Object.new } }, '$["0"]'],
    ["an empty key", -> { { "" => Object.new } }, '$[""]'],
    ["a key that begins with a digit", -> { { "1a" => Object.new } }, '$["1a"]'],
    ["nested arrays", -> { [[], [1, [2, Object.new]]] }, "$[1][1][1]"],
    ["the first of many", -> { [Object.new, Object.new] }, "$[0]"],
    ["the last of many", -> { [*1..5000, Object.new] }, "$[5000]"],
    ["an Enumerator", -> { [1, Object.new].each }, "$[1]"],
    ["a Struct's member", -> { Struct.new(:a, :b).new(1, Object.new) }, "$.b"],
    ["what as_json gave", -> { object_with(as_json: { x: Object.new }) }, "$.x"],
    ["a value after closed ones", -> { { a: { b: 1 }, c: [1, 2], d: Object.new } }, "$.d"]
  ].each do |where, value, path|
    refuses("the path through #{where} is #{path}", ToJson::UnsupportedTypeError, path: path,
            &value)
  end
end
