# frozen_string_literal: true

# A database in memory with tables of its own, for the tests of test/active_record.

# The tables of a module of models, by its COLUMNS.
module Tables
  def create_tables
    connection = ActiveRecord::Base.connection
    self::COLUMNS.each do |table, columns|
      next if connection.table_exists?(table)

      connection.create_table(table) { |t| columns.each { |name, type| t.column(name, type) } }
    end
  end

  def empty_tables
    self::COLUMNS.each_key { |table| ActiveRecord::Base.connection.execute("DELETE FROM #{table}") }
  end
end

module Shop
  extend Tables

  # Other tests have tables of their own.
  def self.table_name_prefix = "shop_"

  class Record < ActiveRecord::Base
    self.abstract_class = true
  end

  # other tests fork; their children do not touch it
  SQLite3::ForkSafety.suppress_warnings! if defined?(SQLite3::ForkSafety)
  unless ActiveRecord::Base.connected?
    ActiveRecord::Base.establish_connection(adapter: "sqlite3", database: ":memory:")
  end

  COLUMNS = {
    shop_avatars: { url: :string },
    shop_authors: { name: :string, avatar_id: :integer, mentor_id: :integer },
    shop_posts: { title: :string, author_id: :integer, editor_id: :integer },
    shop_comments: { body: :string, post_id: :integer, author_id: :integer },
    shop_tags: { name: :string },
    shop_taggings: { post_id: :integer, tag_id: :integer },
    shop_notes: { text: :string, notable_type: :string, notable_id: :integer },
    shop_animals: { type: :string, name: :string, owner_id: :integer },
    shop_toys: { name: :string, dog_id: :integer },
    shop_categories: { name: :string, parent_id: :integer }
  }.freeze

  class Avatar < Record; end

  class Author < Record
    belongs_to :avatar, optional: true
    belongs_to :mentor, class_name: "Shop::Author", optional: true
    has_many :posts
    has_many :pupils, -> { order(:id) }, class_name: "Shop::Author", foreign_key: :mentor_id
    has_many :pets, -> { order(:id) }, class_name: "Shop::Animal", foreign_key: :owner_id
  end

  class Post < Record
    belongs_to :author, optional: true
    belongs_to :editor, class_name: "Shop::Author", optional: true
    has_many :comments
    has_many :newest, -> { order(id: :desc).limit(2) }, class_name: "Shop::Comment"
    has_many :bodies, -> { select(:id, :body) }, class_name: "Shop::Comment"
    has_many :own, ->(post) { where(body: post.title) }, class_name: "Shop::Comment"
    has_one :first_comment, -> { order(:id) }, class_name: "Shop::Comment"
    has_many :commenters, -> { order(:id) }, through: :comments, source: :author
    has_many :commenter_names, -> { select(:name) }, through: :comments, source: :author
    belongs_to :gone, class_name: "Shop::Gone", foreign_key: :author_id, optional: true
    has_many :taggings
    has_many :tags, -> { order(:id) }, through: :taggings
    has_many :notes, as: :notable
  end

  class Comment < Record
    belongs_to :post, optional: true
    belongs_to :author, optional: true
  end

  class Tag < Record; end

  class Tagging < Record
    belongs_to :post
    belongs_to :tag
  end

  class Note < Record
    belongs_to :notable, polymorphic: true, optional: true
  end

  class Animal < Record
    belongs_to :owner, class_name: "Shop::Author", optional: true
  end

  class Dog < Animal
    has_many :toys
  end

  class Cat < Animal; end
  class Toy < Record; end

  class Category < Record
    has_many :children, class_name: "Shop::Category", foreign_key: :parent_id
    belongs_to :parent, class_name: "Shop::Category", optional: true
  end
end
