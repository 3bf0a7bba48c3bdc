# frozen_string_literal: true

# Layer: none below it. Panko's serializers of scenarios 5, 6 and 9, as in https://panko.dev/getting-started (`serialize_to_json`,
# `ArraySerializer#to_json`) and https://panko.dev/attributes (method attributes). A serializer serves one call.

module PankoBlog
  class Organisation < Panko::Serializer
    attributes :id, :name, :logo_url

    def logo_url = "https://example.com/organisations/#{object.id}/logo.png"
  end

  class User < Panko::Serializer
    attributes :id, :first_name, :full_name

    def full_name = "#{object.first_name} #{object.last_name}"
  end

  class Post < Panko::Serializer
    attributes :id, :title, :body
  end

  class PostWithUser < Panko::Serializer
    attributes :id, :title, :body
    has_one :user, serializer: User
  end

  class UserWithPosts < Panko::Serializer
    attributes :id, :first_name, :full_name
    has_many :posts, serializer: Post

    def full_name = "#{object.first_name} #{object.last_name}"
  end

  class Author < Panko::Serializer
    attributes :id, :name
    has_many :posts, serializer: Post
  end

  class Comment < Panko::Serializer
    attributes :id, :body, :author
  end

  class Article < Panko::Serializer
    attributes :id, :title, :body, :author_name
    has_many :comments, serializer: Comment
  end
end
