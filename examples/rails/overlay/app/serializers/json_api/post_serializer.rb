# frozen_string_literal: true

# A post as a resource of JSON:API. Its fields are those of the plain document, but the URL is a
# link. Author and comments are relationships, which are read if a client includes them.
module JsonApi
  class PostSerializer < ::PostSerializer
    remove :url
    link(:self) { |post| json_api_post_url(post) }
  end
end
