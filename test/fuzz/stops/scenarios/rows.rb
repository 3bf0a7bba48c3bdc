# frozen_string_literal: true

# Stops. Relations that are written without models, and their batches.

require "fileutils"
require "tmpdir"

module Stops
  # The models, in a database of SQLite for each worker, which its children share.
  module Records
    FILE = File.join(Dir.tmpdir, "to_json-stops-#{Process.pid}.sqlite3")
    private_constant :FILE
    # The processes that are forked end by exit!, so this one alone removes it.
    at_exit { FileUtils.rm_f(Dir["#{FILE}*"]) }

    class << self
      # @return [Class] of authors, which have books
      def authors = @authors ||= made

      private

      def made
        SQLite3::ForkSafety.suppress_warnings! # nobody writes after `fill`
        ActiveRecord::Base.establish_connection(adapter: "sqlite3", pool: 200,
                                                database: "#{FILE}-#{Process.pid}")
        fill unless ActiveRecord::Base.connection.table_exists?(:authors)
        base = Class.new(ActiveRecord::Base) { self.abstract_class = true }
        const_set(:Base, base)
        const_set(:Book, Class.new(base))
        const_set(:Author, Class.new(base) { has_many :books, class_name: "Stops::Records::Book" })
      end

      def fill
        connection = ActiveRecord::Base.connection
        connection.create_table(:authors) { |table| table.string :name }
        connection.create_table(:books) do |table|
          table.string :title
          table.integer :author_id
        end
        connection.execute("INSERT INTO authors (name) VALUES ('Ann'), ('Bob')")
        connection.execute("INSERT INTO books (title, author_id) VALUES ('One', 1), ('Two', 1)")
      end
    end
  end

  ROWS_TEXT = '[{"name":"Ann","books":[{"title":"One"},{"title":"Two"}]},{"name":"Bob","books":[]}]'

  def self.authors_serializer
    serializer do
      attributes :name
      has_many(:books) { attributes :title }
    end
  end

  scenario "a relation from its rows", group: :records do
    made = authors_serializer
    authors = Records.authors
    { call: -> { made.json!(authors.all) }, expect: ROWS_TEXT }
  end

  scenario "a relation in batches of rows", group: :records do
    made = authors_serializer
    authors = Records.authors
    sink = Slow.new
    { call: -> { made.json!(authors.all, into: sink) && true }, expect: true,
      whole: ->(finished) { sink.broken(ROWS_TEXT, finished) },
      again: -> { made.json!(authors.all) }, accepts: [ROWS_TEXT] }
  end

  # Columns that C reads, and one value that only its type can.
  FLAT = "SELECT id, name, 1.50 AS price, id AS kind, '2026-01-0' || id || ' 10:00:00' AS at, " \
         "'2026-01-0' || id AS day FROM authors ORDER BY id"
  FLAT_TEXT = '[{"id":1,"name":"Ann","price":"1.5","kind":"new","at":"2026-01-01T10:00:00.000Z",' \
              '"day":"2026-01-01"},{"id":2,"name":"Bob","price":"1.5","kind":"old",' \
              '"at":"2026-01-02T10:00:00.000Z","day":"2026-01-02"}]'

  scenario "flat rows", group: :records do
    base = Records.authors.superclass
    flat = world.const_set(:Flat, Class.new(base) do
      self.table_name = "authors"
      attribute :price, :decimal
      attribute :at, :datetime
      attribute :day, :date
      attribute :kind, :integer
      enum :kind, { new: 1, old: 2 }, prefix: true
    end)
    made = serializer { attributes :id, :name, :price, :kind, :at, :day }
    rows = flat.from("(#{FLAT}) AS authors").select(:id, :name, :price, :kind, :at, :day)
    { call: -> { made.json!(rows.spawn) }, expect: FLAT_TEXT }
  end

  scenario "loaded records, preloaded", group: :records do
    made = authors_serializer
    authors = Records.authors
    { call: -> { made.json!(ToJson.preload(authors.all, made).to_a) }, expect: ROWS_TEXT }
  end

  # What `render json: author` asks for.
  scenario "one record with its associations from rows", group: :records do
    made = authors_serializer
    author = Records.authors.find(1)
    call = lambda do
      record = ToJson::Rows.record(author, made)
      "#{made.json!(record || author)}#{" by models" unless record}"
    end
    { call: call, expect: '{"name":"Ann","books":[{"title":"One"},{"title":"Two"}]}' }
  end
end
