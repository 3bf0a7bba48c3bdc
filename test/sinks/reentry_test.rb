# frozen_string_literal: true

# Documents inside write, beside write, and after a write that failed.

require_relative "sink_case"
require_relative "../support/own_process"

class ReentryTest < SinkCase
  test "another document may be written inside write" do
    value, json = long(300_000)
    inner = []
    sink = Recorder.new do |bytes|
      inner << ToJson.generate({ a: [1, bytes.bytesize] }); bytes.bytesize
    end
    ToJson.generate(value, into: sink)
    assert_equal json, sink.text
    assert_equal sink.pieces.map { |piece| "{\"a\":[1,#{piece.bytesize}]}" }, inner
  end

  test "a long document to another IO may be written inside write" do
    value, json = long(200_000)
    texts = []
    sink = Recorder.new do |bytes|
      texts << ToJson.generate(value, into: Recorder.new).text; bytes.bytesize
    end
    ToJson.generate(value, into: sink)
    assert_equal json, sink.text
    assert texts.all?(json)
    assert_operator texts.size, :>=, 3
  end

  test "a call of the DSL into the document that is being delivered is an error" do
    error = nil
    ToJson
      .json(
        into: text = Recorder.new do |bytes|
          begin; @receiver.put(:x, 1); rescue ToJson::Error => e; error ||= e; end; bytes.bytesize
        end
      ) do |j|
      @receiver = j
      j.put(:a, "a" * 200_000)
      j.put(:b, 2)
    end
    assert_kind_of ToJson::GrammarError, error
    assert_includes error.message, "inside the write method of the Sink"
    assert_equal "{\"a\":\"#{"a" * 200_000}\",\"b\":2}", text.text
  end

  test "another thread writes its own documents during a blocking write" do
    value, json = long(500_000)
    reader, writer = IO.pipe
    writing = Thread.new { ToJson.generate(value, into: writer); writer.close }
    Thread.pass until writing.stop? # the pipe is full
    1000.times { |n| assert_equal "[#{n}]", ToJson.generate([n]) }
    assert_equal json, reader.read.force_encoding("UTF-8")
    writing.join
  ensure
    reader.close
  end

  test "several threads share one IO through a lock, and their documents stay whole" do
    io = Recorder.new
    lock = Mutex.new
    threads = Array.new(6) do |id|
      Thread.new do
        50.times do |n|
          lock.synchronize { ToJson.generate({ id: id, n: n, pad: "x" * 5000 }, into: io) }
        end
      end
    end
    threads.each(&:join)
    assert_equal 300, io.pieces.size
    assert(io.pieces.all? { |piece| ToJson::Fragment.new(piece) })
  end

  test "a Sink that switches Fibers keeps documents apart" do
    value, json = long(300_000)
    sinks = Array.new(5) { Recorder.new { |bytes| Fiber.yield; bytes.bytesize } }
    fibers = sinks.map { |sink| Fiber.new { ToJson.generate(value, into: sink); :done } }
    until fibers.empty?
      fibers.reject! { |fiber| fiber.resume == :done }
    end
    assert(sinks.all? { |sink| sink.text == json })
  end

  test "a document that was abandoned in a write is forgotten" do
    value, = long(300_000)
    50.times { Fiber.new { ToJson.generate(value, into: Recorder.new { |_| Fiber.yield }) }.resume }
    GC.start
    assert_equal '{"a":[1]}', ToJson.generate({ a: [1] })
  end

  test "the piece that write gets is its own: keeping, changing and freezing it does no harm" do
    value, json = long(300_000)
    kept = []
    sink = Object.new
    sink.define_singleton_method(:write) do |bytes|
      kept << bytes; size = bytes.bytesize; kept.size.odd? ? bytes.freeze : bytes.dup.clear; size
    end
    ToJson.generate(value, into: sink)
    GC.start
    assert_equal json, kept.join
    changed = Recorder.new
    changing = Object.new
    changing.define_singleton_method(:write) do |bytes|
      changed.write(bytes); bytes.upcase!; bytes << "more"; nil
    end
    ToJson.generate(value, into: changing)
    assert_equal json, changed.text
  end

  test "write may collect garbage and allocate as it likes" do
    value = Array.new(20_000) { |n| "text #{n}" }
    sink = Recorder.new { |bytes| GC.start; Array.new(1000) { "x" * 50 }; bytes.bytesize }
    ToJson.generate(value, into: sink)
    assert_equal ToJson.generate(value), sink.text
  end

  test "a serializer streams as a value does, and its error leaves nothing that parses" do
    serializer = Class.new(ToJson::Serializer) do
      def serialize(count)
        put :rows do
          array do
            count.times do |n|
              put(n: n, pad: "p" * 100); raise(IOError, "row #{n}") if n == count - 1 && count.odd?
            end
          end
        end
      end
    end
    sink = Recorder.new
    serializer.json!(5000, into: sink)
    assert_equal serializer.json!(5000), sink.text
    assert_operator sink.pieces.size, :>, 5
    sink = Recorder.new
    assert_raises(IOError) { serializer.json!(5001, into: sink) }
    assert_raises(ToJson::FragmentError) { ToJson::Fragment.new(sink.text) }
  end

  test "bytes that had to come back after they were delivered poison the document" do
    poisoned = nil
    sink = Recorder.new
    assert_raises(ToJson::PoisonedError) do
      ToJson.json(into: sink) do |j|
        begin
          j.put(:a) { j.array([1]) { j.put :text, "x" * 200_000; raise IOError } }
        rescue IOError
          poisoned = true
        end
        j.put :b, 1
      end
    end
    assert poisoned
    assert_raises(ToJson::FragmentError) { ToJson::Fragment.new(sink.text) }
    assert_equal "[1]", ToJson.generate([1])
  end

  test "write may change the String that Ruby code gave as the text of a value" do
    found = OwnProcess.run(<<~'RUBY', rubygems: true)
      require "bigdecimal"
      require "date"
      given = nil
      give = ->(*) { given = "1" * 3000 }
      BigDecimal.define_method(:to_s, &give)
      values = [
        Class.new(DateTime) { define_method(:strftime, &give) }.now,
        Class.new(Time) { define_method(:strftime, &give) }.now,
        { Class.new { define_method(:to_s, &give) }.new => 1 },
        BigDecimal("1")
      ]
      values.product([*0..130], [{ time: :iso8601 }, { time: "%s" }]) do |value, before, options|
        given = nil # the chunk ends at another place each time
        sink = Object.new
        text = +""
        sink.define_singleton_method(:write) do |bytes|
          given&.replace("\xFF" * 9000)
          text << bytes
          bytes.bytesize
        end
        ToJson.generate(["x" * before, value], into: sink, chunk: 128, **options)
        puts "#{value.class} #{before}" if given && !text.include?("1" * 3000)
      end
    RUBY
    assert_equal "", found
  end
end
