# frozen_string_literal: true

# Every type of column with every value that the fuzzer knows, on every database: the document of
# rows is that of models, or both raise the same.

require_relative "database_case"
require_relative "../../fuzz/kit/dice"
require_relative "../../fuzz/relations/columns"

class DatabaseTypesTest < DatabaseCase
  Columns = Fuzz::Relations::Columns
  RULES = [{}, { time: :unix_ms }, { decimal: :number }, { time: :utc }].freeze
  # Which times there are depends on the zone.
  ZONES = ["UTC", "Berlin", "America/New_York"].freeze

  def outcome(made, relation, **options)
    made.json!(relation, **options)
  rescue StandardError => error
    [error.class, ToJson.location(error)]
  end

  # The table `things` with the column c0, and a row for each literal that the database takes.
  def fill(made, words, literals)
    connection.create_table(:things, force: true) { |t| eval("t.column :c0, #{words}") }
    connection.schema_cache.clear!
    made.reset_column_information
    literals.each { |literal| insert(literal) }
  end

  def insert(literal)
    connection.execute("INSERT INTO things (c0) VALUES (#{literal})")
  rescue ActiveRecord::StatementInvalid
    nil # out of range
  end

  def prepare(adapter)
    return unless adapter == "postgresql"

    %w[citext hstore].each { |name| connection.enable_extension(name) }
    connection.create_enum(:mood, %w[sad happy])
  end

  def settings(adapter)
    return {} unless Columns.mysql?(adapter)

    { strict: false, variables: { sql_mode: "ALLOW_INVALID_DATES" } }
  end

  def thing
    @thing ||= Class.new(Record) do
      self.table_name = "things"
      define_singleton_method(:name) { "Thing" }
    end
  end

  # Zones and Rules that matter to the family, and one of each to all.
  def ways(family)
    case family
    when :datetime, :timestamptz, :stamp, :moments, :time
      ZONES.product([{}]) + RULES.map { |rules| ["UTC", rules] }
    when :decimal, :money then [["UTC", {}], ["UTC", { decimal: :number }]]
    else [["UTC", {}]]
    end
  end

  # Each row for itself, so that an error hides no other value.
  def compare(made, relation, rules, zone)
    count = 0
    [relation, *thing.ids.map { |id| thing.where(id: id) }].each do |some|
      due = outcome(made, some.spawn, rules: rules, rows: false)
      got = outcome(made, some.spawn, rules: rules, rows: true)
      assert_equal due, got, "#{thing.columns_hash["c0"].sql_type}, #{rules}, #{zone}"
      count += 1
    end
    count
  end

  DatabaseServers::ADAPTERS.each do |adapter|
    test "#{adapter}: rows are written as models are, whatever the column is" do
      connect(adapter, **settings(adapter))
      prepare(adapter)
      made = serializer { attributes :id, :c0 }
      before = Time.zone
      count = 0
      Columns.all(adapter).each do |family, (_, words, literals)|
        words.each do |one|
          fill(thing, one, ["NULL", *literals])
          ways(family).each do |zone, rules|
            Time.zone = zone
            count += compare(made, thing.order(:id), rules, zone)
          end
        end
      end
      assert_operator count, :>, 500
    ensure
      Time.zone = before
    end
  end

  on_each "the kinds of Cells name types that exist", %w[postgresql] do
    names = ToJson.const_get(:Rows).send(:const_get, :Casts)::KINDS.keys.grep(/PostgreSQL/)
    refute_empty names
    assert_empty(names.reject { |name| Object.const_defined?(name) })
  end
end
