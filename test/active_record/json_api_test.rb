# frozen_string_literal: true

# JSON:API of records: nothing is loaded for linkage alone, and each association once.

require_relative "../test_helper"

if Without.library?("active_record") && Without.library?("sqlite3")
  require_relative "preload_case"

  class JsonApiRecordsTest < PreloadCase
    class AuthorSerializer < ToJson::Serializer
      attributes :name
    end

    class CommentSerializer < ToJson::Serializer
      attributes :body
      belongs_to :author, serializer: AuthorSerializer, linkage: :author_id
    end

    class PostSerializer < ToJson::Serializer
      attributes :title
      belongs_to :author, serializer: AuthorSerializer
      has_many :comments, serializer: CommentSerializer
    end

    test "a document that includes nothing makes one query" do
      posts(3)
      found = queries { PostSerializer.json_api!(Post.order(:id)) }
      assert_equal 1, found.size, found.join("\n")
      found = queries { CommentSerializer.json_api!(Comment.order(:id)) } # ids are columns
      assert_equal 1, found.size, found.join("\n")
    end

    test "what is included and preloaded makes a query for each association, and is written once" do
      posts(3)
      text = nil
      found = queries do
        records = Post.order(:id).preload(:author, comments: :author)
        text = PostSerializer.json_api!(records, include: "author,comments.author")
      end
      assert_equal 4, found.size, found.join("\n")
      assert_empty ToJson::JsonApi.validate(text)
      assert_equal 15, Tree.parse(text)["included"].size # 3 authors, 6 comments of 6 others
    end

    # The document of what ToJson.preload made of the objects, and the queries of both.
    def preloaded(objects, serializer = PostSerializer, **options)
      text = nil
      found = queries do
        loaded = ToJson.preload(objects, serializer, **options)
        text = serializer.json_api!(loaded, **options)
      end
      [text, found.size]
    end

    { { include: "author,comments.author" } => 3, { include: "comments" } => 2,
      { include: [:author, { comments: [] }] } => 3, { include: [] } => 1,
      { fields: { posts: "title" } } => 1, { include: "author", fields: { authors: "" } } => 2,
      { include: "" } => 1 }.each do |options, count|
      test "ToJson.preload with #{options} makes #{count} queries, and changes no byte" do
        posts(3)
        relation = Post.order(:id)
        expected = PostSerializer.json_api!(relation, **options)
        assert_equal [expected, count], preloaded(Post.order(:id), **options)
        assert_equal [expected, count - 1], preloaded(Post.order(:id).to_a, **options)
        lazy, queries = preloaded(Post.find_each, **options)
        assert_equal [expected, count], [lazy, queries]
        one = Post.order(:id).first
        assert_equal [PostSerializer.json_api!(Post.order(:id).first, **options), count - 1],
                     preloaded(one, **options)
      end
    end

    class FlatSerializer < ToJson::Serializer
      type :posts
      attributes :id, :title
      flatten(:author) do
        attribute :by, :name
        has_one(:avatar) { attributes :url }
      end
    end

    # The call raised UnknownFieldError, for which Rails answers 400.
    test "ToJson.preload with include knows the fields inside a flatten" do
      posts(3)
      { { include: "" } => 3, { fields: { posts: "by" } } => 2,
        # a flatten is followed, also if none of its fields is written
        { fields: { posts: "title" } } => 2 }.each do |options, count|
        expected = FlatSerializer.json_api!(Post.order(:id), **options)
        assert_equal [expected, count], preloaded(Post.order(:id), FlatSerializer, **options)
      end
    end

    class NoteSerializer < ToJson::Serializer
      attributes :text
      belongs_to :notable, serializer: { Shop::Post => PostSerializer }
    end

    # The classes of its values tell their serializers, and the model tells the classes.
    class ShelfSerializer < ToJson::Serializer
      type :posts
      belongs_to :author, serializer: { Shop::Author => AuthorSerializer }
      has_many :notes, serializer: { Shop::Note => NoteSerializer }
      view(:full) { has_many :comments, serializer: { Shop::Comment => CommentSerializer } }
    end

    test "ToJson.preload with include finds serializers by the model, and takes a view" do
      posts(3).each { |post| post.notes.create!(text: "n") }
      { { include: "author" } => 2, { include: "notes" } => 2,
        # any of the comments could be a post, of which the document then shows the author
        { include: "comments.author", view: :full } => 3 }.each do |options, count|
        relation = Post.order(:id)
        expected = ShelfSerializer.json_api!(relation, **options)
        assert_equal [expected, count], preloaded(Post.order(:id), ShelfSerializer, **options)
      end
      expected = NoteSerializer.json_api!(Note.order(:id), include: "notable")
      assert_equal [expected, 2],
                   preloaded(Note.order(:id), NoteSerializer, include: "notable")
    end

    # The posts of an author are resources of the same type, but do not have the view of the call.
    class WrittenSerializer < ToJson::Serializer
      type :posts
      view(:full) { attributes :title }
      belongs_to :author, serializer: (Class.new(ToJson::Serializer) do
        type :authors
        has_many :posts, serializer: "JsonApiRecordsTest::WrittenSerializer"
      end)
      has_many :comments, serializer: CommentSerializer
    end

    # NPlusOneError, Post#comments: the author's posts were preloaded without comments.
    test "ToJson.preload with include and view follows a path that leads back to primary data" do
      posts(3)
      options = { include: "author.posts,comments" }
      [options, { view: :full, **options }].each do |given|
        expected = WrittenSerializer.json_api!(Post.order(:id), **given)
        assert_equal [expected, 4], preloaded(Post.order(:id), WrittenSerializer, **given)
      end
    end

    # JSON:API ignores these options, so what they leave out is read.
    test "ToJson.preload with include ignores only:, except: and context: of associations" do
      inner = Class.new(ToJson::Serializer) do
        type :posts
        attributes :title
        has_many :comments, serializer: CommentSerializer, if: -> { !context[:off] }
      end
      posts(3)
      [{ except: :comments }, { only: :title }, { context: { off: true } }].each do |option|
        outer = Class.new(ToJson::Serializer) do
          type :authors
          attributes :name
          has_many :posts, serializer: inner, **option
        end
        expected = outer.json_api!(Shop::Author.order(:id), include: "posts.comments")
        assert_includes expected, "comments"
        assert_equal [expected, 3], preloaded(Shop::Author.order(:id), outer,
                                              include: "posts.comments")
      end
    end

    test "ToJson.preload with include refuses what json_api! refuses, before a query" do
      found = queries do
        error = assert_raises(ToJson::JsonApi::ParameterError) do
          ToJson.preload(Post.all, PostSerializer, include: "autor")
        end
        assert_equal "include", error.parameter
        assert_raises(ToJson::JsonApi::ParameterError) do
          ToJson.preload(Post.all, PostSerializer, fields: { posts: "nothing" })
        end
        error = assert_raises(ArgumentError) do
          ToJson.preload(Post.all, PostSerializer, include: "author", only: :id)
        end
        assert_match(/only: and except: are those of json!/, error.message)
        assert_raises(ToJson::DefinitionError) do
          ToJson.preload(Post.all, Class.new(ToJson::Serializer), include: "author")
        end
        assert_raises(ArgumentError) { ToJson.preload(Post.all, Post, include: "author") }
      end
      assert_empty found
    end

    test "ToJson.preload with include leaves alone what is no record" do
      rows = [{ id: 1, title: "a", author: { id: 2, name: "b" } }, nil]
      assert_same rows, ToJson.preload(rows, PostSerializer, include: "author")
      assert_nil ToJson.preload(nil, PostSerializer, include: "author")
    end

    class AloneSerializer < ToJson::Serializer
      type :posts
      belongs_to :author, serializer: AuthorSerializer, preload: false
    end

    test "the N+1 guard names the relationship, and leaves alone what is not to be preloaded" do
      posts(3)
      ToJson.n_plus_one = :raise
      error = assert_raises(ToJson::NPlusOneError) do
        PostSerializer.json_api!(Post.order(:id), include: "author")
      end
      assert_equal "$.data[1].relationships.author.data: Shop::Post#author is loaded record by " \
                   "record. #{PostSerializer} declares it, but the records were not preloaded. " \
                   "Pass them through ToJson.preload(records, #{PostSerializer}, include: …).",
                   error.message
      loaded = ToJson.preload(Post.order(:id), PostSerializer, include: "author,comments")
      PostSerializer.json_api!(loaded, include: "author,comments")
      AloneSerializer.json_api!(Post.order(:id), include: "author")
    ensure
      ToJson.n_plus_one = :off
      ToJson::Writer.watch(false) # other tests count Writers that are collected
    end

    Tree = ToJson::Tree
    private_constant :Tree
  end
end
