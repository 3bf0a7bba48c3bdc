# frozen_string_literal: true

# A fault at every write of a document: every byte exactly once, or an error that says how many
# went.

require_relative "sink_case"
require "timeout"

class FaultsTest < SinkCase
  Post = Struct.new(:id, :tags)

  class Declared < ToJson::Serializer
    attributes :id
    has_many(:tags) { attributes :name }
  end

  class Imperative < ToJson::Serializer
    def serialize(posts)
      put(:posts, posts) do |post|
        put :id, post.id
        put(:tags) { array(post.tags) { |tag| put :name, tag[:name] } }
      end
    end
  end

  POSTS = Array.new(6) { |n| Post.new(n, [{ name: "é#{n}" }, { name: "second" }]) }.freeze
  HASHES = POSTS.map(&:to_h).freeze
  DOCUMENTS = {
    "a tree" => ->(sink) { ToJson.generate(HASHES, **sink) },
    "a lazy enumerator" => ->(sink) { ToJson.generate(HASHES.lazy.map(&:itself), **sink) },
    "declared fields" => ->(sink) { Declared.json!(POSTS, **sink) },
    "the DSL" => ->(sink) { Imperative.json!(POSTS, **sink) },
    "a long text" => ->(sink) { ToJson.generate(["é\"" * 100], **sink) },
    "a Fragment" =>
      ->(sink) {
        ToJson.json(**sink) { |j| j.put :a, ToJson::Fragment.new(ToJson.generate(HASHES)) }
      },
    "serializers in place" => ->(sink) do
      ToJson.json(**sink) { |j| j.put :a, POSTS.map { |post| Declared.new(post) } }
    end
  }.freeze
  CHUNK_SIZE = 40

  # Takes all of each text, but of the one at `at`, where the fault says what is taken and answered.
  class Faulty
    attr_reader :taken, :calls

    def initialize(at, fault)
      @taken = "".b
      @calls = 0
      @at = at
      @fault = fault
    end

    def write(text)
      @calls += 1
      return @fault.call(self, text) if @calls - 1 == @at

      take(text, text.bytesize)
    end

    def take(text, size)
      @taken << text.byteslice(0, size).b
      size
    end
  end

  def each_write
    DOCUMENTS.each do |what, document|
      json = document.call({})
      writes = document.call({ into: Recorder.new, chunk: CHUNK_SIZE }).pieces.size
      assert_operator writes, :>=, 4, what
      writes.times do |at|
        yield ->(sink) { document.call({ into: sink, chunk: CHUNK_SIZE }) }, json, at,
              "#{what}, write #{at}"
      end
    end
  end

  def assert_sound(where)
    assert_equal('[1,{"a":null}]', ToJson.generate([1, { "a" => nil }]), where)
  end

  # {the fault => what the Sink does}: the document goes on.
  {
    "half is taken" =>
      ->(sink, text) { sink.take(text, text.bytesize / 2) },
      "one byte is taken" => ->(sink, text) { sink.take(text, 1) },
    "nothing is taken, once" =>
      ->(sink, text) { sink.take(text, 0) },
      "nil" => ->(sink, text) { sink.take(text, text.bytesize) && nil },
    "another thread gets its turn" =>
      ->(sink, text) { Thread.pass || sink.take(text, text.bytesize) },
    "another document" => ->(sink, text) do
      ToJson.generate(HASHES, into: [], chunk: 5) && sink.take(text, text.bytesize)
    end
  }.each do |what, fault|
    test "every byte exactly once where at some write this happens: #{what}" do
      each_write do |document, json, at, where|
        sink = Faulty.new(at, fault)
        assert_same sink, document.call(sink)
        assert_equal json.b, sink.taken, where
      end
    end
  end

  # {the fault => [what the Sink does, the error, bytes of that text that count]}: the document
  # fails.
  FAILURES = {
    "EPIPE" =>
      [->(_, _) { raise Errno::EPIPE }, Errno::EPIPE],
      "ENOSPC" => [->(_, _) { raise Errno::ENOSPC }, Errno::ENOSPC],
    "EINTR" =>
      [->(_, _) { raise Errno::EINTR }, Errno::EINTR],
      "EAGAIN" => [->(_, _) { raise IO::EAGAINWaitWritable }, IO::EAGAINWaitWritable],
    "a closed stream" =>
      [->(_, _) { raise IOError, "closed stream" }, IOError],
      "a negative answer" => [->(_, _) { -1 }, ToJson::SinkError],
    "more than all" =>
      [->(_, text) { text.bytesize + 1 }, ToJson::SinkError],
      "Interrupt" => [->(_, _) { raise Interrupt }, Interrupt]
  }.freeze

  FAILURES.each do |what, (fault, error_class)|
    test "the error says how many bytes went where some write ends with #{what}" do
      each_write do |document, json, at, where|
        sink = Faulty.new(at, fault)
        error = assert_raises(error_class, where) { document.call(sink) }
        assert_equal sink.taken.bytesize, ToJson.delivered(error), where
        assert_equal json.byteslice(0, ToJson.delivered(error)).b, sink.taken, where
        assert_raises(ToJson::FragmentError, where) do
          ToJson::Fragment.new(sink.taken.force_encoding("UTF-8").scrub(""))
        end
        assert_equal at + 1, sink.calls, "nothing is written after it"
        assert_sound where
      end
    end
  end

  test "a part that was taken before the failure counts" do
    each_write do |document, json, at, where|
      sink = Faulty.new(at, ->(faulty, text) { faulty.take(text, text.bytesize / 2) })
      sink.define_singleton_method(:write) do |text|
        calls > at ? raise(Errno::ECONNRESET) : super(text)
      end
      error = assert_raises(Errno::ECONNRESET, where) { document.call(sink) }
      assert_equal json.byteslice(0, ToJson.delivered(error)).b, sink.taken, where
      assert_equal sink.taken.bytesize, ToJson.delivered(error), where
    end
  end

  # Code of the user that goes on after any exception.
  RESCUING = {
    "the DSL" => ->(sink) do
      ToJson.json(**sink) do |j|
        j.array do
          9.times do |n|
            j.value "text #{n}"
          rescue Errno::EPIPE
            nil
          end
        end
      end
    end,
    "the DSL, with a throw" => ->(sink) do
      ToJson.json(**sink) do |j|
        9.times { |n| catch(:out) { j.put(:"key#{n}") { j.put :text, "text #{n}" } } }
      end
    end,
    "an Enumerator" => ->(sink) do
      elements = Enumerator.new do |all|
        9.times do |n|
          all << "text #{n}"
        rescue Errno::EPIPE
          nil
        end
      end
      ToJson.generate(elements, **sink)
    end
  }.freeze

  test "nothing is written after a write that failed, also where its exception is rescued inside" do
    RESCUING.each do |what, document|
      fault = what.end_with?("throw") ? -> { throw :out } : -> { raise Errno::EPIPE }
      writes = document.call({ into: Recorder.new, chunk: CHUNK_SIZE }).pieces.size
      assert_operator writes, :>=, 3, what
      (writes - 1).times do |at| # the last one is outside of what the user's code rescues
        where = "#{what}, write #{at}"
        sink = Faulty.new(at, ->(faulty, text) { faulty.take(text, 3) && fault.call })
        error = assert_raises(ToJson::PoisonedError, where) do
          document.call({ into: sink, chunk: CHUNK_SIZE })
        end
        assert_includes error.message, "an earlier write of the Sink failed", where
        assert_equal at + 1, sink.calls, where
        assert_raises(ToJson::FragmentError, where) do
          ToJson::Fragment.new(sink.taken.force_encoding("UTF-8"))
        end
        assert_sound where
      end
    end
  end

  test "a throw, a kill and a Timeout at every write leave no text that parses, and the next " \
       "document is right" do
    ways = {
      "throw" => ->(sink, run) { catch(:out) { run.call(sink) } },
      "kill" => ->(sink, run) { Thread.new { run.call(sink) }.join },
      "Timeout" => ->(sink, run) do
        assert_raises(Timeout::Error) { Timeout.timeout(0.002) { run.call(sink) } }
      end
    }
    faults = { "throw" => ->(_, _) { throw :out }, "kill" => ->(_, _) { Thread.current.kill },
               "Timeout" => ->(_, _) { sleep } }
    ways.each do |way, leave|
      each_write do |document, json, at, where|
        sink = Faulty.new(at, faults.fetch(way))
        leave.call(sink, document)
        assert json.b.start_with?(sink.taken), where
        refute_equal json.bytesize, sink.taken.bytesize, where
        assert_sound where
      end
    end
  end

  test "delivered is of IOs, of what left, and of the outermost document" do
    assert_nil ToJson.delivered(assert_raises(ToJson::NumberError) { ToJson.generate(Float::NAN) })
    assert_nil ToJson
      .delivered(assert_raises(ToJson::NumberError) { ToJson.generate(Float::NAN, into: +"") })
    assert_nil ToJson
      .delivered(
        assert_raises(ToJson::NumberError) { ToJson.generate(Float::NAN, into: ToJson::Buffer.new) }
      )
    assert_nil ToJson.delivered(RuntimeError.new)
    assert_equal 0,
                 ToJson
                   .delivered(
                     assert_raises(ToJson::NumberError) do
                       ToJson.generate([1, Float::NAN], into: [])
                     end
                   )
    assert_equal 2,
                 ToJson
                   .delivered(
                     assert_raises(ToJson::NumberError) do
                       ToJson.generate([1, Float::NAN], into: [], flush: :record)
                     end
                   )
    inner = nil
    outer = assert_raises(RuntimeError) do
      ToJson.json(into: [], chunk: 1) do |j|
        j.array do
          j.value 1
          begin
            ToJson.json(into: [], flush: :record) { |k| k.array { k.value "abc"; raise "no" } }
          rescue RuntimeError => error
            inner = ToJson.delivered(error)
            raise
          end
        end
      end
    end
    assert_equal 6, inner
    assert_includes [1, 2], ToJson.delivered(outer)
    error = assert_raises(RuntimeError) do
      ToJson.json(into: []) { raise RuntimeError.new("frozen").freeze }
    end
    assert_nil ToJson.delivered(error)
  end

  test "SIGPIPE and a full device are errors of real IOs too, at every size" do
    [10, 70_000, 300_000].each do |size|
      value, = long(size)
      reader, writer = IO.pipe
      reader.close
      error = assert_raises(Errno::EPIPE) { ToJson.generate(value, into: writer, flush: :record) }
      assert_equal 0, ToJson.delivered(error)
      next unless File.exist?("/dev/full")

      full = File.open("/dev/full", "w")
      full.sync = true
      error = assert_raises(Errno::ENOSPC) { ToJson.generate(value, into: full) }
      assert_equal 0, ToJson.delivered(error)
      full.close
    end
  end
end
