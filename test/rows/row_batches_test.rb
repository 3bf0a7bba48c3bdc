# frozen_string_literal: true

# Documents that leave in chunks read a relation by its key, some rows at a time.

require_relative "../test_helper"

if Without.library?("active_record") && Without.library?("sqlite3")
  require_relative "rows_case"

  class RowBatchesTest < RowsCase
    BATCHES = ToJson::Rows.const_get(:RowBatches)

    class Word < Record
      self.table_name = "library_words"
      attribute :id, :string
    end

    # A model says so, but the table has another key.
    class Lone < Record
      self.table_name = "library_chapters"
      self.primary_key = "book_id"
    end

    def setup
      super
      sized(3)
      connection = Record.connection
      return if connection.table_exists?(:library_words)

      connection.create_table(:library_words, id: :string) { |t| t.string :text }
    end

    def teardown
      sized(1000)
      super
    end

    def sized(size)
      BATCHES.send(:remove_const, :SIZE)
      BATCHES.const_set(:SIZE, size)
    end

    def books(count)
      rows = (1..count).map { |i| { title: "b#{i}", pages: i % 4 } }
      Book.insert_all!(rows)
      chapters = Book.order(:id).ids.flat_map { |id| [{ title: "c#{id}", book_id: id }] * 2 }
      Chapter.insert_all!(chapters)
    end

    TITLES = Class.new(ToJson::Serializer) do
      attributes :title
      has_many(:chapters) { attributes :title }
    end

    # @return [Array<String>] what is asked of the database
    def queries(&)
      asked = []
      note = ->(*, payload) { asked << payload[:sql] unless payload[:name] == "SCHEMA" }
      ActiveSupport::Notifications.subscribed(note, "sql.active_record", &)
      asked
    end

    # @return [Integer] how many queries read the relation of the block
    def assert_batches(made = TITLES, &relation)
      expected = made.json!(relation.call, rows: false)
      io = StringIO.new
      asked = nil
      assert_equal(0, models { asked = queries { made.json!(relation.call, into: io) } })
      assert_equal(expected, io.string)
      lines = made.ndjson(relation.call, rows: false)
      [{}, { flush: :record }, { on_error: :skip }].each do |options|
        io = StringIO.new
        assert_equal(0, models { made.ndjson(relation.call, into: io, **options) })
        assert_equal(lines, io.string)
      end
      assert_equal(expected, made.stream(relation.call, flush: :record).each.to_a.join)
      table = relation.call.klass.quoted_table_name
      asked.grep(/FROM #{table}/).size
    end

    test "a relation in the order of its key is read some rows at a time, either way" do
      books(10)
      assert_equal(4, assert_batches { Book.order(:id) })
      assert_equal(4, assert_batches { Book.order(id: :desc) })
      assert_equal(3, assert_batches { Book.order(:id).limit(9) })
      assert_equal(2, assert_batches { Book.order(:id).limit(7) })
      assert_equal(4, assert_batches { Book.where(pages: 0..).readonly.order(:id).limit(100) })
    end

    test "a relation without an order is one query if it has few rows, else read by its key" do
      books(3)
      assert_equal(1, assert_batches { Book.where(pages: 0..) })
      Book.insert_all!([{ title: "x" }])
      assert_equal(3, assert_batches { Book.all }) # one looks how many there are
    end

    test "a relation is one query where its key does not divide it" do
      books(8)
      [Book.order(:title), Book.order(:pages, :id), Book.limit(7), Book.order(:id).offset(1),
       Book.order("id"), Book.select("*").order(:id), Book.order(:id).distinct, Book.group(:id),
       Book.left_joins(:chapters).order(:id), Book.order(:id).limit(2)].each do |relation|
        assert_equal(1, assert_batches { relation.spawn }, relation.to_sql)
      end
    end

    test "a key that is text is read in its order, and one that is not the table's is not" do
      Word.insert_all!(%w[b c a e d].map { |id| { id: id, text: id * 2 } })
      made = serializer { attributes :id, :text }
      assert_equal(2, assert_batches(made) { Word.order(:id) })
      books(8)
      made = serializer { attributes :title }
      assert_equal(2, assert_batches(made) { Lone.order(:book_id) }) # the first is thrown away
    ensure
      Word.delete_all
    end

    test "a String, and a document that stays in memory, take one query" do
      books(8)
      [-> { TITLES.json!(Book.all, into: +"") }, -> { TITLES.json!(Book.all) },
       -> { TITLES.ndjson(Book.all) }, -> { TITLES.json!(Book.all, into: ToJson::Buffer.new) }]
        .each { |call| assert_equal(2, queries(&call).size) }
    end

    test "a callable on_error: gets records" do
      books(2)
      made = serializer { attributes :id, extra: :title }
      found = nil
      assert_equal(2, models { found = made.ndjson(Book.order(:id), on_error: ->(*) {}) })
      assert_equal(made.ndjson(Book.order(:id)), found)
    end

    test "on_error: :skip leaves out the row that fails" do
      2.times { |i| Book.create!(title: "b#{i}", rating: i.zero? ? Float::INFINITY : 1.5) }
      made = serializer { attributes :title, :rating }
      assert_equal(0, models { @found = made.ndjson(Book.order(:id), on_error: :skip) })
      assert_equal("{\"title\":\"b1\",\"rating\":1.5}\n", @found)
      error = assert_raises(ToJson::NumberError) { made.ndjson(Book.order(:id)) }
      assert_equal("$[0].rating", ToJson.location(error))
    end

    test "the place of an error counts the records of all batches" do
      books(8)
      Book.order(:id)[6].update!(rating: Float::INFINITY)
      made = serializer { attributes :rating }
      [-> { made.ndjson(Book.order(:id), into: StringIO.new) },
       -> { made.json!(Book.order(:id), into: StringIO.new) }].each do |call|
        error = assert_raises(ToJson::NumberError, &call)
        assert_equal("$[6].rating", ToJson.location(error))
      end
    end

    test "the query cache does not keep the batches" do
      books(8)
      Book.cache do
        assert_equal(2, 2.times.sum { queries { TITLES.json!(Book.limit(3)) }.size } - 2)
        asked = 2.times.map { queries { TITLES.json!(Book.all, into: StringIO.new) }.size }
        assert_equal(asked.first, asked.last)
      end
    end

    test "rows.to_json tells of each batch" do
      books(8)
      counts = []
      note = ->(*, payload) { counts << payload.values_at(:batch, :record_count) }
      ActiveSupport::Notifications.subscribed(note, "rows.to_json") do
        TITLES.json!(Book.all, into: StringIO.new)
        TITLES.json!(Book.order(:id), into: StringIO.new)
      end
      assert_equal([[0, 3], [1, 3], [2, 2], [0, 4], [1, 3], [2, 1]], counts)
    end

    test "a batch that needs models is written from them" do
      books(8)
      asked = 0
      note = lambda do |*, payload|
        next unless payload[:sql].match?(/FROM "library_chapters"/)
        raise ActiveRecord::StatementInvalid, "gone" if [2, 3].include?(asked += 1)
      end
      io = StringIO.new
      made = models do
        ActiveSupport::Notifications.subscribed(note, "sql.active_record") do
          TITLES.json!(Book.order(:id), into: io)
        end
      end
      assert_equal(TITLES.json!(Book.order(:id), rows: false), io.string)
      assert_equal(3, made - 6) # with their chapters
    end
  end
end
