# frozen_string_literal: true

# What changes after a first document was written from rows is honoured by the next one.

require_relative "../test_helper"

if Without.library?("active_record") && Without.library?("sqlite3")
  require_relative "rows_case"

  class RowsChangesTest < RowsCase
    LOUD = Module.new { def title = "#{super}!" }

    # Sentence => what happens to the model.
    CHANGES = {
      "def" => ->(model) { model.class_eval { def title = "new" } },
      "define_method" => ->(model) { model.define_method(:title) { "#{super()}?" } },
      "a module that is prepended" => ->(model) { model.prepend(LOUD) },
      "a module that is included" => ->(model) { model.include(LOUD) },
      "a getter that becomes private" => ->(model) { model.send(:private, :title) },
      "a getter that becomes protected" => ->(model) { model.send(:protected, :title) },
      "a getter that method_missing answers" => lambda do |model|
        model.undef_method(:title)
        model.define_method(:respond_to_missing?) { |name, *| name == :title }
        model.define_method(:method_missing) { |name, *| name == :title ? "missing" : super(name) }
      end,
      "an alias of another column" => ->(model) { model.alias_attribute(:called, :pages) },
      "an id" => ->(model) { model.class_eval { def id = 7 } },
      "an id of a superclass" => ->(model) { model.superclass.class_eval { def id = 7 } },
      "a type of the column" => ->(model) { model.attribute(:pages, :string) },
      "a column that tells the class" => ->(model) { model.inheritance_column = "title" },
      "a callback" => ->(model) { model.after_find { self.title = "found" } },
      "a class method" => lambda do |model|
        model.define_singleton_method(:instantiate_instance_of) do |type, row, *all|
          super(type, row.merge("pages" => 9), *all)
        end
      end,
      "a method that makes a record" => lambda do |model|
        model.class_eval { def init_with_attributes(*) = super.tap { self.pages = 7 } }
      end,
      "an association" => ->(model) { model.class_eval { def author = nil } }
    }.freeze

    # A model and a superclass of its own.
    def model
      around = Class.new(Record) { self.abstract_class = true }
      Class.new(around) do
        self.table_name = "library_books"
        define_singleton_method(:name) { "Book" }
        alias_attribute :called, :title
        belongs_to :author, class_name: "Library::Author", optional: true
      end
    end

    def document(made, relation, **options)
      made.json!(relation, **options)
    rescue StandardError => error
      [error.class, ToJson.location(error)]
    end

    test "a getter that a subclass has for an association it inherits makes models" do
      books(2)
      made = serializer { has_one(:author) { attributes :name } }
      assert_rows(made) { Book.order(:id) }
      changed = Class.new(Book) do
        define_singleton_method(:name) { "Book" }
        def author = Library::Author.new(name: "its own")
      end
      assert_includes(assert_models(made) { changed.order(:id) }, "its own")
    end

    CHANGES.each do |what, change|
      test "#{what} after a document from rows counts in the next" do
        books(2)
        model = self.model
        made = serializer do
          attributes :id, :title, :called, :pages
          has_one(:author) { attributes :name }
        end
        before = assert_rows(made) { model.order(:id) }
        change.call(model)
        expected = document(made, model.order(:id), rows: false)
        assert_equal(expected, document(made, model.order(:id)))
        refute_equal(before, expected)
      end
    end

    test "a getter that changes counts for the one with ?, which calls it" do
      books(2)
      made = serializer { attribute :id, if: :draft? }
      model = self.model
      assert_rows(made) { model.order(:id) }
      model.class_eval { def draft = "yes" }
      assert_equal '[{"id":%d},{"id":%d}]' % model.ids, assert_models(made) { model.order(:id) }
      before = Class.new(self.model) { include Module.new { def draft = [super] } }
      before.define_singleton_method(:name) { "Book" }
      assert_equal '[{"id":%d},{"id":%d}]' % model.ids, assert_models(made) { before.order(:id) }
    end

    test "a column that tells the class counts after a document of selected columns" do
      books(2)
      model = self.model
      made = serializer { attributes :id, :title }
      relation = -> { model.select(:id, :title).order(:id) }
      assert_rows(made, &relation)
      model.inheritance_column = "title"
      assert_equal([ActiveRecord::SubclassNotFound, "$"], document(made, relation.call))
    end

    test "a column that tells the class of associated records counts in the next document" do
      books(2)
      made = serializer { has_one(:author) { attributes :name } }
      assert_rows(made) { Book.order(:id) }
      Library::Author.inheritance_column = "name"
      expected = document(made, Book.order(:id), rows: false)
      assert_equal(expected, document(made, Book.order(:id)))
      assert_equal(ActiveRecord::SubclassNotFound, expected.first)
    ensure
      Library::Author.inheritance_column = "type"
    end

    test "a column may be named as a method of Ruby that asks for methods" do
      ActiveRecord::Base.connection.create_table(:library_calls, force: true) do |table|
        %w[method public_method owner].each { |name| table.string name }
      end
      calls = Class.new(Record) do
        self.table_name = "library_calls"
        define_singleton_method(:name) { "Call" }
      end
      calls.create!(method: "GET", owner: "me")
      made = serializer { attributes :id, :method, :public_method, :owner }
      2.times { assert_rows(made) { calls.all } }
    ensure
      ActiveRecord::Base.connection.drop_table(:library_calls)
    end
  end
end
