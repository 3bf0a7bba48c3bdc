# frozen_string_literal: true

class PostSerializer < ToJson::Serializer
  root :post, :posts
  attributes :id, :title, :published_at
  attribute(:url) { |post| post_url(post) }
  has_one :author

  view :full do
    attributes :body
    has_many :comments
  end
end
