# frozen_string_literal: true

# `rows: :cursor` on each database.

require_relative "database_case"

class DatabasesCursorTest < DatabaseCase
  CURSOR = ToJson::Rows.const_get(:Cursor)

  def setup
    super
    CURSOR.send(:remove_const, :SIZE)
    CURSOR.const_set(:SIZE, 3)
  end

  def teardown
    CURSOR.send(:remove_const, :SIZE)
    CURSOR.const_set(:SIZE, 1000)
    super
  end

  def things
    made = model do |t|
      t.string :name
      t.decimal :price, precision: 8, scale: 2
      t.datetime :at
      t.boolean :draft
    end
    made.insert_all!(Array.new(8) do |i|
      { name: "n'#{i % 4}", price: i / 3r, at: Time.utc(2026, 1, 1 + i, 2, 3, 4.5r), draft: i.odd? }
    end)
    made
  end

  on_each "a relation in any order is read by a cursor", %w[sqlite3 postgresql] do
    thing = things
    made = serializer { attributes :id, :name, :price, :at, :draft }
    relation = -> { thing.where("name <> ?", "n'9").order(name: :desc, id: :asc) }
    thing.transaction do
      io = StringIO.new
      2.times { made.ndjson(relation.call, into: io, rows: :cursor) }
      assert_equal(made.ndjson(relation.call, rows: false) * 2, io.string)
      io = Object.new
      io.define_singleton_method(:write) { |_| throw :left }
      catch(:left) { made.ndjson(relation.call, into: io, flush: :record, rows: :cursor) }
      assert_equal(8, thing.count) # the connection still answers
    end
    assert_equal(8, thing.count)
  end

  # An expression that fails for the last of the things.
  FAILING = { "sqlite3" => "json(CASE id WHEN 8 THEN '{' END)",
              "postgresql" => "1 / (8 - id)" }.freeze

  # On SQLite, the exception was the driver's.
  on_each "a query that the database refuses is ActiveRecord's error", FAILING.keys do |adapter|
    thing = things
    made = serializer { attributes :id }
    io = StringIO.new
    ["nope = 1", "id < 7 OR #{FAILING[adapter]} = 1"].each do |condition|
      relation = thing.where(condition).order(:id)
      ours, theirs = [:cursor, false].map do |rows|
        assert_raises(ActiveRecord::StatementInvalid) do
          thing.transaction { made.ndjson(relation, into: io, rows: rows) }
        end
      end
      assert_equal [theirs.class, theirs.cause.class], [ours.class, ours.cause.class]
    end
  end

  on_each "it says what is not there", %w[mysql2 trilogy] do
    thing = things
    made = serializer { attributes :id }
    error = assert_raises(ToJson::Error) do
      thing.transaction { made.ndjson(thing.order(:name), into: StringIO.new, rows: :cursor) }
    end
    assert_match(/rows: :cursor cannot be used, because \w+ has no cursors\. Order by the key/,
                 error.message)
  end
end
