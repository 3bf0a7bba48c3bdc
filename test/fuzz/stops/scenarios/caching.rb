# frozen_string_literal: true

# Stops. Parts from stores.

module Stops

  # Has what ActiveSupport's stores have.
  class Store
    attr_reader :turn, :texts

    def initialize = (@texts, @turn = {}, 0)
    def read(key) = @texts[key]
    def write(key, text) = @texts[key] = text
    def read_multi(*keys) = @texts.slice(*keys)
    def write_multi(pairs) = @texts.update(pairs)
    # Other keys from now on, so that everything misses.
    def miss = @turn += 1

    def broken(*allowed)
      odd = @texts.values - allowed
      "the store has #{odd.inspect}" if odd.any?
    end
  end

  ROW = { id: 1, author: { id: 7, name: "Ann" }.freeze, tags: [{ id: 8 }.freeze].freeze }.freeze

  # @param hit [Boolean] whether the first use alone misses
  def self.cached_serializer(store, hit)
    serializer do
      cache key: ->(row) { [row[:id], hit ? 0 : store.turn] }, store: store
      attributes :id
      attribute(:name) { |row| row[:author][:name] }
    end
  end

  { "hits" => true, "misses" => false }.each do |what, hit|
    scenario "a cached serializer, #{what}" do
      store = Store.new
      made = cached_serializer(store, hit)
      { call: -> { store.miss && made.json!(ROW) }, expect: '{"id":1,"name":"Ann"}',
        whole: ->(_) { store.broken('{"id":1,"name":"Ann"}') } }
    end

    scenario "a collection of a cached serializer, #{what}" do
      store = Store.new
      made = cached_serializer(store, hit)
      { call: -> { store.miss && made.json!([ROW, ROW]) },
        expect: '[{"id":1,"name":"Ann"},{"id":1,"name":"Ann"}]',
        whole: ->(_) { store.broken('{"id":1,"name":"Ann"}') } }
    end

    scenario "cached associations, #{what}" do
      store = Store.new
      made = serializer do
        attributes :id
        has_many(:tags,
                 cache: { key: ->(row) { [row[:id], hit ? 0 : store.turn] }, store: store }) do
          attributes :id
        end
      end
      { call: -> { store.miss && made.json!([ROW]) }, expect: '[{"id":1,"tags":[{"id":8}]}]',
        whole: ->(_) { store.broken('[{"id":8}]') } }
    end
  end
end
