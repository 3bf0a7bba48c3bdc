# frozen_string_literal: true

require_relative "caching_case"

# NDJSON of cached serializers, and of those with cached parts: one look for many records, each of
# which may still fail by itself.
class CachingRecordsTogetherTest < CachingCase
  Stop = Class.new(StandardError)

  LINES = %({"id":0,"title":"t0"}\n{"id":1,"title":"t1"}\n{"id":2,"title":"t2"}\n)

  # Its getter, and with `key: true` its key, raise for every post whose version is nil.
  def fragile(key: false, **cache)
    Class.new(ToJson::Serializer) do
      attributes :id
      attribute(:title) { |post| post.version ? post.text : raise(Stop, "post #{post.id}") }
      cache(key: ->(post) {
        key && post.version.nil? ? raise(Stop, "key #{post.id}") : [post.id, post.version]
      },
            **cache)
    end
  end

  def source(posts, log = [])
    Enumerator.new { |feed| posts.each { |post| log << post.id; feed << post } }
  end

  test "100 records of an Array, or of a lazy source, are one read_multi and one write_multi, " \
       "then one read_multi" do
    [->(all) { all }, ->(all) { source(all) }, ->(all) { all.lazy.map(&:itself) }].each do |from|
      type, all = serializer, posts(100)
      cold = type.ndjson(from[all])
      assert_equal [[:read_multi, 100], [:write_multi, 100]], @store.calls_made
      assert_equal cold, type.ndjson(from[all])
      assert_equal [[:read_multi, 100]], @store.calls_made
      assert_equal posts(100).map { |post| %({"id":#{post.id},"title":"t#{post.id}"}\n) }.join, cold
      assert_equal [1] * 100, reads(all)
      @store.entries.clear
    end
  end

  test "ndjson, json_seq, json! and streams share entries" do
    type, all = serializer, posts
    type.json!(all)
    @store.calls_made
    assert_equal LINES, type.ndjson(all)
    assert_equal LINES.gsub(/^/, "\u001E"), type.json_seq(all)
    assert_equal LINES, type.stream(all, format: :ndjson).each.to_a.join
    assert_equal [[:read_multi, 3]] * 3, @store.calls_made
    assert_equal %({"post":{"id":0,"title":"t0"}}\n), type.ndjson(all.first(1), root: :post)
    assert_equal [1] * 3, reads(all)
  end

  test "parts of records that are not cached are one look" do
    inner = serializer
    type = Class.new(ToJson::Serializer) { has_many :posts, serializer: inner }
    rows = posts(20).each_slice(2).map { |pair| { posts: pair } }
    due = rows.map { |row| "#{type.json!(row)}\n" }.join
    @store.entries.clear
    @store.calls_made
    2.times { assert_equal due, type.ndjson(rows) }
    assert_equal [[:read_multi, 20], [:write_multi, 20], [:read_multi, 20]], @store.calls_made
    assert_equal due, type.ndjson(source_of(rows))
    assert_equal rows.map { |row| "#{type.json!(row, only: "posts(title)")}\n" }.join,
                 type.ndjson(rows, only: "posts(title)")
  end

  def source_of(rows) = Enumerator.new { |feed| rows.each { |row| feed << row } }

  test "batch: says how many; a source is asked for no more than that ahead, and with flush: for " \
       "one" do
    log, asked = [], []
    sink = Class.new(Array) do
      define_method(:write) { |text| push(text, "seen #{log.size}"); nil }
    end.new
    store = CountingStore.new
    %i[read_multi read].each do |name|
      store.define_singleton_method(name) do |*keys, **options|
        asked << log.size; super(*keys, **options)
      end
    end
    serializer(batch: 2, store: store).ndjson(source(posts(5), log))
    assert_equal [2, 4, 5], asked
    assert_equal [[:read_multi, 2], [:write_multi, 2]] * 2 + [[:read, 1], [:write, 1]],
                 store.calls_made
    [serializer,
     Class.new(ToJson::Serializer) { has_one :itself, serializer: PlainPost }].each do |live|
      log.clear
      sink.clear
      live.ndjson(source(posts(3), log), into: sink, flush: :record)
      assert_equal ["seen 1", "seen 2", "seen 3"], sink.grep(/seen/)
    end
    log.clear
    asked.clear
    serializer(batch: 1, store: store).ndjson(source(posts(2), log))
    assert_equal [1, 2], asked
  end

  PlainPost = Class.new(ToJson::Serializer) do
    attributes :id
    cache key: :id
  end

  test "with flush: the lines of an Array leave one by one, and are looked up together" do
    type = serializer
    2.times do
      type.ndjson(posts, into: sink = [], flush: :record)
      assert_equal LINES.lines, sink
    end
    assert_equal %i[read_multi write_multi read_multi], @store.calls_made.map(&:first)
  end

  BROKEN = [Post.new(0, "t0", 1), Post.new(1, "t1", nil), Post.new(2, "t2", 1),
            Post.new(3, "t3", nil), Post.new(4, "t4", 1)].freeze
  GOOD = %({"id":0,"title":"t0"}\n{"id":2,"title":"t2"}\n{"id":4,"title":"t4"}\n)

  [false, true].each do |key|
    test "a record that fails#{" in its key" if key}: skipped, told in a line, or the end, at " \
         "its place" do
      [->(all) { all }, ->(all) { source(all) }].each do |from|
        type, heard = fragile(key: key), []
        2.times do
          assert_equal GOOD,
                       type.ndjson(from[BROKEN],
                                   on_error: ->(error, post, index) do
                                     heard << [error.message[-1], post.id, index]; nil
                                   end)
        end
        assert_equal [["1", 1, 1], ["3", 3, 3]] * 2, heard
        assert_equal GOOD.lines.insert(1, "{\"no\":1}\n").insert(3, "{\"no\":3}\n").join,
                     type.ndjson(from[BROKEN], on_error: ->(_, _, index) { { no: index } })
        sink = []
        error = assert_raises(Stop) { type.ndjson(from[BROKEN], into: sink) }
        assert_equal [key ? "$[1]" : "$[1].title", GOOD.lines.first],
                     [ToJson.location(error), sink.join]
      end
    end
  end

  test "a part that fails inside a record that is not cached is that record's" do
    inner = fragile
    type = Class.new(ToJson::Serializer) { has_one :post, serializer: inner }
    lines = type.ndjson(BROKEN.map { |post| { post: post } },
                        on_error: ->(error, *) { { at: ToJson.location(error) } }).lines
    assert_equal [%({"post":{"id":0,"title":"t0"}}\n), %({"at":"$[1].post.title"}\n)],
                 lines.first(2)
    assert_equal 5, lines.size
  end

  # A record whose association raises, if its letter is "b".
  Owner = Struct.new(:id, :bad) do
    def post = bad ? raise(Stop, "owner #{id}") : Post.new(id, "t", 1)
  end

  test "a record whose cached association raises while parts inside parts are read ahead fails " \
       "by itself, at its place" do
    inner = serializer
    %w[bg gb bgg gbg bbg bgbgbg ggbgbggb bbbb].each do |letters|
      [[{}, nil], [{}, 3], [false, nil]].map do |store, batch|
        type = Class.new(ToJson::Serializer) do
          attributes :id
          cache key: :id, store: store, batch: batch || 500
          has_one :post, serializer: inner
        end
        owners = letters.chars.each_with_index.map { |one, id| Owner.new(id, one == "b") }
        [->(all) { all }, ->(all) { source(all) }].map do |from|
          type.ndjson(from[owners], on_error: lambda do |error, owner, index|
            { failed: owner.id, index: index, error: error.message }
          end)
        end
      end => [[both, same], *others]
      assert_equal [[both, same]] * 2, others
      assert_equal both, same
      assert_equal letters.count("b"), both.scan(/"error":"owner \d/).size
    end
  end

  test "a source that raises: the lines of what it gave are delivered, and the error has the " \
       "next index" do
    type = serializer
    feed = Enumerator.new { |out| posts(3).each { |post| out << post }; raise Stop, "source" }
    sink = []
    error = assert_raises(Stop) { type.ndjson(feed, into: sink) }
    assert_equal ["source", LINES], [error.message, sink.join]
  end

  test "a store that raises is no record's fault" do
    @store.define_singleton_method(:read_multi) { |*| raise Stop, "down" }
    assert_equal "down", assert_raises(Stop) { serializer.ndjson(posts, on_error: :skip) }.message
    ToJson.cache_store = nil
    assert_raises(ToJson::CacheError) { serializer.ndjson(posts, on_error: :skip) }
  end

  test "keys, getters and sources that write with the DSL are refused" do
    type = Class.new(ToJson::Serializer) do
      attributes :id
      cache key: ->(post) { put(:more, 1); post.id }
    end
    assert_raises(ToJson::GrammarError) { type.ndjson(posts) }
    assert_equal LINES, serializer.ndjson(posts)
  end
end
