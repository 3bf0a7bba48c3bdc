# frozen_string_literal: true

require_relative "caching_case"
require_relative "redis_server"
require "tmpdir"
require "delegate"

# Stores of every kind: ActiveSupport's, Redis among them, Hashes, and what has a fetch alone.
class CachingStoresTest < CachingCase
  DUE = "[#{Array.new(100) { |index| %({"id":#{index},"title":"t#{index}"}) }.join(",")}]".freeze

  Simple = Struct.new(:all) do
    undef_method :[], :[]=
    def read(key) = all[key]
    def write(key, text) = all.store(key, text)
  end

  Fetching = Struct.new(:all) do
    undef_method :[], :[]=
    def fetch(key) = all.fetch(key) { all[key] = yield }
  end

  # A document twice, the second time without reading an object.
  def assert_cached(type, posts = posts(100))
    assert_equal DUE, type.json!(posts)
    assert_equal [1] * posts.size, reads(posts)
    assert_equal DUE, type.json!(posts)
    assert_equal DUE[1..20], type.json!(posts.first)[0, 20]
    assert_equal [1] * posts.size, reads(posts)
  end

  test "a Hash, and whatever has [] and []=" do
    assert_cached serializer(store: store = {})
    assert_equal 100, store.size
    assert_equal [true], store.values.map(&:frozen?).uniq
    assert_cached serializer(store: Class.new(SimpleDelegator).new({}))
  end

  test "what reads and writes one at a time" do
    assert_cached serializer(store: Simple.new({}))
  end

  test "what has a fetch alone" do
    assert_cached serializer(store: fetching = Fetching.new({}))
    assert_equal 100, fetching.all.size
  end

  test "a lambda gives the store at each use; false switches caching off" do
    current = nil
    type, posts = serializer(store: -> { current }), posts(2)
    assert_match(/there is no store\. Set ToJson\.cache_store = /,
                 assert_raises(ToJson::CacheError) { type.json!(posts) }.message)
    current = false
    2.times { type.json!(posts) }
    assert_equal [2, 2], reads(posts)
    current = {}
    2.times { type.json!(posts) }
    assert_equal [3, 3], reads(posts)
    ToJson.cache_store = false
    assert_equal '{"id":0,"title":"t0"}', serializer.json!(posts.first)
  end

  test "each batch may have a store of another kind" do
    stores = [Simple.new({}), Fetching.new({}), {}, false, Fetching.new({}), Simple.new({})]
    current = nil
    expected = stores.each_index.map { |i| %({"id":#{i},"title":"t#{i}"}) }.join(",")
    stores.each_index do |index|
      source = Enumerator.new do |y|
        posts(6).zip(stores.rotate(index)) do |post, store|
          current = store
          y << post
        end
      end
      current = stores[index]
      text = serializer(store: -> { current }, batch: 1).json!(source)
      assert_equal "[#{expected}]", text, "from #{index}"
    end
  end

  test "options of stores are handed to them as they are" do
    options = { expires_in: 5, namespace: "n", raw: true }
    type = serializer(**options, store_options: { coder: nil })
    type.json!(posts)
    type.json!(posts.first)
    assert_equal [{ **options, coder: nil }], @store.calls.map(&:last).uniq
    error = assert_raises(ToJson::CacheError) { serializer(store: {}, expires_in: 1).json!(posts) }
    assert_includes error.message, ": cache: expires_in: works only with stores that have read " \
                                   "and write; Hash has [] and []=."
  end

  test "what is no store is refused: by the setting, and at its use" do
    assert_match(/\AObject is not a store. Use an object with read and write, /,
                 assert_raises(ArgumentError) { ToJson.cache_store = Object.new }.message)
    assert_match(/cache: Object is not a store\. /,
                 assert_raises(ToJson::CacheError) do
                   serializer(store: Object.new).json!(posts)
                 end.message)
  end

  GARBAGE = [nil, 1, :x, [], {}, "", "{", "[1", "x", "{]", '"text"', "null ", false,
             Object.new].freeze

  test "what is not a whole object or array is as good as nothing, and replaced" do
    type = serializer
    due = type.json!(posts(GARBAGE.size))
    keys, texts = @store.entries.keys, @store.entries.values
    keys.each_with_index { |key, index| @store.entries[key] = GARBAGE[index] }
    assert_equal due, type.json!(posts(GARBAGE.size))
    assert_equal texts, @store.entries.values
    GARBAGE.each do |garbage|
      @store.entries[keys.first] = garbage
      assert_equal texts.first, type.json!(posts.first)
    end
    fetching = Fetching.new({})
    def fetching.fetch(_) = "rubbish"
    assert_equal due, serializer(store: fetching).json!(posts(GARBAGE.size))
  end

  test "a read_multi that gives no Hash found nothing" do
    @store.define_singleton_method(:read_multi) { |*| nil }
    assert_equal DUE, serializer.json!(posts(100))
  end

  test "verify: true finds what looks like JSON and is none" do
    type = serializer(verify: true)
    due = type.json!(posts)
    ["{1}", "[1,]", "{\"a\":\xFF}", '{"id":0 "title":1}', "{}}"].each do |damaged|
      @store.entries.transform_values! { damaged }
      assert_equal due, type.json!(posts)
      assert_equal due[1..-2].split(/(?<=}),/), @store.entries.values
    end
  end

  test "under html_safe nothing that a store gives brings markup in" do
    type = serializer
    post = Post.new(1, "<b>&", 1)
    due = type.json!(post, rules: { html_safe: true })
    @store.entries.transform_values! { '{"id":1,"title":"<b>&"}' }
    assert_equal due, type.json!(post, rules: { html_safe: true })
    assert_equal '{"id":1,"title":"\u003cb\u003e\u0026"}', due
  end

  test "an entry of another encoding's label is its bytes" do
    type = serializer
    post = Post.new(1, "é", 1)
    due = type.json!(post)
    @store.entries.transform_values! { |text| text.b.freeze }
    assert_equal due, type.json!(post)
    assert_equal [Encoding::UTF_8, true],
                 [type.json!(post).encoding, type.json!([post]).valid_encoding?]
  end

  if Without.library?("active_support")
    require "active_support"
    require "active_support/cache"
    require "active_support/notifications"

    # Calls of a store, as its own events tell.
    def events(pattern = /\Acache_.*\.active_support\z/)
      seen = []
      subscriber = ActiveSupport::Notifications.subscribe(pattern) do |event|
        seen << [event.name[/\A\w+/].to_sym, event.payload]
      end
      yield
      seen
    ensure
      ActiveSupport::Notifications.unsubscribe(subscriber)
    end

    test "MemoryStore: a collection is one read_multi, and one write_multi" do
      type = serializer(store: ActiveSupport::Cache::MemoryStore.new, expires_in: 60)
      made = events { assert_cached type }
      assert_equal %i[cache_read_multi cache_write_multi cache_read_multi cache_read],
                   made.map(&:first)
      assert_equal [100, 100], [made[0].last[:key].size, made[1].last[:key].size]
    end

    test "FileStore, and NullStore, which keeps nothing" do
      Dir.mktmpdir do |directory|
        assert_cached serializer(store: ActiveSupport::Cache::FileStore.new(directory))
      end
      posts = posts(2)
      2.times { serializer(store: ActiveSupport::Cache::NullStore.new).json!(posts) }
      assert_equal [2, 2], reads(posts)
    end

    test "an entry expires, with race_condition_ttl by the store's fetch" do
      require "active_support/testing/time_helpers"
      extend ActiveSupport::Testing::TimeHelpers
      [{}, { race_condition_ttl: 5 }].each do |more|
        type = serializer(store: ActiveSupport::Cache::MemoryStore.new, expires_in: 60, **more)
        post = posts.first
        made = events { 2.times { type.json!(post) } }
        assert_includes made.map(&:first), more.empty? ? :cache_read : :cache_fetch_hit
        assert_equal 1, post.reads
        travel(61) { 2.times { type.json!(post) } }
        assert_equal 2, post.reads
      end
    ensure
      travel_back
    end

    test "hits, misses and bytes are told to who listens to cache.to_json" do
      type = serializer
      seen = events("cache.to_json") do
        type.json!(posts(2))
        type.json!(posts(3))
        type.json!(posts.first)
        type.json!([])
      end
      told = seen.map do |name, payload|
        [name, payload[:serializer], *payload.values_at(:hits, :misses, :bytes)]
      end
      assert_equal [[:cache, type, 0, 2, 0], [:cache, type, 2, 1, 42], [:cache, type, 1, 0, 21]],
                   told
    end

    test "Redis, a real one: a collection is one MGET" do
      missing = RedisServer.missing
      flunk missing if missing && ENV["TO_JSON_REDIS"] == "1"
      skip missing if missing
      store = ActiveSupport::Cache::RedisCacheStore.new(url: RedisServer.url,
                                                        error_handler: ->(exception:, **) do
                                                          raise exception
                                                        end)
      type = serializer(store: store, expires_in: 60)
      before = RedisServer.commands
      assert_cached type
      after = RedisServer.commands
      made = after.to_h { |name, count| [name, count - before.fetch(name, 0)] }
      assert_equal [1 + 1, 1, 100], made.values_at("mget", "get", "set"), made.inspect
      raw = serializer(store: store, raw: true)
      assert_cached raw
      store.clear
    end

    # The commands that a real Redis got while the block ran.
    def redis_commands
      before = RedisServer.commands
      yield
      RedisServer.commands.to_h { |name, count| [name, count - before.fetch(name, 0)] }
    end

    test "Redis, a real one: cached parts of 100 elements that are not cached are one MGET, in a " \
         "document and in lines" do
      missing = RedisServer.missing
      flunk missing if missing && ENV["TO_JSON_REDIS"] == "1"
      skip missing if missing
      store = ActiveSupport::Cache::RedisCacheStore.new(url: RedisServer.url,
                                                        error_handler: ->(exception:, **) do
                                                          raise exception
                                                        end)
      inner = serializer(store: store)
      type = Class.new(ToJson::Serializer) do
        has_one :post, serializer: inner
        has_many(:posts, cache: { key: ->(row) { row[:post].id }, store: store }) { attributes :id }
      end
      rows = posts(100).map { |post| { post: post, posts: [post] } }
      due = nil
      assert_equal([1, 200], redis_commands { due = type.json!(rows) }.values_at("mget", "set"))
      [-> { assert_equal due, type.json!(rows) },
       -> { assert_equal 100, type.ndjson(rows.each).lines.size }].each do |again|
        assert_equal [1, 0, 0], redis_commands(&again).then { |made|
          %w[mget get set].map { |name| made.fetch(name, 0) }
        }
      end
      store.clear
    end

    test "MemoryStore, FileStore: parts of elements that are not cached are one read_multi" do
      Dir.mktmpdir do |directory|
        [ActiveSupport::Cache::MemoryStore.new,
         ActiveSupport::Cache::FileStore.new(directory)].each do |store|
          inner = serializer(store: store)
          type = Class.new(ToJson::Serializer) { has_many :posts, serializer: inner }
          rows = posts(30).each_slice(3).map { |three| { posts: three } }
          made = events { 2.times { type.json!(rows) } }
          assert_equal %i[cache_read_multi cache_write_multi cache_read_multi], made.map(&:first)
          assert_equal [30, 30], made.last.last.then { |payload|
            [payload[:key].size, payload[:hits].size]
          }
        end
      end
    end

    test "race_condition_ttl: parts of elements go one by one too, by fetch" do
      inner = serializer(store: ActiveSupport::Cache::MemoryStore.new, expires_in: 60,
                         race_condition_ttl: 5)
      type = Class.new(ToJson::Serializer) { has_one :post, serializer: inner }
      made = events { type.json!(posts(3).map { |post| { post: post } }) }
      refute_includes made.map(&:first), :cache_read_multi
      assert_equal 3, made.count { |name, _| name == :cache_generate }
    end

    test "a Redis that went away is as good as an empty one, as Rails has it" do
      skip RedisServer.missing if RedisServer.missing
      port = TCPServer.open("127.0.0.1", 0) { |server| server.addr[1] }
      store = ActiveSupport::Cache::RedisCacheStore.new(url: "redis://127.0.0.1:#{port}/0",
                                                        reconnect_attempts: 0)
      store.logger = nil
      assert_equal DUE, serializer(store: store).json!(posts(100))
    end
  end

  # All elements had the store and the zone of the first.
  test "what a source sets around its yield counts with batch: 1" do
    tenant, stores = nil, Hash.new { |all, name| all[name] = {} }
    type = Class.new(ToJson::Serializer) do
      attributes :id, :title
      cache key: :id, batch: 1, store: -> { stores[tenant] }
    end
    source = Enumerator.new do |yielder|
      %w[a b].each { |name| (tenant = name) && yielder << { id: 1, title: name } }
      tenant = nil
    end
    2.times do
      assert_equal '[{"id":1,"title":"a"},{"id":1,"title":"b"}]', type.json!(source)
      assert_equal [1, 1], stores.values_at("a", "b").map(&:size)
    end
    assert_equal '[{"id":1,"title":"a"},{"id":1,"title":"b"}]', type.stream(source).each.to_a.join
  end
end
