# frozen_string_literal: true

# Layer: none below it. Our serializers of scenarios 5, 6, 9 and 14. What is computed is a method: a block costs 20 to 50 ns more (DESIGN.md §9).

module OurBlog
  class Organisation < ToJson::Serializer
    attributes :id, :name, :logo_url

    def logo_url(organisation) = "https://example.com/organisations/#{organisation.id}/logo.png"
  end

  class User < ToJson::Serializer
    attributes :id, :first_name, :full_name

    def full_name(user) = "#{user.first_name} #{user.last_name}"
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

  class Author < ToJson::Serializer
    attributes :id, :name
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
