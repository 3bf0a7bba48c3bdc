# frozen_string_literal: true

# Keys that are texts, which a database compares by its collation.

require_relative "database_case"

class DatabaseKeysTest < DatabaseCase
  def type(adapter)
    return :string unless adapter == "postgresql"

    connection.enable_extension("citext")
    :citext
  end

  def named(name, made)
    self.class.send(:remove_const, name) if self.class.const_defined?(name, false)
    self.class.const_set(name, made)
  end

  # @return [Class] things, each with a maker
  def things(type, **options)
    maker = model("makers", id: false) do |t|
      t.column(:code, type, primary_key: true, **options)
      t.string(:name)
    end
    maker.primary_key = "code"
    named(:Maker, maker)
    thing = model("things") { |t| t.column(:maker_code, type, **options) }
    thing.belongs_to(:maker, class_name: "DatabaseKeysTest::Maker", foreign_key: :maker_code)
    connection.execute("INSERT INTO makers (code, name) VALUES ('a', 'A'), ('b', 'B')")
    connection.execute("INSERT INTO things (maker_code) VALUES ('b'), ('B'), ('b '), ('A'), ('c')")
    thing
  end

  def made = serializer { has_one(:maker) { attributes :name } }

  on_each("a key of another case is found as the record finds it", SERVED) do |adapter|
    type = type(adapter)
    relation = things(type).order(:id)
    found = made.json!(relation, rows: false)
    assert_operator(found.scan("name").size, :>, 2, found)
    assert_equal(found, made.json!(relation.spawn))
    assert_rows(made, relation.klass.where(id: [1, 5]).order(:id))
  end

  on_each("keys of plain letters are read from rows") do
    found = assert_rows(made, things(:string).where(id: [1, 5]).order(:id))
    assert_equal('[{"maker":{"name":"B"}},{"maker":null}]', found)
  end
end
