# frozen_string_literal: true

# Relations that are written from rows: the same documents as those of models.

require_relative "../test_helper"

if Without.library?("active_record") && Without.library?("sqlite3")
  require_relative "rows_case"

  class RowsTest < RowsCase
    class AuthorSerializer < ToJson::Serializer
      attributes :id, :name, :born
    end

    class PageSerializer < ToJson::Serializer
      attributes :number
    end

    class ChapterSerializer < ToJson::Serializer
      attributes :title
      has_many :pages, serializer: PageSerializer
    end

    class BookSerializer < ToJson::Serializer
      root :book, :books
      transform_keys :camel_lower
      attributes :id, :title, :pages, :price, :rating, :draft, :extra, :printed_at, :opens, :kind
      attribute :name
      view(:short) { remove :price, :extra }
      view(:whole) do
        belongs_to :author, serializer: AuthorSerializer
        has_many :chapters, serializer: ChapterSerializer
      end
    end

    # One object shows all rows, and was read ahead for cached parts: all elements had the last row.
    test "rows of a class with cached parts that the call leaves out" do
      books(3)
      part = serializer { attributes :title; cache store: -> { {} } }
      types = {
        author: serializer { attributes :title; has_one :author, serializer: part },
        chapters: serializer do
          attributes :title
          has_many(:chapters, cache: { store: -> { {} } }) { attributes :title }
        end
      }
      types.each do |name, type|
        [{ only: [:title] }, { except: [name] }].each do |chosen|
          document = assert_rows(type, **chosen) { Book.order(:id) }
          assert_equal(["book 0", "book 1", "book 2"], JSON.parse(document).map { _1["title"] })
          io = StringIO.new
          type.json!(Book.order(:id), into: io, **chosen)
          assert_equal(document, io.string)
        end
        owner = serializer { has_many :books, serializer: type }
        document = owner.json!(Author.order(:id), only: { books: [:title] })
        assert_equal('[{"books":[{"title":"book 1"}]}]', document)
      end
    end

    test "columns of every type are written as their models write them" do
      books(4)
      document = assert_rows(BookSerializer) { Book.order(:id) }
      assert_includes(document, '"printedAt":"2026-01-02T02:03:04.500Z"')
      assert_includes(document, '"kind":"poem"')
    end

    test "the owner of a relation of an association is written as it stands in memory" do
      author = Author.create!(name: "A")
      books(2).each { |book| book.update!(author: author) }
      author.name = "not saved"
      with_owner = serializer { attributes(:title); has_one(:author) { attributes :name } }
      assert_models(with_owner) { author.books.where(pages: 0..).order(:id) }
      titles = serializer { attributes :title }
      assert_rows(titles) { author.books.where(pages: 0..).order(:id) }
    end

    test "a relation that is strict about loading needs models for its associations" do
      books(1)
      strict = serializer { attributes(:title); has_many(:chapters) { attributes :title } }
      assert_raises(ActiveRecord::StrictLoadingViolationError) do
        strict.json!(Book.order(:id).strict_loading)
      end
      assert_rows(serializer { attributes :title }) { Book.order(:id).strict_loading }
    end

    test "NULL in every column is written as null" do
      Book.create!
      assert_rows(BookSerializer) { Book.all }
    end

    test "views, only:, except:, root: and meta: leave what they leave of models" do
      books(3)
      [{ view: :short }, { view: :whole }, { view: %i[short whole] }, { only: "id,title" },
       { except: :price, root: :data }, { root: false }, { meta: { total: 3 } },
       { view: :whole, only: [:id, { author: [:name] }] },
       { view: :whole, except: [{ chapters: [:pages] }] }].each do |options|
        assert_rows(BookSerializer, **options) { Book.order(:id) }
      end
    end

    test "associations are read by one query each, and written as those of models" do
      books(3).each do |book|
        2.times { |i| book.chapters.create!(title: "chapter #{i}").pages.create!(number: i) }
      end
      Book.create!(title: "no chapters").chapters
      queries = 0
      ActiveSupport::Notifications.subscribed(->(*) { queries += 1 }, "sql.active_record") do
        BookSerializer.json!(Book.all, view: :whole)
      end
      assert_equal(4, queries)
      document = assert_rows(BookSerializer, view: :whole) { Book.order(id: :desc) }
      assert_includes(document, '"chapters":[{"title":"chapter 0","pages":[{"number":0}]},')
      assert_includes(document, '"chapters":[]')
      assert_includes(document, '"author":null')
    end

    # Found by the names of the models.
    class FoundSerializer < ToJson::Serializer
      attributes :title
      has_one :author
      has_many :chapters

      module Library
        class AuthorSerializer < ToJson::Serializer
          attributes :name
        end

        class ChapterSerializer < ToJson::Serializer
          attributes :title
        end
      end
    end

    test "serializers of associations are looked up by the class of the model" do
      books(3).each { |book| 2.times { |i| book.chapters.create!(title: "chapter #{i}") } }
      document = assert_rows(FoundSerializer) { Book.order(:id) }
      assert_includes(document, '"author":{"name":"author 1"},"chapters":[{"title":"chapter 0"},')
    end

    test "a has_one has the first row, as the preloader gives it" do
      author = Author.create!(name: "two books")
      2.times { |i| author.create_book!(title: i.to_s) && Book.create!(title: "b", author: author) }
      made = serializer { attributes :name; has_one(:book) { attributes :title } }
      assert_rows(made) { Author.all }
    end

    test "options of fields do to rows what they do to models" do
      books(3)
      Book.create!
      made = serializer do
        attribute :title, as: ->(title) { title&.upcase }
        attribute :pages, as: :string
        attribute :price, default: 0
        attribute :extra, skip_nil: true
        attribute :printed_at, as: :time, format: :unix_ms
        attribute :rating, if: :draft
        attribute :kind, unless: :draft?
        attribute :draft, skip_blank: true
        nested(:inside) { attributes :id, title: :called }
      end
      assert_rows(made) { Book.order(:id) }
    end

    test "flatten, encode!, one serializer in another, and into: an IO take rows" do
      books(3)
      made = serializer { attributes :title; flatten(:author) { attributes :name, :born } }
      assert_rows(made) { Book.order(:id) }
      expected = made.json!(Book.order(:id), rows: false)
      found = nil
      assert_equal(0, models { found = made.encode!(Book.order(:id)).to_json })
      assert_equal(expected, found)
      assert_equal(0, models { found = ToJson.json { |j| j.put :all, made.new(Book.order(:id)) } })
      assert_equal("{\"all\":#{expected}}", found)
      [{}, { flush: :record }].each do |options|
        io = StringIO.new
        assert_equal(0, models { made.json!(Book.order(:id), into: io, **options) })
        assert_equal(expected, io.string)
      end
    end

    test "a relation without rows is written as []" do
      assert_equal("[]", serializer { attributes :id }.json!(Book.all))
      assert_equal("[]", serializer { attributes :id }.json!(Book.none))
    end

    test "the relation stays unloaded" do
      books(1)
      relation = Book.all
      BookSerializer.json!(relation)
      refute_predicate(relation, :loaded?)
    end

    # -- explain_rows ------------------------------------------------------------------------------

    test "explain_rows says what is read at each level, or which field needs models" do
      explain = ->(*arguments, **options) { BookSerializer.explain_rows(*arguments, **options) }
      assert_equal("Library::Book: rows with id, title\n", explain.call(Book.all, only: "id,title"))
      assert_equal(<<~TEXT, explain.call(Book.all, view: :whole, only: %w[name author chapters]))
        Library::Book: rows with title, author_id, id
          author: Library::Author: rows with id, name, born
          chapters: Library::Chapter: rows with title, id
            pages: Library::Page: rows with number
      TEXT
      assert_equal("Library::Book: models, because the relation is loaded\n",
                   explain.call(Book.all.load))
      made = serializer { has_one(:author) { attribute(:name) { 1 } } }
      assert_equal("Library::Book: models, because author.name: a block gives it\n",
                   made.explain_rows(Book.all))
    end

    # Seven levels of three serializers, each with three associations: 1,093 levels of rows.
    test "serializers that many paths lead to need models" do
      node = Library.const_set(:Node, Class.new(Record) do
        self.table_name = "library_pages"
        3.times do |i|
          belongs_to :"k#{i}", class_name: "Library::Node", foreign_key: :chapter_id, optional: true
        end
      end)
      inner = [serializer { attributes :number }] * 3
      6.times do
        below = inner
        inner = Array.new(3) do
          serializer do
            attributes :number
            below.each_with_index { |one, i| has_one :"k#{i}", serializer: one }
          end
        end
      end
      node.create!(number: 1)
      assert_models(inner.first) { node.all }
      assert_match(/: models, because .*: more than 200 associations are read$/,
                   inner.first.explain_rows(node.all))
    ensure
      Library.send(:remove_const, :Node)
    end

    test "explain_rows says which associations are not plain" do
      made = serializer { has_many(:some) { attributes :id } }
      joined = Class.new(Book) do
        def self.name = "Library::Bound"
        has_and_belongs_to_many :some, class_name: "Library::Author"
      end
      assert_match(/some: the association is has_and_belongs_to_many$/,
                   made.explain_rows(joined.all))
      by_two = Class.new(Book) do
        has_many :some, class_name: "Library::Page", foreign_key: %i[number chapter_id],
                        primary_key: %i[id pages]
      end
      assert_match(/models, because some: the association has /, made.explain_rows(by_two.all))
    end

    test "explain_rows says which fields need models" do
      name = Class.new(ToJson::Serializer) { attributes :name }
      own = Class.new(ToJson::Serializer) { def serialize(author) = put(:name, author.name) }
      both = Class.new(own) { attributes :id; def serialize(_author) = super }
      strict = Class.new(Author) { self.strict_loading_by_default = true }
      self.class.const_set(:StrictAuthor, strict)
      by_text = Class.new(Book) do
        def self.name = "Library::Note"
        belongs_to :author, foreign_key: :title, optional: true
      end
      to_strict = Class.new(Book) do
        def self.name = "Library::Loan"
        belongs_to :author, class_name: "::RowsTest::StrictAuthor"
      end
      { "author: a cache keeps it" =>
          [Book, proc { has_one(:author, cache: { key: :id }) { attributes :name } }],
        "author: its context: is a block" =>
          [Book, proc { has_one(:author, serializer: name, context: ->(book) { book.id }) }],
        "author: #{both} has a serialize of its own" =>
          [Book, proc { has_one(:author, serializer: both) }],
        "author: no serializer declares its fields" =>
          [Book, proc { has_one(:author, serializer: own) }],
        "title: Library::Book has no association title" =>
          [Book, proc { has_one(:title) { attributes :size } }],
        "author: RowsTest::StrictAuthor is strict about loading" =>
          [to_strict, proc { has_one(:author, serializer: name) }],
        "author: its keys have different types" =>
          [by_text, proc { has_one(:author, serializer: name) }] }
        .each do |reason, (model, declared)|
        assert_match(/: models, because #{Regexp.escape(reason)}$/,
                     serializer(&declared).explain_rows(model.all))
      end
      books = Author.create!(name: "Ann").tap(&:strict_loading!).books.where(id: 1)
      assert_match(/: models, because its owner is strict$/,
                   serializer { has_one(:author, serializer: name) }.explain_rows(books))
    ensure
      self.class.send(:remove_const, :StrictAuthor)
    end

    test "explain_rows says what stands before all fields" do
      made = serializer { attributes :id; root :a, :b; meta { {} } }
      assert_equal("Library::Book: models, because a block gives its meta\n",
                   made.explain_rows(Book.all))
      made = serializer { attributes :id; rows false }
      assert_equal("Library::Book: models, because rows is false\n", made.explain_rows(Book.all))
      made = serializer { attributes :id; def serialize(book) = put(:id, book.id) }
      assert_match(/: models, because .* has a serialize of its own$/, made.explain_rows(Book.all))
      made = serializer { def serialize(book) = put(:id, book.id) }
      assert_match(/: models, because .* declares no fields$/, made.explain_rows(Book.all))
      error = assert_raises(ArgumentError) { made.explain_rows([]) }
      assert_equal("explain_rows takes a relation; got Array", error.message)
    end

    # A process of its own, since a module that was prepended stays.
    def asked(before, after)
      script = <<~RUBY
        require "to_json"
        require "to_json/active_record"
        ActiveRecord::Base.establish_connection(adapter: "sqlite3", database: ":memory:")
        ActiveRecord::Base.connection.create_table(:pens) { |t| t.string :name }
        class Pen < ActiveRecord::Base; end
        class PenSerializer < ToJson::Serializer; attributes :name; end
        others = Module.new { def records = super.reverse; def allocate = super }
        #{before}
        PenSerializer.json!(Pen.all)
        #{after}
        print PenSerializer.explain_rows(Pen.all)
      RUBY
      IO.popen([*PlainRuby.start(rubygems: true), "-W0", "-e", script], &:read)
    end

    {
      "ActiveRecord::Relation.prepend(others)" => "records of the relation is overridden",
      "ActiveRecord::Base.singleton_class.prepend(others)" => "Pen.allocate is overridden"
    }.each do |change, reason|
      test "#{change}, before rows are first used or after, needs models" do
        expected = "Pen: models, because #{reason}\n"
        assert_equal([expected] * 2, [asked(change, ""), asked("", change)])
        assert_equal("Pen: rows with name\n", asked("", ""))
      end
    end

    # -- settings ----------------------------------------------------------------------------------

    test "rows: of a call, rows of the class and ToJson.rows = decide, in this order" do
      books(1)
      made = serializer { attributes :id }
      without = serializer(made) { rows false }
      again = serializer(without) { rows nil }
      count = ->(one, **options) { models { one.json!(Book.all, **options) } }
      assert_equal([0, 1], [count.call(made), count.call(made, rows: false)])
      assert_equal([1, 0], [count.call(without), count.call(without, rows: true)])
      assert_equal(0, count.call(again))
      ToJson.rows = false
      assert_equal([1, 0], [count.call(made), count.call(made, rows: true)])
      assert_equal(0, count.call(serializer(made) { rows true }))
    ensure
      ToJson.rows = true
    end

    test "settings that are no setting raise" do
      error = assert_raises(ArgumentError) { ToJson.rows = :no }
      assert_equal("rows takes true or false; got :no", error.message)
      error = assert_raises(ToJson::DefinitionError) { serializer { rows 1 } }
      assert_match(/: rows takes true, false or nil; got 1/, error.message)
    end

    test "the event rows.to_json says how many rows were read" do
      books(2)
      found = []
      note = ->(*, payload) { found << payload.values_at(:class_name, :record_count) }
      ActiveSupport::Notifications.subscribed(note, "rows.to_json") do
        BookSerializer.json!(Book.all, view: :whole)
      end
      assert_equal([["Library::Book", 2]], found)
    end
  end
end
