# frozen_string_literal: true

# What was found out for preloading is kept, and found out again when something changes on which it
# depends.

require_relative "../test_helper"

if Without.library?("active_record") && Without.library?("sqlite3")
  require_relative "preload_case"

  class AnalysisMemoryTest < PreloadCase
    TREE = ToJson::Preloading.module_eval("AssociationTree", __FILE__, __LINE__)
    CONDITIONS = ToJson::Preloading.module_eval("FieldConditions", __FILE__, __LINE__)

    # The tree for posts: the same object if it was kept.
    def tree(serializer_class, view: nil, only: nil, context: {})
      unit = ToJson::Preloading.unit(serializer_class, view, only, nil)
      TREE.of(unit, Post, CONDITIONS.new(context))
    end

    test "it is derived once for each view and selection, with any context" do
      made = serializer do
        has_one(:author) { attributes :name }
        view(:more) { has_many(:comments) { attributes :id } }
      end
      calls = [{}, { view: :more }, { view: :more, only: "comments" }]
      trees = calls.map { |options| tree(made, **options) }
      assert_equal([[:author], %i[author comments], [:comments]],
                   trees.map { |tree| tree.names.keys })
      2.times do |i|
        again = calls.map { |options| tree(made, **options, context: { i: i }) }
        trees.zip(again) { |one, other| assert_same(one, other) }
      end
      made.attributes :id
      refute_same(trees.first, tree(made))
    end

    test "conditions are asked in each context" do
      made = serializer do
        has_one(:author, if: -> { context[:admin] }) { attributes :name }
        has_many(:tags, unless: ->(post) { context[:admin] || post.nil? }) { attributes :name }
      end
      3.times do
        assert_equal([:author], made.preloads(Post, context: { admin: true }))
        assert_equal([:tags], made.preloads(Post, context: { admin: false }))
      end
      assert_same(tree(made, context: { admin: true }), tree(made, context: { admin: 1 }))
      refute_same(tree(made, context: { admin: true }), tree(made, context: {}))
    end

    test "conditions inside associations are asked in the context that they have there" do
      inner = serializer { has_one(:avatar, if: -> { context[:deep] }) { attributes :url } }
      made = serializer do
        has_one(:author, serializer: inner, context: -> { { deep: context[:level] == 2 } })
        has_one(:editor, serializer: inner, context: { deep: true })
      end
      3.times do
        assert_equal([{ author: [:avatar], editor: [:avatar] }],
                     made.preloads(Post, context: { level: 2 }))
        assert_equal([:author, { editor: [:avatar] }], made.preloads(Post, context: { level: 1 }))
      end
    end

    test "more contexts than are kept are right too" do
      made = serializer do
        6.times do |i|
          has_one(:"author#{i}", source: i.even? ? :author : :editor,
                                 if: -> { context[:on] == i }) { attributes :name }
        end
      end
      2.times do
        6.times do |i|
          assert_equal([i.even? ? :author : :editor], made.preloads(Post, context: { on: i }))
        end
      end
    end

    test "a serializer that is reopened, also one inside, is derived anew" do
      inner = serializer { attributes :name }
      made = serializer { has_one :author, serializer: inner }
      assert_equal([:author], made.preloads(Post))
      inner.has_one(:avatar) { attributes :url }
      assert_equal([{ author: [:avatar] }], made.preloads(Post))
      made.has_many(:comments) { attributes :id }
      assert_equal([:comments, { author: [:avatar] }], made.preloads(Post))
      made.define_method(:author) { |post| post.author }
      assert_equal([:comments], made.preloads(Post))
    end

    test "so are records of a class, level by level" do
      posts(2)
      inner = serializer { attributes :name }
      made = serializer { has_one :author, serializer: inner }
      assert_preloads(1, made) { Post.order(:id).to_a }
      inner.has_one(:avatar) { attributes :url }
      assert_preloads(2, made) { Post.order(:id).to_a }
    end

    test "a subclass and a copy have their own" do
      made = serializer { has_one(:author) { attributes :name } }
      made.preloads(Post)
      copy = made.dup
      copy.has_many(:comments) { attributes :id }
      heir = serializer(made) { remove :author }
      assert_equal([[:author], %i[author comments], []],
                   [made, copy, heir].map { |one| one.preloads(Post) })
      frozen = serializer { has_one(:author) { attributes :name } }.freeze
      2.times { assert_equal([:author], frozen.preloads(Post)) }
    end

    test "an association that the model gets or changes later counts" do
      verbose = $VERBOSE
      model = Shop.const_set(:Draft, Class.new(Shop::Record))
      model.table_name = "shop_posts"
      made = serializer { has_one(:author) { attributes :name } }
      assert_equal([], made.preloads(model))
      model.belongs_to :author, class_name: "Shop::Author"
      assert_equal([:author], made.preloads(model))
      $VERBOSE = nil # its methods are redefined
      model.belongs_to :author, -> { limit(1) }, class_name: "Shop::Author"
      assert_equal([], made.preloads(model))
    ensure
      $VERBOSE = verbose
      Shop.send(:remove_const, :Draft)
    end

    # Each of eight serializers names all others, so there are some 14,000 paths.
    test "serializers that name each other are not followed on every path" do
      all = Array.new(8) { serializer }
      all.each_with_index do |one, i|
        (all - [one]).each_with_index do |other, j|
          one.has_one :"k#{j}", source: :mentor, serializer: other, unless: -> { i == 99 }
        end
      end
      calls = 0
      all.last.define_singleton_method(:declared?) { (calls += 1) && super() }
      authors = Array.new(3) { Author.create!(name: "Ann") }
      2.times { ToJson.preload(Author.where(id: authors), all.first) }
      2.times { ToJson.preload(authors, all.first) }
      assert_equal :mentor, all.first.preloads(Author).first.keys.first
      assert_operator calls, :<, 200
    end

    test "what a client chooses is not kept without end, and no context is kept" do
      made = serializer { 10.times { |i| has_one(:"a#{i}", source: :author) { attributes :name } } }
      contexts = ObjectSpace::WeakMap.new
      random = Random.new(Minitest.seed)
      200.times do
        context = Object.new
        contexts[context] = true
        names = (0..9).to_a.sample(1 + random.rand(10), random: random).map { |i| "a#{i}" }
        assert_equal([:author], made.preloads(Post, only: names, context: context))
        ToJson.preload([Post.new], made, only: names, context: context)
      end
      assert_operator(made.instance_variable_get(:@to_json_preloads)[2].size, :<=, 64)
      GC.start
      assert_operator(contexts.keys.size, :<, 100) # size counts the dead on Ruby 3.3
    end

    test "threads that derive at once get the same" do
      made = serializer { has_one(:author) { has_one(:avatar) { attributes :url } } }
      [Post, Author, Avatar].each(&:columns_hash) # each thread would have a database of its own
      threads = Array.new(8) { Thread.new { Array.new(20) { made.preloads(Post) } } }
      found = threads.flat_map(&:value)
      assert_equal([[{ author: [:avatar] }]], found.uniq)
    end
  end
end
