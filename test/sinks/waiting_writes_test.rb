# frozen_string_literal: true

# A document goes on while `write` of its Sink waits in a Fiber or a Thread. The bytes that `write`
# has must stay where they are, and must not leave twice.

require_relative "sink_case"

class WaitingWritesTest < SinkCase
  # Its first `write` waits in the Fiber that called it, and then takes one byte only.
  class WaitingSink
    attr_reader :text

    def initialize = @text = +""

    def write(text)
      taken = @begun ? text.bytesize : 1
      @begun = true
      Fiber.yield if taken == 1
      @text << text.byteslice(0, taken)
      taken
    end
  end

  # Yields each element in a Fiber of its own. Resumes the Fibers after all have begun.
  class InFibers
    include Enumerable

    def initialize(*elements) = @elements = elements

    def each
      fibers = @elements.map { |element| Fiber.new { yield element }.tap(&:resume) }
      fibers.each { |fiber| fiber.resume if fiber.alive? }
    end
  end

  class FieldRow
    def initialize(&waits) = @waits = waits

    def a
      Fiber.new(&@waits).resume
      "a" * 30_000
    end

    def b = 1
  end

  def teardown
    assert_equal '[{"a":1}]', ToJson.generate([{ a: 1 }])
    super
  end

  { "an exception that is rescued" => -> { raise "out" }, "break" => nil }.each do |way, leave|
    test "nothing is taken back under a write of another thread, after #{way}" do
      reader, writer = IO.pipe(binmode: true)
      thread = reading = nil
      error = assert_raises(ToJson::PoisonedError) do
        ToJson.json(into: writer, chunk: 100_000) do |j|
          begin
            j.put(:a) do
              j.put :c, "c" * 50_000
              thread = Thread.new do
                Thread.current.report_on_exception = false
                j.put :b, "x" * 200_000
              end
              Thread.pass until thread.stop?
              leave ? leave.call : break
            end
          rescue RuntimeError
            nil
          end
          reading = Thread.new { reader.read }
          assert_raises(ToJson::PoisonedError) { thread.value }
        end
      end
      writer.close
      assert_match(/could not be undone|half written/, error.message)
      due = "{\"a\":{\"c\":\"#{"c" * 50_000}\",\"b\":\"#{"x" * 200_000}"
      assert_operator due, :start_with?, reading.value
    end
  end

  test "the memory does not grow under a write that waits: elements in Fibers" do
    sink = WaitingSink.new
    error = assert_raises(ToJson::GrammarError) do
      elements = InFibers.new(["a" * 100], ["b" * 30_000])
      ToJson.generate(elements, into: sink, chunk: 4096, flush: :record)
    end
    assert_includes error.message, "while the write method of its Sink waited"
    assert_operator "[[\"#{"a" * 100}\"],[\"", :start_with?, sink.text
  end

  %i[put_field put_fields].each do |word|
    test "the memory does not grow under a write that waits: a getter of #{word}" do
      sink = WaitingSink.new
      error = assert_raises(ToJson::GrammarError) do
        ToJson.json(into: sink, chunk: 4096, flush: 1e-9) do |j|
          row = FieldRow.new { j.put(:x) { j.put :y, "x" * 100 } }
          word == :put_field ? j.put_field(row, :a) : j.put_fields(row, :a, :b)
        end
      end
      assert_includes error.message, "while the write method of its Sink waited"
      assert_operator "{\"x\":{\"y\":\"#{"x" * 100}\"", :start_with?, sink.text
    end
  end

  test "records are not sent again while a write that has them waits" do
    reader, writer = IO.pipe(binmode: true)
    writer.write("-" * CHUNK) # full
    thread = reading = nil
    error = assert_raises(RuntimeError) do
      ToJson::Serializer.ndjson([1, 2, 3, 4], into: writer, chunk: 30_000) do |n|
        put :n, n
        put :text, "t" * (n == 4 ? 1 : 8000)
        if n == 4
          thread = Thread.new do
            Thread.current.report_on_exception = false
            put :big, "x" * 60_000
          end
          Thread.pass until thread.stop?
          reading = Thread.new { reader.read }
          raise "record 4"
        end
      end
    end
    assert_equal "record 4", error.message
    assert_raises(ToJson::GrammarError) { thread.value }
    writer.close
    lines = (1..3).map { |n| "{\"n\":#{n},\"text\":\"#{"t" * 8000}\"}\n" }
    assert_equal lines.join, reading.value.delete("-")
  end

  # The Rules were collected, and the call read freed memory.
  test "Rules live as long as a call that waits in a Fiber beyond its document" do
    waiting = Class.new do
      def respond_to_missing?(name, _all) = (Fiber.yield if name == :to_h) || false
    end
    fibers = Array.new(50) do
      fiber = nil
      assert_raises(ToJson::GrammarError) do
        ToJson.json(rules: ToJson::Rules.new(time: :unix)) do |j|
          fiber = Fiber.new { j.put :a, waiting.new }
          fiber.resume
        end
      end
      fiber
    end
    3.times { GC.start }
    spare = Array.new(20_000) { "A" * 190 }
    fibers.each { |fiber| assert_raises(ToJson::UnsupportedTypeError) { fiber.resume } }
    assert_equal 20_000, spare.size
  end
end
