# frozen_string_literal: true

require_relative "caching_case"

# What ActiveSupport::Notifications hears of look-ups: one event for each cache that a look was for,
# with what it found.
class CachingEventsTest < CachingCase
  if Without.library?("active_support")
    require "active_support"
    require "active_support/notifications"

    # `fetch` alone.
    class Fetching
      def initialize = @all = {}
      def fetch(key, **) = @all.fetch(key) { @all[key] = yield }
    end

    Person = Struct.new(:id, :name)
    PersonSerializer = Class.new(ToJson::Serializer) do
      attributes :id, :name
      cache key: :id
      def self.name = "PersonSerializer"
    end

    # Name, hits, misses, bytes of the events.
    def told
      seen = []
      subscriber = ActiveSupport::Notifications.subscribe("cache.to_json") do |event|
        assert_operator event.duration, :>=, 0
        serializer, name,
        *counts = event.payload.values_at(:serializer, :name, :hits, :misses, :bytes)
        seen << ["#{serializer.name[/\w+\z/]}#{name[/\.\w+\z/]}", *counts]
      end
      yield
      seen
    ensure
      ActiveSupport::Notifications.unsubscribe(subscriber)
    end

    SIZE = '{"id":0,"title":"t0"}'.bytesize

    # What the name, hits, misses and bytes are, first and then.
    def assert_told(cold, warm, &block)
      assert_equal cold, told(&block)
      assert_equal warm, told(&block)
    end

    def named(**cache) = serializer(**cache) { def self.name = "Posts" }

    test "one object, and an association, are one each" do
      type = named
      assert_told([["Posts", 0, 1, 0]], [["Posts", 1, 0, SIZE]]) { type.json!(posts.first) }
      outer = Class.new(ToJson::Serializer) do
        has_one(:post, cache: { key: :id }) { attributes :id }
        def self.name = "Outer"
      end
      assert_told([["Outer.post", 0, 1, 0]], [["Outer.post", 1, 0, 8]]) do
        outer.json!({ id: 1, post: { id: 3 } })
      end
    end

    test "a collection: lists at once, sources by the batch, each key once, nothing for nil and " \
         "for what has no key" do
      assert_told([["Posts", 0, 3, 0]], [["Posts", 3, 0, 3 * SIZE]]) do
        (@type ||= named).json!(posts)
      end
      type = named(batch: 2)
      @store.entries.clear
      assert_told([["Posts", 0, 2, 0], ["Posts", 0, 1, 0]],
                  [["Posts", 2, 0, 2 * SIZE], ["Posts", 1, 0, SIZE]]) do
        type.json!(posts.each)
      end
      @store.entries.clear
      assert_told([["Posts", 0, 1, 0]], [["Posts", 1, 0, SIZE]]) { @type.json!([posts.first] * 5) }
      unkept = named(key: ->(post) { post.id if post.id == 1 })
      assert_told([["Posts", 0, 1, 0]], [["Posts", 1, 0, SIZE]]) { unkept.json!([nil, *posts]) }
      assert_empty(told { type.json!([]) })
    end

    test "what is no JSON is a miss, with no bytes" do
      (type = named).json!(posts)
      @store.entries[@store.entries.keys.first] = "rubbish"
      assert_equal [["Posts", 2, 1, 2 * SIZE]], told { type.json!(posts) }
    end

    test "parts looked up together for elements: each cache tells of its own, whatever the look, " \
         "and once" do
      type = named
      outer = Class.new(ToJson::Serializer) do
        has_one :author, serializer: PersonSerializer
        has_many :posts, serializer: type
        has_one(:kept, source: :author, cache: { key: ->(row) { row[:author].id } }) do
          attributes :id
        end
        def self.name = "Rows"
      end
      rows = Array.new(4) { |index| { author: Person.new(index % 2, "ab"), posts: posts(2) } }
      cold = [["PersonSerializer", 0, 2, 0], ["Posts", 0, 2, 0], ["Rows.kept", 0, 2, 0]]
      warm = [["PersonSerializer", 2, 0, 40], ["Posts", 2, 0, 2 * SIZE], ["Rows.kept", 2, 0, 16]]
      [-> { outer.json!(rows) }, -> { outer.ndjson(rows) },
       -> { outer.json!(rows.each) }].each do |document|
        @store.entries.clear
        assert_equal cold, told(&document).sort
        assert_equal warm, told(&document).sort
      end
      assert_equal 1, @store.calls.last(1).size
    end

    test "ndjson: by the batch, and parts inside those that are not there" do
      inner = serializer { def self.name = "Posts" }
      outer = Class.new(ToJson::Serializer) do
        has_many :posts, serializer: inner
        cache key: ->(row) { [row[:id], row[:version]] }
        def self.name = "Outer"
      end
      rows = [{ id: 1, posts: posts(2) }, { id: 2, posts: posts(3) }]
      whole = rows.sum { |row| outer.json!(row).bytesize }
      @store.entries.clear
      assert_told([["Outer", 0, 2, 0], ["Posts", 0, 3, 0]], [["Outer", 2, 0, whole]]) do
        outer.ndjson(rows)
      end
      rows.each { |row| row[:version] = 2 }
      assert_told([["Outer", 0, 2, 0], ["Posts", 3, 0, 3 * SIZE]], [["Outer", 2, 0, whole]]) do
        outer.json!(rows)
      end
    end

    test "by fetch: each by itself" do
      type = named(store: Fetching.new)
      assert_told([["Posts", 0, 1, 0]] * 2, [["Posts", 1, 0, SIZE]] * 2) { type.json!(posts(2)) }
      assert_equal [["Posts", 1, 0, SIZE]] * 2, told { type.ndjson(posts(2)) }
    end

    test "a store that raises is told of as the look that it was" do
      @store.define_singleton_method(:read_multi) { |*, **| raise IOError, "down" }
      assert_equal([["Posts", 0, 3, 0]], told { assert_raises(IOError) { named.json!(posts) } })
    end
  end
end
