# frozen_string_literal: true

require "cgi"
require_relative "../contenders/shape"

module Bench
  # What scenario 20 caches: posts whose text is rendered, with comments.
  module Rendered
    AUTHOR = {id: nil, name: nil}.freeze
    OURS = Shape.new(id: nil, title: nil, html: nil, words: nil, author: AUTHOR,
                     comments: [{id: nil, body: nil, created_at: nil, author: AUTHOR}])
    COMMENT = OURS.fields[:comments].first.merge(created_at: "o.created_at.iso8601(3)").freeze
    TEXT = Shape.new(OURS.fields.merge(comments: [COMMENT]))

    Author = Struct.new(:id, :name)
    Comment = Struct.new(:id, :body, :author, :created_at)
    Post = Struct.new(:id, :title, :text, :author, :comments, :updated_at) do
      # As small markup languages do it: paragraphs, emphasis, links; escaped before.
      def html
        CGI.escapeHTML(text).split("\n\n").map do |paragraph|
          emphasis = paragraph.gsub(/\*(\w+)\*/, '<em>\1</em>')
          "<p>#{emphasis.gsub(%r{https?://[\w./]+}) { |url| "<a href=\"#{url}\">#{url}</a>" }}</p>"
        end.join("\n")
      end

      def words = text.scan(/\w+/).size
      def cache_key_with_version = "posts/#{id}-#{updated_at.to_i}"

      # What active_model_serializers asks for.
      def cache_key = cache_key_with_version
      alias_method :read_attribute_for_serialization, :public_send
      def self.model_name = Struct.new(:cache_key).new("posts")
    end

    PARAGRAPH = "A *caching* library keeps what was made once, " \
                "see https://example.com/a/b for \"more\" & less of it.\n" * 4

    # 100 posts of about 3,500 bytes of JSON each. Their keys never change.
    def self.posts
      authors = Array.new(8) { |index| Author.new(index, "Author #{index}") }
      Array.new(100) do |index|
        comments = authors.map.with_index do |author, number|
          Comment.new(number, "Comment #{number} on the post of that number", author,
                      Time.utc(2026, 1, number + 1))
        end
        Post.new(index, "Post #{index}", "#{PARAGRAPH}\n\n" * 4, authors[index % 8], comments,
                 Time.utc(2026, 2, 3))
      end
    end
  end
end
