# frozen_string_literal: true

# assert_loads_nothing: which queries it finds, and where.

require_relative "../test_helper"

if Without.library?("active_record") && Without.library?("sqlite3")
  require_relative "preload_case"
  require "to_json/testing"

  class LoadsNothingTest < PreloadCase
    include ToJson::Testing

    class CommentSerializer < ToJson::Serializer
      attributes :id
      has_one(:author) { attributes :name }
    end

    class DeclaredSerializer < ToJson::Serializer
      attributes :title
      has_one(:author) { attributes :name }
      has_many :comments, serializer: CommentSerializer
    end

    # What no declaration tells.
    class HiddenSerializer < ToJson::Serializer
      attributes :title
      has_many(:comments) { attribute(:writer) { |comment| comment.author.name } }
      view(:named) do
        has_many(:comments) do
          attribute(:writer, preload: :author) { |comment| comment.author.name }
        end
      end
      view(:short) { remove :comments }
    end

    def setup
      super
      author = Author.create!(name: "Ann")
      2.times do |index|
        post = Post.create!(title: "post #{index}", author: author)
        2.times { Comment.create!(post: post, author: Author.create!(name: "Bob")) }
      end
    end

    # The text of a failure.
    def failure(&)
      assert_raises(Minitest::Assertion, &).message
    end

    FORMS = {
      "a relation" => -> { Post.order(:id) },
      "a loaded relation" => -> { Post.order(:id).load },
      "an Array" => -> { Post.order(:id).to_a },
      "find_each" => -> { Post.find_each },
      "a relation with joins" => -> { Post.eager_load(:author).order(:id) }
    }.freeze

    FORMS.each do |name, posts|
      test "a document of #{name} whose associations are declared loads nothing" do
        assert_equal true, assert_loads_nothing(DeclaredSerializer, posts.call)
        assert_loads_nothing(DeclaredSerializer.new(posts.call))
      end

      test "a document of #{name} that reads an association in a block fails with the path" do
        message = failure { assert_loads_nothing(HiddenSerializer, posts.call) }
        assert message.start_with?("$[0].comments[0].writer: the document loads while"), message
        assert_match(/: SELECT .*shop_authors/, message)
        assert_includes message, "preload:"
      end
    end

    test "one record has the path of one" do
      assert_loads_nothing(DeclaredSerializer, Post.first)
      assert_match(/\A\$\.comments\[0\]\.writer: /,
                   failure { assert_loads_nothing(HiddenSerializer, Post.first) })
    end

    test "keywords are those of the document, of the call and of the serializer" do
      assert_loads_nothing(HiddenSerializer, Post.all, view: :named)
      assert_loads_nothing(HiddenSerializer.new(Post.all, view: :named))
      assert_loads_nothing(HiddenSerializer, Post.all, except: :comments)
      assert_loads_nothing(HiddenSerializer.new(Post.all), view: :short)
    end

    test "without preload: what is declared must be loaded by the test" do
      error = assert_raises(Minitest::Assertion) do
        assert_loads_nothing(DeclaredSerializer, Post.order(:id), preload: false)
      end
      assert_match(/\A\$\[0\]\.author: /, error.message)
      assert_loads_nothing(DeclaredSerializer, Post.preload(:author, comments: :author),
                           preload: false)
    end

    test "no rescue of a serializer hides a query" do
      hiding = Class.new(ToJson::Serializer) do
        attribute(:author) do |post|
          post.author&.name
        rescue StandardError
          "nobody"
        end
      end
      error = assert_raises(Minitest::Assertion) { assert_loads_nothing(hiding, Post.first) }
      assert_match(/\A\$\.author: /, error.message)
    end

    test "the matcher load_nothing says the same" do
      posts(2)
      matchers = Object.new.extend(ToJson::Testing::Matchers)
      assert matchers.load_nothing.matches?(DeclaredSerializer.new(Post.order(:id)))
      hidden = matchers.load_nothing
      refute hidden.matches?(HiddenSerializer.new(Post.order(:id)))
      assert_match(/\A\$\[0\]\.comments\[0\]\.writer: /, hidden.failure_message)
      refute matchers.load_nothing(preload: false)
        .matches?(DeclaredSerializer.new(Post.order(:id).to_a))
    end

    test "queries of other threads are not the document's" do
      other = Class.new(ToJson::Serializer) do
        attribute(:count) do |_|
          pool = Post.connection_pool
          Thread.new { pool.with_connection { |it| it.select_value("SELECT 7") } }.value
        end
      end
      assert_loads_nothing(other, { id: 1 })
    end

    test "exceptions of the serializer, and what is no serializer, raise as ever" do
      failing = Class.new(ToJson::Serializer) { attribute(:it) { |_| raise KeyError, "mine" } }
      assert_raises(KeyError) { assert_loads_nothing(failing, Post.first) }
      assert_raises(ArgumentError) { assert_loads_nothing("{}") }
      assert_raises(ToJson::UnknownViewError) do
        assert_loads_nothing(HiddenSerializer, Post.first, view: :ful)
      end
    end
  end
end
