# frozen_string_literal: true

# Records that are left half written, and user code that runs between two of them.

require_relative "stream_case"

class ParkedRecordsTest < StreamCase
  # Each element in a Fiber of its own, which nobody resumes by itself.
  class InFibers
    include Enumerable
    attr_reader :fibers

    def initialize(*elements) = @elements = elements

    def each
      @fibers = @elements.map { |element| Fiber.new { yield element }.tap(&:resume) }
    end
  end

  # Each element in a Thread of its own, at the same time.
  class InThreads
    include Enumerable

    def each
      [1, 2].map do |element|
        Thread.new { yield element }.tap { |thread| thread.report_on_exception = false }
      end.each(&:join)
    end
  end

  class ParkedSerializer < ToJson::Serializer
    def serialize(_) = Fiber.yield
  end

  def deep(levels) = levels.zero? ? 1 : deep(levels - 1)

  test "a record that comes back when its stream is over raises" do
    [:abort, :skip].each do |on_error|
      source = InFibers.new(1)
      assert_raises(ToJson::GrammarError) { ParkedSerializer.ndjson(source, on_error: on_error) }
      deep(200) # over the frames of the stream
      50.times { ToJson.generate([{ a: [1] }] * 50) }
      assert_raises(ToJson::PoisonedError, ToJson::GrammarError) { source.fibers.first.resume }
      assert_equal "1\n", ToJson.ndjson([1])
    end
  end

  test "a record that is left half written is no part of what is returned or delivered" do
    [{}, { into: sink = [] }, { into: sink, flush: :record, on_error: :skip }].each do |options|
      error = assert_raises(ToJson::GrammarError) do
        ToJson.ndjson(InFibers.new(1, 2), **options) { |j, x| j.put :a, x; Fiber.yield }
      end
      assert_match(/half written/, error.message)
      assert_empty sink
    end
    assert_equal "1\n", ToJson.ndjson([1])
  end

  test "records that Threads write at the same time are refused, not mixed" do
    sink = []
    assert_raises(ToJson::Error) do
      ToJson.ndjson(InThreads.new, into: sink, flush: :record) do |j, x|
        j.put :a, x; sleep x * 0.02; j.put :b, x
      end
    end
    sink.join.each_line { |line| assert_match(/\A\{"a":(\d),"b":\1\}\n\z/, line) }
    assert_equal "1\n", ToJson.ndjson([1])
  end

  test "what on_error: is asked it cannot answer by writing" do
    taken = nil
    asked = []
    ToJson.ndjson([1, 2], into: sink = [],
                  on_error: ->(*) do
                    begin; taken.put(
                      :a, 1
                    ); rescue ToJson::GrammarError => e; asked << e.class; end; nil
                  end) do |j, x|
      taken = j
      raise "x" if x == 1

      j.put :x, x
    end
    assert_equal ["{\"x\":2}\n", [ToJson::GrammarError]], [sink.join, asked]
  end

  test "escapes of the Rules hold for keys as in one document" do
    value = { "é/x": 1, "<é>" => "/" }
    [{ dialect: :json, ascii_only: true, script_safe: true }, { dialect: :json, script_safe: true },
     { html_safe: true }].each do |rules|
      assert_equal "#{ToJson.generate(value, **rules)}\n", ToJson.ndjson([value], **rules)
      assert_equal "\u001E#{ToJson.generate(value, **rules)}\n", ToJson.json_seq([value], **rules)
    end
  end

  # What the Sink is struck by, while it takes the records before the one that failed.
  { "a kill" => ->(thread) { thread.kill },
    "an interrupt" => ->(thread) { thread.raise(Interrupt) } }.each do |what, strike|
    test "#{what} during the last delivery is not lost" do
      writing = Queue.new
      slow = Object.new
      slow.define_singleton_method(:write) { |_| writing << true; sleep 5 }
      outcome = []
      thread = Thread.new do
        ToJson.ndjson([1, 0.0 / 0], into: slow)
      rescue StandardError => e
        outcome << e.class
      rescue Interrupt
        nil
      end
      writing.pop
      strike.call(thread)
      thread.join
      assert_empty outcome
      assert_equal "1\n", ToJson.ndjson([1])
    end
  end

  test "a stream that is left by a throw is not told of somebody else's error" do
    stream = Object.new
    stream.define_singleton_method(:write) { |_| throw :left }
    stream.define_singleton_method(:close) { |error = nil| @closed_with = [error] }
    stream.define_singleton_method(:closed_with) { @closed_with }
    begin
      raise "outer"
    rescue RuntimeError
      catch(:left) { ToJson.stream([1]).call(stream) }
    end
    assert_equal [nil], stream.closed_with
  end
end
