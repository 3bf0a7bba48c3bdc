# frozen_string_literal: true

# `rows: :cursor`: documents that leave in chunks read a relation of any order by one query, some
# rows at a time. PostgreSQL's are tested in databases/cursor_test.rb.

require_relative "../test_helper"

if Without.library?("active_record") && Without.library?("sqlite3")
  require_relative "rows_case"

  class RowsCursorTest < RowsCase
    CURSOR = ToJson::Rows.const_get(:Cursor)
    TITLES = Class.new(ToJson::Serializer) do
      attributes :title, :pages
      has_one(:author) { attributes :name }
      has_many(:chapters) { attributes :title }
    end
    RELATIONS = {
      "another order" => -> { Book.order(:pages, :id) },
      "an order and a limit" => -> { Book.order(title: :desc).offset(1).limit(7) },
      "joins" => -> { Book.joins(:author).order("library_authors.name DESC") },
      "no order" => -> { Book.where(pages: [1, 2, 5, 7]) },
      "conditions with text" => -> { Book.where("title <> ?", "it's; -- \\").order(:pages) },
      "no rows" => -> { Book.where(pages: -1) },
      "none" => -> { Book.none },
      "no value" => -> { Book.where(id: []) },
      "a value that no column has" => -> { Book.where(id: 10**30).order(:pages) },
      "limit 0" => -> { Book.limit(0) },
      "as many rows as a batch" => -> { Book.order(:pages).limit(3) }
    }.freeze

    def setup
      super
      sized(3)
      books(8)
      Chapter.insert_all!(Book.ids.flat_map { |id| [{ title: "c#{id}", book_id: id }] * 2 })
    end

    def teardown
      sized(1000)
      super
    end

    def sized(size)
      CURSOR.send(:remove_const, :SIZE)
      CURSOR.const_set(:SIZE, size)
    end

    def transaction(&) = Book.transaction(&)

    # @return [Integer] statements that are open
    def open = ObjectSpace.each_object(SQLite3::Statement).count { |one| !one.closed? }

    RELATIONS.each do |name, relation|
      test "the document is that of models: #{name}" do
        expected = TITLES.json!(relation.call, rows: false)
        lines = TITLES.ndjson(relation.call, rows: false)
        transaction do
          io = StringIO.new
          built = models { TITLES.json!(relation.call, into: io, rows: :cursor) }
          assert_equal([0, expected], [built, io.string])
          io = StringIO.new
          TITLES.ndjson(relation.call, into: io, rows: :cursor)
          assert_equal(lines, io.string)
          body = TITLES.stream(relation.call, rows: :cursor, flush: :record)
          assert_equal(expected, body.each.to_a.join)
        end
      end
    end

    test "rows are read when they are written" do
      seen = []
      io = Object.new
      io.define_singleton_method(:write) { |text| seen << text.scan("\n").size; text.bytesize }
      note = ->(*, payload) { seen << payload.values_at(:batch, :record_count) }
      made = serializer { attributes :title }
      transaction do
        ActiveSupport::Notifications.subscribed(note, "rows.to_json") do
          made.ndjson(Book.order(:title), into: io, flush: :record, rows: :cursor)
        end
      end
      assert_equal([[0, 3], 1, 1, 1, [1, 3], 1, 1, 1, [2, 2], 1, 1], seen)
    end

    test "the statement is closed when the document has ended, however it did" do
      relation = Book.order(:title)
      io = Object.new
      io.define_singleton_method(:write) { |_| raise IOError, "gone" }
      leaving = Object.new
      leaving.define_singleton_method(:write) { |_| throw :left }
      call = ->(sink) { TITLES.ndjson(relation, into: sink, flush: :record, rows: :cursor) }
      transaction do
        GC.disable # which would close what is left open
        call[StringIO.new] # ActiveRecord keeps statements of its own
        before = open
        call[StringIO.new]
        assert_equal(before, open)
        assert_raises(ToJson::SinkError, IOError) { call[io] }
        catch(:left) { call[leaving] }
        assert_equal(before, open)
      end
    ensure
      GC.enable
    end

    test "it needs a transaction, rows, and no models" do
      error = assert_raises(ToJson::Error) do
        TITLES.json!(Book.order(:title), into: StringIO.new, rows: :cursor)
      end
      assert_equal("$: #{Book}: rows: :cursor cannot be used, because no transaction is open. " \
                   "Write the document within #{Book}.transaction { … }.", error.message)
      block = serializer { attribute(:size) { |book| book.title.size } }
      transaction do
        error = assert_raises(ToJson::Error) do
          block.json!(Book.order(:title), into: StringIO.new, rows: :cursor)
        end
        assert_equal("$: #{Book}: rows: :cursor cannot be used, because models are needed: size: " \
                     "a block gives it.", error.message)
        error = assert_raises(ToJson::Error) do
          TITLES.ndjson(Book.order(:title).load, into: StringIO.new, rows: :cursor)
        end
        assert_includes(error.message, "the relation is loaded")
      end
    end

    test "a document that does not leave in chunks has its rows at once, as with rows: true" do
      relation = Book.order(:title)
      assert_equal(TITLES.json!(relation), TITLES.json!(relation, rows: :cursor))
    end

    test "a later batch whose associations fail says so" do
      asked = 0
      note = lambda do |*, payload|
        next unless payload[:sql].match?(/FROM "library_chapters"/)
        raise ActiveRecord::StatementInvalid, "gone" if (asked += 1) > 1
      end
      transaction do
        assert_raises(ActiveRecord::StatementInvalid) do
          ActiveSupport::Notifications.subscribed(note, "sql.active_record") do
            TITLES.json!(Book.order(:title), into: StringIO.new, rows: :cursor)
          end
        end
      end
    end
  end
end
