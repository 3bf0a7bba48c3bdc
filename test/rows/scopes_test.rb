# frozen_string_literal: true

# Associations that have a scope.

require_relative "../test_helper"

if Without.library?("active_record") && Without.library?("sqlite3")
  require_relative "rows_case"

  class RowsScopesTest < RowsCase
    def setup
      super
      one, two = %w[one two].map { |title| Book.create!(title: title) }
      3.times { |i| [one, two].each { |book| book.chapters.create!(title: "#{book.title} #{i}") } }
      Chapter.create!(title: "of none", book_id: 0)
    end

    # A class of its own, with the association `chapters`.
    def book(*scope, **options, &)
      Class.new(Record) do
        self.table_name = "library_books"
        define_singleton_method(:name) { "Book" }
        has_many(:chapters, *scope, class_name: "Library::Chapter", foreign_key: :book_id,
                                    **options, &)
        has_one(:chapter, *scope, class_name: "Library::Chapter", foreign_key: :book_id)
      end
    end

    def made
      @made ||= serializer do
        has_many(:chapters) { attributes :title }
        has_one(:chapter) { attributes :title }
      end
    end

    {
      "an order" => -> { order(id: :desc) },
      "an order in words" => -> { order("title DESC") },
      "a condition" => -> { where.not(title: "one 1") },
      "both" => -> { where("title LIKE '% %'").order(title: :desc) },
      "nothing" => -> {},
      "another scope" => -> { merge(Chapter.where(title: ["one 0", "two 2"])) }
    }.each do |what, scope|
      test "a scope with #{what} is applied to rows" do
        model = book(scope)
        assert_rows(made) { model.order(:id) }
      end
    end

    test "an order of the scope is that of the document" do
      model = book(-> { order(id: :desc) })
      document = assert_rows(made) { model.order(:id).limit(1) }
      assert_equal('[{"chapters":[{"title":"one 2"},{"title":"one 1"},{"title":"one 0"}],' \
                   '"chapter":{"title":"one 2"}}]', document)
    end

    {
      "chapters: its scope has limit" => -> { limit(1) },
      "chapters: its scope has select" => -> { select(:id, :title, :book_id) },
      "chapters: its scope has distinct" => -> { distinct },
      "chapters: its scope takes the record" => ->(book) { where.not(title: book.title) },
      "chapters: its scope is no relation of Library::Chapter" => -> { Library::Page.all }
    }.each do |reason, scope|
      test "#{reason}: models are made" do
        model = book(scope)
        only = { only: "chapters" }
        assert_includes(made.explain_rows(model.all, **only), ": models, because #{reason}\n")
        next if reason.include?("no relation")

        assert_models(made, **only) { model.order(:id) }
      end
    end

    # A book whose chapters are of a class with that default scope.
    def scoped(*scope, &default)
      self.class.send(:remove_const, :Scoped) if self.class.const_defined?(:Scoped)
      self.class.const_set(:Scoped, Class.new(Record) do
        self.table_name = "library_chapters"
        default_scope(&default)
      end)
      Class.new(Record) do
        self.table_name = "library_books"
        define_singleton_method(:name) { "Book" }
        has_many(:chapters, *scope, class_name: "RowsScopesTest::Scoped", foreign_key: :book_id)
        has_one(:chapter, *scope, class_name: "RowsScopesTest::Scoped", foreign_key: :book_id)
      end
    end

    {
      "an order" => -> { order(title: :desc) },
      "a condition" => -> { where.not(title: "one 1") },
      "both" => -> { where("title LIKE '%o%'").order(title: :desc) }
    }.each do |what, default|
      test "a default scope with #{what} is applied to rows, but not within unscoped" do
        model = scoped(&default)
        document = assert_rows(made) { model.order(:id) }
        Scoped.unscoped { refute_equal(document, assert_rows(made) { model.order(:id) }) }
        Scoped.where(id: 1).scoping do
          assert_equal(document, assert_rows(made) { model.order(:id) })
        end
      end
    end

    test "a default scope stands beside no other one, and may have no more than others" do
      { "it and RowsScopesTest::Scoped have a scope" =>
          [[-> { where(title: "two 1") }], -> { where(title: "one 1") }],
        "its scope has limit" => [[], -> { limit(1) }],
        "its scope has distinct" => [[], -> { distinct }] }.each do |reason, (scope, default)|
        model = scoped(*scope, &default)
        said = made.explain_rows(model.all, only: "chapters")
        assert_includes(said, ": models, because chapters: #{reason}\n")
        assert_models(made, only: "chapters") { model.order(:id) }
      end
    end

    test "a default scope that gives something else later is asked each time" do
      limit = false
      model = scoped { limit ? limit(1) : order(id: :desc) }
      assert_rows(made) { model.order(:id) }
      limit = true
      assert_models(made) { model.order(:id) }
    end

    test "a scope that gives something else later is asked each time" do
      limit = false
      model = book(-> { limit ? limit(1) : all })
      assert_rows(made) { model.order(:id) }
      limit = true
      assert_models(made) { model.order(:id) }
    end

    test "a scope that raises is as with models" do
      model = book(-> { where(no_such: 1) })
      error = assert_raises(ActiveRecord::StatementInvalid) { made.json!(model.all) }
      assert_equal("$[0].chapters", ToJson.location(error))
    end
  end
end
