# frozen_string_literal: true

require_relative "caching_case"

# Cached resources of JSON:API and HAL: their keys change with what they write, as after a deploy
# that keeps the store.
class CachedResourcesTest < CachingCase
  KID = { id: 5, uuid: "u-5", name: "Bo" }.freeze
  BOOK = { id: 1, page_count: 90, kids: [KID], kid: KID }.freeze

  # Defines the serializers of a deploy, and removes those of the deploy before. Returns
  # BookSerializer.
  def deploy(book: nil, kid: nil)
    %i[BookSerializer KidSerializer].each do |name|
      self.class.send(:remove_const, name) if self.class.const_defined?(name, false)
    end
    one = self.class.const_set(:KidSerializer, Class.new(ToJson::Serializer))
    one.class_eval do
      attributes :name
      class_eval(&kid) if kid
    end
    many = self.class.const_set(:BookSerializer, Class.new(ToJson::Serializer))
    many.class_eval do
      attributes :id, :page_count
      link(:self) { |book| "/books/#{book[:id]}" }
      has_many :kids, serializer: one
      has_one :kid, serializer: { Hash => one }
      cache key: :id
      class_eval(&book) if book
    end
    many
  end

  # Asserts that the call writes the same with the store as without it.
  def assert_as_without_cache(serializer, call, book = BOOK, **options)
    cached = serializer.public_send(call, book, **options)
    store, ToJson.cache_store = ToJson.cache_store, false
    assert_equal serializer.public_send(call, book, **options), cached
  ensure
    ToJson.cache_store = store
  end

  %i[json! json_api! hal!].each do |call|
    test "#{call} writes the member names of the new transform_keys" do
      deploy(book: proc { transform_keys :camel_lower }).public_send(call, BOOK)
      refute_empty @store.entries
      assert_as_without_cache(deploy(book: proc { transform_keys :dash }), call)
    end
  end

  IDS = {
    "id" => proc { id :uuid },
    "a block of id" => proc { id { |kid| kid[:uuid] } },
    "an attribute" => proc { attribute :id, :uuid },
    "a method" => proc {
      attributes :id
      def id(kid) = kid[:uuid]
    },
    "a conversion" => proc { attribute :id, as: ->(id) { "k#{id}" } },
    "a local id" => proc {
      id { nil }
      lid :uuid
    },
    "a type" => proc { type :children }
  }.freeze

  IDS.each do |what, kid|
    %w[kids kid].each do |name|
      test "relationships have the ids of the new serializer: #{what}, include: #{name}" do
        deploy.json_api!(BOOK, include: name)
        refute_empty @store.entries
        assert_as_without_cache(deploy(kid: kid), :json_api!, include: name)
      end
    end
  end

  # [[options, block] before the deploy, the same after it], for `has_many :kids`. If both are the
  # same, the contexts differ.
  ALL = proc { |book| book[:kids] }
  SOME = proc { |book| context[:admin] ? book[:kids] : [] }
  RELATED = {
    "a block" => [[{}, ALL], [{}, proc { |book| book[:kids].first(1) }]],
    "a block that reads the context" => [[{}, SOME], [{}, SOME]],
    "a source" => [[{}], [{ source: :no }]],
    "a default" => [[{ source: :no, default: [KID] }], [{ source: :no, default: [] }]],
    "a default that reads the context" => [[{ source: :no, default: SOME }]] * 2,
    "linkage:" => [[{ linkage: true }], [{}]],
    "a view whose id reads the context" => [[{ view: :other }]] * 2,
    "a lambda for serializers" =>
      [[{ serializer: ->(_) { KidSerializer } }], [{ serializer: ->(_) { BookSerializer } }]]
  }.freeze

  RELATED.each do |what, pair|
    test "relationships follow the association: #{what}" do
      include = "kids" unless pair.dig(0, 0, :linkage)
      contexts = pair.uniq.one? ? [{ admin: true }, { admin: false }] : [{}, {}]
      first, second = pair.map do |(options, block)|
        proc do
          remove :kids
          has_many(:kids, serializer: KidSerializer, **options, &block)
        end
      end
      kid = proc { view(:other) { attribute(:id) { |kid| kid[context[:admin] ? :id : :uuid] } } }
      deploy(book: first, kid: kid).json_api!(BOOK, include: include, context: contexts[0])
      assert_as_without_cache(deploy(book: second, kid: kid), :json_api!, include: include,
                              context: contexts[1])
    end
  end

  test "keys and digest change with a serializer that a Hash names by a String" do
    named = proc do
      remove :kid
      has_one :kid, serializer: { Hash => "KidSerializer" }
    end
    before = deploy(book: named)
    digest = before.digest
    before.json!(BOOK)
    after = deploy(book: named, kid: proc { attributes :uuid })
    refute_equal digest, after.digest
    assert_as_without_cache(after, :json!)
    assert_as_without_cache(after, :json_api!, include: "kid")
  end

  # The file of a serializer that no value needs may be broken.
  test "without a cache, a Hash of names loads only the serializers that values need" do
    named = proc do
      remove :kid
      has_one :kid, serializer: { Hash => "KidSerializer", String => "BrokenSerializer" }
      cache false
    end
    made = deploy(book: named)
    self.class.autoload(:BrokenSerializer, File.expand_path("no_such_file", __dir__))
    assert_includes made.json_api!(BOOK, include: "kid"), '"name":"Bo"'
  ensure
    self.class.send(:remove_const, :BrokenSerializer)
  end

  test "a class in a Hash that is reopened before its first use has texts under a new key" do
    made = deploy
    made.json!({ **BOOK, kid: nil })
    KidSerializer.attributes(:uuid)
    made.json!({ **BOOK, id: 2 })
    changed = @store.entries.dup
    made = deploy
    @store.entries.replace(changed)
    assert_equal made.json!({ **BOOK, id: 2 }), made.json!({ **BOOK, id: 2 })
    refute_includes made.json!({ **BOOK, id: 2 }), "uuid"
  end

  # The two differ after the kid was deleted, if nothing sets kid_id to null.
  test "a resource with ids of linkage: and one with ids of objects have different keys" do
    with_ids = proc do
      remove :kid, :kids
      has_one :kid, serializer: KidSerializer, linkage: :kid_id
      has_many :kids, serializer: KidSerializer, linkage: :kid_ids
    end
    [nil, "kid", "kids", "kid,kids"].permutation(2) do |first, second|
      @store.entries.clear
      book = { **BOOK, kid: nil, kid_id: 7, kid_ids: [7, 8] }
      made = deploy(book: with_ids)
      made.json_api!(book, include: first)
      assert_as_without_cache(made, :json_api!, book, include: second)
    end
  end

  # Only json_api! and hal! write what these declare.
  { "id" => proc { id :uuid }, "a link" => proc { link(:self) { |kid| "/kids/#{kid[:id]}" } },
    "a type" => proc { type :children }, "meta" => proc { resource_meta { |_| { a: 1 } } } }
    .each do |what, kid|
    test "the digest changes with a serializer inside: #{what}" do
      refute_equal deploy.digest, deploy(kid: kid).digest
      assert_equal deploy(kid: kid).digest, deploy(kid: kid).digest
    end
  end

  # The text of the older class was kept under the key of the newer one.
  test "a document that began before a class changed keeps nothing for later ones" do
    made = deploy
    rows = Object.new
    rows.define_singleton_method(:to_ary) do
      KidSerializer.attributes(:uuid) unless KidSerializer.definition.names.include?(:uuid)
      [BOOK]
    end
    assert_includes made.json!(rows), '"kids":[{"name":"Bo"}]'
    assert_empty @store.entries
    assert_includes made.json!([BOOK]), "u-5"
    assert_as_without_cache(made, :json!)
  end

  # A client got ids that only another client may see.
  test "relationships have the ids of their context" do
    made = deploy(kid: proc { id { |kid| context[:admin] ? kid[:id] : kid[:uuid] } })
    [{}, { admin: true }, { admin: false }].repeated_permutation(2) do |first, second|
      @store.entries.clear
      made.json_api!(BOOK, include: "kids", context: first)
      assert_as_without_cache(made, :json_api!, include: "kids", context: second)
    end
  end
end
