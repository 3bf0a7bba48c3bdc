# frozen_string_literal: true

# What tests of caching share: stores that count their round trips, and objects that count how often
# they are read.

require "test_helper"
require "json"
require_relative "../support/ways_out"

# Inherit from it.
class CachingCase < ToJsonTest
  # Has the methods of ActiveSupport's stores, and writes down how it was called.
  class CountingStore
    attr_reader :calls, :entries

    def initialize(entries = {})
      @entries, @calls = entries, []
    end

    def read_multi(*keys, **options)
      note(:read_multi, keys.size, options)
      @entries.slice(*keys)
    end

    def read(key, **options)
      note(:read, 1, options)
      @entries[key]
    end

    def write_multi(pairs, **options)
      note(:write_multi, pairs.size, options)
      @entries.merge!(pairs)
    end

    def write(key, text, **options)
      note(:write, 1, options)
      @entries[key] = text
    end

    # The names and counts since the last look.
    def calls_made = @calls.map { |call| call.first(2) }.tap { @calls.clear }

    private

    def note(*call) = @calls << call
  end

  Post = Struct.new(:id, :title, :version, :reads) do
    def text
      self.reads = reads.to_i + 1
      title
    end
  end

  def setup
    super
    @store_before = ToJson.cache_store
    ToJson.cache_store = @store = CountingStore.new
  end

  def teardown
    ToJson.cache_store = @store_before
    super
  end

  def posts(count = 3) = Array.new(count) { |index| Post.new(index, "t#{index}", 1) }

  # A serializer of Posts, with `cache` as given.
  def serializer(parent = ToJson::Serializer, **cache, &body)
    Class.new(parent) do
      attributes :id, text: :title
      cache(**{ key: ->(post) { [post.id, post.version] } }, **cache)
      class_eval(&body) if body
    end
  end

  # How often each of them was read for a document.
  def reads(posts) = posts.map { |post| post.reads.to_i }
end
