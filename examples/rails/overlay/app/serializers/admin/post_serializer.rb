# frozen_string_literal: true

# What an admin sees of a post. Controllers of this namespace find it, and its author is written by
# Admin::AuthorSerializer.
module Admin
  class PostSerializer < ::PostSerializer
    attribute(:draft) { |post| post.published_at.nil? }
    attributes :created_at, :updated_at
  end
end
