# frozen_string_literal: true

# ToJson.preload: which associations it loads, of what, and that the document stays the same.

require_relative "../test_helper"

if Without.library?("active_record") && Without.library?("sqlite3")
  require_relative "preload_case"

  class PreloadTest < PreloadCase
    class AvatarSerializer < ToJson::Serializer
      attributes :url
    end

    class AuthorSerializer < ToJson::Serializer
      attributes :id, :name
      has_one :avatar, serializer: AvatarSerializer
      view(:short) { remove :avatar }
    end

    class CommentSerializer < ToJson::Serializer
      attributes :id, :body
      has_one :author, serializer: AuthorSerializer
    end

    class PostSerializer < ToJson::Serializer
      attributes :id, :title
      belongs_to :author, serializer: AuthorSerializer
      has_many :comments, serializer: CommentSerializer
    end

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
        made = serializer { class_eval(declaration) }
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

    # -- what declarations say ---------------------------------------------------------------------

    test "the serializer of an association is looked up by its class" do
      by_class = serializer { has_many :comments }
      assert_equal([:comments], by_class.preloads(Post))
      Shop.const_set(:CommentSerializer, CommentSerializer)
      posts(2)
      assert_equal([{ comments: [{ author: [:avatar] }] }], by_class.preloads(Post))
      assert_preloads(4, by_class) { Post.order(:id) }
    ensure
      Shop.send(:remove_const, :CommentSerializer)
    end

    # Declarations => what is preloaded of a post.
    {
      "attributes :id, :author" => [],
      "has_one(:author) { attributes :name }" => [:author],
      "has_one(:by, source: :author) { attributes :name }" => [:author],
      "has_one(:author, name: :by) { attributes :name }" => [:author],
      "has_one(:author) { has_one(:avatar) { attributes :url } }" => [{ author: [:avatar] }],
      "nested(:people) { has_one(:author) { attributes :name } }" => [:author],
      "has_one(:author) { nested(:picture) { has_one(:avatar) { attributes :url } } }" =>
        [{ author: [:avatar] }],
      "flatten(:author) { attributes :name; has_one(:avatar) { attributes :url } }" =>
        [{ author: [:avatar] }],
      "association(:comments) { attributes :id }" => [:comments],
      "has_many(:tags) { attributes :name }" => [:tags],
      "has_many(:commenters) { attributes :name }" => [:commenters],
      "has_one(:first_comment) { attributes :body }" => [:first_comment],
      "has_one(:author, serializer: AuthorSerializer, view: :short)" => [:author],
      "has_one(:author, serializer: AuthorSerializer, only: :id)" => [:author],
      "has_one(:author, serializer: AuthorSerializer, except: :avatar)" => [:author],
      "has_one(:author, serializer: 'PreloadTest::AuthorSerializer')" => [{ author: [:avatar] }],
      "has_one(:author, serializer: { Shop::Author => AuthorSerializer })" =>
        [{ author: [:avatar] }],
      "has_one(:author, serializer: ->(_) { AuthorSerializer })" => [:author],
      "has_one(:author, serializer: AuthorSerializer) { |post| post.author }" => [],
      "has_one(:author, serializer: AuthorSerializer); def author(post) = post.author" => [],
      "has_one(:author, name: :by) { attributes :name }; flatten(:author, serializer: " \
      "AuthorSerializer)" => [{ author: [:avatar] }],
      "has_one(:author) { attributes :name }; has_one(:editor) { attributes :name }" =>
        %i[author editor],
      "has_many(:title) { attributes :id }" => [],
      # limits and scopes of their own
      "has_many(:newest) { attributes :id }" => [],
      "has_many(:bodies) { attributes :id }" => [],
      "has_many(:own) { attributes :id }" => [],
      "has_many(:named, source: :commenter_names) { attributes :name }" => [],
      "has_one(:gone) { attributes :id }" => [],
      "has_one(:author, serializer: Own)" => [:author],
      # preload:
      "attribute(:size, preload: :comments) { |post| post.comments.to_a.size }" => [:comments],
      "attribute(:a, preload: [:tags, { author: :avatar }]) { |post| post.title }" =>
        [:tags, { author: [:avatar] }],
      "has_one(:author, preload: false) { attributes :name }" => [],
      "has_one(:author, preload: :avatar) { attribute(:url) { |author| author.avatar.url } }" =>
        [{ author: [:avatar] }],
      "has_many(:comments, preload: { author: :avatar }) { attributes :id }" =>
        [{ comments: [{ author: [:avatar] }] }],
      "has_many(:some, serializer: CommentSerializer, preload: { comments: { author: :avatar } " \
      "}) { |post| post.comments.to_a }" =>
        [{ comments: [{ author: [:avatar] }] }],
      "has_one(:author, serializer: AuthorSerializer, preload: :author); def author(post) = " \
      "post.author" => [:author],
      # conditions
      "has_one(:author, if: -> { context[:admin] }) { attributes :name }" => [],
      "has_one(:author, if: ->(post) { context[:admin] }) { attributes :name }" => [],
      "has_one(:author, unless: -> { context[:admin] }) { attributes :name }" => [:author],
      "has_one(:author, if: ->(post) { post.title && false }) { attributes :name }" => [:author],
      "has_one(:author, if: ->(post) { !post }) { attributes :name }" => [:author],
      "has_one(:author, if: -> { object.title && false }) { attributes :name }" => [:author],
      "has_one(:author, if: :never) { attributes :name }; def never = false" => [],
      "has_one(:author, if: :never) { attributes :name }; private def never(post) = false" => [],
      "has_one(:author, if: :title) { attributes :name }" => [:author],
      "has_one(:author, if: [:title, -> { false }]) { attributes :name }" => [],
      "has_one(:author, if: -> { context.fetch(:none) }) { attributes :name }" => [:author],
      "has_one(:author, serializer: Conditional, context: { admin: true })" =>
        [{ author: [:avatar] }],
      "has_one(:author, serializer: Conditional)" => [:author],
      "has_one(:author, serializer: Conditional, context: ->(post) { { admin: post.title } })" =>
        [{ author: [:avatar] }]
    }.each do |declaration, expected|
      test "of a post by #{declaration.inspect} #{expected.inspect} are preloaded" do
        made = serializer { class_eval(declaration) }
        assert_equal(expected, made.preloads(Post))
      end
    end

    # Declares nothing.
    class Own < ToJson::Serializer
      def serialize(author) = put(:url, author.avatar.url)
    end

    # Whose author has an avatar only for administrators.
    class Conditional < ToJson::Serializer
      has_one(:avatar, if: -> { context[:admin] }) { attributes :url }
    end

    test "view, only, except and context say what is preloaded" do
      made = serializer do
        has_one :author, serializer: AuthorSerializer
        has_many(:tags, if: -> { context[:admin] }) { attributes :name }
        view(:talk) { has_many :comments, serializer: CommentSerializer }
        view(:bare) { remove :author }
      end
      assert_equal([{ author: [:avatar] }], made.preloads(Post))
      assert_equal([:tags, { author: [:avatar] }], made.preloads(Post, context: { admin: true }))
      assert_equal([{ author: [:avatar], comments: [{ author: [:avatar] }] }],
                   made.preloads(Post, view: :talk))
      assert_equal([], made.preloads(Post, view: :bare))
      assert_equal([:author], made.preloads(Post, only: "author(id)"))
      assert_equal([{ comments: [:author] }],
                   made.preloads(Post, view: :talk, except: "author,comments(author(avatar))"))
      posts(2)
      assert_preloads(4, made, view: :talk, except: "author,comments(id)") { Post.order(:id) }
      assert_preloads(2, made, only: "author(id)") { Post.order(:id) }
    end

    test "without what it names, a field is read record by record" do
      posts(3)
      left = serializer { has_many(:comments, preload: false) { attributes :id } }
      assert_preloads(4, left) { Post.order(:id) }
      newest = serializer { has_many(:newest) { attributes :id } }
      assert_preloads(4, newest) { Post.order(:id) }
      hidden = serializer do
        attribute(:names, preload: { comments: :author }) do |post|
          post.comments.map { |one| one.author.name }
        end
      end
      assert_preloads(3, hidden) { Post.order(:id) }
      method = serializer do
        has_one :author, serializer: AuthorSerializer,
                preload: { author: :avatar }; def author(post) = post.author
      end
      assert_preloads(3, method) { Post.order(:id) }
    end

    test "misspelt names are refused, and what is no serializer" do
      misspelt = serializer { has_many(:comments, preload: :autor) { attributes :id } }
      misspelt.define_singleton_method(:to_s) { "PostSerializer" }
      error = assert_raises(ToJson::DefinitionError) { ToJson.preload(Post.all, misspelt) }
      assert_equal("PostSerializer: has_many :comments: preload: Shop::Comment: unknown " \
                   "association :autor, " \
                   "did you mean :author? Known: post, author.", error.message)
      limited = serializer { attribute(:newest, preload: :newest) { |post| post.newest.map(&:id) } }
      limited.define_singleton_method(:to_s) { "PostSerializer" }
      error = assert_raises(ToJson::DefinitionError) { limited.preloads(Post) }
      assert_match("PostSerializer: attribute :newest: preload: Shop::Post#newest cannot be " \
                   "preloaded, because its scope has a limit",
                   error.message)
      error = assert_raises(ArgumentError) { ToJson.preload(Post.all, Post) }
      assert_match(/preload takes a subclass of ToJson::Serializer; got Shop::Post/, error.message)
      assert_raises(ToJson::UnknownFieldError) do
        ToJson.preload(Post.all, PostSerializer, only: :nothing)
      end
      assert_raises(ToJson::UnknownViewError) do
        ToJson.preload(Post.all, PostSerializer, view: :nothing)
      end
    end

    # -- what records tell -------------------------------------------------------------------------

    test "polymorphic associations are loaded by the class of each record" do
      notes = serializer do
        attributes :text
        has_one :notable, serializer: { Post => PostSerializer, Author => AuthorSerializer }
      end
      [1, 3].each do |size|
        Shop.empty_tables
        posts(size).each do |post|
          Note.create!(text: "p", notable: post)
          Note.create!(text: "a", notable: post.author)
          Note.create!(text: "none")
        end
        # notes; posts, authors; authors, comments, avatars; authors, avatars; avatars
        assert_preloads(9, notes) { Note.order(:id) }
      end
    end

    test "what preload: names is loaded for the records whose class has it" do
      owner = Author.create!(name: "owner", avatar: Avatar.create!(url: "a"))
      made = serializer do
        attribute(:toys, preload: :toys) { |one| one.is_a?(Dog) ? one.toys.map(&:name) : [] }
      end
      notes = serializer do
        has_one(:notable, serializer: { Post => Bare, Author => Urls, Dog => made },
                          preload: :avatar)
      end
      2.times do |i|
        Dog.create!(name: "d#{i}", owner: owner).toys.create!(name: "t#{i}")
        Cat.create!(name: "c#{i}", owner: owner)
        by = Author.create!(name: "a#{i}", avatar: Avatar.create!(url: "u#{i}"))
        Note.create!(text: "n", notable: by)
      end
      document = assert_preloads(2, made) { Animal.order(:id) }
      assert_equal([["t0"], [], ["t1"], []], JSON.parse(document).map { |one| one["toys"] })
      assert_preloads(3, notes) { Note.order(:id) }
    end

    class Urls < ToJson::Serializer
      attribute(:url) { |author| author.avatar.url }
    end

    test "where a context depends on the object, a lambda inside is left to the document" do
      inner = serializer do
        has_one :avatar, serializer: ->(_) { context[:title] ? AvatarSerializer : Bare },
                         context: ->(_) { context }
      end
      made = serializer do
        has_one :author, serializer: inner, context: ->(post) { { title: post.title } }
      end
      posts(3)
      document = assert_preloads(3, made) { Post.order(:id) }
      assert_equal(%w[a0 a1 a2],
                   JSON.parse(document).map { |one| one["author"]["avatar"]["url"] })
    end

    test "a lambda chooses the serializer of each record" do
      chosen = serializer do
        has_many :comments, serializer: ->(comment) do
          comment.body.end_with?("0") ? CommentSerializer : Bare
        end
      end
      posts(3)
      document = assert_preloads(4, chosen) { Post.order(:id) }
      assert_equal([%w[id body author], %w[body]], JSON.parse(document)[0]["comments"].map(&:keys))
    end

    class Bare < ToJson::Serializer
      attributes :body
    end

    test "of single table inheritance each class has its own associations" do
      animals = serializer do
        attributes :name
        has_many(:toys, if: ->(animal) { animal.is_a?(Dog) }) { attributes :name }
        has_one(:owner) { attributes :name }
      end
      [1, 3].each do |size|
        Shop.empty_tables
        size.times do |i|
          Dog.create!(name: "d#{i}",
                      owner: Author.create!(name: "o#{i}")).toys.create!(name: "t#{i}")
          Cat.create!(name: "c#{i}", owner: Author.create!(name: "k#{i}"))
        end
        assert_preloads(4, animals) { Animal.order(:id) } # owners of dogs, of cats, toys
      end
    end

    # -- recursion ---------------------------------------------------------------------------------

    class CategorySerializer < ToJson::Serializer
      attributes :name
      has_many :children, serializer: "PreloadTest::CategorySerializer"
    end

    test "a tree is loaded level by level, as deep as it is" do
      above = nil
      6.times do |i|
        above = Category.create!(name: "c#{i}", parent: above).tap do |one|
          Category.create!(name: "b#{i}", parent: one)
        end
      end
      assert_equal([:children], CategorySerializer.preloads(Category))
      assert_preloads(8, CategorySerializer) { Category.where(parent_id: nil) }
      assert_preloads(8, CategorySerializer) { Category.all }
    end

    class BranchSerializer < ToJson::Serializer
      attributes :name
      has_many :children, serializer: "PreloadTest::BranchSerializer"
      view(:flat) { remove :children }
      view(:two) { remove :children; has_many :children, serializer: BranchSerializer, view: :flat }
    end

    test "a recursion is loaded as far as only, except or a view lets it go" do
      above = nil
      6.times { |i| above = Category.create!(name: "c#{i}", parent: above) }
      roots = -> { Category.where(parent_id: nil) }
      assert_preloads(7, BranchSerializer, &roots)
      assert_preloads(2, BranchSerializer, only: "name,children(name)", &roots)
      assert_preloads(3, BranchSerializer, only: "name,children(children(name))", &roots)
      assert_preloads(3, BranchSerializer, except: "children(children(children))", &roots)
      assert_preloads(2, BranchSerializer, view: :two, &roots)
      assert_preloads(1, BranchSerializer, view: :flat, &roots)
    end

    test "beyond 32 levels the document is the same" do
      above = nil
      40.times { |i| above = Category.create!(name: "c#{i}", parent: above) }
      assert_preloads(41, BranchSerializer) { Category.where(parent_id: nil) }
    end

    test "records that contain themselves end" do
      round = serializer { attributes :name }
      round.has_many(:pupils, serializer: round, if: ->(_author) { context[:deep] })
      one = Author.create!(name: "one")
      two = Author.create!(name: "two", mentor: one)
      one.update!(mentor: two)
      found = queries { ToJson.preload(Author.order(:id), round, context: { deep: true }) }
      assert_operator(found.size, :<, 6)
      assert_preloads(1, round) { Author.order(:id) }
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
