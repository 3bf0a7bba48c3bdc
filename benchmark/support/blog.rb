# frozen_string_literal: true

# Layer: none below it. The data of scenarios 5, 6, 9 and 14: pools of different objects, so that values differ from call to
# call. The first of each is the one that BENCHMARKS asks for, the others differ in every value and little in length.

module Bench
  # Plain objects, read through attr_reader. blog_records.rb and blog_rows.rb have the same rows as ActiveRecord; blog/*.rb the serializers of
  # each peer.
  module Blog
    # id and name; its logo_url is computed by the serializers.
    class Organisation
      attr_reader :id, :name

      def initialize(id, name)
        @id, @name = id, name
      end
    end

    # full_name is computed by the serializers.
    class User
      attr_reader :id, :first_name, :last_name, :posts

      def initialize(id, first_name, last_name, posts)
        @id, @first_name, @last_name, @posts = id, first_name, last_name, posts
      end
    end

    # Belongs to a user.
    class Post
      attr_reader :id, :title, :body
      attr_accessor :user

      def initialize(id, title, body)
        @id, @title, @body = id, title, body
      end
    end

    # A post of scenario 6.
    class Article
      attr_reader :id, :title, :body, :author_name, :comments

      def initialize(id, title, body, author_name, comments)
        @id, @title, @body, @author_name, @comments = id, title, body, author_name, comments
      end
    end

    # Of an article.
    class Comment
      attr_reader :id, :body, :author

      def initialize(id, body, author)
        @id, @body, @author = id, body, author
      end
    end

    POOL = 64
    COMPANIES = %w[Example Initech Globex Umbrella Soylent Hooli Massive Vandelay].freeze
    FORMS = ["Inc.", "Ltd.", "Corp.", "GmbH", "S.A.", "Co.", "LLC", "AG"].freeze
    FIRST_NAMES = %w[Garrett Annika Matthew Beatriz Oluwaseun Katarzyna Giovanni Charlotte].freeze
    LAST_NAMES = %w[Bjerkhoel Lindqvist Hernandez Figueiredo Adeyemi Nowak Bianchi Dubois].freeze
    TITLES = ["A first look", "On writing well", "Notes from home", "What went wrong", "Ten small steps", "Why it matters",
              "Behind the scene", "The long way"].freeze
    BODIES = ["Nothing here is as simple as it seemed at first.", "We kept what worked and wrote down all the rest.",
              "It took three attempts and one long weekend.", "Some of it was luck, most of it was patience.",
              "The numbers say one thing, our users another.", "Start small, measure, and be ready to stop.",
              "There is more to tell, but not in this place.", "Thanks to all who read the drafts of this."].freeze

    class << self
      def organisations = organisation_rows.map { |row| Organisation.new(*row) }

      # Each with two posts.
      def users
        posts = post_rows.group_by(&:last)
        user_rows.map { |id, *names| User.new(id, *names, posts.fetch(id).map { |row| Post.new(*row.first(3)) }) }
      end

      # One of each user, with that user.
      def posts
        users.map do |user|
          user.posts.first.tap { |post| post.user = user }
        end
      end

      # `periods` collections of articles with comments.
      def articles(periods: 4, size: 100, comments: 10)
        Array.new(periods) do |period|
          Array.new(size) do |index|
            number = (period * size) + index
            list = Array.new(comments) { |i| Comment.new((number * comments) + i + 1, pick(BODIES, number + i), name(number + (i * 3))) }
            Article.new(number + 1, pick(TITLES, number), pick(BODIES, number * 5), name(number), list)
          end
        end
      end

      # `periods` collections of comments alone: three fields each.
      def comments(periods: 4, size: 1_000)
        Array.new(periods) do |period|
          Array.new(size) { |index| Comment.new((period * size) + index + 1, pick(BODIES, index + period), name(index * 3)) }
        end
      end

      # id, name
      def organisation_rows = Array.new(POOL) { |i| [i + 1, "#{pick(COMPANIES, i)} #{pick(FORMS, i / 8)}"] }

      # id, first_name, last_name
      def user_rows = Array.new(POOL) { |i| [i + 1, pick(FIRST_NAMES, i), pick(LAST_NAMES, i + (i / 8))] }

      # id, title, body, id of the user or author
      def post_rows(writers = POOL, posts: 2) = Array.new(writers * posts) { |i| [i + 1, pick(TITLES, i), pick(BODIES, i * 3), (i / posts) + 1] }

      # id, name
      def author_rows(size) = Array.new(size) { |i| [i + 1, name(i)] }

      private

      def pick(list, index) = list[index % list.size]

      def name(index) = "#{pick(FIRST_NAMES, index)} #{pick(LAST_NAMES, index + (index / 8))}"
    end
  end
end
