# frozen_string_literal: true

# Layer: none below it. The data of scenario 10: blog posts with long texts and their comments, as objects.

module Bench
  module Essays
    Post = Struct.new(:content, :created_at, :published, :author, :comments)
    Author = Struct.new(:name, :age, :email)
    Comment = Struct.new(:created_at, :message, :user, :attachment)

    # {post => characters of its content, comments, characters of each}
    SIZES = {"post1" => [1_000, 10, 40], "post2" => [1_000_000, 200, 1_000], "post3" => [10_000_000, 5_000, 10_000]}.freeze
    WORDS = %w[the quick brown fox "jumps" over a lazy dog, and nobody minds; naïve – she said.\n].freeze
    AUTHORS = [Author.new("Ann Example", 34, "ann@example.com"), Author.new("Bob Sample", 51, "bob@example.com"),
               Author.new("Cécile Muster", 28, "cecile@example.com")].freeze

    class << self
      # One post. Its comments' texts differ in where they begin.
      def post(name)
        length, comments, message = SIZES.fetch(name)
        at = Time.utc(2026, 11, 20, 10, 30, 15, 250_000)
        Post.new(text(length, 0), at, true, AUTHORS.first, Array.new(comments) do |i|
          Comment.new(at + (i * 61), text(message + (i % 50), i), AUTHORS[i % 3], i % 4 == 3 ? "https://example.com/attachments/#{i}.png" : nil)
        end)
      end

      private

      def text(length, from)
        line = WORDS.rotate(from).join(" ") << " "
        (line * ((length / line.size) + 1))[0, length]
      end
    end
  end
end
