# frozen_string_literal: true

# ToJson.preload: which associations it loads, of what, and that the document stays the same.

require_relative "../test_helper"

if Without.library?("active_record") && Without.library?("sqlite3")
  require_relative "preload_case"

  class PreloadTest < PreloadCase
    # -- of what -----------------------------------------------------------------------------------

    # ActiveRecord joins the queries for authors of posts and of comments.
    {
      "a relation" => [4, -> { Post.order(:id) }],
      "a relation with extending modules" => [4, -> { Post.order(:id).extending(Module.new) }],
      "a loaded relation" => [3, -> { Post.order(:id).load }],
      "an Array of records" => [3, -> { Post.order(:id).to_a }],
      "an Array with nil and a Hash" =>
        [3, -> { [nil, *Post.order(:id), { id: 1, comments: nil, author: nil }] }],
      "a Set" => [3, -> { Post.order(:id).to_set }],
      "find_each" => [4, -> { Post.find_each }],
      "a lazy enumerator" => [4, -> { Post.find_each.lazy }],
      "an empty relation" => [1, -> { Post.where(id: 0) }],
      "no relation" => [0, -> { Post.none }],
      "nil" => [0, -> {}],
      "Hashes" => [0, -> { [{ id: 1, title: "a", author: nil, comments: [] }] }]
    }.each do |what, (count, objects)|
      test "#{what} is loaded with its associations, whatever the number of records" do
        [2, 5].each do |size|
          Shop.empty_tables
          posts(size)
          assert_preloads(count, PostSerializer, &objects)
        end
      end
    end

    test "a single record is loaded with its associations" do
      posts(2)
      record = Post.first
      assert_same(record, ToJson.preload(record, PostSerializer))
      assert_empty(queries { PostSerializer.json!(record) })
      assert_preloads(3, PostSerializer) { Post.first }
    end

    test "what the preloader cannot load for a single record is read, and preloaded inside" do
      posts(2)
      Comment.create!(post: Post.first, body: "again", author: Author.last)
      with_commenters = serializer do
        has_many(:commenters) { has_one(:avatar) { attributes :url } }
      end
      { PostSerializer => ->(post) { post.comments.build(body: "not saved") },
        with_commenters => ->(post) { post.comments.load } }.each do |declared, change|
        expected = declared.json!(Post.first.tap(&change))
        post = Post.first.tap(&change)
        ToJson.preload(post, declared)
        assert_empty(queries { assert_equal(expected, declared.json!(post)) })
      end
    end

    # As Draper's, which also changes `===` of models.
    Decorated = Struct.new(:object) do
      def title = object.title.upcase
      def id = object.id
      def author = object.author
      def comments = object.comments
      def is_a?(model) = super || object.is_a?(model)
    end

    test "decorators that are taken for records are written as they are" do
      posts(2)
      decorated = -> { Post.order(:id).map { |post| Decorated.new(post) } }
      expected = PostSerializer.json!(decorated.call)
      ActiveRecord::Base.singleton_class.define_method(:===) do |other|
        super(other) || (Decorated == other.class && super(other.object))
      end
      many, one = decorated.call, decorated.call.first
      assert_same(many, ToJson.preload(many, PostSerializer))
      assert_same(one, ToJson.preload(one, PostSerializer))
      assert_equal(expected, PostSerializer.json!(many))
      assert_nil(ToJson::Rows.record(one, PostSerializer))
    ensure
      ActiveRecord::Base.singleton_class.remove_method(:===)
    end

    # There were 14 queries: nothing was preloaded for Delegators.
    test "the records inside Delegators are preloaded, and the Delegators are written" do
      posts(2)
      around = Class.new(SimpleDelegator) { def title = super.upcase }
      shown = ->(records) { records.map { |post| around.new(SimpleDelegator.new(post)) } }
      text = assert_preloads(3, PostSerializer) { shown.call(Post.order(:id)) }
      assert_includes text, '"title":"POST 1"'
      assert_preloads(3, PostSerializer) { shown.call([Post.first]).first }
      assert_preloads(3, PostSerializer) { shown.call(Post.order(:id)).lazy }
    end

    test "the names of a preload: that another class has do not stop a single record" do
      posts(1)
      made = serializer do
        attributes :id
        attribute(:tags, preload: :tags) { |object| object.try(:tags)&.map(&:name) }
        attribute(:url, preload: :avatar) { |object| object.try(:avatar)&.url }
      end
      [Post, Author].each do |model|
        expected = made.json!(model.first)
        assert_equal(expected, made.json!(ToJson.preload(model.first, made)))
      end
      assert_preloads(1, made) { Post.first } # of taggings, which are none
    end

    test "records that hold some of it already are asked one by one, and nothing is read twice" do
      posts(3)
      few = Post.order(:id).to_a
      kept = few.last.author
      found = queries { ToJson.preload(few, PostSerializer) }
      assert_equal(1, found.grep(/authors.*IN \(\?, \?\)/).size, found.join("\n"))
      assert_same(kept, few.last.author)
      assert_empty(queries { ToJson.preload(few, PostSerializer) })
    end

    test "a CollectionProxy remains the same object and keeps what was built in it" do
      author = posts(2).first.author
      author.posts.build(title: "new")
      proxy = author.posts
      assert_same(proxy, ToJson.preload(proxy, PostSerializer))
      assert_predicate(proxy, :loaded?)
      assert_equal(["post 0", "new"], PostSerializer.to_h(proxy).map { |post| post["title"] })
    end

    test "CollectionProxies are loaded once, whatever the number of records" do
      [1, 4].each do |size|
        Shop.empty_tables
        posts(size).each { |post| post.update!(editor: Author.first) }
        id = Author.first.id
        mentor = Author.create!(name: "mentor")
        Author.update_all(mentor_id: mentor.id)
        made = serializer do
          has_one(:avatar) { attributes :url }
          has_many(:posts) { attributes :id }
        end
        proxy = -> { Author.find(mentor.id).pupils }
        assert_preloads(3, made, &proxy) # pupils, avatars, posts
        loaded = proxy.call.load
        assert_equal(2, queries { made.json!(ToJson.preload(loaded, made)) }.size)
        assert_empty(queries { made.json!(ToJson.preload(loaded, made)) })
        through = Post.find_by(author_id: id).commenters
        assert_equal(3, queries { made.json!(ToJson.preload(through, made)) }.size)
      end
    end

    # Declarations => how many queries they cost, for any number of posts.
    {
      "flatten(:author) { attributes :name; has_one(:avatar) { attributes :url } }" => 3,
      "flatten(:author) { flatten(:avatar) { attributes :url } }" => 3,
      "nested(:talk) { has_many(:comments) { has_one(:author) { attributes :name } } }" => 3,
      "has_many(:tags) { attributes :name }" => 3,
      "has_many(:notes) { attributes :text }" => 2,
      "flatten(:author, serializer: AuthorSerializer, except: :id); has_one :by, source: " \
      ":author, serializer: AuthorSerializer" => 3,
      "has_many(:comments) { attributes :id }; attribute(:size, preload: :comments) { |post| " \
      "post.comments.size }; has_many(:all, source: :comments) { attributes :body }" => 2,
      "has_one(:author, preload: :avatar) { has_one(:avatar) { attributes :url } }" => 3
    }.each do |declaration, count|
      test "#{declaration} costs #{count} queries, and nothing is loaded twice" do
        made = declared(declaration)
        [2, 5].each do |size|
          Shop.empty_tables
          tag = Tag.create!(name: "tag")
          posts(size).each do |post|
            post.taggings.create!(tag: tag)
            post.notes.create!(text: "note")
          end
          assert_preloads(count, made) { Post.order(:id) }
          assert_preloads(count - 1, made) { Post.order(:id).to_a }
        end
      end
    end

    test "find_each is loaded by the batch, and an error of the source comes after what it gave" do
      posts(3)
      source = Enumerator.new do |yielder|
        Post.order(:id).each { |post| yielder << post }
        raise IOError, "gone"
      end
      lines = StringIO.new
      found = queries do
        assert_raises(IOError) do
          PostSerializer.ndjson(ToJson.preload(source, PostSerializer), into: lines)
        end
      end
      assert_equal(3, lines.string.lines.size)
      assert_equal(4, found.size)
    end

    test "the error of a source is told, not one of loading what it gave before" do
      posts(1)
      source = Enumerator.new do |yielder|
        yielder << Post.first
        raise IOError, "gone"
      end
      batches = ToJson::Preloading.const_get(:PreloadedBatches)
      loaded = batches.new(source) { raise "the database too" }
      error = assert_raises(IOError) { loaded.each { flunk } }
      assert_equal(["gone", nil], [error.message, error.cause])
      loaded = batches.new([1].each) { raise "the database alone" }
      assert_raises(RuntimeError) { loaded.each { flunk } }
    end

    test "more records than a batch has are loaded batch by batch" do
      author = Author.create!(name: "one")
      Post.insert_all(Array.new(1001) { |i| { title: "post #{i}", author_id: author.id } })
      made = serializer { has_one(:author) { attributes :name } }
      assert_preloads(4, made) { Post.find_each } # two of posts, two of authors
      Post.last.delete # as many as a batch
      assert_preloads(1, made) { Post.order(:id).to_a.each }
    end

    test "records by the batch are an Enumerable with an Enumerator" do
      posts(3)
      loaded = ToJson.preload(Post.find_each, PostSerializer)
      each = loaded.each
      assert_equal(["post 0", true], [each.peek.title, each.next.association(:author).loaded?])
      assert_equal(Post.ids, loaded.map(&:id))
      assert_empty(ToJson.preload(Post.where(id: 0).find_each, PostSerializer).to_a)
    end

    test "what becomes an Array is loaded and remains the same object" do
      posts(3)
      page = Struct.new(:to_ary).new(Post.order(:id).to_a)
      assert_same(page, ToJson.preload(page, PostSerializer))
      assert_empty(queries { PostSerializer.json!(page.to_ary) })
    end

    test "what was loaded is not loaded again" do
      posts(2)
      records = ToJson.preload(Post.order(:id).to_a, PostSerializer)
      assert_empty(queries { ToJson.preload(records, PostSerializer) })
      half = Post.includes(:author, comments: :author).order(:id).load
      assert_equal(2, queries { PostSerializer.json!(ToJson.preload(half, PostSerializer)) }.size)
    end

    test "two objects of one record are both loaded" do
      id = posts(1).first.id
      assert_preloads(2,
                      serializer do
                        has_one :author, serializer: AuthorSerializer
                        has_one(:editor) { attributes :id }
                      end) do
        Array.new(2) { Post.includes(:author).find(id) }.each do |post|
          post.editor_id = post.author_id
        end
      end
    end

    test "includes, preload and eager_load of the relation keep their meaning" do
      posts(3)
      assert_preloads(4, PostSerializer) { Post.includes(:comments).order(:id) }
      assert_preloads(5, PostSerializer) { Post.preload(comments: :author).order(:id) }
      chosen = -> do
        Post.eager_load(:comments)
          .where(shop_comments: { body: ["comment 0 0", "comment 1 1"] })
          .order(:id)
      end
      document = assert_preloads(5, PostSerializer, &chosen)
      assert_equal([1, 1], JSON.parse(document).map { |post| post["comments"].size })
    end

    # -- records that hold more than the database --------------------------------------------------

    test "records that are not saved are left as they are" do
      post = posts(1).first
      fresh = -> { Post.find(post.id) }
      new = Post.new(title: "new", author: Author.new(name: "new"),
                     comments: [Comment.new(body: "new")])
      assert_equal(PostSerializer.json!(new),
                   PostSerializer.json!(ToJson.preload(new, PostSerializer)))
      with_tags = serializer do
        has_many(:comments) { attributes :body }; has_many(:commenters) { attributes :name }
      end
      build = lambda do
        fresh.call.tap do |one|
          one.comments.build(body: "not saved", author: Author.new(name: "nobody"))
        end
      end
      assert_equal(with_tags.json!(build.call),
                   with_tags.json!(ToJson.preload(build.call, with_tags)))
      assert_equal(with_tags.json!([build.call]),
                   with_tags.json!(ToJson.preload([build.call], with_tags)))
    end

    test "a through association has its order where what it goes through is read too" do
      made = serializer do
        has_many(:comments) { has_one(:author) { attributes :name } }
        has_many(:commenters) { attributes :name }
        attribute(:tags, preload: { taggings: :tag, tags: {} }) do |post|
          post.tags.map(&:name) + post.taggings.map { |one| one.tag.name }
        end
      end
      authors = Array.new(3) { |i| Author.create!(name: "a#{i}") }
      tags = Array.new(3) { |i| Tag.create!(name: "t#{i}") }
      [1, 3].each do |size|
        size.times do |i|
          post = Post.create!(title: "p#{i}")
          [2, 0, 1].each do |k|
            post.comments.create!(author: authors[k - i], body: "c").then do
              post.taggings.create!(tag: tags[k - i])
            end
          end
        end
        # posts; comments, authors by order; taggings, tags by order; authors; tags
        assert_preloads(7, made) { Post.order(:id) }
        assert_preloads(6, made) { Post.order(:id).to_a }
      end
    end

    test "a through association is not taken from a part of what it goes through" do
      posts(2)
      made = serializer { has_many(:commenters) { attributes :name } }
      part = -> { Post.eager_load(:comments).where(shop_comments: { body: "comment 0 0" }) }
      document = made.json!(part.call)
      assert_equal(2, JSON.parse(document)[0]["commenters"].size)
      assert_equal(document, made.json!(ToJson.preload(part.call, made)))
      assert_equal(document, made.json!(ToJson.preload(part.call.to_a, made)))
    end

    # -- strict loading ----------------------------------------------------------------------------

    test "strict loading is satisfied, and kept for the loaded records" do
      posts(2)
      [-> { Post.strict_loading.order(:id) },
       -> { Post.strict_loading.order(:id).to_a }].each do |objects|
        assert_raises(ActiveRecord::StrictLoadingViolationError) do
          PostSerializer.json!(objects.call)
        end
        loaded = ToJson.preload(objects.call, PostSerializer)
        assert_equal(PostSerializer.json!(Post.order(:id)), PostSerializer.json!(loaded))
        assert_predicate(loaded.to_a.first.comments.first.author, :strict_loading?)
        hidden = serializer { has_one(:author) { attribute(:url) { |author| author.avatar.url } } }
        assert_raises(ActiveRecord::StrictLoadingViolationError) do
          hidden.json!(ToJson.preload(objects.call, hidden))
        end
      end
      watched = Post.first.tap { |post| post.strict_loading!(mode: :n_plus_one_only) }
      ToJson.preload(watched,
                     serializer do
                       has_many(:comments) { attributes :id }; has_one(:author) { attributes :id }
                     end)
      assert_predicate(watched.comments.first, :strict_loading?)
      refute_predicate(watched.author, :strict_loading?)
    end

    # -- modes -------------------------------------------------------------------------------------

    test "where it is off, the objects are returned as they are" do
      before, ToJson::Preloading.mode = ToJson::Preloading.mode, -> { :off }
      relation = Post.all
      assert_same(relation, ToJson.preload(relation, PostSerializer))
    ensure
      ToJson::Preloading.mode = before
    end

    test "a serializer that declares nothing reads nothing" do
      own = serializer { def serialize(post) = put(:id, post.id) }
      relation = Post.all
      assert_same(relation, ToJson.preload(relation, own))
      assert_equal([], own.preloads(Post))
      mixed = serializer { has_one(:author) { attributes :name }; def serialize(post) = super }
      posts(2)
      assert_preloads(2, mixed) { Post.order(:id) }
    end
  end
end
