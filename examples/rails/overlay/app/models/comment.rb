# frozen_string_literal: true

class Comment < ApplicationRecord
  belongs_to :author
  # A new comment is a new version of the post, which changes the post's ETag.
  belongs_to :post, touch: true

  validates :body, presence: true
end
