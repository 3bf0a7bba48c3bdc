# frozen_string_literal: true

# into: anything with write or <<.

require_relative "sink_case"
require "socket"
require "stringio"
require "tempfile"
require "zlib"

class IoSinkTest < SinkCase
  test "a File gets the whole document" do
    [10, 70_000, 3_000_000].each do |size|
      value, json = long(size)
      Tempfile.create do |file|
        assert_same file, ToJson.generate(value, into: file)
        file.flush
        assert_equal json, File.read(file.path, encoding: "UTF-8")
      end
    end
  end

  { "pipe" => -> { IO.pipe }, "socket" => -> { UNIXSocket.pair } }.each do |what, pair|
    test "a #{what} with a slow reader gets the whole document" do
      value, json = long(1_000_000)
      reader, writer = pair.call
      received = Thread.new do
        all = +"".b; all << reader.readpartial(5000).tap { Thread.pass } while true rescue all
      end
      ToJson.generate(value, into: writer)
      writer.close
      assert_equal json.b, received.value
    ensure
      [reader, writer].each { |io| io&.close }
    end
  end

  test "a StringIO gets the whole document behind what it has" do
    value, json = long(200_000)
    io = StringIO.new(+"before")
    io.seek(0, IO::SEEK_END)
    ToJson.generate(value, into: io)
    assert_equal "before#{json}", io.string
  end

  test "a GzipWriter gets the whole document" do
    value, json = long(200_000)
    packed = StringIO.new("".b)
    Zlib::GzipWriter.wrap(packed) { |gzip| ToJson.generate(value, into: gzip) }
    assert_equal json,
                 Zlib::GzipReader.new(StringIO.new(packed.string)).read.force_encoding("UTF-8")
  end

  test "an object with << only gets all pieces" do
    value, json = long(200_000)
    pieces = []
    sink = Object.new
    sink.define_singleton_method(:<<) { |bytes| pieces << bytes; self }
    assert_same sink, ToJson.generate(value, into: sink)
    assert_equal json, pieces.join
  end

  test "an Array is an object with <<" do
    value, json = long(200_000)
    assert_equal json, ToJson.generate(value, into: []).join
  end

  test "write goes before <<" do
    sink = Recorder.new
    sink.define_singleton_method(:<<) { |_| raise "not this" }
    ToJson.generate([1], into: sink)
    assert_equal "[1]", sink.text
  end

  test "a short document is one write of a String in UTF-8" do
    sink = Recorder.new
    ToJson.generate("é", into: sink)
    assert_equal ["\"é\""], sink.pieces
    assert_equal Encoding::UTF_8, sink.pieces[0].encoding
  end

  {
    "Integers" =>
      -> { Array.new(200_000) { |n| n } },
      "short Strings" => -> { Array.new(100_000) { |n| "text #{n}" } },
    "wide text" =>
      -> { ["é€😀" * 10] * 5000 }, "one huge String" => -> { "a" * 2_000_000 },
      "one huge wide String" => -> { "é€" * 400_000 },
    "one huge String of quotes" =>
      -> { "\"" * 1_000_000 }, "a huge key" => -> { { "k" * 1_000_000 => 1 } },
      "Hashes" => -> { [{ a: 1, b: { c: [] } }] * 30_000 },
    "a huge Fragment" =>
      -> { ToJson::Fragment.new("[#{(["\"é\""] * 100_000).join(",")}]") },
      "a bignum" => -> { [10**300_000] },
    "a huge transcoded String" => -> { ("é" * 300_000).encode("UTF-16LE") }
  }.each do |what, value|
    test "chunks are of about 64 KiB, whole characters, each byte once: #{what}" do
      made = instance_exec(&value)
      expected = ToJson.generate(made)
      sink = Recorder.new
      ToJson.generate(made, into: sink)
      assert_equal expected, sink.text
      assert sink.pieces.all?(&:valid_encoding?)
      sizes = sink.pieces.map(&:bytesize)
      next if what == "a bignum" # one piece of digits is as long as it is

      assert_operator sizes.max, :<=, CHUNK * 1.1, sizes.inspect
      assert_operator sizes[0..-2].min, :>=, CHUNK * 0.8, sizes.inspect
    end
  end

  test "chunks are of about 64 KiB on a Writer that had to hold more before, too" do
    [150_000, 200_000, 250_000].each do |digits|
      ToJson.generate([10**digits], into: [])
      sink = Recorder.new
      ToJson.generate(["a" * 30_000] * 20, into: sink)
      assert_operator sink.pieces.map(&:bytesize).max, :<=, CHUNK * 1.1
    end
  end

  test "a document may end at every place around a chunk's end" do
    (CHUNK - 20..CHUNK + 20).each do |size|
      [["a" * (size - 4)], { a: "b" * (size - 8) }, Array.new(size / 2) { 1 }].each do |value|
        sink = Recorder.new
        ToJson.generate(value, into: sink)
        assert_equal ToJson.generate(value), sink.text
      end
    end
  end

  # What the process holds at most while the block runs, in KiB, beyond what it held before.
  def growth
    needs_proc
    GC.start
    before = File.read("/proc/self/status")[/VmRSS:\s+(\d+)/, 1].to_i
    most = before
    sampler = Thread.new do
      loop do
        most = [most, File.read("/proc/self/status")[/VmRSS:\s+(\d+)/, 1].to_i].max; sleep 0.005
      end
    end
    yield
    most - before
  ensure
    sampler&.kill
  end

  GARBAGE = 16 * 1024 # KiB
  SANITIZED = ENV["TO_JSON_SANITIZED"] == "1" # memory that was freed stays with ASan for a while

  def assert_flat(value)
    File.open(File::NULL, "w") do |null|
      # until the collector has as many pages as it wants for such garbage
      3.times { ToJson.generate(value, into: null) }
      assert_operator growth { 3.times { ToJson.generate(value, into: null) } }, :<, GARBAGE, "KiB"
    end
  end

  unless SANITIZED # RSS says nothing under ASan
    test "memory is flat while 300 MB of rows go to an IO" do
      text = "0123456789" * 100
      assert_flat(Enumerator.new { |y| 100_000.times { |n| y << { n: n, text: text } } })
    end

    test "memory is flat while Strings of 100 MB go to an IO" do
      assert_flat(["é" * 50_000_000])
    end
  end

  # Since Ruby 3.3 IO#write leaves the memory of each text it gets to the collector: that would be
  # the whole document here.
  unless SANITIZED
    test "100 MB leave hardly any garbage, though nothing is collected meanwhile" do
      row = { text: "0123456789" * 100 }
      rows = Enumerator.new { |y| 100_000.times { y << row } }
      buffer = ToJson::Buffer.new
      5_000.times { buffer << row.to_s }
      File.open(File::NULL, "w") do |null|
        GC.disable
        assert_operator growth { ToJson.generate(rows, into: null) }, :<, 8192, "KiB"
        assert_operator growth { 5.times { buffer.write_to(null) } }, :<, 8192, "KiB"
      ensure
        GC.enable
      end
    end
  end

  test "what an IO gets in many pieces is the document, whatever their lengths" do
    rows = Array.new(2_000) { |n| "#{n}é" * (1 + (n % 97)) }
    [nil, 700, 5_000, 65_536, 65_537, 200_000].each do |chunk|
      Tempfile.create("to_json") do |file|
        ToJson.generate(rows, into: file, **(chunk ? { chunk: chunk } : {}))
        file.flush
        assert_equal ToJson.generate(rows), File.read(file.path), "chunk: #{chunk.inspect}"
      end
    end
  end

  test "lazy rows are asked for as they are delivered" do
    sink = Recorder.new
    seen = []
    rows = Enumerator.new { |y| 20.times { |n| seen << [n, sink.pieces.size]; y << "a" * 30_000 } }
    ToJson.generate(rows, into: sink)
    assert_equal 0, seen[0][1]
    assert_operator seen[10][1], :>=, 3, seen.inspect
  end

  [0, 100, 70_000, 500_000].each do |size|
    test "after an error behind #{size} bytes what an IO got is never text that parses" do
      value = [*long(size)[0], Float::NAN]
      [value, { a: value }, [[1], { a: [2, value] }]].each do |nested|
        sink = Recorder.new
        assert_raises(ToJson::NumberError) { ToJson.generate(nested, into: sink) }
        assert_raises(ToJson::FragmentError) { ToJson::Fragment.new(sink.text) }
        assert_operator sink.text.bytesize, :<=, size * 3
      end
      assert_equal "[1]", ToJson.generate([1])
    end
  end
end
