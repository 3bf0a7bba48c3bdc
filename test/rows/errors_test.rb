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

    test "a relation without records asks nothing of a model whose columns cannot be loaded" do
      odd = Class.new(Record) do
        self.table_name = "library_books"
        define_singleton_method(:name) { "Odd" }
        attribute :extra, :json
        serialize :extra, coder: JSON # which raises when the columns are loaded
      end
      made = serializer { attributes :extra }
      [odd.limit(0), odd.none].each do |relation|
        assert_equal(found(made, relation, rows: false), found(made, relation))
      end
    end

    test "a query that models do not make, since no row can be meant, raises nothing" do
      shelves("1")
      made = serializer { attributes :id }
      [Shelf.where(id: []).where(id: 1).where("("),
       Shelf.where("(").where(id: [2**70]).where(id: 1),
       Shelf.where(no_such: 1).where(id: []).where(id: 1)].each do |relation|
        assert_equal("[]", found(made, relation, rows: false))
        assert_equal("[]", found(made, relation))
        assert_equal("[]", found(made, relation, into: StringIO.new).string)
      end
      assert_equal([ActiveRecord::StatementInvalid, "$"],
                   assert_same_error(made, Shelf.where("(").where(id: 1)))
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

    class Animal < Record
      self.table_name = "library_animals"
      self.ignored_columns += ["name"]
    end

    class Bird < Animal
      enum :name, { tit: "0" }
    end

    # @return [Class] a model
    def owner_of(name)
      Class.new(Record) do
        self.table_name = "library_authors"
        define_singleton_method(:name) { "Owner" }
        has_many :kept, class_name: name, foreign_key: :id
      end
    end

    test "a class of an association that cannot be asked raises at the first record" do
      made = serializer { has_many(:kept) { attributes :id } }
      owner = owner_of("RowsErrorsTest::Bird")
      assert_equal("[]", made.json!(owner.all))
      shelves("1")
      assert_equal([RuntimeError, "$[0].kept"], assert_same_error(made, owner.order(:id)))
    end

    class Late < Record
      self.table_name = "library_animals"
      class << self
        attr_accessor :stop

        def strict_loading_by_default
          stopped, self.stop = stop, nil
          Thread.current.raise(stopped, "from elsewhere") if stopped
          super
        end
      end
    end

    test "an exception that another thread raises while a class is asked is raised" do
      shelves("1")
      made = serializer { has_many(:kept) { attributes :id } }
      [RuntimeError, Timeout::Error].each do |stop|
        Late.stop = stop
        error = assert_raises(stop) { made.json!(owner_of("RowsErrorsTest::Late").all) }
        assert_equal("from elsewhere", error.message)
      end
      assert_equal('[{"kept":[]}]', made.json!(owner_of("RowsErrorsTest::Late").all))
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
