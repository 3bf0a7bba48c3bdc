# frozen_string_literal: true

# Layer: blog_records. The rows of scenario 9 as ActiveRecord, on the connection of blog_records.rb: authors with posts, and scenario 6's
# posts with comments. A table is filled when it is first asked for.

require_relative "blog_records"

module Bench
  module Blog
    # Relations of so many records with what belongs to them, and the ids that they are of.
    module Rows
      ActiveRecord::Schema.define do
        create_table(:authors) { |table| table.string :name }
        create_table(:author_posts) do |table|
          table.string :title
          table.text :body
          table.references :author, index: true
        end
        create_table(:articles) do |table|
          table.string :title
          table.text :body
          table.string :author_name
        end
        create_table(:comments) do |table|
          table.text :body
          table.string :author
          table.references :article, index: true
        end
      end

      class Author < ActiveRecord::Base
        has_many :posts, -> { order(:id) }
      end

      class Post < ActiveRecord::Base
        self.table_name = "author_posts"
      end

      class Article < ActiveRecord::Base
        has_many :comments, -> { order(:id) }
      end

      class Comment < ActiveRecord::Base
      end

      SIZE = 100
      PERIODS = 4

      class << self
        # What `authors` and `articles` are asked for, call after call.
        def ids = Array.new(PERIODS) { |period| ((period * SIZE) + 1)..((period + 1) * SIZE) }

        # A relation that nobody has loaded.
        def authors(ids) = Author.includes(:posts).where(id: ids).order(:id)

        # Likewise, of scenario 6's posts.
        def articles(ids) = Article.includes(:comments).where(id: ids).order(:id)

        # `ids`, once there are rows.
        def author_ids
          insert(Author, %w[id name], Blog.author_rows(PERIODS * SIZE))
          insert(Post, %w[id title body author_id], Blog.post_rows(PERIODS * SIZE, posts: 3))
          ids
        end

        # Likewise.
        def article_ids
          articles = Blog.articles(periods: PERIODS, size: SIZE).flatten
          insert(Article, %w[id title body author_name], articles.map { |post| [post.id, post.title, post.body, post.author_name] })
          insert(Comment, %w[id body author article_id], articles.flat_map { |post| post.comments.map { |one| [one.id, one.body, one.author, post.id] } })
          ids
        end

        private

        def insert(model, columns, rows)
          rows.each_slice(1_000) { |slice| model.insert_all!(slice.map { |row| columns.zip(row).to_h }) }
        end
      end
    end
  end
end
