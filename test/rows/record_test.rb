# frozen_string_literal: true

# One record that is in memory, whose associations are written from rows: what `render json: book`
# asks for.

require_relative "../test_helper"

if Without.library?("active_record") && Without.library?("sqlite3")
  require_relative "rows_case"

  class RowsRecordTest < RowsCase
    class PageSerializer < ToJson::Serializer
      attributes :number
    end

    class ChapterSerializer < ToJson::Serializer
      attributes :title
      has_many(:pages, serializer: PageSerializer)
    end

    class BookSerializer < ToJson::Serializer
      attributes :id, :name, :kind, :price, :printed_at
      attribute :unfinished, source: :draft?
      has_one(:author) { attributes :name, :born }
      has_many(:chapters, serializer: ChapterSerializer)
      nested(:more) { attribute :pages, if: :draft? }
      view(:short) { remove :chapters }
    end

    def setup
      super
      @books = books(4).each do |book|
        (book.pages % 3).times do |i|
          chapter = book.chapters.create!(title: "chapter #{i}")
          (book.pages + i).times { |number| chapter.pages.create!(number: number) }
        end
      end
    end

    def shown(record, serializer = BookSerializer, **options)
      ToJson::Rows.record(record, serializer, **options)
    end

    # What `render` would write without rows.
    def of_models(record, serializer = BookSerializer, **options)
      chosen = options.slice(:view, :only, :except)
      serializer.json!(ToJson.preload(record, serializer, **chosen), **options)
    end

    def assert_shown(record, serializer = BookSerializer, **options)
      document = nil
      assert_equal(0, models do
        document = serializer.json!(shown(record, serializer, **options), **options)
      end)
      assert_equal(of_models(record.class.find(record.id), serializer, **options), document)
      document
    end

    test "its fields are its own, its associations are rows" do
      documents = @books.map { |book| assert_shown(Book.find(book.id)) }
      assert_equal([nil, "author 1", nil, "author 3"],
                   documents.map { |text| JSON.parse(text).dig("author", "name") })
      assert_equal([0, 1, 2, 0], documents.map { |text| JSON.parse(text)["chapters"].size })
      assert_equal([[0, 1], [0, 1, 2]],
                   JSON.parse(documents[2])["chapters"].map do |chapter|
                     chapter["pages"].map { |page| page["number"] }
                   end)
    end

    test "a column may have a name that no method call can have" do
      odd = Class.new(Book) { alias_attribute :"1st name", :title }
      made = serializer do
        attribute :first, source: :"1st name"
        has_one(:author) { attributes :name }
      end
      assert_equal('{"first":"book 1","author":{"name":"author 1"}}',
                   assert_shown(odd.find(@books[1].id), made))
    end

    test "a record may have a column that is named as a method of Ruby" do
      odd = Class.new(Book) do
        alias_attribute :method, :title
        alias_attribute :singleton_class, :title
      end
      made = serializer do
        attributes :method, :singleton_class
        has_one(:author) { attributes :name }
      end
      assert_equal('{"method":"book 1","singleton_class":"book 1","author":{"name":"author 1"}}',
                   assert_shown(odd.find(@books[1].id), made))
    end

    test "views, only:, except: and root: count" do
      id = @books[2].id
      [{ view: :short }, { only: %i[name author] }, { only: "name,chapters(title)" },
       { except: { chapters: :pages } }, { root: :book }].each do |options|
        assert_shown(Book.find(id), **options)
      end
    end

    test "what was assigned without being saved keeps the models" do
      book = Book.find(@books[1].id)
      assert(shown(book))
      book.title = "new"
      assert_nil(shown(book))
      assert_nil(shown(Book.new(title: "new", author: Author.first)))
      assert_nil(shown(Book.find(@books[0].id).tap(&:destroy!)))
    end

    test "what it holds already keeps the models" do
      book = Book.find(@books[2].id)
      book.chapters.load
      assert_nil(shown(book))
      book = Book.find(@books[2].id)
      book.chapters.build(title: "not saved")
      assert_nil(shown(book))
      assert(shown(book, view: :short))
      assert_nil(shown(Book.preload(:author).find(book.id)))
    end

    test "a getter of its own, of the class or of the one record, keeps the models" do
      book = Book.find(@books[1].id)
      def book.author = Library::Author.new(name: "another")
      assert_nil(shown(book))
      book = Book.find(@books[1].id)
      def book.title = "its own" # not what the document reads
      assert_shown(book)
      def book.name = "its own"
      assert_equal("its own", JSON.parse(BookSerializer.json!(shown(book)))["name"])
      changed = Class.new(Book) { def author = nil }
      assert_nil(shown(changed.find(book.id)))
    end

    test "an association whose class is missing raises where it is read, and only if it is read" do
      with_ghost = Class.new(Book) { belongs_to :ghost, class_name: "Nobody", optional: true }
      written = serializer do
        attributes :id
        has_one(:ghost, if: -> { false }) { attributes :name }
        has_one(:author) { attributes :name }
      end
      read = serializer { has_one(:ghost) { attributes :name } }
      id = @books[1].id
      assert_nil(shown(with_ghost.find(id), written))
      assert_equal(%({"id":#{id},"author":{"name":"author 1"}}),
                   of_models(with_ghost.find(id), written))
      assert_nil(shown(with_ghost.find(id), read))
      error = assert_raises(NameError) { of_models(with_ghost.find(id), read) }
      assert_equal("$.ghost", ToJson.location(error))
    end

    test "a record that has not the getter of an association keeps the models, which raise" do
      book = Book.find(@books[1].id)
      book.singleton_class.undef_method(:author)
      assert_nil(shown(book))
      error = assert_raises(NoMethodError) { of_models(book) }
      assert_equal("$.author", ToJson.location(error))
    end

    test "a record without the key of an association keeps the models, which raise" do
      few = -> { Book.select(:id, :title, :kind, :price, :printed_at, :draft).find(@books[0].id) }
      assert_nil(shown(few.call))
      assert_raises(ActiveModel::MissingAttributeError) { of_models(few.call) }
    end

    test "a record without a column that is read raises what the record raises" do
      few = -> { Book.select(:id, :author_id, :title).find(@books[1].id) }
      of_record = assert_raises(ActiveModel::MissingAttributeError) { of_models(few.call) }
      assert(shown(few.call))
      of_rows = assert_raises(ActiveModel::MissingAttributeError) do
        BookSerializer.json!(shown(few.call))
      end
      assert_equal([of_record.message, ToJson.location(of_record)],
                   [of_rows.message, ToJson.location(of_rows)])
    end

    test "strict loading, rows: false, blocks and other objects keep the models" do
      book = -> { Book.find(@books[1].id) }
      assert_nil(shown(book.call.tap(&:strict_loading!)))
      assert_nil(shown(book.call, rows: false))
      assert_nil(shown(book.call, collection: true))
      assert_nil(shown([book.call]))
      assert_nil(shown({ name: "a" }))
      assert_nil(shown(nil))
      by_block = serializer do
        attribute(:size) { |one| one.chapters.size }
        has_one(:author) { attributes :name }
      end
      assert_nil(shown(book.call, by_block))
      assert_nil(shown(book.call, serializer { attributes :title }), "it has no association")
      assert_nil(shown(book.call, serializer { def serialize(one) = put(:id, one.id) }))
      with_meta = serializer do
        meta { |one| { title: one.title } }
        has_one(:author) { attributes :name }
      end
      assert_nil(shown(book.call, with_meta))
    end

    test "a record that is a collection keeps the models, unless the call says otherwise" do
      of_one = serializer do
        attributes :id
        has_one(:author) { attributes :name }
      end
      id = @books[1].id
      many = [Class.new(Book) { def to_ary = [self] },
              Class.new(Book) { include(Enumerable); def each = yield(self) }]
      many.each do |model|
        assert_nil(shown(model.find(id), of_one))
        assert_equal(%([{"id":#{id},"author":{"name":"author 1"}}]),
                     of_models(model.find(id), of_one))
        assert_shown(model.find(id), of_one, collection: false)
      end
    end

    test "a table that is missing raises where the models raise" do
      book = Book.find(@books[1].id)
      shown(book)
      Chapter.connection.rename_table(:library_chapters, :library_gone)
      assert_nil(shown(book))
      assert_raises(ActiveRecord::StatementInvalid) { of_models(book) }
    ensure
      Chapter.connection.rename_table(:library_gone, :library_chapters)
    end

    test "a class that changes later is asked again" do
      one = Class.new(ToJson::Serializer) do
        attributes :title
        has_one(:author) { attributes :name }
      end
      id = @books[1].id
      assert(shown(Book.find(id), one))
      Author.class_eval { def name = "changed" }
      assert_nil(shown(Book.find(id), one))
      Author.remove_method(:name)
      one.attributes :pages
      assert_includes(assert_shown(Book.find(id), one), "pages")
    ensure
      Author.remove_method(:name) if Author.method_defined?(:name, false)
    end
  end
end
