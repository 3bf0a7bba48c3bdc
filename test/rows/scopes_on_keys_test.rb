# frozen_string_literal: true

# Scopes that speak of the column by which an association finds its rows. ActiveRecord's getter of
# one record puts the key in the place of such a condition of a default scope; its preloading of
# several records keeps both.

require_relative "../test_helper"

if Without.library?("active_record") && Without.library?("sqlite3")
  require_relative "rows_case"

  class RowsScopesOnKeysTest < RowsCase
    # Conditions on `key`, and whether the getter of a record replaces them.
    CONDITIONS = {
      "where.not of a value" => [true, ->(key) { where.not(key => 2) }],
      "where.not of nil" => [true, ->(key) { where.not(key => nil) }],
      "where.not of several values" => [true, ->(key) { where.not(key => [2, 3]) }],
      "another value" => [true, ->(key) { where(key => 1) }],
      "several values" => [true, ->(key) { where(key => [1, 3]) }],
      "no values" => [true, ->(key) { where(key => []) }],
      "nil" => [true, ->(key) { where(key => nil) }],
      "a Range" => [true, ->(key) { where(key => 3..5) }],
      "a Range without a beginning" => [true, ->(key) { where(key => ..1) }],
      "a Range without its end" => [true, ->(key) { where(key => 3...5) }],
      "a query" => [true, ->(key) { where(key => unscoped.where(key => 1).select(key)) }],
      "one or the other of its values" => [true, ->(key) { where(key => 1).or(where(key => 3)) }],
      "an order, and a value" => [true, ->(key) { order(:id).where(key => 1) }],
      "another column, too" => [true, ->(key) { where(title: "two 1").where(key => 1) }],
      "another column, or a value" => [false, ->(key) { where(title: "no").or(where(key => 1)) }],
      "words" => [false, ->(key) { where("#{key} <> 2") }],
      "words with a value" => [false, ->(key) { where("#{key} > ?", 2) }],
      "another column" => [false, ->(_) { where.not(title: "two 1") }],
      "an order" => [false, ->(key) { order(key => :desc) }]
    }.freeze

    def setup
      super
      Book.insert_all([{ id: 1, title: "one" }, { id: 2, title: "two" }, { id: 3, title: "three" }])
      Chapter.insert_all(
        [1, 2, 3, 1, 2, 3].each_with_index.map do |book, i|
          { id: i + 1, book_id: book, title: "#{%w[one two three][book - 1]} #{i / 3}" }
        end
      )
    end

    def named(name, &block)
      self.class.send(:remove_const, name) if self.class.const_defined?(name, false)
      self.class.const_set(name, Class.new(Record)).tap { |made| made.class_eval(&block) }
    end

    # Books with chapters, and chapters with a book.
    # @param default [Proc] of the associated class
    # @param own [Array<Proc>] of the association
    def associated(default: nil, own: [])
      one = "RowsScopesOnKeysTest::One"
      part = named(:One) do
        self.table_name = "library_chapters"
        belongs_to(:book, class_name: one, foreign_key: :book_id)
        default_scope(&default) if default
      end
      whole = named(:Whole) do
        self.table_name = "library_books"
        has_many(:chapters, *own, class_name: one, foreign_key: :book_id)
        has_one(:chapter, *own, class_name: one, foreign_key: :book_id)
      end
      [whole, part]
    end

    # Chapters whose book is of a class with that default scope, or whose association has that one.
    def belonging(default: nil, own: [])
      one = "RowsScopesOnKeysTest::Owner"
      named(:Owner) do
        self.table_name = "library_books"
        default_scope(&default) if default
      end
      named(:Belonging) do
        self.table_name = "library_chapters"
        belongs_to(:book, *own, class_name: one, foreign_key: :book_id)
      end
    end

    def chapters
      @chapters ||= serializer { has_many(:chapters) { attributes :title } }
    end

    def chapter
      @chapter ||= serializer { has_one(:chapter) { attributes :title } }
    end

    def book
      @book ||= serializer { has_one(:book) { attributes :title } }
    end

    # One record, then several: only these are preloaded.
    def check(serializer, model, replaced, said)
      [model.where(id: 2), model.where(id: 3), model.order(:id)].each do |relation|
        explained = serializer.explain_rows(relation)
        if replaced
          assert_models(serializer) { relation.spawn }
          assert_includes(explained, said)
        else
          assert_rows(serializer) { relation.spawn }
          refute_includes(explained, "models")
        end
      end
    end

    CONDITIONS.each do |what, (replaced, condition)|
      test "a default scope with #{what} as to the key" do
        model, = associated(default: -> { instance_exec(:book_id, &condition) })
        said = "the default scope of RowsScopesOnKeysTest::One has a condition on book_id\n"
        check(chapters, model, replaced, "chapters: #{said}")
        check(chapter, model, replaced, "chapter: #{said}")
        model = belonging(default: -> { instance_exec(:id, &condition) })
        said = "the default scope of RowsScopesOnKeysTest::Owner has a condition on id\n"
        check(book, model, replaced, "book: #{said}")
      end

      test "an association's own scope with #{what} as to the key is applied to rows" do
        model, = associated(own: [-> { instance_exec(:book_id, &condition) }])
        check(chapters, model, false, nil)
        check(chapter, model, false, nil)
        check(book, belonging(own: [-> { instance_exec(:id, &condition) }]), false, nil)
      end
    end

    test "an alias of the key is the key" do
      model, part = associated(default: -> { where.not(whole_id: 2) })
      part.alias_attribute(:whole_id, :book_id)
      check(chapters, model, true, "has a condition on book_id")
      assert_equal('[{"chapters":[{"title":"two 0"},{"title":"two 1"}]}]',
                   chapters.json!(model.where(id: 2)))
    end

    test "a default scope that speaks of the key of another association changes nothing" do
      model = belonging(default: -> { where.not(author_id: 2).or(where(author_id: nil)) })
      check(book, model, false, nil)
    end

    test "the collection of a record is read as the record reads it" do
      model, = associated(default: -> { where.not(book_id: 2) })
      titles = serializer { attributes :title }
      record = model.find(2)
      assert_equal(0, models { titles.json!(record.chapters) })
      assert_equal('[{"title":"two 0"},{"title":"two 1"}]', titles.json!(record.chapters))
    end

    test "with a scope for all queries models are made, while it lasts" do
      model = belonging
      2.times do
        assert_rows(book) { model.where(id: 3) }
        Owner.where.not(id: 2).scoping(all_queries: true) do
          assert_models(book) { model.where(id: 3) }
          assert_equal("RowsScopesOnKeysTest::Belonging: models, because book: " \
                       "RowsScopesOnKeysTest::Owner has a scope for all queries\n",
                       book.explain_rows(model.all))
        end
      end
    end

    test "a first document within a scope for all queries leaves no trace" do
      model = belonging
      Owner.where(id: 1).scoping(all_queries: true) do
        assert_models(book) { model.order(:id) }
        Owner.unscoped { assert_models(book) { model.where(id: 3) } }
      end
      assert_rows(book) { model.order(:id) }
    end

    test "a scope for all queries inside another object is seen" do
      model = belonging
      nested = serializer { nested(:inside) { has_one(:book) { attributes :title } } }
      outer = named(:Outer) do
        self.table_name = "library_books"
        has_many(:parts, class_name: "RowsScopesOnKeysTest::Belonging", foreign_key: :book_id)
      end
      deep = serializer { has_many(:parts) { has_one(:book) { attributes :title } } }
      Owner.where(title: "one").scoping(all_queries: true) do
        assert_models(nested) { model.where(id: 3) }
        assert_models(deep) { outer.where(id: 2) }
        assert_includes(deep.explain_rows(outer.all), "models, because parts.book: ")
      end
    end
  end
end
