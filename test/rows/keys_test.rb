# frozen_string_literal: true

# Associations by keys that are texts. A database may find equal what Ruby does not.

require_relative "../test_helper"

if Without.library?("active_record") && Without.library?("sqlite3")
  require_relative "rows_case"

  class RowsKeysTest < RowsCase
    # SQLite's collations: NOCASE ignores the case of ASCII, RTRIM spaces at the end.
    def shop(collation)
      connection = ActiveRecord::Base.connection
      connection.create_table(:keys_makers, force: true, id: false) do |t|
        t.string(:code, primary_key: true, collation: collation)
        t.string(:name)
      end
      connection.create_table(:keys_things, force: true) do |t|
        t.string(:maker_code, collation: collation)
      end
      connection.clear_cache!
      named(:Maker) do
        self.table_name = "keys_makers"
        self.primary_key = "code"
        has_many(:things, -> { order(:id) }, class_name: "RowsKeysTest::Thing",
                                             foreign_key: :maker_code)
      end
      named(:Thing) do
        self.table_name = "keys_things"
        belongs_to(:maker, class_name: "RowsKeysTest::Maker", foreign_key: :maker_code)
      end
    end

    def named(name, &block)
      self.class.send(:remove_const, name) if self.class.const_defined?(name, false)
      self.class.const_set(name, Class.new(Record)).tap { |made| made.class_eval(&block) }
    end

    def teardown
      %i[keys_makers keys_things].each do |table|
        ActiveRecord::Base.connection.drop_table(table, if_exists: true)
      end
    end

    def fill(codes, foreign)
      Maker.insert_all(codes.map { |code| { code: code, name: "made by #{code}" } })
      Thing.insert_all(foreign.map { |code| { maker_code: code } })
    end

    def thing
      @thing ||= serializer do
        attributes :id
        has_one(:maker) { attributes :name }
      end
    end

    def maker
      @maker ||= serializer do
        attributes :name
        has_many(:things) { attributes :id }
      end
    end

    # {what => [collation, codes of makers, those that things have]}
    ALIKE = {
      "another case" => ["NOCASE", %w[a b], %w[A b]],
      "another case, twice" => ["NOCASE", %w[a b], %w[A a]],
      "spaces at the end" => ["RTRIM", ["a", "b "], ["a  ", "b"]],
      "letters that are not ASCII" => ["NOCASE", %w[é b], %w[é b]],
      "characters that some collation finds equal" => ["NOCASE", %w[a~ b], %w[a~ b]],
      "letters that some collation finds equal" => ["NOCASE", %w[ya ia], %w[ya ia]],
      "a line break" => ["NOCASE", %W[a\n b], %W[a\n b]]
    }.freeze

    PLAIN = {
      "words" => ["NOCASE", %w[a b cus_NffrFeUfNV2Hib], %w[b b cus_NffrFeUfNV2Hib none]],
      "UUIDs" => ["BINARY", %w[8f9a65eb-4807-4d57-b6e0-bda5d62f1429],
                  %w[8f9a65eb-4807-4d57-b6e0-bda5d62f1429 8f9a65eb-4807-4d57-b6e0-bda5d62f1428]],
      "spaces inside, and addresses" => ["RTRIM", ["", "a b", "a@b.de"], ["a b", "a@b.de", "", nil]]
    }.freeze

    ALIKE.each do |what, (collation, codes, foreign)|
      test "#{what} in a key: models are made" do
        shop(collation)
        fill(codes, foreign)
        assert_models(thing) { Thing.order(:id) }
        assert_models(maker) { Maker.order(:name) }
      end
    end

    PLAIN.each do |what, (collation, codes, foreign)|
      test "#{what} are keys for rows" do
        shop(collation)
        fill(codes, foreign)
        assert_rows(thing) { Thing.order(:id) }
        assert_rows(maker) { Maker.order(:name) }
      end
    end

    test "a key of another case is found, as the record finds it" do
      shop("NOCASE")
      fill(%w[a], %w[A])
      assert_equal('[{"id":1,"maker":{"name":"made by a"}}]', thing.json!(Thing.all))
      assert_equal('[{"name":"made by a","things":[{"id":1}]}]', maker.json!(Maker.all))
    end

    test "what is not found may look like anything" do
      shop("BINARY")
      fill(%w[b], ["A", "a", "é", " "])
      assert_rows(thing) { Thing.order(:id) }
    end

    test "keys of bytes are compared as bytes" do
      alike = ToJson::Rows.const_get(:Keys).method(:alike?)
      both = { "a" => true, "A" => true }
      assert(alike.call(ActiveModel::Type::String.new, both, { "a" => [] }))
      refute(alike.call(ActiveModel::Type::Binary.new, both, { "a" => [] }))
      broken = { "\xff" => true }
      assert(alike.call(ActiveModel::Type::String.new, broken, broken))
    end

    test "a key that was not asked for is one that the database finds equal" do
      alike = ToJson::Rows.const_get(:Keys).method(:alike?)
      refute(alike.call(ActiveModel::Type::Integer.new, { 1 => true, 2 => true }, { 1 => [] }))
      assert(alike.call(ActiveModel::Type::Integer.new, { 1 => true }, { 2 => [] }))
    end

    test "a key that its type changes for the database: models are made" do
      shop("BINARY")
      fill(%w[a b], [" a", "b"])
      Maker.normalizes(:code, with: ->(code) { code.strip })
      assert_models(thing) { Thing.order(:id) }
      assert_equal('[{"id":1,"maker":{"name":"made by a"}},{"id":2,"maker":{"name":"made by b"}}]',
                   thing.json!(Thing.order(:id)))
      Thing.insert_all([{ maker_code: "a" }])
      assert_models(thing) { Thing.order(:id) }
      assert_rows(thing) { Thing.where(id: 2..).order(:id) }
    end

    test "a time of which a column keeps fewer digits: models are made" do
      connection = ActiveRecord::Base.connection
      { keys_makers: 0, keys_things: 6 }.each do |table, digits|
        connection.create_table(table, force: true) { |t| t.datetime(:made_at, precision: digits) }
      end
      connection.clear_cache!
      named(:Maker) { self.table_name = "keys_makers" }
      named(:Thing) do
        self.table_name = "keys_things"
        belongs_to(:maker, class_name: "RowsKeysTest::Maker", foreign_key: :made_at,
                           primary_key: :made_at)
      end
      Maker.insert_all([{ made_at: Time.utc(2026, 1, 1, 10) }])
      Thing.insert_all([{ made_at: Time.utc(2026, 1, 1, 10, 0, 0.25r) }])
      made = serializer { has_one(:maker) { attributes :id } }
      assert_equal('[{"maker":{"id":1}}]', assert_models(made) { Thing.all })
    end

    # Makers and things that have a key of this type.
    def keyed(type, makers: {}, things: {})
      connection = ActiveRecord::Base.connection
      { keys_makers: makers, keys_things: things }.each do |table, options|
        connection.create_table(table, force: true) { |t| t.column(:key, type, **options) }
      end
      connection.clear_cache!
      keys = { foreign_key: :key, primary_key: :key }
      named(:Maker) do
        self.table_name = "keys_makers"
        has_many(:things, class_name: "RowsKeysTest::Thing", **keys)
        has_one(:thing, -> { order(:id) }, class_name: "RowsKeysTest::Thing", **keys)
      end
      named(:Thing) do
        self.table_name = "keys_things"
        belongs_to(:maker, class_name: "RowsKeysTest::Maker", **keys)
      end
    end

    def fill_keys(makers, things)
      Maker.insert_all(makers.map { |key| { key: key } })
      Thing.insert_all(things.map { |key| { key: key } })
    end

    # ActiveRecord asks for `key IS NULL` if the association has a scope, and else for `key = NULL`.
    test "a record without a key: models are made" do
      keyed(:integer)
      fill_keys([nil, 1], [nil, 1])
      many = serializer { has_many(:things) { attributes :id } }
      one = serializer { has_one(:thing) { attributes :id } }
      expected = '[{"thing":{"id":1}},{"thing":{"id":2}}]'
      assert_equal(expected, assert_models(one) { Maker.order(:id) })
      assert_models(many) { Maker.order(:id) }
      assert_rows(many) { Maker.where(id: 2) }
      back = serializer { has_one(:maker) { attributes :id } }
      assert_equal('[{"maker":null},{"maker":{"id":2}}]', assert_rows(back) { Thing.order(:id) })
    end

    test "one record is read as several are, also without a key" do
      keyed(:integer)
      fill_keys([nil, 1], [nil, 1])
      one = serializer { has_one(:thing) { attributes :id } }
      back = serializer { has_one(:maker) { attributes :id } }
      [[one, Maker], [back, Thing]].each do |made, model|
        unit = ToJson::Preloading.unit(made, nil, nil, nil)
        record_class = ToJson::Rows.const_get(:Record)
        found = model.order(:id).map { |record| [record, record_class.of(record, unit)] }
        found.each { |record, shown| assert_equal(made.json!(record), made.json!(shown || record)) }
        refute_nil(found.last.last)
      end
    end

    test "a foreign key that is false is none: models are made" do
      keyed(:boolean)
      fill_keys([true, false], [true, false])
      made = serializer { has_one(:maker) { attributes :id } }
      document = assert_models(made) { Thing.order(:id) }
      assert_equal('[{"maker":{"id":1}},{"maker":null}]', document)
    end

    test "a number of which a column keeps fewer digits: models are made" do
      keyed(:decimal, makers: { precision: 10, scale: 2 }, things: { precision: 12, scale: 4 })
      fill_keys(%w[1.5], %w[1.5 1.5001])
      made = serializer { has_one(:maker) { attributes :id } }
      document = assert_models(made) { Thing.order(:id) }
      assert_equal('[{"maker":{"id":1}},{"maker":{"id":1}}]', document)
    end

    test "bytes that a type changes for the database: models are made" do
      keyed(:binary)
      fill_keys(%w[a], %w[a A])
      Maker.normalizes(:key, with: ->(key) { key.downcase })
      made = serializer { has_one(:maker) { attributes :id } }
      document = assert_models(made) { Thing.order(:id) }
      assert_equal('[{"maker":{"id":1}},{"maker":{"id":1}}]', document)
    end
  end
end
