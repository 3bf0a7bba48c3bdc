# frozen_string_literal: true

require_relative "caching_case"

# What `cache` refuses, where it is declared if it can be told there.
class CachingMisuseTest < CachingCase
  KEY = "takes a lambda with the object (and the context) as parameters, or a Symbol that names " \
        "a method of the object; got 5"
  CONTEXT = "takes a lambda that returns the part of the context that matters, or false if none " \
            "of it does; got true"
  MESSAGES = {
    -> { cache expire_in: 5 } =>
      /\AP: cache: unknown option :expire_in, did you mean :expires_in\? Known: key, store, /,
    -> { cache ttl: 5 } => /unknown option :ttl, did you mean :expires_in\?/,
    -> { cache :id } => /\AP: cache: takes options, or false; got :id/,
    -> { cache key: 5 } => /\AP: cache: key: #{Regexp.escape(KEY)}/,
    -> { cache key: ->(_, _, _) {} } =>
      /key: receives the object, and the context if it has two parameters\. This one requires 3\./,
    -> { cache context: true } => /context: #{CONTEXT}/,
    -> { cache context: -> { 1 } } => /context: receives one argument, the context\./,
    -> { cache context: ->(_, _) {} } => /: cache: context: receives one argument/,
    -> { cache batch: 0 } => /batch: takes an Integer from 1 to 10000; got 0/,
    -> { cache verify: 1 } => /verify: takes true or false; got 1/,
    -> { cache store_options: 1 } => /store_options: takes a Hash of keywords for the store; got 1/,
    -> { has_many(:a, cache: 5) { attributes :id } } =>
      /\AP: has_many :a: cache: takes true, false or a Hash of options; got 5/,
    -> { has_many(:a, cache: { kee: 5 }) { attributes :id } } =>
      /\AP: has_many :a: cache: unknown option :kee, did you mean :key\?/,
    -> { has_one(:a, cache: true, skip_nil: true) { attributes :id } } =>
      /cache: and skip_nil: the value is not read if it is cached\. Use if: instead\./,
    -> { has_many(:a) { cache key: :id } } =>
      /\AP: has_many :a: cache belongs in the class body, not in this block\./,
    -> { attribute :a, cache: true } => /unknown option :cache/,
    -> { flatten(:a, cache: true) { attributes :id } } => /flatten :a: unknown option :cache/
  }.freeze

  MESSAGES.each do |body, message|
    test "refused: #{message.source}" do
      type = Class.new(ToJson::Serializer) { define_singleton_method(:to_s) { "P" } }
      assert_match message, assert_raises(ToJson::DefinitionError) {
        type.class_exec(&body)
      }.message
    end
  end

  test "a serialize of its own is refused when it is used: declared fields are what keys can " \
       "tell" do
    own = Class.new(ToJson::Serializer) do
      attributes :id; cache key: :id; def serialize(object) = put_attributes(object)
    end
    bare = Class.new(ToJson::Serializer) do
      cache key: :id; def serialize(object) = put(:id, object)
    end
    outer = Class.new(ToJson::Serializer) { has_one :a, serializer: own }
    [-> { own.json!({ id: 1 }) }, -> { bare.json!({ id: 1 }) },
     -> { outer.json!({ a: { id: 1 } }) }].each do |call|
      assert_includes assert_raises(ToJson::DefinitionError, &call).message,
                      ": cache works only with declared fields, but the class defines " \
                      "serialize. Remove serialize, or declare cache false."
    end
    assert_equal '{"id":1}', Class.new(own) { cache false }.json!({ id: 1 })
  end

  test "ToJson.cache_store = is for the main Ractor; documents of others are written anew" do
    warnings, $VERBOSE = $VERBOSE, nil
    RactorSerializer::PostSerializer.compile!
    RactorSerializer.compile!
    text = '{"id":1,"posts":[{"id":2}]}'
    assert_equal [text, "[#{text}]"], Ractor.new {
      [RactorSerializer.json!({ id: 1, posts: [{ id: 2 }] }),
       RactorSerializer.json!([{ id: 1, posts: [{ id: 2 }] }])]
    }.value
    message = Ractor.new {
      begin; ToJson.cache_store = {}; rescue ArgumentError => e; e.message; end
    }.value
    assert_equal "ToJson.cache_store can be set only in the main Ractor. Set it at boot", message
    assert_empty @store.calls
  ensure
    $VERBOSE = warnings
  end

  class RactorSerializer < ToJson::Serializer
    class PostSerializer < ToJson::Serializer
      attributes :id
    end

    attributes :id
    has_many :posts, serializer: PostSerializer, cache: { key: :id }
    cache key: ->(row) { row[:id] }
  end

  test "on_error: is asked neither about a store that is missing, nor about what one raises, nor " \
       "about a serializer that can write nothing" do
    down = Class.new do
      def read(*, **) = raise(IOError, "down"); def write(*, **) = raise(IOError, "full")
    end
    full = Class.new(down) { def read(*, **) = nil }
    fetch = Class.new { def fetch(*, **) = raise(IOError, "down") }
    none = Class.new(ToJson::Serializer)
    never = ->(*) { flunk }
    [:skip, never].each do |policy|
      { down.new => "down", full.new => "full", fetch.new => "down" }.each do |store, message|
        ToJson.cache_store = store
        assert_equal message, assert_raises(IOError) {
          serializer.ndjson(posts, on_error: policy)
        }.message
      end
      ToJson.cache_store = nil
      assert_raises(ToJson::CacheError) { serializer.ndjson(posts, on_error: policy) }
      assert_raises(ToJson::DefinitionError) { none.ndjson(posts, on_error: policy) }
    end
  end

  test "on_error: is asked about a getter that fails within a part, whatever the store" do
    type = Class.new(ToJson::Serializer) do
      attributes :id; attribute(:n) { |post| Integer(post.title) }; cache key: :id
    end
    [CountingStore.new, {}, Class.new { def fetch(_key, **) = yield }.new].each do |store|
      ToJson.cache_store = store
      all = [Post.new(1, "5"), Post.new(2, "x"), Post.new(3, "6")]
      2.times do
        assert_equal %({"id":1,"n":5}\n{"id":3,"n":6}\n), type.ndjson(all, on_error: :skip)
      end
    end
  end

  test "stream says at once that there is no store" do
    ToJson.cache_store = nil
    %i[json ndjson json_seq].each do |format|
      assert_raises(ToJson::CacheError) { serializer.stream(posts, format: format) }
    end
    ToJson.cache_store = false
    assert_equal 3, serializer.stream(posts, format: :ndjson).each.to_a.join.lines.size
  end
end
