# frozen_string_literal: true

require "active_record"
require_relative "blog"

module Bench
  module Blog
    # The rows of scenarios 5 and 9 as ActiveRecord, on sqlite3 in memory. Loading this file
    # connects; the tables of scenario 9 are filled when they are first asked for.
    module Records
      ActiveRecord::Base.establish_connection(adapter: "sqlite3", database: ":memory:")
      ActiveRecord::Schema.verbose = false
      TABLES = {
        organisations: %i[name], users: %i[first_name last_name], posts: %i[title body user_id],
        authors: %i[name], author_posts: %i[title body author_id],
        articles: %i[title body author_name], comments: %i[body author article_id]
      }.freeze
      ActiveRecord::Schema.define do
        TABLES.each do |table, columns|
          create_table(table) do |definition|
            columns.each do |name|
              next definition.references(name[..-4], index: true) if name.end_with?("_id")

              definition.column(name, name == :body ? :text : :string)
            end
          end
        end
      end
      TABLES.each_key do |table|
        const_set(table.to_s.classify, Class.new(ActiveRecord::Base) { self.table_name = table })
      end
      User.has_many :posts, -> { order(:id) }, class_name: "Bench::Blog::Records::Post"
      Post.belongs_to :user, class_name: "Bench::Blog::Records::User"
      Author.has_many :posts, -> { order(:id) }, class_name: "Bench::Blog::Records::AuthorPost"
      Article.has_many :comments, -> { order(:id) }, class_name: "Bench::Blog::Records::Comment"

      SIZE, PERIODS = 100, 4
      # What `authors` and `articles` are asked for, call after call.
      IDS = Array.new(PERIODS) { |period| ((period * SIZE) + 1)..((period + 1) * SIZE) }.freeze

      class << self
        # Loaded, with what belongs to them.
        def organisations = all(Organisation, Blog.organisation_rows).to_a
        def users = filled { User.includes(:posts).order(:id).to_a }
        # The first of each user.
        def posts = filled { Post.includes(:user).order(:id).to_a.each_slice(2).map(&:first) }

        # Relations that nobody has loaded.
        def authors(ids) = Author.includes(:posts).where(id: ids).order(:id)
        def articles(ids) = Article.includes(:comments).where(id: ids).order(:id)

        # What the driver returns for both queries of `authors` or `articles`, with nothing made
        # of it: the least that anybody needs.
        def driven(ids, one, many, key)
          queries = [const_get(one).where(id: ids).order(:id),
                     const_get(many).where(key => ids.to_a).order(:id)]
          queries.map { |query| ActiveRecord::Base.connection.select_all(query).rows }
        end

        # IDS, once there are rows.
        def author_ids
          all(Author, Blog.author_rows(PERIODS * SIZE))
          all(AuthorPost, Blog.post_rows(PERIODS * SIZE, posts: 3))
          IDS
        end

        def article_ids
          articles = Blog.articles(periods: PERIODS, size: SIZE).flatten
          all(Article, articles.map { |one| [one.id, one.title, one.body, one.author_name] })
          all(Comment, articles.flat_map do |article|
            article.comments.map { |one| [one.id, one.body, one.author, article.id] }
          end)
          IDS
        end

        private

        def filled
          all(User, Blog.user_rows)
          all(Post, Blog.post_rows)
          yield
        end

        # All of the model's records, once these are its rows.
        def all(model, rows)
          rows.each_slice(1_000) do |slice|
            model.insert_all!(slice.map { |row| model.column_names.zip(row).to_h })
          end
          model.order(:id)
        end
      end
    end
  end
end
