# frozen_string_literal: true

# The methods of ToJson::Buffer, and a Buffer in the place of a String or an IO.

require_relative "buffer_case"
require "logger"
require "objspace"
require "stringio"
require "zlib"

class BufferMethodsTest < BufferCase
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
    used = buffer("abc")
    used.write_to($stderr.dup.tap { |io| io.reopen(File::NULL) })
    ToJson.generate(1, into: used)
    assert Ractor.shareable?(Ractor.make_shareable(used))
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
    command = [*PlainRuby.start, "-W0", "-r#{library}", "-e"]
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
