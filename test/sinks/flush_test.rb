# frozen_string_literal: true

# chunk: and flush:, on every way to write a document.

require_relative "sink_case"
require "stringio"
require "zlib"

class FlushTest < SinkCase
  # Remembers pieces and calls of flush in their order.
  class Feed
    attr_reader :log

    def initialize = @log = []

    def write(text)
      @log << text.dup
      text.bytesize
    end

    def flush = @log << :flush
    def pieces = @log.grep(String)
    def text = pieces.join
  end

  Post = Struct.new(:id, :tags)
  Tag = Struct.new(:name)
  POSTS = Array.new(3) { |n| Post.new(n, [Tag.new("a"), Tag.new("b")]) }.freeze
  RECORDS = ['[{"id":0,"tags":[{"name":"a"},{"name":"b"}]}',
             ',{"id":1,"tags":[{"name":"a"},{"name":"b"}]}',
             ',{"id":2,"tags":[{"name":"a"},{"name":"b"}]}', "]"].freeze

  class Declared < ToJson::Serializer
    attributes :id
    has_many(:tags) { attributes :name }
  end

  class Rooted < ToJson::Serializer
    root :post, :posts
    attributes :id
    has_many(:tags) { attributes :name }
  end

  class Holder < ToJson::Serializer
    has_many :posts, serializer: Declared
  end

  class Imperative < ToJson::Serializer
    def serialize(posts)
      array(posts) do |post|
        put :id, post.id
        put(:tags, post.tags) { |tag| put :name, tag.name }
      end
    end
  end

  class Host
    include ToJson::Serialize

    def serialize(posts)
      array(posts) { |post| put :id, post.id; put(:tags, post.tags) { |tag| put :name, tag.name } }
    end
  end

  # Gives what find_each gives: one record after the other, to a block.
  class Found
    include Enumerable

    def initialize(posts) = @posts = posts
    def each(&block) = @posts.each(&block)
  end

  HASHES = POSTS.map do |post|
    { id: post.id, tags: post.tags.map { |tag| { name: tag.name } } }
  end.freeze

  # {what is written => with these options}
  WAYS = {
    "generate" => ->(options) { ToJson.generate(HASHES, **options) },
    "generate, lazy" => ->(options) { ToJson.generate(HASHES.lazy.map(&:itself), **options) },
    "generate of serializers" =>
      ->(options) { ToJson.generate(POSTS.map { |post| Declared.new(post) }, **options) },
    "declared" => ->(options) { Declared.json!(POSTS, **options) },
    "declared, instance" => ->(options) { Declared.new(POSTS, **options).json! },
    "declared, encode!" => ->(options) { Declared.encode!(POSTS, **options) },
    "declared, lazy" => ->(options) { Declared.json!(POSTS.lazy.map(&:itself), **options) },
    "declared, each" => ->(options) { Declared.json!(Found.new(POSTS), **options) },
    "declared, Hashes" => ->(options) { Declared.json!(HASHES, **options) },
    "declared, masked" => ->(options) { Declared.json!(POSTS, only: "id,tags(name)", **options) },
    "imperative" => ->(options) { Imperative.json!(POSTS, **options) },
    "imperative, lazy" => ->(options) { Imperative.json!(POSTS.lazy.map(&:itself), **options) },
    "module form" => ->(options) { Host.new.json!(POSTS, **options) },
    "block form" => lambda { |options|
      posts = POSTS
      ToJson::Serializer.json!(**options) do
        array(posts) do |post|
          put :id, post.id; put(:tags, post.tags) { |tag| put :name, tag.name }
        end
      end
    },
    "json" =>
      ->(options) {
        ToJson.json(**options) { |j| j.array { POSTS.each { |post| j.value Declared.new(post) } } }
      },
    "json, cursor" => lambda { |options|
      ToJson.json(**options) do |j|
        j.open_array
        cursor = POSTS.each
        loop do
          post = cursor.next
          j.value { j.put :id, post.id; j.put(:tags, post.tags) { |tag| j.put :name, tag.name } }
        end
        j.close
      end
    },
    "json, open" => lambda { |options|
      ToJson.json(**options) do |j|
        j.array do
          POSTS.each do |post|
            j.open
            j.put :id, post.id
            j.put(:tags) { j.array { post.tags.each { |tag| j.value name: tag.name } } }
            j.close
          end
        end
      end
    },
    "json, given each" => ->(options) { ToJson.json(**options) { |j| j.array(*HASHES) } }
  }.freeze

  WAYS.each do |what, write|
    test "flush: :record delivers each record when it ends, and the rest: #{what}" do
      feed = Feed.new
      write.call({ into: feed, flush: :record })
      assert_equal RECORDS, feed.pieces
      assert_equal RECORDS.flat_map { |record| [record, :flush] }, feed.log
    end

    test "flush: 0 delivers at the end of each element and block, and a long time only at the " \
         "end: #{what}" do
      feed = Feed.new
      write.call({ into: feed, flush: 0 })
      assert_equal RECORDS.join, feed.text
      assert_operator feed.pieces.size, :>=, 4
      feed = Feed.new
      write.call({ into: feed, flush: 1000 })
      assert_equal RECORDS.join, feed.text
      assert_equal 2, feed.pieces.size, "the first look delivers, so that the first byte is early"
    end

    test "chunk: says how much is delivered at once: #{what}" do
      [1, 20, 60, 1_000_000].each do |chunk|
        sink = Recorder.new
        write.call({ into: sink, chunk: chunk })
        assert_equal RECORDS.join, sink.text
        assert_equal 1, sink.pieces.size if chunk == 1_000_000
        assert_operator sink.pieces.size, :>=, 3 if chunk <= 60
      end
    end
  end

  test "records of a has_many, of a root and of two arrays are those of the outermost array" do
    feed = Feed.new
    Holder.json!({ posts: POSTS }, into: feed, flush: :record)
    assert_equal ["{\"posts\":#{RECORDS[0]}", *RECORDS[1, 2], "]}"], feed.pieces
    feed = Feed.new
    Rooted.json!(POSTS, meta: { total: 3 }, into: feed, flush: :record)
    assert_equal ["{\"posts\":#{RECORDS[0]}", *RECORDS[1, 2], "],\"meta\":{\"total\":3}}"],
                 feed.pieces
    feed = Feed.new
    ToJson.generate({ a: [1, [2, 3]], b: { c: ["x"] } }, into: feed, flush: :record)
    assert_equal ['{"a":[1', ",[2,3]", '],"b":{"c":["x"', "]}}"], feed.pieces
  end

  test "a record is with the reader before the next one is made" do
    feed = Feed.new
    seen = []
    posts = Enumerator.new { |y| POSTS.each { |post| seen << feed.pieces.size; y << post } }
    Declared.json!(posts, into: feed, flush: :record)
    assert_equal [0, 1, 2], seen
    seen.clear
    ToJson.generate(Enumerator.new { |y| 3.times { |n| seen << feed.pieces.size; y << n } },
                    into: feed, flush: :record)
    assert_equal [4, 5, 6], seen
  end

  test "flush: in seconds delivers what is there when an element ends so long after the delivery " \
       "before" do
    feed = Feed.new
    at = []
    rows = Enumerator.new { |y| 40.times { |n| at << feed.pieces.size; y << n; sleep 0.005 } }
    ToJson.generate(rows, into: feed, flush: 0.02)
    assert_equal "[#{(0...40).to_a.join(",")}]", feed.text
    assert_equal [0, 1], at[0, 2], "the first record at once"
    assert_operator feed.pieces.size, :<, 25
    assert_operator feed.pieces.size, :>, 3
  end

  test "what a slot may still take back is not delivered" do
    feed = Feed.new
    ToJson.json(into: feed, flush: :record) do |j|
      j.put(:a) do
        j.put(:none) { j.put(:deep) { nil } }
        j.put(:list, [1, 2]) { |n| j.put(:x) { j.value n if n > 1 } }
      end
      j.put(:b) { nil }
    end
    assert_equal '{"a":{"list":[{"x":2}]}}', feed.text
  end

  test "a GzipWriter that is flushed by record can be read record by record" do
    reader, writer = IO.pipe(binmode: true)
    gzip = Zlib::GzipWriter.new(writer)
    inflate = Zlib::Inflate.new(Zlib::MAX_WBITS + 16)
    text = +""
    rows = Enumerator.new do |y|
      3.times do |n|
        y << { n: n }
        text << inflate.inflate(reader.readpartial(10_000))
        assert text.end_with?("{\"n\":#{n}}"), text
      end
    end
    ToJson.generate(rows, into: gzip, flush: :record)
    gzip.close
    assert_equal '[{"n":0},{"n":1},{"n":2}]', text << inflate.inflate(reader.read)
  ensure
    [reader, writer].each { |io| io.close unless io.closed? }
  end

  test "a File is flushed: what was delivered can be read by others" do
    require "tempfile"
    Tempfile.create do |file|
      seen = []
      ToJson.generate(Enumerator.new { |y| 2.times { |n| y << n; seen << File.read(file.path) } },
                      into: file, flush: :record)
      assert_equal ["[0", "[0,1"], seen
      assert_equal "[0,1]", File.read(file.path)
    end
  end

  test "a Sink without flush is only written to; one with << only as well" do
    sink = Recorder.new
    ToJson.generate([1, 2], into: sink, flush: :record)
    assert_equal ["[1", ",2", "]"], sink.pieces
    assert_equal ["[1", ",2", "]"], ToJson.generate([1, 2], into: [], flush: :record)
  end

  test "what flush of the Sink raises ends the document, and is located" do
    sink = Feed.new
    sink.define_singleton_method(:flush) { raise Errno::EPIPE }
    error = assert_raises(Errno::EPIPE) { ToJson.generate([1, 2], into: sink, flush: :record) }
    assert_equal "[1", sink.text
    assert_equal 2, ToJson.delivered(error)
    assert_equal "[1]", ToJson.generate([1])
  end

  test "a document inside flush of the Sink is another one; a call into the one at work is an " \
       "error" do
    inner = []
    sink = Feed.new
    sink.define_singleton_method(:flush) { inner << ToJson.generate([1]) }
    ToJson.generate([1, 2], into: sink, flush: :record)
    assert_equal ["[1]"] * 3, inner
    error = nil
    ToJson.json(into: sink = Feed.new, flush: :record) do |j|
      sink.define_singleton_method(:flush) { error ||= (j.value 5 rescue $!) }
      j.array { j.value 1 }
    end
    assert_kind_of ToJson::GrammarError, error
    assert_equal "[1]", sink.text
  end

  test "layout and dialects flush as well" do
    feed = Feed.new
    ToJson.pretty_generate([1, { a: 2 }], into: feed, flush: :record)
    assert_equal ToJson.pretty_generate([1, { a: 2 }]), feed.text
    assert_equal 3, feed.pieces.size
    %i[json oj rails strict].each do |dialect|
      feed = Feed.new
      ToJson.generate([1, { "a" => 2 }], into: feed, flush: :record, dialect: dialect)
      assert_equal ["[1", ",{\"a\":2}", "]"], feed.pieces, dialect
    end
  end

  test "the Writer of a document with chunk: and flush: is as before for the next" do
    3.times do
      feed = Feed.new
      ToJson.generate([1, 2], into: feed, chunk: 1, flush: :record)
      assert_raises(ToJson::NumberError) do
        ToJson.generate([1, Float::NAN], into: feed, chunk: 10, flush: 0)
      end
      sink = Recorder.new
      ToJson.generate(["a" * 40_000] * 4, into: sink)
      if sink.pieces.size == 4
        assert_equal [40_002, 40_003, 40_003, 40_004], sink.pieces.map(&:bytesize).sort
      end
      assert_operator sink.pieces.size, :<=, 4
    end
  end

  test "chunk: bounds what is delivered at once, however the text comes" do
    { "short" =>
        Array.new(20_000) { |n| n }, "long text" => ["é" * 100_000],
        "Fragment" => ToJson::Fragment.new("[\"#{"é" * 100_000}\"]"),
      "nested" => { a: [[{ b: "x" * 5000 }] * 20] } }.each do |what, value|
      sink = Recorder.new
      ToJson.generate(value, into: sink, chunk: 2000)
      assert_equal ToJson.generate(value), sink.text
      assert_operator sink.pieces.map(&:bytesize).max, :<=, 2400, what
      assert sink.pieces.all?(&:valid_encoding?)
    end
  end

  # {options => words of the error}
  {
    { chunk: 0 } =>
      /chunk: takes how many bytes to deliver at once, an Integer from 1 to 2\*\*40; got 0/,
      { chunk: -1 } => /got -1/,
    { chunk: 1.5 } =>
      /got 1.5/, { chunk: "10" } => /got "10"/, { chunk: 2**41 } => /got 2199023255552/,
      { chunk: true } => /got true/,
    { flush: true } =>
      /flush: takes :record, .* or how many seconds .*; got true/, { flush: :line } => /got :line/,
      { flush: "1" } => /got "1"/,
    { flush: -0.1 } =>
      /got -0.1/, { flush: Float::NAN } => /got NaN/, { flush: Float::INFINITY } => /got Infinity/,
      { flush: [1] } => /got \[1\]/
  }.each do |options, words|
    test "#{options} is an ArgumentError, whoever is asked" do
      [-> { ToJson.generate(1, into: [], **options) }, -> {
        Declared.json!(POSTS, into: [], **options)
      }, -> { Declared.new(POSTS, **options) },
       -> { ToJson.json(into: [], **options) { |j| j.put :a, 1 } }, -> do
         ToJson::Serializer.json!(into: [], **options) { put :a, 1 }
       end].each do |call|
        assert_match words, assert_raises(ArgumentError, &call).message
      end
      assert_equal "[1]", ToJson.generate([1])
    end
  end

  test "chunk: and flush: without into: are errors, and of no meaning for a String or a Buffer" do
    [{ chunk: 10 }, { flush: :record }].each do |options|
      [-> { ToJson.generate(1, **options) }, -> { Declared.json!(POSTS, **options) }, -> {
        ToJson.json(**options) { |j| j.put :a, 1 }
      },
       -> { Imperative.new.json!([], **options) }, -> do
         ToJson::Serializer.json!(**options) { put :a, 1 }
       end].each do |call|
        assert_match(/#{options.keys[0]}: is about delivery, and this document becomes a String/,
                     assert_raises(ArgumentError, &call).message)
      end
      assert_equal "[1]", ToJson.generate([1], into: +"", **options)
      assert_equal "[1]", ToJson.generate([1], into: ToJson::Buffer.new, **options).to_s
      error = assert_raises(ArgumentError) { ToJson.generate([Declared.new(POSTS, **options)]) }
      assert_includes error.message,
                      "#{options.keys[0]}: works only for a whole document, not for a serializer"
    end
  end

  test "nil and false are as if they were not given, and what counts as a number is one" do
    sink = Recorder.new
    ToJson.generate([1, 2], into: sink, chunk: nil, flush: nil)
    ToJson.generate([1, 2], into: sink, flush: false)
    assert_equal ["[1,2]"] * 2, sink.pieces
    seconds = Object.new
    def seconds.to_f = 0.0
    assert_equal ["[1", ",2", "]"], ToJson.generate([1, 2], into: [], flush: seconds)
    assert_equal ["[1", ",2]"], ToJson.generate([1, 2], into: [], flush: 10r)
  end

  test "options of the Rules stand beside chunk: and flush:" do
    3.times do
      assert_equal ["[null", "]"],
                   ToJson.generate([Float::NAN], into: [], flush: :record, nan: :null)
    end
    error = assert_raises(ArgumentError) { ToJson.generate([1], into: [], flush: :record, chnk: 1) }
    assert_includes error.message, "unknown option :chnk"
  end

  test "no piece is longer than chunk:, but an Integer's; below 64 none is longer than 128 bytes" do
    values = ["a" * 500, "\u0001é€😀\n" * 60, "😀" * 200, { "k\n" * 100 => :s }, ["x" * 40] * 20,
              [nil, 1.5, true] * 50]
    [1, 4, 16, 31, 32, 63, 64, 65, 100, 1_000].each do |chunk|
      values.each do |value|
        longest = ToJson.generate([value, value], into: [], chunk: chunk).map(&:bytesize).max
        assert_operator longest, :<=, chunk < 64 ? 128 : chunk, "chunk: #{chunk}"
      end
    end
    assert_operator ToJson.generate([10**300], into: [], chunk: 100).map(&:bytesize).max, :>, 300
  end
end
