# frozen_string_literal: true

require_relative "../contenders/shape"
require_relative "plain"

module Bench
  # The data of scenarios 5, 6, 9, 14 and 15: pools of different objects, so that values differ from
  # call to call. The first of each is the one that the figures are set for; the others differ in
  # every value and little in length. records.rb has the same rows as ActiveRecord.
  module Blog
    LOGO = '"https://example.com/organisations/#{o.id}/logo.png"'
    ORGANISATION = {id: nil, name: nil, logo_url: LOGO}.freeze
    USER = {id: nil, first_name: nil, full_name: '"#{o.first_name} #{o.last_name}"'}.freeze
    POST = {id: nil, title: nil, body: nil}.freeze
    COMMENT = {id: nil, body: nil, author: nil}.freeze
    # What is written of each.
    SHAPES = {
      organisation: ORGANISATION, post_with_user: {**POST, user: USER},
      user_with_posts: {**USER, posts: [POST]}, comment: COMMENT,
      author: {id: nil, name: nil, posts: [POST]},
      article: {id: nil, title: nil, body: nil, author_name: nil, comments: [COMMENT]}
    }.transform_values { |fields| Shape.new(fields) }.freeze

    Organisation = Plain.new(:id, :name)
    User = Plain.new(:id, :first_name, :last_name, :posts)
    Post = Plain.new(:id, :title, :body, :user)
    Article = Plain.new(:id, :title, :body, :author_name, :comments)
    Comment = Plain.new(:id, :body, :author)
    # Of JSON:API's scenario.
    Entry = Plain.new(:id, :title, :body, :author, :comments)
    Writer = Plain.new(:id, :name, :email)
    Remark = Plain.new(:id, :body, :score)
    POOL = 64

    class << self
      def organisations = organisation_rows.map { |row| Organisation.new(*row) }

      # Each with two posts.
      def users
        posts = post_rows.group_by(&:last)
        user_rows.map do |row|
          User.new(*row, posts.fetch(row.first).map { |post| Post.new(*post.first(3), nil) })
        end
      end

      # One of each user, with that user.
      def posts
        users.map do |user|
          first = user.posts.first
          Post.new(first.id, first.title, first.body, user)
        end
      end

      # `periods` collections of articles with comments.
      def articles(periods: 4, size: 100, comments: 10)
        Array.new(periods * size) do |number|
          list = Array.new(comments) do |i|
            Comment.new((number * comments) + i + 1, pick("bodies", number + i),
                        name(number + (i * 3)))
          end
          Article.new(number + 1, pick("titles", number), pick("bodies", number * 5), name(number),
                      list)
        end.each_slice(size).to_a
      end

      # `periods` collections of entries, by 20 authors, with comments.
      def entries(periods: 2, size: 100, comments: 10)
        writers = Array.new(20) { |i| Writer.new(i + 1, name(i), "#{i}@example.com") }
        Array.new(periods * size) do |number|
          list = Array.new(comments) do |i|
            Remark.new((number * comments) + i + 1, pick("bodies", number + i), i % 5)
          end
          Entry.new(number + 1, pick("titles", number), pick("bodies", number * 5),
                    writers[number % 20], list)
        end.each_slice(size).to_a
      end

      # `periods` collections of comments alone.
      def comments(periods: 4, size: 1_000)
        Array.new(periods) do |period|
          Array.new(size) do |index|
            number = (period * size) + index + 1
            Comment.new(number, pick("bodies", index + period), name(index * 3))
          end
        end
      end

      # id, name
      def organisation_rows
        Array.new(POOL) { |i| [i + 1, "#{pick("companies", i)} #{pick("forms", i / 8)}"] }
      end

      # id, first_name, last_name
      def user_rows
        Array.new(POOL) { |i| [i + 1, pick("first_names", i), pick("last_names", i + (i / 8))] }
      end

      # id, title, body, id of the user or author
      def post_rows(writers = POOL, posts: 2)
        Array.new(writers * posts) do |i|
          [i + 1, pick("titles", i), pick("bodies", i * 3), (i / posts) + 1]
        end
      end

      # id, name
      def author_rows(size) = Array.new(size) { |i| [i + 1, name(i)] }

      private

      def pick(list, index) = Plain::WORDS[list].then { |words| words[index % words.size] }
      def name(index) = "#{pick("first_names", index)} #{pick("last_names", index + (index / 8))}"
    end
  end
end
