# frozen_string_literal: true

# Layer: none below it. jsonapi-serializer's serializers of scenarios 5, 6 and 9. Its README has `serializable_hash.to_json`;
# JSON.generate of that Hash is the same without ActiveSupport's encoder. It writes JSON:API: see Bench::JsonApi.

module JsonApiBlog
  class Organisation
    include JSONAPI::Serializer

    set_type :organisation
    attributes :name
    attribute(:logo_url) { |organisation| "https://example.com/organisations/#{organisation.id}/logo.png" }
  end

  class User
    include JSONAPI::Serializer

    set_type :user
    attributes :first_name
    attribute(:full_name) { |user| "#{user.first_name} #{user.last_name}" }
  end

  class Post
    include JSONAPI::Serializer

    set_type :post
    attributes :title, :body
  end

  class PostWithUser < Post
    set_type :post
    has_one(:user, serializer: User, &:user)
  end

  class UserWithPosts < User
    set_type :user
    has_many(:posts, serializer: Post, &:posts)
  end

  class Author
    include JSONAPI::Serializer

    set_type :author
    attributes :name
    has_many(:posts, serializer: Post, &:posts)
  end

  class Comment
    include JSONAPI::Serializer

    set_type :comment
    attributes :body, :author
  end

  class Article
    include JSONAPI::Serializer

    set_type :article
    attributes :title, :body, :author_name
    has_many(:comments, serializer: Comment, &:comments)
  end
end
