# frozen_string_literal: true

# Layer: none below it. Our serializers of scenarios 5, 6 and 14.

module OurBlog
  class Organisation < ToJson::Serializer
    attributes :id, :name
    attribute(:logo_url) { |organisation| "https://example.com/organisations/#{organisation.id}/logo.png" }
  end

  class User < ToJson::Serializer
    attributes :id, :first_name
    attribute(:full_name) { |user| "#{user.first_name} #{user.last_name}" }
  end

  class Post < ToJson::Serializer
    attributes :id, :title, :body
  end

  class PostWithUser < Post
    has_one :user, serializer: User
  end

  class UserWithPosts < User
    has_many :posts, serializer: Post
  end

  class Comment < ToJson::Serializer
    attributes :id, :body, :author
  end

  class Article < ToJson::Serializer
    attributes :id, :title, :body, :author_name
    has_many :comments, serializer: Comment
  end
end
