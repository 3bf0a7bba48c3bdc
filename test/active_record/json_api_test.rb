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

    Tree = ToJson::Tree
    private_constant :Tree
  end
end
