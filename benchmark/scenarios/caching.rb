# frozen_string_literal: true

# Scenario 16. 100 posts (support/rendered.rb) from a cache that has them all, and made anew. Stores: ActiveSupport's MemoryStore, which
# compares libraries and not networks, and a Hash, which shows what the library itself costs. A MemoryStore of ours refuses to be asked for a
# part by itself: what it serves is one round trip a document.

require_relative "../support/rendered"

Bench.scenario 16, "caching", "100 cached parts" do
  table "100 posts" do
    needs "active_support"
    data { [Bench::Rendered.posts] }

    setup :ours do
      require "active_support/cache"
      class CachingAuthor < ToJson::Serializer
        attributes :id, :name
      end

      class CachingComment < ToJson::Serializer
        attributes :id, :body, :created_at
        has_one :author, serializer: CachingAuthor
      end

      class PostAnew < ToJson::Serializer
        attributes :id, :title, :html, :words
        has_one :author, serializer: CachingAuthor
        has_many :comments, serializer: CachingComment
      end

      class OneRoundTrip < ActiveSupport::Cache::MemoryStore
        def read(*) = raise("one read_multi is due for all parts")
      end

      class PostFromStore < PostAnew
        cache store: OneRoundTrip.new
      end

      class PostVerified < PostAnew
        cache store: ActiveSupport::Cache::MemoryStore.new, verify: true
      end

      class PostFromHash < PostAnew
        cache store: {}
      end
    end
    contender "to_json, cached", :ours, code: "PostFromStore.json!(v)"
    contender "to_json, cached, verify: true", :ours, quick: false, code: "PostVerified.json!(v)"
    contender "to_json, cached in a Hash", :ours, code: "PostFromHash.json!(v)"
    contender "to_json, anew", :ours, code: "PostAnew.json!(v)"

    hash = <<~RUBY.tr("\n", " ")
      {id: post.id, title: post.title, html: post.html, words: post.words, author: {id: post.author.id, name: post.author.name},
       comments: post.comments.map { |one| {id: one.id, body: one.body, created_at: one.created_at.iso8601(3), author: {id: one.author.id, name: one.author.name}} }}
    RUBY
    setup :hand do
      require "active_support/cache"
      STORE_BY_HAND = ActiveSupport::Cache::MemoryStore.new
    end
    contender "JSON text, read_multi, join", :hand, peer: "json", before: "store = STORE_BY_HAND", code: <<~RUBY
      keys = v.map(&:cache_key_with_version)
      found = store.read_multi(*keys)
      fresh = {}
      texts = v.each_with_index.map { |post, index| found[keys[index]] || (fresh[keys[index]] = JSON.generate(#{hash})) }
      store.write_multi(fresh) unless fresh.empty?
      "[\#{texts.join(",")}]"
    RUBY
    contender "Hash + JSON.generate, anew", :hand, peer: "json", code: "JSON.generate(v.map { |post| #{hash} })"

    # Its own store is Rails.cache; keys come from the view, which is all that it asks of one.
    setup "jbuilder" do
      require "active_support/all"
      require "jbuilder/jbuilder_template"
      module Rails
        def self.cache = @cache ||= ActiveSupport::Cache::MemoryStore.new
      end
      CachingController = Struct.new(:perform_caching) do
        def instrument_fragment_cache(*) = yield
        def combined_fragment_cache_key(name) = name
      end
      CachingView = Struct.new(:controller) do
        def cache_fragment_name(name, **) = name
      end
    end
    contender "Jbuilder, cache!", :gem, peer: "jbuilder", differs: "ActiveSupport escapes < > &",
                                        before: "view = CachingView.new(CachingController.new(true))", code: <<~RUBY
      json = JbuilderTemplate.new(view)
      json.array!(v) do |post|
        json.cache!(post.cache_key_with_version) do
          json.extract! post, :id, :title, :html, :words
          json.author { json.extract! post.author, :id, :name }
          json.comments(post.comments) do |one|
            json.extract! one, :id, :body
            json.created_at one.created_at.iso8601(3)
            json.author { json.extract! one.author, :id, :name }
          end
        end
      end
      json.target!
    RUBY

    setup "active_model_serializers" do
      require "active_support/cache"
      ActiveModelSerializers.config.cache_store = ActiveSupport::Cache::MemoryStore.new
      ActiveModelSerializers.config.perform_caching = true
      ActiveModelSerializers.logger = Logger.new(nil)

      # As a field, since it keeps a serializer's own attributes only.
      class CachingPostAms < ActiveModel::Serializer
        cache skip_digest: true
        attributes :id, :title, :html, :words, :author, :comments

        def author = { id: object.author.id, name: object.author.name }
        def comments
          object.comments.map do |one|
            { id: one.id, body: one.body, created_at: one.created_at.iso8601(3), author: { id: one.author.id, name: one.author.name } }
          end
        end
      end
    end
    contender "AMS, cache", :gem, peer: "active_model_serializers",
                                  code: "JSON.generate(ActiveModelSerializers::SerializableResource.new(v, each_serializer: CachingPostAms).as_json)"

    reach "to_json, cached", over: "to_json, anew", at_least: 5
    reach "to_json, cached", over: "Hash + JSON.generate, anew", at_least: 5
    limit "to_json, cached", over: "JSON text, read_multi, join", at_most: 2 # which knows of no Definition, Rules or views
    reach "to_json, cached", over: :gem, at_least: 3
  end

  # The posts are cached, what holds them is not: looked up ahead.
  table "100 posts in others" do
    needs "active_support"
    data { [Bench::Rendered.posts.map { |post| {post: post, rank: post.id} }] }
    setup :ours do
      require "active_support/cache"
      class RankedAuthor < ToJson::Serializer
        attributes :id, :name
      end

      class RankedAnew < ToJson::Serializer
        attributes :id, :title, :html, :words
        has_one :author, serializer: RankedAuthor
      end

      class OneRoundTripOfParts < ActiveSupport::Cache::MemoryStore
        def read(*) = raise("one read_multi is due for all parts")
      end

      class RankedFromStore < RankedAnew
        cache store: OneRoundTripOfParts.new
      end

      class RankOfCached < ToJson::Serializer
        attributes :rank
        has_one :post, serializer: RankedFromStore
      end

      class RankAnew < ToJson::Serializer
        attributes :rank
        has_one :post, serializer: RankedAnew
      end
    end
    contender "to_json, cached parts", :ours, code: "RankOfCached.json!(v)"
    contender "to_json, parts anew", :ours, code: "RankAnew.json!(v)"
    reach "to_json, cached parts", over: "to_json, parts anew", at_least: 5
  end
end
