# frozen_string_literal: true

# Part of the app: a model with an enum.
class Author < ApplicationRecord
  has_many :posts, dependent: :destroy
  enum :role, { reader: 0, writer: 1 }
  validates :name, presence: true
end
