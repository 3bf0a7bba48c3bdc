# frozen_string_literal: true

class Post < ApplicationRecord
  belongs_to :author
  has_many :comments, -> { order(:id) }, dependent: :destroy

  validates :title, presence: true

  scope :published, -> { where.not(published_at: nil) }
end
