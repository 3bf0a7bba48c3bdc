# frozen_string_literal: true

# What `write` answers, and what it raises.

require_relative "sink_case"

class WriteResultsTest < SinkCase
  SIZES = [10, 70_000, 400_000].freeze

  # {what write answers => the block that answers, with how it takes part of the bytes}
  ALL = {
    "nil" =>
      ->(_) {}, "true" => ->(_) { true }, "a Float" => ->(bytes) { bytes.bytesize / 2.0 },
      "a String" => ->(bytes) { bytes },
    "its size" =>
      ->(bytes) { bytes.bytesize }, "itself" => ->(_) { Object.new }, "false" => ->(_) do
      false
    end
  }.freeze

  ALL.each do |what, answer|
    test "a write that answers #{what} took all" do
      SIZES.each do |size|
        value, json = long(size)
        sink = Recorder.new(&answer)
        assert_same sink, ToJson.generate(value, into: sink)
        assert_equal json, sink.text
      end
    end
  end

  # Takes as many bytes as the block says.
  class Partial
    attr_reader :text, :calls

    def initialize(&share)
      @text = "".b
      @calls = 0
      @share = share
    end

    def write(bytes)
      @calls += 1
      taken = @share.call(bytes.bytesize, @calls).clamp(0, bytes.bytesize)
      @text << bytes.byteslice(0, taken).b
      taken
    end
  end

  {
    "half" =>
      ->(size, _) { (size / 2.0).ceil }, "one byte" => ->(_, _) { 1 },
      "all but one byte" => ->(size, _) { [size - 1, 1].max },
    "nothing every other time" =>
      ->(size, call) { call.odd? ? 0 : [size, 1000].min }, "7 bytes" => ->(_, _) { 7 },
    "4096 bytes" => ->(_, _) { 4096 }, "a changing share" => ->(size, call) do
      (size * (call % 10 + 1) / 10.0).ceil
    end
  }.each do |what, share|
    test "of a write that takes #{what} the rest is written: each byte exactly once" do
      (what.include?("byte") && what != "4096 bytes" ? [10, 2_000] : SIZES).each do |size|
        value, json = long(size)
        sink = Partial.new(&share)
        ToJson.generate(value, into: sink)
        assert_equal json.b, sink.text
      end
    end
  end

  # {what write answers => words of the error}
  {
    "a negative Integer" =>
      [->(_) { -1 }, /#write returned -1 for \d+ bytes\. It/],
      "one too many" =>
      [->(bytes) { bytes.bytesize + 1 }, /#write returned \d+ for \d+ bytes\. It/],
    "a bignum" =>
      [->(_) { 2**70 }, /#write returned #{2**70} for/],
      "a negative bignum" => [->(_) { -2**70 }, /#write returned -#{2**70} for/],
    "the largest Fixnum" =>
      [->(_) { 2**62 - 1 }, /#write returned #{2**62 - 1} for/],
      "0 for ever" => [->(_) { 0 }, /#write took nothing twice in a row\. Let it wait/]
  }.each do |what, (answer, words)|
    test "a write that answers #{what} is an error" do
      SIZES.each do |size|
        value, = long(size)
        error = assert_raises(ToJson::SinkError) do
          ToJson.generate(value, into: Recorder.new(&answer))
        end
        assert_match words, error.message
        assert_includes error.message, "SinkCase::Recorder"
        assert_equal '{"a":[1]}', ToJson.generate({ a: [1] })
      end
    end
  end

  test "0 once is no error, 0 twice in a row is, and another answer between starts anew" do
    sink = Partial.new { |_, call| [0, 3, 0, 4][call - 1] || 100 }
    ToJson.generate("0123456789", into: sink)
    assert_equal '"0123456789"', sink.text
    sink = Partial.new { |_, call| [0, 3, 0, 0][call - 1] || 100 }
    assert_raises(ToJson::SinkError) { ToJson.generate("0123456789", into: sink) }
    assert_equal '"01', sink.text
  end

  test "a write that raises lets its exception pass, and got each byte once" do
    SIZES.each do |size|
      value, json = long(size)
      (0..3).each do |at|
        calls = -1
        sink = Recorder.new { |bytes| (calls += 1) == at ? raise(Errno::EPIPE) : bytes.bytesize }
        if json.bytesize / CHUNK >= at
          assert_raises(Errno::EPIPE) { ToJson.generate(value, into: sink) }
        end
        assert json.start_with?(sink.text)
        assert_equal '{"a":[1]}', ToJson.generate({ a: [1] })
      end
    end
  end

  test "a throw, a break and a killed thread out of write leave the next document right" do
    value, = long(300_000)
    assert_equal 7, catch(:out) { ToJson.generate(value, into: Recorder.new { throw(:out, 7) }) }
    thread = Thread.new { ToJson.generate(value, into: Recorder.new { Thread.current.kill }) }
    thread.join
    left = -> { [1].each { ToJson.generate(value, into: Recorder.new { break 8 }) } }
    assert_equal 8, left.call rescue assert_kind_of LocalJumpError, $!
    assert_equal '{"a":[1]}', ToJson.generate({ a: [1] })
  end

  test "a reader that closes is EPIPE" do
    value, = long(1_000_000)
    reader, writer = IO.pipe
    reader.close
    assert_raises(Errno::EPIPE) { ToJson.generate(value, into: writer) }
    assert_equal "[1]", ToJson.generate([1])
  ensure
    writer.close rescue nil
  end

  test "a device that is full is ENOSPC" do
    skip "this system has no /dev/full" unless File.exist?("/dev/full")
    value, = long(300_000)
    file = File.open("/dev/full", "w")
    file.sync = true
    assert_raises(Errno::ENOSPC) { ToJson.generate(value, into: file) }
    assert_raises(Errno::ENOSPC) { ToJson.generate([1], into: file) }
    assert_equal "[1]", ToJson.generate([1])
  ensure
    file&.close rescue nil
  end

  test "a closed IO, and one that is closed midway, are IOErrors" do
    value, = long(300_000)
    reader, writer = IO.pipe
    writer.close
    assert_raises(IOError) { ToJson.generate([1], into: writer) }
    file = File.open(File::NULL, "w")
    closing = Object.new
    closing.define_singleton_method(:write) { |bytes| file.write(bytes).tap { file.close } }
    assert_raises(IOError) { ToJson.generate(value, into: closing) }
    assert_raises(IOError) do
      File.open(File::NULL, "r") { |readable| ToJson.generate([1], into: readable) }
    end
  ensure
    reader&.close
  end

  test "signals during a blocking write cost no byte" do
    value, json = long(2_000_000)
    reader, writer = IO.pipe
    seen = 0
    previous = Signal.trap("USR2") { seen += 1 }
    sender = Thread.new { loop { Process.kill("USR2", Process.pid); sleep 0.001 } }
    received = Thread.new do
      all = +"".b; all << reader.readpartial(3000).tap { sleep 0.0002 } while true rescue all
    end
    ToJson.generate(value, into: writer)
    writer.close
    assert_equal json.b, received.value
    assert_operator seen, :>, 0
  ensure
    sender&.kill
    sender&.join
    Signal.trap("USR2", previous || "DEFAULT")
    reader.close
  end

  test "a pipe that does not block lets its EAGAIN be handled by Ruby's own write" do
    value, json = long(1_000_000)
    reader, writer = IO.pipe
    writer.nonblock = true if writer.respond_to?(:nonblock=)
    received = Thread.new { reader.read }
    ToJson.generate(value, into: writer)
    writer.close
    assert_equal json, received.value.force_encoding("UTF-8")
  end

  test "write_nonblock's :wait_readable and the like are taken for all" do
    sink = Recorder.new { :wait_writable }
    ToJson.generate([1], into: sink)
    assert_equal "[1]", sink.text
  end
end
