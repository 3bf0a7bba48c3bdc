# frozen_string_literal: true

# What an admin sees of a post, and what an admin may write: the fields with `writable: true`.
# Controllers of this namespace find it, and its author is written by Admin::AuthorSerializer.
module Admin
  class PostSerializer < ::PostSerializer
    attribute :title, as: :string, writable: true
    attribute :published_at, as: :time, writable: true
    attribute :author_id, as: :integer, writable: true
    attribute(:draft) { |post| post.published_at.nil? }
    attributes :created_at, :updated_at

    view :full do
      attribute :body, as: :string, writable: true
    end
  end
end
