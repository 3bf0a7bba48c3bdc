# frozen_string_literal: true

# Lists of rows whose raw values C reads by itself: ext/to_json/plans/row_list.c.

require_relative "../test_helper"

if Without.library?("active_record") && Without.library?("sqlite3")
  require_relative "rows_case"

  class RowListTest < RowsCase
    COLUMNS = %i[id title pages price rating draft printed_at kind].freeze

    # Raw values that the types of COLUMNS do not return as they are, or that need their type.
    ODD = { title: "CAST('caf\xC3\xA9' AS BLOB)", pages: "'7 pages'", price: "'1e3'",
            rating: "'a'", draft: "'no'", printed_at: "'2026-02-31 25:00:00'",
            kind: "'poem'" }.freeze

    def insert(title, columns = {})
      values = { title: "'#{title}'", pages: 3, price: "12.5", rating: 0.25, draft: 1,
                 printed_at: "'2026-01-02 03:04:05.678901'", kind: 1, **columns }
      Record.connection.execute("INSERT INTO library_books (#{values.keys.join(", ")}) " \
                                "VALUES (#{values.values.join(", ")})")
    end

    # @return [Integer] how many rows generated code reads
    def read_by_ruby(&block)
      list = ToJson::Rows.const_get(:List)
      count = 0
      trace = TracePoint.new(:call) do |point|
        count += 1 if point.method_id == :[] && list === point.self
      end
      trace.enable(&block)
      count
    end

    def flat(*names) = serializer { attributes(*(names.empty? ? COLUMNS : names)) }

    test "only the first row, which tells time zone and enum, needs Ruby" do
      40.times { |i| insert("book #{i}") }
      made = flat
      assert_rows(made) { Book.order(:id) }
      assert_equal(1, read_by_ruby { made.json!(Book.order(:id)) })
      assert_equal(0, read_by_ruby { flat(:id, :title, :price).json!(Book.order(:id)) })
    end

    test "rows with NULL, and with raw values that only their type can read, are as models" do
      made = flat
      insert("first")
      COLUMNS.drop(1).each { |name| insert("", name => "NULL") && insert("between") }
      ODD.each { |name, raw| insert("odd", name => raw) && insert("after") }
      assert_rows(made) { Book.order(:id) }
      assert_rows(made) { Book.order(id: :desc) }
      assert_operator(read_by_ruby { made.json!(Book.order(:id)) }, :<, 12)
    end

    # 24 of them are the Methods that tell who defined what the conditions ask for.
    test "any number of flat rows makes few objects beside those of the query" do
      40.times { |i| insert("book #{i}") }
      made = flat
      asked = -> { Record.connection.select_all(Book.order(:id)) }
      above = objects { made.json!(Book.order(:id)) } - objects(&asked)
      assert_operator(above, :<, 55)
    end

    # @return [Integer] how many objects a call of the block makes
    def objects
      3.times { yield }
      GC.disable
      before = GC.stat(:total_allocated_objects)
      yield
      GC.stat(:total_allocated_objects) - before
    ensure
      GC.enable
    end

    test "where most rows need Ruby, it gets all of them" do
      80.times { insert("odd", draft: "'no'", pages: "'7 pages'") }
      assert_rows(flat) { Book.order(:id) }
    end

    test "text that needs escapes, and a text longer than any buffer, are as models" do
      ["\"", "\u2028\n", "é" * 100, "x" * 300_000, "", "</script>"].each { |text| insert(text) }
      [{}, { rules: { html_safe: true } }, { rules: { indent: "  " } },
       { rules: { decimal: :number, time: :unix_ms } }, { rules: { dialect: :rails } },
       { rules: { convert: { String => lambda(&:upcase) } } }].each do |options|
        made = Class.new(flat) { rules(**options[:rules]) if options[:rules] }
        assert_rows(made) { Book.order(:id) }
      end
    end

    test "views, root and an IO that gets small chunks are as models" do
      30.times { |i| insert("book #{i}") }
      made = flat
      made.view(:more) { attributes :opens }
      made.root(:book, :books)
      assert_rows(made, view: :more) { Book.order(:id) }
      assert_rows(made, only: %i[id kind]) { Book.order(:id) }
      expected = made.json!(Book.order(:id), rows: false)
      io = StringIO.new
      made.json!(Book.order(:id), into: io, chunk: 64)
      assert_equal(expected, io.string)
    end

    test "two getters of one column, and one getter for two fields, have the same value" do
      5.times { |i| insert("book #{i}", price: i) }
      made = serializer { attributes :title, :name, :price, price: :cost, printed_at: :at }
      assert_rows(made) { Book.order(:id) }
    end

    test "a time of another offset is asked of its zone again" do
      months = (1..12).flat_map { |month| [format("'2026-%02d-15 12:00:00'", month)] * 2 }
      months.each { |at| insert("a", printed_at: at) }
      Time.use_zone("Europe/Berlin") do
        zoned = Class.new(Record) do
          self.table_name = "library_books"
          self.time_zone_aware_attributes = true
          define_singleton_method(:name) { "Zoned" }
        end
        document = assert_rows(flat(:printed_at)) { zoned.order(:id) }
        assert_includes(document, "2026-01-15T13:00:00.000+01:00")
        assert_includes(document, "2026-07-15T14:00:00.000+02:00")
      end
    end
  end
end
