# frozen_string_literal: true

# What every server of this directory serves: posts that are made while they are read.

require "to_json"

Post = Struct.new(:id, :title, :body, :published_at)

class PostSerializer < ToJson::Serializer
  attributes :id, :title, :body, :published_at
end

# Stands for a table. `each` gives a post at a time, as find_each or a cursor does: ten posts or ten
# million take the same memory.
module Posts
  COUNT = Integer(ENV.fetch("POSTS", "1000"))
  FIRST = Time.utc(2026, 1, 1)

  def self.each
    return to_enum(:each) unless block_given?

    1.upto(COUNT) { |id| yield find(id) }
  end

  # @return [Post, nil]
  def self.find(id)
    Post.new(id, "Post #{id}", "Words. " * 20, FIRST + (id * 3600)) if id.between?(1, COUNT)
  end

  # A line for each post, sent as soon as it is made.
  # @return [ToJson::Stream] a Rack body
  # @raise [ToJson::UnknownFieldError, ToJson::SelectionError] at once, while there is still a
  #   status to choose
  def self.lines(**options)
    PostSerializer.stream(each, format: :ndjson, flush: :record, **options)
  end
end
