# frozen_string_literal: true

# Layer: none below it. Transmutation's serializers of scenarios 5 and 6, as its API documentation shows them
# (lib/transmutation.rb, lib/transmutation/serializer.rb): `Serializer.new(object).to_json`. Collections: `as_json` of each.

module TransmutationBlog
  class OrganisationSerializer < Transmutation::Serializer
    attributes :id, :name
    attribute(:logo_url) { "https://example.com/organisations/#{object.id}/logo.png" }
  end

  class UserSerializer < Transmutation::Serializer
    attributes :id, :first_name
    attribute(:full_name) { "#{object.first_name} #{object.last_name}" }
  end

  class PostSerializer < Transmutation::Serializer
    attributes :id, :title, :body
  end

  class PostWithUserSerializer < PostSerializer
    association :user, serializer: "User"
  end

  class UserWithPostsSerializer < UserSerializer
    association :posts, serializer: "Post"
  end

  class CommentSerializer < Transmutation::Serializer
    attributes :id, :body, :author
  end

  class ArticleSerializer < Transmutation::Serializer
    attributes :id, :title, :body, :author_name
    association :comments, serializer: "Comment"
  end
end
