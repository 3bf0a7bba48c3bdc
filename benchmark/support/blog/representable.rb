# frozen_string_literal: true

# Layer: none below it. representable's decorators of scenarios 5 and 6 (https://github.com/trailblazer/representable#readme;
# getters: https://trailblazer.to/2.1/docs/representable.html). Its README has `to_json`, which is MultiJson.dump(to_hash);
# JSON.generate(to_hash) is faster.

module RepresentableBlog
  class Organisation < Representable::Decorator
    include Representable::JSON

    property :id
    property :name
    property :logo_url, getter: ->(represented:, **) { "https://example.com/organisations/#{represented.id}/logo.png" }
  end

  class User < Representable::Decorator
    include Representable::JSON

    property :id
    property :first_name
    property :full_name, getter: ->(represented:, **) { "#{represented.first_name} #{represented.last_name}" }
  end

  class Post < Representable::Decorator
    include Representable::JSON

    property :id
    property :title
    property :body
  end

  class PostWithUser < Post
    property :user, decorator: User
  end

  class UserWithPosts < User
    collection :posts, decorator: Post
  end

  class Comment < Representable::Decorator
    include Representable::JSON

    property :id
    property :body
    property :author
  end

  class Article < Representable::Decorator
    include Representable::JSON

    property :id
    property :title
    property :body
    property :author_name
    collection :comments, decorator: Comment
  end
end
