# frozen_string_literal: true

# What Writers keep between documents: enough for the next one like the last, and never what a huge
# one took.

require_relative "sink_case"
require "objspace"

class PoolTest < SinkCase
  def writers
    ObjectSpace.each_object(ToJson::Writer).sum { |writer| ObjectSpace.memsize_of(writer) }
  end

  # Bytes of Writers that the block leaves, beyond those before.
  def kept
    GC.start
    before = writers
    yield
    GC.start
    writers - before
  end

  # How often documents' memory is reallocated by 20 calls, when the first three are over.
  def growths
    3.times { yield }
    before = ToJson::Writer.growths
    20.times { yield }
    ToJson::Writer.growths - before
  end

  MEGABYTES = Figures.of("MB of a document")
  HUGE = ["é" * 500_000] * MEGABYTES

  {
    "a String" =>
      -> { ToJson.generate(HUGE) }, "into a String" => -> { ToJson.generate(HUGE, into: +"x") },
      "into an IO" => -> { ToJson.generate(HUGE, into: File.open(File::NULL, "w")) },
    "into an IO in chunks of 20 MB" =>
      -> { ToJson.generate(HUGE, into: File.open(File::NULL, "w"), chunk: 20_000_000) },
    "into a Buffer" => -> { ToJson.generate(HUGE, into: ToJson::Buffer.new) },
    "one that fails" => -> { ToJson.generate([HUGE, Float::NAN]) rescue nil },
    "one that fails in an IO" => -> { ToJson.generate([HUGE, Float::NAN], into: []) rescue nil },
    "one String as a slot's" => -> { ToJson.json { |j| j.put(:a) { j.put :b, HUGE } } }
  }.each do |what, write|
    test "a document of #{MEGABYTES} MB leaves no Writer that holds more than a chunk: #{what}" do
      write.call
      assert_operator kept { 3.times { write.call } }, :<=, 80_000
      Figures.reached("MB of a document", MEGABYTES)
    end
  end

  test "a deep document leaves no deep Writer" do
    deep = 20_000.times.reduce([]) { |inner, _| [inner] }
    thread = Thread.new { kept { ToJson.generate(deep, max_depth: 30_000) rescue nil } }
    assert_operator thread.value, :<=, 80_000
  end

  test "documents of one size are written without reallocation, when the first of them is over" do
    rows = Array.new(2500) { |n| { id: n, name: "name", tags: [1, 2] } }
    assert_includes 90_000..130_000, ToJson.generate(rows).bytesize
    null = File.open(File::NULL, "w")
    buffer = ToJson::Buffer.new
    { "String" => -> { ToJson.generate(rows) }, "IO" => -> {
      ToJson.generate(rows, into: null)
    }, "Buffer" => -> { ToJson.generate(rows, into: buffer.clear) },
      "appended" => -> { ToJson.generate(rows, into: +"") }, "small" => -> do
        ToJson.generate(rows.first(2))
      end }.each do |what, write|
      assert_equal 0, growths(&write), what
    end
  ensure
    null.close
  end

  test "documents that differ by a few per cent are written without reallocation" do
    sizes = [100_000, 101_000, 99_500, 100_200, 102_500].cycle
    assert_equal 0, growths { ToJson.generate("a" * sizes.next) }
  end

  test "after a huge document one of 100 KB takes what it needs" do
    ToJson.generate(HUGE)
    3.times { assert_operator ObjectSpace.memsize_of(ToJson.generate("a" * 100_000)), :<, 105_000 }
  end
end
