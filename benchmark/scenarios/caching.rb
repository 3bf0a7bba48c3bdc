# frozen_string_literal: true

require_relative "../contenders/gems"
require_relative "../data/rendered"

# 100 posts from a cache that has them all, and made anew. Stores: ActiveSupport's MemoryStore,
# which compares libraries and not networks, and a Hash, which shows what the library itself costs.
# A MemoryStore of ours refuses to be asked for a part by itself: it serves one round trip a
# document.
Bench.scenario 20, "caching", "100 cached parts" do
  ours, text = Bench::Rendered::OURS, Bench::Rendered::TEXT
  one_round_trip = <<~RUBY
    require "active_support/cache"
    class OneRoundTrip < ActiveSupport::Cache::MemoryStore
      def read(*) = raise("one read_multi is due for all parts")
    end
  RUBY
  stored = "class PostFromStore < OurPost\n  cache store: OneRoundTrip.new\nend\n"

  table "100 posts" do
    needs "active_support"
    data { [Bench::Rendered.posts] }

    setup :ours, <<~RUBY
      #{one_round_trip}#{Bench::Gems.classes("Our", "Post", ours.fields)}#{stored}
      class PostVerified < OurPost
        cache store: ActiveSupport::Cache::MemoryStore.new, verify: true
      end

      class PostFromHash < OurPost
        cache store: {}
      end
    RUBY
    contender "to_json, cached", :ours, code: "PostFromStore.json!(v)", objects: 2_040
    contender "to_json, cached, verify: true", :ours, quick: false, code: "PostVerified.json!(v)"
    contender "to_json, cached in a Hash", :ours, code: "PostFromHash.json!(v)", objects: 620
    contender "to_json, anew", :ours, code: "OurPost.json!(v)"

    hash = text.hash("post.")
    setup :hand, <<~RUBY
      require "active_support/cache"
      STORE_BY_HAND = ActiveSupport::Cache::MemoryStore.new
    RUBY
    contender "JSON text, read_multi, join", :hand, peer: "json", before: "store = STORE_BY_HAND",
                                                    code: <<~RUBY
      keys = v.map(&:cache_key_with_version)
      found = store.read_multi(*keys)
      fresh = {}
      texts = v.each_with_index.map do |post, index|
        found[keys[index]] || (fresh[keys[index]] = JSON.generate(#{hash}))
      end
      store.write_multi(fresh) unless fresh.empty?
      "[\#{texts.join(",")}]"
    RUBY
    contender "Hash + JSON.generate, anew", :hand, peer: "json",
                                                   code: "JSON.generate(v.map { |post| #{hash} })"

    # Its own store is Rails.cache; keys come from the view, which is all that it asks of one.
    setup "jbuilder", <<~RUBY
      require "active_support/all"
      require "jbuilder/jbuilder_template"
      module Rails
        def self.cache = @cache ||= ActiveSupport::Cache::MemoryStore.new
      end
      CachingController = Struct.new(:perform_caching) do
        def instrument_fragment_cache(*) = yield
        def combined_fragment_cache_key(name) = name
      end
      CACHING_VIEW = Struct.new(:controller) do
        def cache_fragment_name(name, **) = name
      end.new(CachingController.new(true))
    RUBY
    contender "Jbuilder, cache!", :gem, peer: "jbuilder", differs: "ActiveSupport escapes < > &",
                                        before: "view = CACHING_VIEW",
                                        code: <<~RUBY
      json = JbuilderTemplate.new(view)
      json.array!(v) do |post|
        json.cache!(post.cache_key_with_version) do
          #{text.extracting("post.")}
        end
      end
      json.target!
    RUBY

    # As fields, since it keeps a serializer's own attributes only.
    setup "active_model_serializers", <<~RUBY
      require "active_support/cache"
      ActiveModelSerializers.config.cache_store = ActiveSupport::Cache::MemoryStore.new
      ActiveModelSerializers.config.perform_caching = true
      ActiveModelSerializers.logger = Logger.new(nil)
      class CachingPostAms < ActiveModel::Serializer
        cache skip_digest: true
        attributes :id, :title, :html, :words, :author, :comments
        def author = #{text.hash("object.")}[:author]
        def comments = #{text.hash("object.")}[:comments]
      end
    RUBY
    contender "AMS, cache", :gem, peer: "active_model_serializers", code: <<~RUBY
      resource = ActiveModelSerializers::SerializableResource
      JSON.generate(resource.new(v, each_serializer: CachingPostAms).as_json)
    RUBY

    reach "to_json, cached", over: "to_json, anew", at_least: 5
    reach "to_json, cached", over: "Hash + JSON.generate, anew", at_least: 5
    # That knows of no Definition, Rules or views.
    limit "to_json, cached", over: "JSON text, read_multi, join", at_most: 2
    reach "to_json, cached", over: :gem, at_least: 3
  end

  # The posts are cached, what holds them is not: looked up ahead.
  table "100 posts in others" do
    needs "active_support"
    data { [Bench::Rendered.posts.map { |post| {post: post, rank: post.id} }] }
    ranked = {"RankOfCached" => "PostFromStore", "RankAnew" => "OurPost"}.map do |name, post|
      "class #{name} < ToJson::Serializer\n" \
        "  attributes :rank\n  has_one :post, serializer: #{post}\nend\n"
    end
    setup :ours, [one_round_trip, Bench::Gems.classes("Our", "Post", ours.fields.except(:comments)),
                  stored, *ranked].join
    contender "to_json, cached parts", :ours, code: "RankOfCached.json!(v)", objects: 2_300
    contender "to_json, parts anew", :ours, code: "RankAnew.json!(v)"
    reach "to_json, cached parts", over: "to_json, parts anew", at_least: 5
  end
end
