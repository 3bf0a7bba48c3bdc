# frozen_string_literal: true

# ToJson::Buffer: memory that stays from one document to the next.

require_relative "sink_case"
require "logger"
require "objspace"
require "open3"
require "stringio"
require "zlib"

class BufferTest < SinkCase
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

  def buffer(text = nil) = ToJson::Buffer.new.tap { |made| made << text if text }

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
    # YJIT allocates while it compiles, and an entry (lib/to_json/plans/entry.rb) on its way to the
    # general call.
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

  CHANGES = {
    "write" =>
      ->(sink) { sink.write("x") }, "<<" => ->(sink) { sink << "x" }, "clear" => :clear.to_proc,
      "shrink" => :shrink.to_proc,
    "freeze" => :freeze.to_proc, "another document" => ->(sink) { ToJson.generate(1, into: sink) },
    "write_to" =>
      ->(sink) { sink.write_to([]) },
      "initialize" => ->(sink) { sink.send(:initialize, capacity: 100_000) },
    "initialize_copy" => ->(sink) { sink.send(:initialize_copy, ToJson::Buffer.new) }
  }.freeze

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
    output, errors, = Open3.capture3(RbConfig.ruby, "-W0", "-I", "#{Project::ROOT}/lib", "-e", LATE)
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

  test "it appends whatever has a to_s, in UTF-8" do
    sink = buffer
    assert_equal 4, sink.write("a", 1, :b, nil, "c")
    assert_same sink, sink << "é".encode("ISO-8859-1") << "ü".b << "ö".encode("UTF-16LE")
    assert_equal "a1bcéüö", sink.to_s
    assert_equal 0, sink.write
    assert_raises(Encoding::InvalidByteSequenceError) do
      sink << "\xFD\xFF".dup.force_encoding("EUC-JP")
    end
    assert_equal "a1bcéüö", sink.to_s
    changing = buffer
    own = Object.new
    own.define_singleton_method(:to_s) { changing.clear; "own" }
    assert_equal "own", (changing << "before" << own).to_s
    assert_equal "aa", (twice = buffer("a")).tap { twice << twice }.to_s
  end

  test "clear and reset keep the memory, shrink gives it back" do
    sink = buffer("x" * 100_000)
    assert_operator sink.capacity, :>=, 100_000
    assert_same sink, sink.clear
    assert sink.empty?
    assert_operator sink.capacity, :>=, 100_000
    sink << "abc"
    assert_equal 4096, sink.shrink(4096).capacity
    assert_equal 16, sink.shrink.capacity
    assert_equal "abc", sink.to_s
    assert_equal 16, sink.shrink(1_000_000).capacity, "it does not grow"
    assert_equal ["", 0], [sink.reset.to_s, sink.size]
    assert_equal 50, ToJson::Buffer.new(capacity: 50).capacity
    [-1, 1.5, "1", nil].each do |number|
      assert_raises(ArgumentError) { ToJson::Buffer.new(capacity: number) }
      assert_raises(ArgumentError) { sink.shrink(number) }
    end
    assert_raises(ArgumentError) { ToJson::Buffer.new(10) }
    assert_raises(ArgumentError) { ToJson::Buffer.new(size: 10) }
  end

  test "write_to hands over whole characters, and appends to a String as into: does" do
    long = buffer("x#{"é" * 50_000}")
    pieces = long.write_to([])
    assert_operator pieces.size, :>, 1
    assert(pieces.all?(&:valid_encoding?))
    assert_equal long.to_s, pieces.join
    assert_equal "\xFF\xC3\xA9".b, buffer("é").write_to("\xFF".b)
    assert_raises(ToJson::SinkError) { buffer("é").write_to("a".encode(Encoding::UTF_16LE)) }
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

  test "ObjectSpace counts its memory" do
    sink = ToJson::Buffer.new(capacity: 1_000_000)
    assert_includes 1_000_000..1_001_000, ObjectSpace.memsize_of(sink)
    assert_operator ObjectSpace.memsize_of(sink.shrink), :<, 1000
  end

  unless ENV["TO_JSON_SANITIZED"] == "1" # RSS says nothing under ASan
    test "the memory of Buffers that go is given back" do
      needs_proc
      rss = -> { GC.start; File.read("/proc/self/status")[/VmRSS:\s+(\d+)/, 1].to_i }
      text = "x" * 1_000_000
      20.times { buffer(text) }
      before = rss.call
      400.times { buffer(text) }
      assert_operator rss.call - before, :<, 150 * 1024, "KiB, of 400 MB"
    end
  end

  test "dup and clone have bytes of their own, clone stays frozen" do
    sink = buffer("abc").freeze
    copy = sink.dup
    copy << "d"
    assert_equal %w[abc abcd], [sink.to_s, copy.to_s]
    assert_predicate sink.clone, :frozen?
    assert_equal "abc", sink.clone.to_s
    assert_equal "", ToJson::Buffer.allocate.to_s
    assert_raises(TypeError) { copy.send(:initialize_copy, "text") }
    assert_raises(TypeError) { Marshal.dump(sink) }
  end

  test "a frozen one reads and raises FrozenError where it would change" do
    sink = buffer("abc").freeze
    assert_equal ["abc", 3, ["abc"], "abc"],
                 [sink.to_s, sink.bytesize, sink.each_chunk.to_a, sink.write_to(+"")]
    CHANGES.except("freeze", "write_to").each do |what, change|
      assert_raises(FrozenError, what) { change.call(sink) }
    end
    assert_same sink, sink.freeze
  end

  test "a frozen one can be read in every Ractor, another one cannot be sent" do
    assert Ractor.shareable?(buffer("abc").freeze)
    refute Ractor.shareable?(buffer("abc"))
    ractor = silently do
      Ractor.new(Ractor.make_shareable(buffer("abc"))) { |sink| sink.write_to(+"") }
    end
    assert_equal "abc", ractor.value
  end

  test "each_chunk gives whole characters, of at most so many bytes" do
    sink = buffer("aé€😀" * 100)
    [1, 2, 3, 4, 5, 7, 64, 10_000].each do |size|
      chunks = sink.each_chunk(size).to_a
      assert_equal sink.to_s, chunks.join
      assert chunks.all?(&:valid_encoding?) if size >= 4
      assert_operator chunks.map(&:bytesize).max, :<=, size
    end
    assert_equal [], buffer.each_chunk.to_a
    assert_same sink, sink.each_chunk { nil }
    [0, -1, nil, 1.5].each { |size| assert_raises(ArgumentError) { sink.each_chunk(size) } }
  end

  test "each_chunk of one that changes meanwhile ends where it ends then" do
    sink = buffer("abcdef")
    assert_equal %w[ab cd], [].tap { |seen|
      sink.each_chunk(2) { |chunk| seen << chunk; sink.clear << "1234" if chunk == "cd" }
    }
  end

  test "write_to hands over as a document does, and the Buffer stays" do
    sink = buffer("é" * 100_000)
    short = Object.new
    taken = +"".b
    short.define_singleton_method(:write) do |text|
      taken << text.byteslice(0, 30_001).b; [text.bytesize, 30_001].min
    end
    assert_same short, sink.write_to(short)
    assert_equal sink.to_s.b, taken
    assert_equal sink.to_s, sink.write_to(StringIO.new).string.force_encoding("UTF-8")
    assert_equal sink.to_s, sink.write_to(ToJson::Buffer.new).to_s
    assert_equal "xé", buffer("é").write_to(+"x")
    assert_raises(ToJson::SinkError) { sink.write_to(sink) }
    assert_raises(ToJson::SinkError) { sink.write_to(:log) }
    assert_raises(ToJson::SinkError) { sink.write_to(Recorder.new { -1 }) }
    error = nil
    sink
      .write_to(
        Recorder.new do |text|
          error ||= assert_raises(ToJson::SinkError) { sink << "more" }; text.bytesize
        end
      )
    assert_includes error.message, "write_to is delivering this Buffer"
    assert_equal 200_000, sink.bytesize
    sink << "!"
  end

  test "IO#write and others take it as text" do
    reader, writer = IO.pipe
    writer.write(buffer("[1]"))
    writer.close
    assert_equal "[1]", reader.read
    assert_equal "[1]", "#{buffer("[1]")}"
  ensure
    reader.close
  end

  # In a process of its own: here a collection takes as long as all other tests' objects need, and
  # finalizers of theirs are called at each allocation (one in some runs: for minutes).
  test "it survives the collector at every step" do
    library = $LOADED_FEATURES.find { |path| path.end_with?("/lib/to_json.rb") }
    command = [RbConfig.ruby, "-W0", "-r#{library}", "-e"]
    printed = IO.popen([*command, <<~'RUBY'], err: %i[child out], &:read)
      GC.stress = true
      sink = ToJson::Buffer.new
      sink << "a"
      ToJson.generate([{ b: "c" * 300 }], into: sink)
      print sink
    RUBY
    assert_equal "a[{\"b\":\"#{"c" * 300}\"}]", printed
  end

  test "it can stand for an IO: print, puts, a Logger, $stdout, a GzipWriter that closes it" do
    texts = [[], [nil], ["a", "b\n"], [["c", [1]], :d], ["é".encode("UTF-16LE")], [""], [[]]]
    io = StringIO.new
    sink = buffer
    texts.each { |some| [io, sink].each { |to| assert_nil to.puts(*some) } }
    assert_equal io.string, sink.to_s
    assert_nil sink.clear.print("a", 1)
    assert_equal ["a1", sink, nil], [sink.to_s, sink.flush, sink.close]
    Logger.new(sink.clear, formatter: ->(_, _, _, message) { "#{message}\n" }).info("logged")
    standard = $stdout
    begin
      $stdout = sink
      puts "put"
      print "printed"
    ensure
      $stdout = standard
    end
    assert_equal "logged\nput\nprinted", sink.to_s
    Zlib::GzipWriter.wrap(sink.clear) { |gzip| ToJson.generate([1], into: gzip) }
    assert_equal "[1]", Zlib.gunzip(sink.to_s.b)
  end

  test "puts and print raise while a document is being written into it" do
    sink = buffer
    %i[puts print].each do |name|
      assert_raises(ToJson::SinkError) do
        ToJson.json(into: sink) { |_| sink.public_send(name, "x") }
      end
    end
    assert_raises(FrozenError) { buffer.freeze.puts("x") }
  end
end
