# frozen_string_literal: true

# What the tests of rows share: models of their own, and how a document must be written.

require_relative "../test_helper"
require "to_json/active_record"
require_relative "../active_record/models"

# Tables of the tests of rows, in the database of test/active_record.
module Library
  extend Tables

  def self.table_name_prefix = "library_"

  class Record < ActiveRecord::Base
    self.abstract_class = true
  end

  COLUMNS = {
    library_authors: { name: :string, born: :date },
    library_books: { title: :string, pages: :integer, price: :decimal, rating: :float,
                     draft: :boolean, extra: :json, printed_at: :datetime, opens: :time,
                     cover: :binary, kind: :integer, author_id: :integer },
    library_chapters: { title: :string, book_id: :integer },
    library_pages: { number: :integer, chapter_id: :integer },
    library_animals: { type: :string, name: :string }
  }.freeze

  class Author < Record
    has_many :books
    has_one :book
  end

  class Book < Record
    enum :kind, { novel: 0, poem: 1 }
    alias_attribute :name, :title
    belongs_to :author, optional: true
    has_many :chapters
  end

  class Chapter < Record
    belongs_to :book
    has_many :pages
  end

  class Page < Record
    belongs_to :chapter
  end

  class Animal < Record; end
  class Dog < Animal; end
end

class RowsCase < ToJsonTest
  include Library # the models by their own names

  def setup
    super
    Library.create_tables
    Library.empty_tables
  end

  def serializer(superclass = ToJson::Serializer, &)
    Class.new(superclass, &)
  end

  # @return [Integer] how many models the block makes
  def models(&)
    made = 0
    note = ->(*, payload) { made += payload[:record_count] }
    ActiveSupport::Notifications.subscribed(note, "instantiation.active_record", &)
    made
  end

  # Asserts that the relation of the block is written from its rows, and as its models are.
  # @return [String] the document
  def assert_rows(serializer, **options)
    expected = serializer.json!(yield, rows: false, **options)
    assert_operator(models { serializer.json!(yield, rows: false, **options) }, :>, 0)
    document = nil
    assert_equal(0, models { document = serializer.json!(yield, **options) })
    assert_equal(expected, document)
    document
  end

  # Asserts that its models are made, with the same document.
  # @return [String] the document
  def assert_models(serializer, **options)
    expected = serializer.json!(yield, rows: false, **options)
    document = nil
    made = models { document = serializer.json!(yield, **options) }
    assert_operator(made, :>, 0)
    assert_equal(expected, document)
    document
  end

  def books(count)
    Array.new(count) do |i|
      Book.create!(title: "book #{i}", pages: i, price: "#{i}.50", rating: i / 4.0, draft: i.odd?,
                   extra: { i: i }, printed_at: Time.utc(2026, 1, 1 + i, 2, 3, 4.5), kind: i % 2,
                   opens: Time.utc(2000, 1, 1, i), cover: "\x01a", author: author(i))
    end
  end

  def author(index)
    Author.create!(name: "author #{index}", born: Date.new(1900 + index, 1, 1)) if index.odd?
  end
end
