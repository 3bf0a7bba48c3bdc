# frozen_string_literal: true

# Layer: blog. The rows of scenario 5 as ActiveRecord: sqlite3 in memory, every record and association loaded before anything
# is measured.

require "active_record"
require_relative "blog"

module Bench
  module Blog
    # Models and their tables; loading this file connects.
    module Records
      ActiveRecord::Base.establish_connection(adapter: "sqlite3", database: ":memory:")
      ActiveRecord::Schema.verbose = false
      ActiveRecord::Schema.define do
        create_table(:organisations) { |table| table.string :name }
        create_table(:users) { |table| %i[first_name last_name].each { |name| table.string name } }
        create_table(:posts) do |table|
          table.string :title
          table.text :body
          table.integer :user_id
        end
      end

      class Organisation < ActiveRecord::Base
      end

      class User < ActiveRecord::Base
        has_many :posts, -> { order(:id) }
      end

      class Post < ActiveRecord::Base
        belongs_to :user
      end

      {Organisation => Blog.organisation_rows, User => Blog.user_rows, Post => Blog.post_rows}.each do |model, rows|
        model.insert_all!(rows.map { |row| model.column_names.zip(row).to_h })
      end

      class << self
        def organisations = Organisation.order(:id).to_a

        def users = User.includes(:posts).order(:id).to_a

        # The first of each user.
        def posts = Post.includes(:user).order(:id).to_a.each_slice(2).map(&:first)
      end
    end
  end
end
