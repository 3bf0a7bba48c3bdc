# frozen_string_literal: true

# ToJson.preload: what declarations, and the records themselves, say about which associations are
# loaded.

require_relative "../test_helper"

if Without.library?("active_record") && Without.library?("sqlite3")
  require_relative "preload_case"

  class PreloadDeclarationsTest < PreloadCase
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
      "has_one(:author, serializer: 'PreloadCase::AuthorSerializer')" => [{ author: [:avatar] }],
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
        made = declared(declaration)
        assert_equal(expected, made.preloads(Post))
      end
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

    # As Timeout.timeout(1, Cut) does if it ends in a condition.
    test "an exception that another thread raises into a condition is raised" do
      cut = Class.new(StandardError)
      calls = 0
      asked = -> { (calls += 1) == 1 ? raise(cut) : true }
      interrupted = serializer { has_one(:author, if: asked) { attributes :name } }
      assert_raises(cut) { ToJson.preload(Post.all, interrupted) }
      failing = serializer { has_one(:author, if: -> { raise cut }) { attributes :name } }
      assert_preloads(1, failing) { Post.order(:id).limit(0) }
    end

    # A condition that raises is called again, to learn whether the exception is its own. Each list
    # has the exceptions of the first, the second and all later calls.
    test "an exception of another thread is raised, in the first or second call of a condition" do
      cut = Class.new(StandardError)
      [[KeyError, cut, KeyError], [cut, KeyError, KeyError]].each do |exceptions|
        condition = -> { raise exceptions.size > 1 ? exceptions.shift : exceptions.first }
        interrupted = serializer { has_one(:author, if: condition) { attributes :name } }
        assert_raises(cut) { ToJson.preload(Post.all, interrupted) }
      end
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
      has_many :children, serializer: "PreloadDeclarationsTest::CategorySerializer"
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
      has_many :children, serializer: "PreloadDeclarationsTest::BranchSerializer"
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
  end
end
