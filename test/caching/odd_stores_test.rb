# frozen_string_literal: true

require_relative "caching_case"

# Stores with a fetch that does more, or less, than to call its block once and at once.
class OddStoresTest < CachingCase
  Person = Struct.new(:id, :secret, :asks) do
    def other = asks&.call
  end

  # Serves what it has and calls the block later, as stores do that refresh behind the scenes.
  class Refreshing
    attr_reader :later

    def fetch(_key, **, &block)
      return @kept = block.call unless @kept

      @later = block
      @kept
    end
  end

  class Rescuing
    def fetch(_key, **)
      yield
    rescue RuntimeError
      nil
    end
  end

  class Twice
    def fetch(_key, **)
      yield
      yield
    end
  end

  def person_serializer(store, &more)
    Class.new(ToJson::Serializer) do
      cache store: store, key: :id
      attributes :id, :secret
      class_eval(&more) if more
    end
  end

  test "a block that the store calls when fetch has returned is refused, and writes into no " \
       "other document" do
    store = Refreshing.new
    cached = person_serializer(store)
    3.times { assert_equal '{"id":1,"secret":"mine"}', cached.json!(Person.new(1, "mine")) }
    plain = Class.new(ToJson::Serializer) { attributes :id, :other }
    assert_raises(ToJson::CacheError) { plain.json!([Person.new(2, nil, store.later)]) }
    assert_equal '[{"id":2,"other":null}]', plain.json!([Person.new(2)])
  end

  test "a block that is called twice writes once" do
    cached = person_serializer(Twice.new)
    assert_equal '[{"id":1,"secret":"a"},{"id":2,"secret":"b"}]',
                 cached.json!([Person.new(1, "a"), Person.new(2, "b")])
  end

  test "a store that rescues what its block raised gets no half of a part written" do
    strikes = [true]
    cached = person_serializer(Rescuing.new) do
      attribute(:third) { |_| strikes.shift ? raise("once") : 3 }
    end
    first = cached.json!(Person.new(1, "a")) rescue $! # rubocop:disable Style/RescueModifier
    assert_includes ['{"id":1,"secret":"a","third":3}', ToJson::CacheError],
                    first.is_a?(String) ? first : first.class
    assert_equal '{"id":1,"secret":"a","third":3}', cached.json!(Person.new(1, "a"))
  end

  test "key and context beyond ASCII, in whatever encoding, make one key" do
    cached = Class.new(ToJson::Serializer) do
      cache store: {}, key: :id, context: ->(context) { context[:lang] }
      attributes :id
      attribute(:lang) { context[:lang] }
    end
    %w[é ü].each do |lang|
      2.times do
        assert_equal %({"id":"ü","lang":"#{lang}"}),
                     cached.json!(Person.new("ü"), context: { lang: lang })
      end
    end
    latin = { lang: "é".encode(Encoding::ISO_8859_1) }
    assert_equal '{"id":"ü","lang":"é"}',
                 cached.json!(Person.new("ü".encode(Encoding::UTF_16LE)), context: latin)
  end

  test "literals of a block that look like addresses are told apart" do
    made = %w[0x10 0x20].map do |text|
      store = {}
      klass = Class.new(ToJson::Serializer) { cache store: store, key: :id }
      klass.class_eval("attribute(:a) { #{text.inspect} }", "a_file.rb", 1)
      klass.json!(Person.new(1))
      store.keys.first
    end
    refute_equal(*made)
  end
end
