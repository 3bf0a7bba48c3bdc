# frozen_string_literal: true

# The collection of one record, `author.books`, which is not loaded.

require_relative "../test_helper"

if Without.library?("active_record") && Without.library?("sqlite3")
  require_relative "rows_case"

  class RowsCollectionsTest < RowsCase
    # A module that extends a collection.
    module Backwards
      def records = super.reverse
    end

    class Writer < Record
      self.table_name = "library_authors"
      has_many :books, class_name: "Library::Book", foreign_key: :author_id
      has_many :chapters, class_name: "Library::Chapter", through: :books
      has_many :long_books, -> { where(pages: 1..).order(id: :desc) },
               class_name: "Library::Book", foreign_key: :author_id
      has_many :backwards, -> { extending(Backwards) },
               class_name: "Library::Book", foreign_key: :author_id
      has_many :strict_books, class_name: "Library::Book", foreign_key: :author_id,
                              strict_loading: true
    end

    TITLES = Class.new(ToJson::Serializer) { attributes :title }
    CHAPTERS = Class.new(ToJson::Serializer) do
      attributes :title
      has_many(:chapters) { attributes :title }
    end
    OWNER = Class.new(ToJson::Serializer) do
      attributes :title
      has_one(:author) { attributes :name }
    end

    def writer
      @writer ||= Writer.create!(name: "W").tap do |writer|
        3.times do |i|
          book = Book.create!(title: "b#{i}", pages: i, author_id: writer.id)
          book.chapters.create!(title: "c#{i}")
        end
        Book.create!(title: "of another", author_id: 0)
      end
    end

    def found = Author.find(writer.id)

    # The owners are models themselves, and must not count.
    def assert_rows(serializer)
      made = Array.new(3) { yield }
      super(serializer) { made.pop }
    end

    def assert_models(serializer)
      made = Array.new(2) { yield }
      super(serializer) { made.pop }
    end

    test "a collection that is not loaded is written from rows, and stays so" do
      assert_rows(TITLES) { found.books }
      assert_rows(CHAPTERS) { found.books }
      assert_rows(CHAPTERS) { found.books.order(id: :desc) }
      author = found
      TITLES.json!(author.books)
      refute_predicate(author.books, :loaded?)
      one = -> { Writer.find(writer.id) }
      assert_rows(TITLES) { one.call.chapters }
      assert_equal('[{"title":"b2"},{"title":"b1"}]', assert_rows(TITLES) { one.call.long_books })
      assert_equal("[]", TITLES.json!(Author.create!.books))
    end

    test "a collection leaves in batches, too" do
      io = StringIO.new
      assert_equal(0, models { @author = found } - 1)
      assert_equal(0, models { TITLES.ndjson(@author.books, into: io) })
      assert_equal(TITLES.ndjson(@author.books, rows: false), io.string)
    end

    test "explain_rows takes a collection" do
      assert_equal("Library::Book: rows with title\n", TITLES.explain_rows(found.books))
      assert_equal("Library::Book: models, because the owner of the collection is not saved\n",
                   TITLES.explain_rows(Author.new.books))
    end

    test "what stands in memory is written from models" do
      assert_models(OWNER) { found.tap { |author| author.name = "changed" }.books }
      assert_models(OWNER) { found.books }
      assert_models(OWNER) { found.books.order(:id) }
      assert_models(TITLES) { found.tap { |author| author.books.build(title: "new") }.books }
      assert_models(TITLES) { found.tap { |author| author.name = "changed" }.books }
      loaded = found.tap { |author| author.books.each { |book| book.title = "changed" } }
      assert_equal('[{"title":"changed"},{"title":"changed"},{"title":"changed"}]',
                   TITLES.json!(loaded.books))
      assert_models(TITLES) { Writer.find(writer.id).backwards }
    end

    test "strict loading is as with models" do
      strict = found.tap(&:strict_loading!)
      assert_raises(ActiveRecord::StrictLoadingViolationError) { TITLES.json!(strict.books) }
      assert_raises(ActiveRecord::StrictLoadingViolationError) do
        TITLES.json!(Writer.find(writer.id).strict_books)
      end
      only = found.tap { |author| author.strict_loading!(mode: :n_plus_one_only) }
      assert_raises(ActiveRecord::StrictLoadingViolationError) { CHAPTERS.json!(only.books) }
    end
  end
end
