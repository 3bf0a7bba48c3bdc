# frozen_string_literal: true

# Layer: none below it. Alba's resources of scenarios 5, 6 and 9. The backend is the faster one here of those that its README
# lists (https://github.com/okuramasafumi/alba#backend-configuration); computed attributes are resource methods, which are
# a little faster than blocks.

Alba.backend = :oj_strict

module AlbaBlog
  class Organisation
    include Alba::Resource

    attributes :id, :name, :logo_url

    def logo_url(organisation) = "https://example.com/organisations/#{organisation.id}/logo.png"
  end

  class User
    include Alba::Resource

    attributes :id, :first_name, :full_name

    def full_name(user) = "#{user.first_name} #{user.last_name}"
  end

  class Post
    include Alba::Resource

    attributes :id, :title, :body
  end

  class PostWithUser < Post
    one :user, resource: User
  end

  class UserWithPosts < User
    many :posts, resource: Post
  end

  class Author
    include Alba::Resource

    attributes :id, :name
    many :posts, resource: Post
  end

  class Comment
    include Alba::Resource

    attributes :id, :body, :author
  end

  class Article
    include Alba::Resource

    attributes :id, :title, :body, :author_name
    many :comments, resource: Comment
  end
end
