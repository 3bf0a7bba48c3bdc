# frozen_string_literal: true

# Sinks, streams and caches with documents that are small enough to be written with a garbage
# collection at every allocation: the rows gc-stress, gc-compact and valgrind run these. What they
# mean is tested in test/sinks, test/streams and test/caching.

require_relative "../test_helper"
require "stringio"
require "zlib"

class StressDeliveriesTest < ToJsonTest
  Row = Struct.new(:id, :text)

  class RowSerializer < ToJson::Serializer
    root :row, :rows
    attributes :id, :text
  end

  class WordsSerializer < ToJson::Serializer
    def serialize(row)
      put :id, row.id
      put(:more) { put :text, row.text }
    end
  end

  class CachedSerializer < ToJson::Serializer
    attributes :id, :text
    cache key: :id, store: (STORE = {})
  end

  class Host
    include ToJson::Serialize

    def serialize(row) = put_fields(row, :id, :text)
  end

  [RowSerializer, CachedSerializer].each(&:compile!) # code is made once, and not here

  # Answers how much of each text it took, one byte less than all.
  class Short
    attr_reader :taken

    def initialize = @taken = +""

    def write(text)
      size = [text.bytesize - 1, 1].max
      @taken << text.byteslice(0, size)
      size
    end
  end

  ROWS = [Row.new(1, "é"), Row.new(2, nil)].freeze
  JSON = '{"rows":[{"id":1,"text":"é"},{"id":2,"text":null}]}'
  LINES = "{\"id\":1,\"text\":\"é\"}\n{\"id\":2,\"text\":null}\n"

  test "declared fields to every kind of Sink" do
    [[], StringIO.new, Short.new, ToJson::Buffer.new, +""].each do |sink|
      assert_same sink, RowSerializer.json!(ROWS, into: sink, chunk: 7)
      assert_equal JSON, arrived(sink)
    end
    packed = StringIO.new
    RowSerializer.json!(ROWS, into: gzip = Zlib::GzipWriter.new(packed))
    gzip.finish
    # .b: gunzip of Ruby 3.1 fails where the header's time, by chance, is text in UTF-8
    assert_equal JSON.b, Zlib.gunzip(packed.string.b).b
  end

  test "flush: by record and by time, of a lazy collection" do
    assert_equal JSON, RowSerializer.json!(ROWS.lazy, into: [], flush: :record).join
    assert_equal JSON, RowSerializer.json!(ROWS.each, into: [], flush: 0).join
    assert_equal '[{"id":1,"more":{"text":"é"}}]',
                 ToJson.generate([WordsSerializer.new(ROWS[0])], into: [], flush: :record,
                                 chunk: 1).join
  end

  test "records by declared fields, words, values, hosts and blocks" do
    assert_equal LINES, RowSerializer.ndjson(ROWS, into: [], chunk: 1).join
    assert_equal LINES, Host.ndjson(ROWS.each, into: [], flush: :record).join
    assert_equal "{\"id\":1,\"more\":{\"text\":\"é\"}}\n", WordsSerializer.ndjson(ROWS.first(1))
    assert_equal "\u001E[1]\n\u001E2\n", ToJson.json_seq([[1], 2], into: [], chunk: 2).join
    assert_equal LINES, ToJson.ndjson(ROWS) { |j, row| j.put_fields row, :id, :text }
    assert_equal LINES, ToJson::Serializer.ndjson(ROWS) { |row|
      put :id, row.id; put :text, row.text
    }
  end

  test "records that fail, and what is told of them" do
    note = ->(error, record, index) do
      { error: error.class.name, record: record.class.name, index: index }
    end
    assert_equal "1\n{\"error\":\"ToJson::NumberError\",\"record\":\"Float\",\"index\":1}\n3\n",
                 ToJson.ndjson([1, Float::NAN, 3], on_error: note)
    sink = []
    error = assert_raises(ToJson::NumberError) { ToJson.ndjson([1, Float::NAN], into: sink) }
    assert_equal ["$[1]", ["1\n"]], [error.path, sink]
  end

  test "bodies: each, call and one that is left" do
    assert_equal [JSON], RowSerializer.stream(ROWS).each.to_a
    io = StringIO.new
    RowSerializer.stream(ROWS, format: :ndjson, chunk: 5).call(io)
    assert_equal LINES, io.string
    ToJson.stream([1, 2, 3], chunk: 1).each { |_| break }
    assert_equal "[1]", ToJson.generate([1])
  end

  test "a Sink that raises, and a Buffer after an error" do
    failing = Object.new
    failing.define_singleton_method(:write) do |text|
      text.bytesize > 3 ? raise(IOError, "full") : text.bytesize
    end
    error = assert_raises(IOError) { ToJson.generate([1, "long enough"], into: failing, chunk: 6) }
    assert_kind_of Integer, ToJson.delivered(error)
    buffer = ToJson::Buffer.new << "old"
    assert_raises(ToJson::NumberError) { ToJson.generate([1, Float::NAN], into: buffer) }
    assert_equal "old[2]", ToJson.generate([2], into: buffer).to_s
    assert_equal ["old[2]"], buffer.write_to([])
  end

  test "parts that are cached, read and written" do
    2.times do
      assert_equal '[{"id":1,"text":"é"},{"id":2,"text":null}]',
                   CachedSerializer.json!(ROWS, into: [], chunk: 4).join
    end
    assert_equal 2, CachedSerializer::STORE.size
    assert_equal LINES, CachedSerializer.ndjson(ROWS)
  end

  test "an element that a Fiber leaves half written" do
    next if ENV["TO_JSON_SANITIZED"] == "1" # raising in a Fiber

    many = Class.new do
      include(Enumerable)
      define_method(:each) { |&block| 2.times { |n| Fiber.new { block.call(n) }.resume } }
    end.new
    assert_raises(ToJson::GrammarError) do
      ToJson.json { |j| j.put(:a, many) { |n| j.put :n, n; Fiber.yield } }
    end
    assert_equal "[1]", ToJson.generate([1])
  end

  def arrived(sink)
    case sink
    when StringIO then sink.string.force_encoding(Encoding::UTF_8)
    when Short then sink.taken
    when ToJson::Buffer then sink.to_s
    else [*sink].join
    end
  end
end
