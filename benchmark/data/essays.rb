# frozen_string_literal: true

require_relative "../contenders/shape"
require_relative "plain"

module Bench
  # The data of scenario 10: blog posts with long texts and their comments, as Structs.
  module Essays
    Post = Struct.new(:content, :created_at, :published, :author, :comments)
    Author = Struct.new(:name, :age, :email)
    Comment = Struct.new(:created_at, :message, :user, :attachment)

    USER = {name: nil, age: nil, email: nil}.freeze
    OURS = Shape.new(content: nil, created_at: nil, published: nil, author: USER,
                     comments: [{created_at: nil, message: nil, user: USER, attachment: nil}])
    # Of all who do not format a Time as we do.
    TIME = {created_at: "o.created_at.iso8601(3)"}.freeze
    COMMENT = OURS.fields[:comments].first.merge(TIME).freeze
    TEXT = Shape.new(OURS.fields.merge(TIME, comments: [COMMENT]))

    # {post => characters of its content, comments, characters of each}
    SIZES = {"post1" => [1_000, 10, 40], "post2" => [1_000_000, 200, 1_000],
             "post3" => [10_000_000, 5_000, 10_000]}.freeze
    AUTHORS = [["Ann Example", 34, "ann@example.com"], ["Bob Sample", 51, "bob@example.com"],
               ["Cécile Muster", 28, "cecile@example.com"]].map { |row| Author.new(*row) }.freeze

    class << self
      # One post. Its comments' texts differ in where they begin.
      def post(name)
        length, comments, message = SIZES.fetch(name)
        at = Time.utc(2026, 11, 20, 10, 30, 15, 250_000)
        list = Array.new(comments) do |i|
          attachment = "https://example.com/attachments/#{i}.png" if i % 4 == 3
          Comment.new(at + (i * 61), text(message + (i % 50), i), AUTHORS[i % 3], attachment)
        end
        Post.new(text(length, 0), at, true, AUTHORS.first, list)
      end

      private

      def text(length, from)
        line = "#{Plain::WORDS["essay"].rotate(from).join(" ")} "
        (line * ((length / line.size) + 1))[0, length]
      end
    end
  end
end
