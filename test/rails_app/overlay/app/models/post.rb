# frozen_string_literal: true

# Part of the app: a model with a method that is no column.
class Post < ApplicationRecord
  belongs_to :author
  store_accessor :settings, :layout
  scope :recent, -> { order(published_at: :desc) }

  def summary = "#{title} by <#{author.name}> & others"
end
