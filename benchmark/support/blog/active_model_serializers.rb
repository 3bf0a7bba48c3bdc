# frozen_string_literal: true

# Layer: blog. AMS 0.10's serializers of scenarios 5, 6 and 9. Its README ("ActiveModel::Serializer", "SerializableResource") has
# `serialization.as_json`; the serializer's own `as_json` with JSON.generate leaves out the adapter and ActiveSupport's encoder.
# Plain objects get the one method that its ActiveModel::Serializer::Lint asks of a resource.

[Bench::Blog::Organisation, Bench::Blog::User, Bench::Blog::Post, Bench::Blog::Article, Bench::Blog::Comment].each do |model|
  model.alias_method(:read_attribute_for_serialization, :public_send)
end

module AmsBlog
  class Organisation < ActiveModel::Serializer
    attributes :id, :name, :logo_url

    def logo_url = "https://example.com/organisations/#{object.id}/logo.png"
  end

  class User < ActiveModel::Serializer
    attributes :id, :first_name, :full_name

    def full_name = "#{object.first_name} #{object.last_name}"
  end

  class Post < ActiveModel::Serializer
    attributes :id, :title, :body
  end

  class PostWithUser < Post
    has_one :user, serializer: User
  end

  class UserWithPosts < User
    has_many :posts, serializer: Post
  end

  class Author < ActiveModel::Serializer
    attributes :id, :name
    has_many :posts, serializer: Post
  end

  class Comment < ActiveModel::Serializer
    attributes :id, :body, :author
  end

  class Article < ActiveModel::Serializer
    attributes :id, :title, :body, :author_name
    has_many :comments, serializer: Comment
  end
end
