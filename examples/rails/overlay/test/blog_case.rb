# frozen_string_literal: true

require "test_helper"

# A blog of two authors and three posts, of which one is a draft, and what its tests ask.
class BlogCase < ActionDispatch::IntegrationTest
  setup do
    @ann, @bob = %w[Ann Bob].map do |name|
      Author.create!(name: name, email: "#{name.downcase}@example.org")
    end
    day = Time.utc(2026, 1, 1, 12)
    @first = Post.create!(title: "First", body: "One", author: @ann, published_at: day)
    @second = Post.create!(title: "Second", body: "Two", author: @bob, published_at: day + 1.day)
    @draft = Post.create!(title: "Draft", body: "Three", author: @ann)
    @comment = @first.comments.create!(body: "Yes", author: @bob)
  end

  private

  # @return the parsed body of the answer, whose status is checked
  def json(status = 200)
    assert_response status
    assert_equal "application/json", response.media_type
    response.parsed_body
  end

  # @return [Array<String>] the block's queries, also those that Rails answers itself
  def queries(&block)
    found = []
    note = ->(*, payload) { found << payload[:sql] unless payload[:name] == "SCHEMA" }
    ActiveSupport::Notifications.subscribed(note, "sql.active_record", &block)
    found
  end

  # Runs the block with a cache, which the environment "test" has not.
  def with_cache
    before, Rails.cache = Rails.cache, ActiveSupport::Cache::MemoryStore.new
    ApplicationController.perform_caching = true
    yield
  ensure
    ApplicationController.perform_caching = false
    Rails.cache = before
  end
end
