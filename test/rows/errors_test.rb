# frozen_string_literal: true

# What is raised while rows are read or written: the error of models, at the same place.

require_relative "../test_helper"

if Without.library?("active_record") && Without.library?("sqlite3")
  require_relative "rows_case"

  class RowsErrorsTest < RowsCase
    class Broken < Record
      self.table_name = "library_no_such_table"
    end

    class Shelf < Record
      self.table_name = "library_authors"
      has_many :broken, class_name: "RowsErrorsTest::Broken", foreign_key: :author_id
      has_many :gone, class_name: "RowsErrorsTest::NoSuchClass", foreign_key: :author_id
      serialize :name, coder: JSON
    end

    def found(made, relation, **options)
      made.json!(relation, **options)
    rescue StandardError => error
      [error.class, ToJson.location(error)]
    end

    # @return [Array(Class, String)] the error's class and its place
    def assert_same_error(made, relation = Shelf.order(:id))
      error = found(made, relation, rows: false)
      assert_instance_of(Array, error)
      assert_equal(error, found(made, relation))
      error
    end

    def shelves(*names)
      names.each do |name|
        Record.connection.execute("INSERT INTO library_authors (name) VALUES ('#{name}')")
      end
    end

    test "a type that cannot read a value raises at the field" do
      shelves("1", "{")
      assert_equal("$[1].name", assert_same_error(serializer { attributes :id, :name }).last)
    end

    test "a query of an association that fails raises at the association" do
      shelves("1")
      made = serializer { has_many(:broken) { attributes :id } }
      assert_equal([ActiveRecord::StatementInvalid, "$[0].broken"], assert_same_error(made))
      Record.transaction { assert_raises(ActiveRecord::StatementInvalid) { made.json!(Shelf.all) } }
    end

    test "an exception that another thread raises while an association is read is raised" do
      shelves("1")
      author = Class.new(Record) do
        self.table_name = "library_authors"
        define_singleton_method(:name) { "Author" }
        has_many :books, class_name: "Library::Book", foreign_key: :author_id
      end
      made = serializer { has_many(:books) { attributes :id } }
      raised = false
      note = lambda do |*, payload|
        next if raised || payload[:name] != "Library::Book Load"

        raised = true
        Thread.current.raise(ArgumentError, "from elsewhere")
      end
      ActiveSupport::Notifications.subscribed(note, "sql.active_record") do
        error = assert_raises(ActiveSupport::Notifications::InstrumentationSubscriberError,
                              ArgumentError) { made.json!(author.all) }
        assert_includes(error.message, "from elsewhere")
      end
      assert_equal("[{\"books\":[]}]", made.json!(author.all))
    end

    test "a class of an association that is not there is missed by the first record only" do
      made = serializer { has_many(:gone) { attributes :id } }
      assert_equal("[]", made.json!(Shelf.all))
      shelves("1")
      assert_equal([NameError, "$[0].gone"], assert_same_error(made))
    end

    test "a table that is not there raises" do
      made = serializer { attributes :id }
      assert_equal(ActiveRecord::StatementInvalid, assert_same_error(made, Broken.all).first)
    end
  end
end
