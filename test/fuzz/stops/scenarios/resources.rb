# frozen_string_literal: true

# Stops. Documents of JSON:API and HAL.

module Stops
  # Serializers of POST and its author, under names of their own: a type, links, a lookup by value.
  def self.blog
    world.tap do |home|
      author = Class.new(ToJson::Serializer) do
        type :people
        attributes :name
      end
      home.const_set(:AuthorSerializer, author)
      home.const_set(:PostSerializer, Class.new(ToJson::Serializer) do
        type :posts
        attributes :title
        link(:self) { |post| "/posts/#{post.id}" }
        has_one :author, serializer: "AuthorSerializer"
        has_many :tags, serializer: ->(_) { author }
      end)
    end
  end

  RESOURCE = '"type":"posts","id":"1","attributes":{"title":"One"}'
  PERSON = '{"type":"people","id":"7","attributes":{"name":"Ann"}}'
  TAG = '{"type":"people","id":"8","attributes":{"name":"x"}}'
  COMPOUND = "{#{RESOURCE},\"relationships\":{\"author\":{\"data\":{\"type\":\"people\"," \
             '"id":"7"}},"tags":{"data":[{"type":"people","id":"8"}]}},"links":{"self":"/posts/1"}}'
  ALONE = "{#{RESOURCE},\"links\":{\"self\":\"/posts/1\"}}".freeze
  INCLUDED = "#{PERSON},#{TAG}".freeze

  scenario "JSON:API without include" do
    made = blog.const_get(:PostSerializer)
    { call: -> { made.json_api!([POST], meta: { total: 1 }) },
      expect: "{\"data\":[#{ALONE}],\"meta\":{\"total\":1}}" }
  end

  scenario "JSON:API with include, by a name and a lambda" do
    made = blog.const_get(:PostSerializer)
    { call: -> { made.json_api!(POST, include: "author,tags") },
      expect: "{\"data\":#{COMPOUND},\"included\":[#{INCLUDED}]}" }
  end

  scenario "JSON:API with a fieldset that is new each time" do
    made = blog.const_get(:PostSerializer)
    turn = 0
    { call: -> { made.json_api!(POST, fields: { posts: ["title"] * (turn += 1) }) },
      expect: "{\"data\":#{ALONE}}" }
  end

  scenario "JSON:API into a Sink, with flush:" do
    made = blog.const_get(:PostSerializer)
    sink = Slow.new
    whole = "{\"data\":[#{COMPOUND}],\"included\":[#{INCLUDED}]}"
    { call: lambda {
        made.json_api!([POST].each, include: "author,tags", into: sink, flush: 0.000001, chunk: 64)
        true
      },
      expect: true, whole: ->(finished) { sink.broken(whole, finished) },
      again: -> { made.json_api!([POST], include: "author,tags") }, accepts: [whole] }
  end

  scenario "JSON:API in lines" do
    made = blog.const_get(:PostSerializer)
    { call: -> { made.json_api_ndjson([POST, POST]) }, expect: "#{ALONE}\n" * 2 }
  end

  scenario "JSON:API with a getter that raises" do
    made = blog.const_get(:PostSerializer)
    broken = Post.new(1, "One", nil, 5)
    { call: lambda {
        begin
          made.json_api!(broken, include: "tags")
        rescue ToJson::UnsupportedTypeError => error
          error.path
        end
      },
      expect: "$.data.relationships.tags.data", again: -> { made.json_api!(nil) },
      accepts: ['{"data":null}'] }
  end

  { "hits" => true, "misses" => false }.each do |what, hit|
    scenario "cached resources of JSON:API, #{what}" do
      store = Store.new
      made = serializer do
        type :people
        cache key: ->(author) { [author.id, hit ? 0 : store.turn] }, store: store
        attributes :name
      end
      { call: -> { store.miss && made.json_api!([ANN]) }, expect: "{\"data\":[#{PERSON}]}",
        whole: ->(_) { store.broken(PERSON) } }
    end
  end

  scenario "the query of a client" do
    made = blog.const_get(:PostSerializer)
    text = "include=author&fields[people]=name&sort=-title&page[number]=2"
    { call: lambda {
        query = ToJson::JsonApi::Query.new(text, serializer: made)
        [query.to_h, query.sort, query.page]
      },
      expect: [{ include: "author", fields: { "people" => "name" } }, { title: :desc },
               { number: 2 }] }
  end

  HAL_AUTHOR = '{"_links":{"self":{"href":"/people/7"}},"name":"Ann"}'
  HAL = "{\"title\":\"One\",\"_embedded\":{\"author\":#{HAL_AUTHOR}}}".freeze

  def self.hal_serializer
    author = serializer do
      link(:self) { |one| "/people/#{one.id}" }
      attributes :name
    end
    serializer do
      attributes :title
      has_one :author, serializer: author
    end
  end

  scenario "HAL" do
    made = hal_serializer
    { call: -> { made.hal!(POST) }, expect: HAL }
  end

  scenario "a collection of HAL, with only:" do
    made = hal_serializer
    { call: -> { made.hal!([POST], as: :posts, only: %i[title author], links: { self: "/posts" }) },
      expect: "{\"_links\":{\"self\":{\"href\":\"/posts\"}},\"_embedded\":{\"posts\":[#{HAL}]}}" }
  end
end
