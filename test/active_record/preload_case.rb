# frozen_string_literal: true

# What the tests of preloading share: models, and how many queries a block makes.

require_relative "../test_helper"
require "to_json/active_record"
require_relative "models"

class PreloadCase < ToJsonTest
  include Shop # the models by their own names

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

  # Declares nothing.
  class Own < ToJson::Serializer
    def serialize(author) = put(:url, author.avatar.url)
  end

  # Whose author has an avatar only for administrators.
  class Conditional < ToJson::Serializer
    has_one(:avatar, if: -> { context[:admin] }) { attributes :url }
  end

  def setup
    super
    Shop.create_tables
    Shop.empty_tables
  end

  # A serializer class with these declarations, which finds Shop's other serializers.
  def serializer(superclass = ToJson::Serializer, &)
    Class.new(superclass, &)
  end

  # The same by text, which may name the classes above.
  def declared(text) = serializer { class_eval(text) }

  # @return [Array<String>] the SQL that the block runs
  def queries(&)
    found = []
    note = lambda do |*, payload|
      unless %w[SCHEMA TRANSACTION].include?(payload[:name]) || payload[:cached]
        found << payload[:sql]
      end
    end
    ActiveSupport::Notifications.subscribed(note, "sql.active_record", &)
    found
  end

  # Asserts that the document is the same with and without preloading, and how many queries it then
  # makes. The block returns the objects anew.
  def assert_preloads(count, serializer, context: {}, **options)
    options = { rows: false, **options } # the models are what is loaded
    plain = serializer.json!(yield, context: context, **options)
    objects = yield
    found = queries do
      loaded = ToJson.preload(objects, serializer, context: context, **options.except(:rows))
      assert_equal(plain, serializer.json!(loaded, context: context, **options))
    end
    assert_equal(count, found.size, found.join("\n"))
    plain
  end

  # Writers and readers: each post has an author with an avatar, and comments of others.
  def posts(count, comments: 2)
    Array.new(count) do |i|
      author = Author.create!(name: "author #{i}", avatar: Avatar.create!(url: "a#{i}"))
      post = Post.create!(title: "post #{i}", author: author)
      comments.times do |k|
        by = Author.create!(name: "reader #{i} #{k}", avatar: Avatar.create!(url: "r#{i} #{k}"))
        post.comments.create!(body: "comment #{i} #{k}", author: by)
      end
      post
    end
  end
end
