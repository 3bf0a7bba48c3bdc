# frozen_string_literal: true

# The seven conditions of rows. Each has documents that would be wrong without it: with the
# condition switched off, its own test fails.

require_relative "../test_helper"

if Without.library?("active_record") && Without.library?("sqlite3")
  require_relative "rows_case"

  class RowsConditionsTest < RowsCase
    # A module that changes how a relation is read.
    module Backwards
      def records = super.reverse
    end

    # A class of its own for each use, so that nothing is kept of another.
    def book(name = "Book", superclass = Record, &)
      made = Class.new(superclass) do
        self.table_name = "library_books"
        define_singleton_method(:name) { name }
      end
      made.class_eval(&) if block_given?
      made
    end

    def animal
      made = book("Library::Animal")
      made.table_name = "library_animals"
      made
    end

    # {condition => {what => [model, declarations, the relation]}}
    EXAMPLES = {
      relation: {
        "a module that extends the relation" => lambda do |test|
          model = test.book
          [model.extending(Backwards).order(:id), proc { attributes :id }]
        end,
        "a collection of an owner that has a new record" => lambda do |_|
          author = Library::Author.create!(name: "A")
          author.books.build(title: "new")
          [author.books, proc { attributes :title }]
        end,
        "a where: of no values, for which models make no query" => lambda do |test|
          [test.book.where(id: []).select("COUNT(*) AS id"), proc { attributes :id }]
        end,
        "a where: of a value that the column cannot have" => lambda do |test|
          [test.book.where(id: 2**70).select("COUNT(*) AS id"), proc { attributes :id }]
        end,
        "a where: of no values before another of the same column" => lambda do |test|
          [test.book.where(id: []).where(id: 1).select("COUNT(*) AS id"), proc { attributes :id }]
        end,
        "a where: of no value that the column can have before another" => lambda do |test|
          [test.book.where(id: [2**70]).where(id: 1).select("COUNT(*) AS id"),
           proc { attributes :id }]
        end,
        "a Range without a value that the column can have before another" => lambda do |test|
          [test.book.where(id: 2**70..).where(id: 1).select("COUNT(*) AS id"),
           proc { attributes :id }]
        end,
        "a having: of no records, after a where: of no values" => lambda do |test|
          [test.book.where(id: []).where(id: 1).select("COUNT(*) AS id").having("COUNT(*) = 0"),
           proc { attributes :id }]
        end,
        "a relation that is loaded, whose records have changed since" => lambda do |test|
          relation = test.book.order(:id).load
          relation.each { |record| record.title = "changed" }
          [relation, proc { attributes :title }]
        end
      },
      making: {
        "a callback of after_initialize" => lambda do |test|
          [test.book { after_initialize { self.title = "seen" } }.order(:id),
           proc { attributes :title }]
        end,
        "a callback of after_find" => lambda do |test|
          [test.book { after_find { self.title = "seen" } }.order(:id), proc { attributes :title }]
        end,
        "an instantiate_instance_of of the class" => lambda do |test|
          model = test.book do
            def self.instantiate_instance_of(klass, row, *) = super(klass, row.merge("pages" => 7))
          end
          [model.order(:id), proc { attributes :pages }]
        end,
        "an init_with_attributes of the class" => lambda do |test|
          model = test.book { def init_with_attributes(*) = super.tap { self.pages = 7 } }
          [model.order(:id), proc { attributes :pages }]
        end
      },
      one_class: {
        "a subclass with a getter of its own" => lambda do |test|
          [test.zoo.order(:id), proc { attributes :name }]
        end
      },
      getter: {
        "a getter of the model" => lambda do |test|
          [test.book { def title = "of the model" }.order(:id), proc { attributes :title }]
        end,
        "a getter of a module that is prepended" => lambda do |test|
          own = Module.new { def title = "#{super}!" }
          [test.book { prepend own }.order(:id), proc { attributes :title }]
        end,
        "a getter that is private" => lambda do |test|
          model = test.book
          model.define_attribute_methods
          model.class_eval { private :title }
          [model.order(:id), proc { attributes :title }]
        end,
        "a getter that is protected" => lambda do |test|
          model = test.book
          model.define_attribute_methods
          model.class_eval { protected :title }
          [model.order(:id), proc { attributes :title }]
        end
      },
      columns: {
        "a column that the relation did not select" => lambda do |test|
          [test.book.select(:id), proc { attributes :id, :title }]
        end
      },
      field: {
        "a block that keeps the object" => lambda do |test|
          declared = proc { attribute(:title) { |one| (@all ||= []).push(one).uniq.size } }
          [test.book.order(:id), declared]
        end,
        "a condition that is a lambda" => lambda do |test|
          [test.book.order(:id), proc { attribute :id, if: ->(one) { one.persisted? } }]
        end,
        "a method of the serializer" => lambda do |test|
          declared = proc { attributes :title; def title(one) = one.attributes.size.to_s }
          [test.book.order(:id), declared]
        end
      },
      association: {
        "an association with an extension" => lambda do |test|
          model = test.book do
            has_many :chapters, class_name: "Library::Chapter", foreign_key: :book_id do
              def records = super.reverse
            end
          end
          [model.order(:id), proc { has_many(:chapters) { attributes :title } }]
        end,
        "an association whose inverse_of: is wrong" => lambda do |test|
          model = test.book do
            has_many :chapters, class_name: "Library::Chapter", foreign_key: :book_id,
                                inverse_of: :nothing
          end
          [model.order(:id), proc { has_many(:chapters) { attributes :title } }]
        end,
        "an association that is overridden" => lambda do |test|
          model = test.book do
            has_many :chapters, class_name: "Library::Chapter", foreign_key: :book_id
            def chapters = super.reverse
          end
          [model.order(:id), proc { has_many(:chapters) { attributes :title } }]
        end
      }
    }.freeze

    # Models of which one overrides a getter, by the column `type`.
    def zoo
      model = book("Zoo")
      model.table_name = "library_animals"
      dog = Class.new(model) do
        define_singleton_method(:name) { "ZooDog" }
        def name = "a dog"
      end
      model.define_singleton_method(:find_sti_class) { |*| dog }
      model
    end

    def setup
      super
      connection = ActiveRecord::Base.connection
      connection.execute("INSERT INTO library_books (id, title, pages) " \
                         "VALUES (1, 'A', 1), (2, 'B', 2)")
      connection.execute("INSERT INTO library_chapters (title, book_id) VALUES ('a', 1), ('b', 1)")
      connection.execute("INSERT INTO library_animals (name, type) VALUES ('Rex', 'ZooDog')")
    end

    def document(example, **options)
      relation, declarations = example.call(self)
      serializer(&declarations).json!(relation, **options)
    rescue StandardError => error
      [error.class, ToJson.location(error)]
    end

    def check(example)
      assert_equal(document(example, rows: false), document(example))
    end

    # Runs the block with the condition switched off.
    def without(condition)
      conditions = ToJson::Rows.const_get(:Conditions).singleton_class
      kept = conditions.instance_method(condition)
      replace(conditions, condition) { |*| nil }
      yield
    ensure
      replace(conditions, condition, kept)
    end

    def replace(conditions, name, *method, &block)
      conditions.remove_method(name)
      conditions.define_method(name, *method, &block)
    end

    test "there are seven conditions, and each has examples" do
      conditions = ToJson::Rows.const_get(:Conditions)
      assert_equal EXAMPLES.keys.sort, conditions.singleton_methods(false).sort
      assert_equal 7, EXAMPLES.size
    end

    EXAMPLES.each do |condition, examples|
      examples.each do |what, example|
        test "#{condition}: #{what} is written from models" do
          check(example)
        end

        test "#{condition}: without the condition, #{what} is written wrongly" do
          without(condition) { assert_raises(Minitest::Assertion) { check(example) } }
        end
      end
    end
  end
end
