# frozen_string_literal: true

# Stops. Declared fields of every kind.

module Stops
  Post = Struct.new(:id, :title, :author, :tags)
  Author = Struct.new(:id, :name)
  ANN = Author.new(7, "Ann").freeze
  POST = Post.new(1, "One", ANN, [Author.new(8, "x").freeze].freeze).freeze

  scenario "attributes" do
    made = serializer { attributes :id, :title }
    { call: -> { made.json!(POST) }, expect: '{"id":1,"title":"One"}' }
  end

  scenario "attributes of many" do
    made = serializer { attributes :id, title: :text }
    { call: -> { made.json!([POST, POST]) },
      expect: '[{"id":1,"text":"One"},{"id":1,"text":"One"}]' }
  end

  scenario "blocks, methods and conditions" do
    made = serializer do
      attributes :id, :shout
      attribute(:twice) { |post| post.title * 2 }
      attribute(:mine) { object.id }
      attribute :title, if: :long?
      attribute :author, if: ->(_) { false }, as: :string
      def shout(post) = post.title.upcase
      def long?(post) = post.title.size > 1
    end
    { call: -> { made.json!(POST) },
      expect: '{"id":1,"shout":"ONE","twice":"OneOne","mine":1,"title":"One"}' }
  end

  scenario "has_one and has_many by other serializers" do
    author = serializer { attributes :name }
    made = serializer do
      attributes :id
      has_one :author, serializer: author
      has_many :tags, serializer: author
      attributes :title
    end
    { call: -> { made.json!(POST) },
      expect: '{"id":1,"author":{"name":"Ann"},"tags":[{"name":"x"}],"title":"One"}' }
  end

  scenario "inline blocks, nested and flatten" do
    made = serializer do
      root :post
      transform_keys :camel_lower
      has_many(:tags) { attributes :id }
      nested(:the_rest) { attributes :title }
      flatten(:author) { attributes :name }
    end
    { call: -> { made.json!(POST) },
      expect: '{"post":{"tags":[{"id":8}],"theRest":{"title":"One"},"name":"Ann"}}' }
  end

  scenario "polymorphic by a lambda and by a Hash" do
    author = serializer { attributes :name }
    made = serializer do
      has_one :author, serializer: ->(_) { author }
      has_many :tags, serializer: { Author => author }
    end
    { call: -> { made.json!(POST) }, expect: '{"author":{"name":"Ann"},"tags":[{"name":"x"}]}' }
  end

  scenario "recursion" do
    made = serializer do
      attributes :id
      attribute(:title) { |node| node[:title] }
    end
    made.has_many :tags, serializer: made
    leaf = { id: 2, title: "leaf", tags: [] }
    { call: -> { made.json!({ id: 1, title: "top", tags: [leaf] }) },
      expect: '{"id":1,"title":"top","tags":[{"id":2,"title":"leaf","tags":[]}]}' }
  end

  scenario "rows of Hashes" do
    made = serializer do
      attributes :id, :title
      has_one(:author) { attributes :name }
    end
    rows = [{ id: 1, title: "One", author: { name: "Ann" } }, { "id" => 2 }]
    { call: -> { made.json!(rows) },
      expect:
        '[{"id":1,"title":"One","author":{"name":"Ann"}},{"id":2,"title":null,"author":null}]' }
  end

  scenario "root, meta and context" do
    made = serializer do
      root :post, :posts
      meta { { total: 2 } }
      attribute(:admin) { |_| context[:admin] }
    end
    { call: -> { made.json!([POST], context: { admin: true }) },
      expect: '{"posts":[{"admin":true}],"meta":{"total":2}}' }
  end

  scenario "an inherited class" do
    parent = serializer { attributes :id, :title }
    made = serializer(parent) do
      remove :title
      attribute(:id) { |post| post.id.to_s }
    end
    { call: -> { made.json!(POST) }, expect: '{"id":"1"}' }
  end

  scenario "to_h" do
    made = serializer do
      attributes :id
      has_one(:author) { attributes :name }
    end
    { call: -> { made.to_h(POST) }, expect: { "id" => 1, "author" => { "name" => "Ann" } } }
  end
end
