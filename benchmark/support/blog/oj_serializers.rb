# frozen_string_literal: true

# Layer: none below it. oj_serializers' serializers of scenarios 5, 6 and 9
# (https://github.com/ElMassimo/oj_serializers#readme). `one` and `many` make Hashes, which its encoder gives to Oj.dump; the other
# documented way writes into an Oj::StringWriter (`one_as_json`). Both are measured.

module OjBlog
  class Organisation < Oj::Serializer
    attributes :id, :name

    attribute def logo_url = "https://example.com/organisations/#{@object.id}/logo.png"
  end

  class User < Oj::Serializer
    attributes :id, :first_name

    attribute def full_name = "#{@object.first_name} #{@object.last_name}"
  end

  class Post < Oj::Serializer
    attributes :id, :title, :body
  end

  class PostWithUser < Post
    has_one :user, serializer: User
  end

  class UserWithPosts < User
    has_many :posts, serializer: Post
  end

  class Author < Oj::Serializer
    attributes :id, :name
    has_many :posts, serializer: Post
  end

  class Comment < Oj::Serializer
    attributes :id, :body, :author
  end

  class Article < Oj::Serializer
    attributes :id, :title, :body, :author_name
    has_many :comments, serializer: Comment
  end
end
