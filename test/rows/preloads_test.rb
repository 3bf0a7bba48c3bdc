# frozen_string_literal: true

# Relations that are told to preload what the document does not read: loading it may fail.

require_relative "../test_helper"

if Without.library?("active_record") && Without.library?("sqlite3")
  require_relative "rows_case"

  class RowsPreloadsTest < RowsCase
    class Shelf < Record
      self.table_name = "library_authors"
      has_many :books, class_name: "Library::Book", foreign_key: :author_id
      has_many :gone, class_name: "RowsPreloadsTest::NoSuchClass", foreign_key: :author_id
      has_many :seen, class_name: "RowsPreloadsTest::Seen", foreign_key: :author_id
      has_many :lost, class_name: "RowsPreloadsTest::Lost", foreign_key: :author_id
      has_many :animals, class_name: "Library::Animal", foreign_key: :id
    end

    class Seen < Record
      self.table_name = "library_books"
      after_find { raise ArgumentError, "seen" }
    end

    class Lost < Record
      self.table_name = "library_no_such_table"
    end

    def setup
      super
      author = Author.create!(name: "A")
      Book.create!(title: "one", author: author)
      Book.create!(title: "two").chapters.create!(title: "1")
      Animal.create!(id: author.id, name: "Rex").update_column(:type, "NoSuchDog")
    end

    def titles
      @titles ||= serializer do
        attributes :title
        belongs_to(:author) { attributes :name }
        has_many(:chapters) { attributes :title }
      end
    end

    def names = @names ||= serializer { attributes :name }

    def found(made, relation, **options)
      made.json!(relation, **options)
    rescue StandardError => error
      [error.class, ToJson.location(error)]
    end

    {
      "nothing" => [],
      "what the document reads" => [:author, "chapters"],
      "a part of what the document reads" => [{ chapters: [] }, { author: nil }],
      "plain associations inside that it does not read" => [{ chapters: :pages, author: [:books] }]
    }.each do |what, given|
      test "a relation that preloads #{what} is written from its rows" do
        assert_rows(titles) { given.empty? ? Book.preload(nil) : Book.preload(*given) }
        assert_rows(titles) { given.empty? ? Book.all : Book.includes(*given) }
      end
    end

    test "a plain association that the document does not read leaves rows" do
      assert_rows(titles, only: :title) { Book.preload(:author, chapters: { book: :author }) }
      assert_rows(titles, only: :title) { ToJson.preload(Book.all, titles) }
    end

    test "what the document does not read is not asked for" do
      asked = []
      note = ->(*, payload) { asked << payload[:name] unless payload[:name] == "SCHEMA" }
      ActiveSupport::Notifications.subscribed(note, "sql.active_record") do
        titles.json!(Book.preload(:author, :chapters), only: { author: :name })
      end
      assert_equal(["Library::Book Load", "Library::Author Load"], asked)
    end

    # bin/fuzz relations --seed 623884628, case 306
    test "a relation that does not select the key of what it preloads fails as with models" do
      relation = ToJson.preload(Book.select(:title), titles)
      due = found(titles, relation, only: :title, rows: false)
      assert_equal([ActiveModel::MissingAttributeError, "$"], due)
      assert_equal(due, found(titles, relation, only: :title))
      assert_models(titles, only: :title) do
        Book.select(:id, :title, :author_id).preload(:author)
      end
      assert_rows(titles) { Book.select(:id, :title, :author_id).preload(:author, :chapters) }
    end

    {
      "no_such" => [:no_such],
      "books.no_such" => [{ books: :no_such }],
      "books.author.no_such" => [{ books: { author: [:books, :no_such] } }],
      "gone" => [:gone],
      "seen" => [:seen],
      "lost" => [:lost],
      "animals" => [:animals],
      "5" => [5],
      "books.5" => [{ books: 5 }]
    }.each do |name, given|
      test "to preload #{name} fails as with models" do
        relation = Shelf.preload(*given)
        due = found(names, relation, rows: false)
        assert_kind_of(Class, due.first)
        assert_equal(due, found(names, relation))
        assert_includes(names.explain_rows(relation),
                        ": models, because the relation preloads #{name}\n")
        none = relation.where(id: 0)
        assert_equal(found(names, none, rows: false), found(names, none))
      end
    end
  end
end
