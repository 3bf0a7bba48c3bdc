# frozen_string_literal: true

# Documents into a ToJson::Buffer: memory that stays from one document to the next.

require_relative "buffer_case"
require "open3"

class BufferTest < BufferCase
  Row = Struct.new(:id, :name)

  class RowSerializer < ToJson::Serializer
    attributes :id, :name
  end

  class WrittenSerializer < ToJson::Serializer
    def serialize(row)
      put :id, row.id
      put(:more) { put :name, row.name }
    end
  end

  # Objects that `times` calls allocate, warm.
  def objects(times = 1000)
    3.times { yield }
    GC.disable
    before = GC.stat(:total_allocated_objects)
    i = 0
    while i < times
      yield
      i += 1
    end
    GC.stat(:total_allocated_objects) - before
  ensure
    GC.enable
  end

  test "documents stand behind what is there, whatever their size" do
    [0, 1, 15, 16, 17, 4000, 70_000, 400_000].each do |size|
      value, json = long(size)
      sink = buffer("before")
      assert_same sink, ToJson.generate(value, into: sink)
      ToJson.generate({ a: "é" }, into: sink)
      assert_equal "before#{json}{\"a\":\"é\"}", sink.to_s
      assert_equal Encoding::UTF_8, sink.to_s.encoding
      assert_equal sink.to_s.bytesize, sink.bytesize
    end
  end

  test "every way to write takes a Buffer" do
    row = Row.new(1, "Ann")
    { RowSerializer => '{"id":1,"name":"Ann"}',
      WrittenSerializer => '{"id":1,"more":{"name":"Ann"}}' }.each do |serializer, json|
      sink = buffer
      assert_same sink, serializer.json!(row, into: sink)
      serializer.new(row).json!(into: sink)
      serializer.new(row, into: sink).json!
      assert_equal json * 3, sink.to_s
    end
    sink = buffer
    ToJson.json(into: sink) { |j| j.put :a, 1 }
    ToJson::Serializer.json!(into: sink) { put :b, 2 }
    ToJson.pretty_generate([1], into: sink)
    ToJson::Coder.new.dump([2], sink)
    assert_equal "{\"a\":1}{\"b\":2}[\n  1\n][2]", sink.to_s
  end

  test "a document of any length around each growth is right" do
    sink = buffer
    (1..2100).step(7) do |size|
      value = "a" * size
      sink.clear
      ToJson.generate({ x: [value, size] }, into: sink)
      assert_equal "{\"x\":[\"#{value}\",#{size}]}", sink.to_s
    end
  end

  test "nothing is allocated for a document into a Buffer that is large enough" do
    sink = ToJson::Buffer.new(capacity: 200_000)
    row = Row.new(1, "Ann")
    # YJIT allocates while it compiles.
    most = defined?(RubyVM::YJIT) && RubyVM::YJIT.enabled? ? 1_500 : 5
    { "declared" => RowSerializer.new(row, into: sink),
      "imperative" => WrittenSerializer.new(row, into: sink) }.each do |what, serializer|
      assert_operator objects { sink.clear; serializer.json! }, :<=, most, what
      assert_operator objects { sink.clear; serializer.json!(row) }, :<=, most, what
    end
    rows = Array.new(3000) { |n| { id: n, name: "name" } }
    plain = objects(20) { ToJson.generate(rows) }
    into = objects(20) { sink.clear; ToJson.generate(rows, into: sink) }
    assert_operator into, :<=, 20 + most, "the Hash of the keywords, #{plain} without"
    assert_operator sink.bytesize, :>, 65_536
    growths = ToJson::Writer.growths
    10.times { sink.clear; ToJson.generate(rows, into: sink) }
    assert_equal growths, ToJson::Writer.growths
    assert_equal 200_000, sink.capacity
  end

  test "after an error it is as it was, and takes the next document" do
    [0, 10, 70_000, 400_000].each do |size|
      sink = buffer("[1]")
      value, json = long(size)
      [-> { ToJson.generate([*value, Float::NAN], into: sink) }, -> {
        ToJson.json(into: sink) { |j| j.put :a, value; j.open :b }
      },
       -> { RowSerializer.json!([Row.new(1, value), Row.new(2, Object.new)], into: sink) },
       -> { ToJson.json(into: sink) { |j| j.put :a, value; raise "no" } }].each do |call|
        assert_raises(StandardError, &call)
        assert_equal "[1]", sink.to_s
      end
      assert_equal :thrown, catch(:out) {
        ToJson.json(into: sink) { |j| j.put :a, value; throw :out, :thrown }
      }
      Thread.new { ToJson.json(into: sink) { |j| j.put :a, value; Thread.current.kill } }.join
      assert_equal "[1]#{json}", ToJson.generate(value, into: sink).to_s
    end
  end

  CHANGES.each do |what, change|
    test "#{what} while a document is being written into it is a SinkError, and harms nothing" do
      sink = buffer("old")
      error = nil
      ToJson.json(into: sink) do |j|
        j.put :a, "x" * 5000
        error = assert_raises(ToJson::SinkError) { change.call(sink) }
        j.put :b, 2
      end
      assert_includes error.message, "a document is being written into this Buffer"
      assert_equal "old{\"a\":\"#{"x" * 5000}\",\"b\":2}", sink.to_s
      change.call(sink) unless what == "freeze"
    end
  end

  test "while a document is being written into it it reads as it was" do
    sink = buffer("old")
    ToJson.json(into: sink) do |j|
      j.put :a, "x" * 5000
      assert_equal ["old", 3, false, "old", ["old"]],
                   [sink.to_s, sink.bytesize, sink.empty?, sink.dup.to_s, sink.each_chunk.to_a]
      assert_operator sink.capacity, :>=, 5000
      assert_match(/\A#<ToJson::Buffer 3 bytes, room for \d+>\z/, sink.inspect)
    end
  end

  test "a document that was abandoned in a Fiber keeps it, and what it held" do
    sink = buffer("old")
    fiber = Fiber.new { ToJson.json(into: sink) { |j| j.put :a, 1; Fiber.yield; j.put :b, 2 } }
    fiber.resume
    assert_raises(ToJson::SinkError) { sink << "x" }
    assert_equal "old", sink.to_s
    fiber.resume
    assert_equal 'old{"a":1,"b":2}', sink.to_s
    kept = Array.new(50) do
      one = buffer("text" * 100)
      Fiber.new { ToJson.json(into: one) { |j| j.put :a, 1; Fiber.yield } }.resume
      one
    end
    GC.start
    assert(kept.all? { |one| one.to_s == "text" * 100 })
    assert_equal "[1]", ToJson.generate([1], into: buffer).to_s
  end

  # The first document of :rails asks Ruby what ActiveSupport says, when the Sink is known and the
  # document has not begun.
  LATE = <<~'SCRIPT'
    require "to_json"
    class Point
      include ToJson::Serialize
      attr_accessor :strike
      def serialize = put(:a, 1)
    end
    Row = Struct.new(:a)
    class RowSerializer < ToJson::Serializer
      attributes :a
    end
    striking = Module.new { def encoding = $strike.call }
    ToJson::Dialects.const_get(:Rails).singleton_class.prepend(striking)
    one = ToJson::Buffer.new << "old"
    strikes = [-> { $point.freeze; nil }, -> { raise Interrupt }, -> { raise NoMemoryError },
               -> { throw :out }, -> { one.freeze; nil }]
    strikes.each do |strike|
      $strike, $point = strike, Point.new
      begin
        catch(:out) { $point.json!(rules: :rails, into: one) }
      rescue ToJson::Error, FrozenError, Interrupt, NoMemoryError => error
        print error.class, " "
      end
      one << "," unless one.frozen?
    end
    puts one.to_s, ToJson.generate([1])
    other = ToJson::Buffer.new << "old"
    $strike = -> { other.freeze; nil }
    begin
      RowSerializer.json!(Row.new(1), rules: :rails, into: other)
    rescue FrozenError => error
      print error.class, " "
    end
    puts other.to_s
  SCRIPT

  test "what raises between its check and the document's first byte leaves it free" do
    output, errors, = Open3.capture3(*PlainRuby.start, "-W0", "-e", LATE)
    late = "ToJson::Error Interrupt NoMemoryError FrozenError old,,,,"
    assert_equal [late, "[1]", "FrozenError old"],
                 output.lines(chomp: true), errors
  end

  # A document needs more of the stack than the call before it, so that it ends within the document.
  test "a document that found the stack at its end leaves it free" do
    row, root = Row.new(1, "Ann"), { root: :row }
    [{}, root, { only: [:id] }].each do |options|
      sink = buffer
      20.times do |size|
        pad = Array.new(size)
        deep = ->(*all) { RowSerializer.json!(row, into: sink.clear, **options) && deep.(*all) }
        assert_raises(SystemStackError) { deep.(*pad) }
        assert_equal RowSerializer.json!(row, **options),
                     RowSerializer.json!(row, into: sink.clear, **options).to_s
      end
    end
  end

  # Less room would make each document leave the fast paths.
  test "one that is used has room for the fast paths" do
    sink = buffer
    2.times { RowSerializer.json!(Row.new(1, "x" * 100), into: sink.clear) }
    assert_includes 2_048..4_096, sink.capacity
    kept = ToJson::Buffer.new(capacity: 4_096)
    assert_equal 4_096, RowSerializer.json!(Row.new(1, "Ann"), into: kept).capacity
    full = ToJson::Buffer.new(capacity: 5_000) << "x" * 4_990
    RowSerializer.json!(Row.new(1, "Ann"), into: full)
    assert_equal "x" * 4_990 << '{"id":1,"name":"Ann"}', full.to_s
  end

  test "one object that leaves early leaves the Buffer as it was" do
    sink = buffer("before")
    within = Row.new(1, "Ann")
    within.define_singleton_method(:name) { RowSerializer.json!(Row.new(2, "Bob"), into: sink) }
    assert_raises(ToJson::SinkError) { RowSerializer.json!(within, into: sink) }
    assert_equal "before", sink.to_s
    assert_raises(FrozenError) { RowSerializer.json!(Row.new(1, "Ann"), into: buffer.freeze) }
    thrown = Row.new(1, "Ann")
    thrown.define_singleton_method(:name) { throw :out, sink.to_s }
    assert_equal("before", catch(:out) { RowSerializer.json!(thrown, into: sink) })
    RowSerializer.json!(Row.new(1, "Ann"), into: sink, context: { a: 1 })
    assert_equal 'before{"id":1,"name":"Ann"}', sink.to_s
  end
end
