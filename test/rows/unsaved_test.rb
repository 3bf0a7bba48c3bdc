# frozen_string_literal: true

# Records of which it cannot be told whether they have changes: a value cannot be read.

require_relative "../test_helper"

if Without.library?("active_record") && Without.library?("sqlite3")
  require_relative "rows_case"

  class RowsUnsavedTest < RowsCase
    class Author < Record
      self.table_name = "library_authors"
      serialize :name, coder: JSON
      has_many :books, class_name: "Library::Book", foreign_key: :author_id
    end

    def author
      Record.connection.execute("INSERT INTO library_authors (id, name) VALUES (1, '{')")
      Author.find(1).tap { |author| author.name = nil }
    end

    test "such a record is written from models" do
      made = serializer do
        attributes :id
        has_many(:books) { attributes :title }
      end
      record = author
      assert_raises(JSON::ParserError) { record.has_changes_to_save? }
      unit = ToJson::Preloading.unit(made, nil, nil, nil)
      assert_nil(ToJson::Rows.const_get(:Record).of(record, unit))
    end

    test "a record whose read_attribute is overridden is written from models" do
      made = serializer { has_many(:books) { attributes :title } }
      unit = ToJson::Preloading.unit(made, nil, nil, nil)
      record = author.reload
      assert(ToJson::Rows.const_get(:Record).of(record, unit))
      record.define_singleton_method(:read_attribute) { |_| 1 }
      assert_nil(ToJson::Rows.const_get(:Record).of(record, unit))
    end

    test "and so is its collection" do
      record = author
      Book.insert_all([{ title: "A", author_id: 1 }])
      made = serializer { attributes :title }
      assert_equal('[{"title":"A"}]', made.json!(record.books))
    end

    test "an error that comes once is raised" do
      record = author
      asked = 0
      record.define_singleton_method(:has_changes_to_save?) do
        (asked += 1) == 1 ? raise("once") : false
      end
      made = serializer { attributes :title }
      assert_raises(RuntimeError) { made.json!(record.books) }
    end
  end
end
