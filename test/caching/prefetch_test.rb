# frozen_string_literal: true

require_relative "caching_case"
require "stringio"

# Cached parts of elements that are not cached themselves: one look for a level of a collection, and
# the same documents.
class CachingPrefetchTest < CachingCase
  Author = Struct.new(:id, :name, :version, :reads) do
    def shown
      self.reads = reads.to_i + 1
      name
    end
  end

  Article = Struct.new(:id, :version, :author, :comments, :asks) do
    def by = ask(:by, author)
    def list = ask(:list, comments)
    def asked = asks || {}

    private

    def ask(name, value)
      self.asks = asked.merge(name => asked[name].to_i + 1)
      value
    end
  end

  AuthorSerializer = Class.new(ToJson::Serializer) do
    attributes :id, shown: :name
    cache key: ->(author) { [author.id, author.version] }
  end

  ArticleSerializer = Class.new(ToJson::Serializer) do
    attributes :id
    has_one :by, serializer: AuthorSerializer
  end

  ThreadSerializer = Class.new(ToJson::Serializer) do
    attributes :id
    has_many :list, serializer: AuthorSerializer
  end

  KeptSerializer = Class.new(ToJson::Serializer) do
    attributes :id
    has_many(:list, cache: { key: ->(article) { [article.id, article.version] } }) do
      attributes :id
    end
  end

  def author(id) = Author.new(id, "a#{id}", 1)

  def articles(count, authors: count, comments: 2)
    people = Array.new(authors) { |index| author(index) }
    Array.new(count) do |index|
      Article.new(index, 1, people[index % authors],
                  Array.new(comments) { |at| author(1000 + (index * comments) + at) })
    end
  end

  def due(articles, key)
    one = ->(person) { { "id" => person.id, "name" => person.name } }
    JSON.generate(articles.map do |article|
      { "id" => article.id, key => key == "by" ? one[article.by] : article.list.map(&one) }
    end)
  end

  # For a document twice: the calls of the store.
  def twice(type, articles, **options)
    2.times.map do
      text = type.json!(articles, **options)
      (@text ||= text) && assert_equal(@text, text)
      @store.calls_made
    end
  end

  test "a cached has_one of 100 elements is one read_multi and one write_multi, then one " \
       "read_multi" do
    all = articles(100)
    assert_equal [[[:read_multi, 100], [:write_multi, 100]], [[:read_multi, 100]]],
                 twice(ArticleSerializer, all)
    assert_equal due(articles(100), "by"), @text
    assert_equal [1] * 100, all.map { |article| article.author.reads }
    assert_equal [{ by: 4 }], all.map(&:asked).uniq # twice a document
  end

  test "a cached has_many of 100 elements is one look at all of theirs" do
    assert_equal [[[:read_multi, 200], [:write_multi, 200]], [[:read_multi, 200]]],
                 twice(ThreadSerializer, articles(100))
    assert_equal due(articles(100), "list"), @text
  end

  test "a cached association of 100 elements is one look, and is read where it is not there, " \
       "once" do
    all = articles(100)
    assert_equal [[[:read_multi, 100], [:write_multi, 100]], [[:read_multi, 100]]],
                 twice(KeptSerializer, all)
    assert_equal [{ list: 1 }], all.map(&:asked).uniq
  end

  test "all that one level has is one look: several associations, nested ones, associations of " \
       "associations, inline blocks" do
    article = ArticleSerializer
    type = Class.new(ToJson::Serializer) do
      attributes :id
      has_one :by, serializer: AuthorSerializer
      has_many :list, serializer: AuthorSerializer
      has_one(:first, source: :author, cache: { key: :id }) { attributes :name }
      nested(:people) { has_one :author, serializer: AuthorSerializer }
    end
    outer = Class.new(ToJson::Serializer) do
      has_many :articles, serializer: type
      has_many(:others, source: :articles) { has_one :again, source: :self, serializer: article }
    end
    Article.define_method(:self) { self }
    blogs = Array.new(3) do |index|
      { articles: articles(2).each { |one| one.author.id += index * 10; one.id += index * 10 } }
    end
    seen = twice(outer, blogs)
    # two threads of comments in all
    assert_equal [[:read_multi, 6 + 4 + 6], [:write_multi, 16]], seen[0]
    assert_equal [[:read_multi, 16]], seen[1]
    assert_equal 3, JSON.parse(@text).size
  ensure
    Article.remove_method(:self) if Article.method_defined?(:self)
  end

  test "the same part many times is asked for once and written once" do
    all = articles(50, authors: 2)
    assert_equal [[[:read_multi, 2], [:write_multi, 2]], [[:read_multi, 2]]],
                 twice(ArticleSerializer, all)
    assert_equal [1, 1], all.first(2).map { |article| article.author.reads }
    assert_equal due(all, "by"), @text
  end

  test "every way out, warm and cold" do
    ahead = -> { Class.new(ThreadSerializer) { has_one :by, serializer: AuthorSerializer } }
    type = ahead.call
    all = articles(3)
    expected = type.json!(all)
    3.times { assert_document(expected) { |**out| type.json!(all, **out) } }
    @store.entries.clear
    assert_document(expected) { |**out| type.json!(all, **out) }
    [all.each, all.lazy, all.each_entry].each { |source| assert_equal expected, type.json!(source) }
    assert_equal expected, type.json!([nil, *all, nil]).sub("[null,", "[").sub(",null]", "]")
    rows = all.map { |one| { id: one.id, list: one.list, by: one.by } }
    assert_equal expected, type.json!(rows)
  end

  test "more than 500 parts are looked up 500 at a time, what an element has more by itself" do
    assert_equal [[:read_multi, 500], [:read_multi, 200]],
                 twice(ArticleSerializer, articles(700))[1]
    @text = nil
    assert_equal [[:read_multi, 500], [:read_multi, 500], [:read_multi, 200]],
                 twice(ThreadSerializer, articles(1, comments: 1200))[1]
    @text = nil
    seen = twice(ThreadSerializer, articles(2, comments: 700))[1]
    assert_equal 1400, seen.sum(&:last)
    assert_operator seen.size, :<=, 5
  end

  test "a lazy source is looked ahead by 500 elements, with flush: not at all" do
    source = ->(count) do
      Enumerator.new { |feed| articles(count).each { |article| feed << article } }
    end
    ArticleSerializer.json!(source[700])
    assert_equal [[:read_multi, 500], [:write_multi, 500], [:read_multi, 200], [:write_multi, 200]],
                 @store.calls_made
    seen, sink = [], []
    live = Enumerator.new do |feed|
      articles(3).each { |article| seen << sink.size; feed << article }
    end
    ArticleSerializer.json!(live, into: sink, flush: :record)
    assert_equal [0, 1, 2], seen
    assert_equal [[:read, 1]] * 3, @store.calls_made
  end

  test "where an outer part is not there, its parts are looked up with those of the others that " \
       "are not" do
    outer = Class.new(ToJson::Serializer) do
      attributes :id
      has_many :list, serializer: AuthorSerializer
      cache key: ->(article) { [article.id, article.version] }
    end
    all = articles(100)
    outer.json!(all)
    assert_equal [[:read_multi, 100], [:read_multi, 200], [:write_multi, 200], [:write_multi, 100]],
                 @store.calls_made
    all.first(50).each { |article| article.version = 2 }
    assert_equal due(all, "list"), outer.json!(all)
    assert_equal [[:read_multi, 100], [:read_multi, 100], [:write_multi, 50]], @store.calls_made
    assert_equal due(all, "list"), outer.json!(all)
    assert_equal [[:read_multi, 100]], @store.calls_made
    within = Class.new(ToJson::Serializer) { has_one :article, serializer: outer }
    all.each { |article| article.version = 3 }
    within.json!(all.map { |article| { article: article } })
    assert_equal [[:read_multi, 100], [:read_multi, 200], [:write_multi, 100]], @store.calls_made
  end

  test "only: and except: of a call leave their own parts, looked up together" do
    type = Class.new(ToJson::Serializer) do
      attributes :id
      has_one :by, serializer: AuthorSerializer
      has_many :list, serializer: AuthorSerializer
    end
    all = articles(10)
    seen = twice(type, all, only: "id,by(name)")
    assert_equal [[[:read_multi, 10], [:write_multi, 10]], [[:read_multi, 10]]], seen
    assert_equal %([{"id":0,"by":{"name":"a0"}},{"id":1,"by":{"name":"a1"}}]),
                 type.json!(all.first(2), only: "id,by(name)")
    @store.calls_made
    @text = nil
    assert_equal [[:read_multi, 20]], twice(type, all, except: "by")[1]
    @text = nil
    assert_equal [[], []], twice(type, all, only: "id")
  end

  test "conditions are asked, and what is not written is not asked for" do
    type = Class.new(ToJson::Serializer) do
      has_one :by, serializer: AuthorSerializer, if: ->(article) { article.id.even? }
      has_many(:list, cache: { key: :id }, unless: :hidden?) { attributes :id }
      def hidden?(article) = article.id == 1
    end
    all = articles(4)
    assert_equal [[:read_multi, 2 + 3], [:write_multi, 5]], twice(type, all)[0]
    assert_equal [{ by: 4, list: 1 }, {}, { by: 4, list: 1 }, { list: 1 }], all.map(&:asked)
  end

  test "what a block, a method of the serializer or a default gives is not read ahead" do
    given = 0
    type = Class.new(ToJson::Serializer) do
      has_one(:by, serializer: AuthorSerializer) { |article| given += 1; article.author }
      has_one :author, serializer: AuthorSerializer
      define_method(:author) { |article| given += 1; article.author }
    end
    2.times { type.json!(articles(3)) }
    assert_equal 12, given
    assert_empty @store.calls_made.map(&:first) & [:read_multi]
  end

  test "key: is called once for each object that a look is for" do
    keys = []
    inner = Class.new(AuthorSerializer) { cache key: ->(author) { keys << author.id; author.id } }
    type = Class.new(ToJson::Serializer) do
      has_one :by, serializer: inner
      has_many(:list, cache: { key: ->(article) { keys << "list #{article.id}"; article.id } }) do
        attributes :id
      end
    end
    2.times { type.json!(articles(3)) }
    assert_equal [0, 1, 2, "list 0", "list 1", "list 2"], keys.first(keys.size / 2).sort_by(&:to_s)
    assert_equal 12, keys.size
  end

  test "what an outer part holds of a part that depends on the context is not shared, found " \
       "ahead or not" do
    inner = Class.new(ToJson::Serializer) do
      attribute(:who) { context[:who] }
      cache key: ->(author, context) { [author.id, context[:who]] }, context: false
    end
    middle = Class.new(ToJson::Serializer) { has_one :by, serializer: inner }
    outer = Class.new(ToJson::Serializer) do
      has_many(:all, serializer: middle, cache: { key: :id })
    end
    row = { id: 1, all: articles(2) }
    2.times do
      %w[ann bob].each do |who|
        assert_equal [who, who],
                     JSON.parse(outer.json!(row, context: { who: who }))["all"].map { |one|
          one.dig("by", "who")
        }
      end
    end
  end

  test "batch: 1 looks nothing ahead" do
    type = Class.new(ToJson::Serializer) do
      has_one :by, serializer: Class.new(AuthorSerializer) { cache key: :id, batch: 1 }
    end
    all = articles(3)
    assert_equal [[:read, 1]] * 3, twice(type, all)[1]
    assert_equal [{ by: 2 }], all.map(&:asked).uniq
  end

  test "a serializer within itself, and data in a circle, end" do
    type = Class.new(ToJson::Serializer) do
      attributes :id
      has_many :list, serializer: self
      has_one :by, serializer: AuthorSerializer
    end
    tree = articles(3).each do |article|
      article.comments = articles(2).each { |one| one.comments = [] }
    end
    seen = twice(type, tree)
    assert_equal [[:read_multi, 3]], seen[1]
    circle = articles(1).first
    circle.comments = [circle]
    assert_raises(ToJson::NestingError) { type.json!([circle, circle]) }
    plain = Class.new(ToJson::Serializer) do
      has_many :list, serializer: self
      has_one :first, serializer: AuthorSerializer, source: :author
    end
    circle.author = nil
    assert_raises(ToJson::NestingError) { plain.json!([circle, circle]) }
    assert_equal 2, JSON.parse(ArticleSerializer.json!(articles(2))).size
  end

  Stop = Class.new(StandardError)

  test "a getter that raises is heard where it is written, with its path, and what came before " \
       "is there" do
    all = articles(5)
    def (all[3]).by = raise(Stop, "no")
    sink = []
    error = assert_raises(Stop) { ArticleSerializer.json!(all, into: sink, chunk: 1) }
    assert_equal "$[3].by", ToJson.location(error)
    assert_operator JSON.generate(JSON.parse(ArticleSerializer.json!(all.first(3)))).chomp("]"),
                    :start_with?, sink.join
    once = articles(5)
    strikes = [true]
    once[3].define_singleton_method(:by) { strikes.shift ? raise(Stop, "once") : author }
    assert_equal "once", assert_raises(Stop) { ArticleSerializer.json!(once) }.message
    assert_equal due(articles(5), "by"), ArticleSerializer.json!(once)
  end

  test "an exception, throw or kill while looking ahead leaves the next document right" do
    [-> { raise Stop }, -> { throw :out }, -> { Thread.current.kill }].each do |leave|
      %i[read_multi write_multi].each do |point|
        @store.entries.clear
        @store.define_singleton_method(point) do |*arguments, **options|
          (singleton_class.remove_method(point); leave.call; super(*arguments, **options))
        end
        Thread.new { catch(:out) { ArticleSerializer.json!(articles(3)) } }
          .tap { |thread| thread.report_on_exception = false }
          .join rescue nil
        assert_equal due(articles(3), "by"), ArticleSerializer.json!(articles(3))
      end
    end
  end

  test "what the store raises is heard at once" do
    @store.define_singleton_method(:read_multi) { |*| raise Stop, "down" }
    all = articles(3)
    sink = []
    assert_equal "down", assert_raises(Stop) { ArticleSerializer.json!(all, into: sink) }.message
    assert_equal [{ by: 1 }], all.map(&:asked).uniq
  end

  test "a part that looked at a context is not kept for others, looked ahead or not" do
    inner = Class.new(ToJson::Serializer) do
      attributes :id
      attribute(:who) { context && context[:who] }
      cache key: :id, context: ->(context) { context && context[:who] }
    end
    type = Class.new(ToJson::Serializer) { has_one :by, serializer: inner }
    all = articles(2)
    2.times do
      %w[ann bob].each do |who|
        assert_equal [who], JSON.parse(type.json!(all, context: { who: who })).map { |one|
          one.dig("by", "who")
        }.uniq
      end
      assert_equal [nil], JSON.parse(type.json!(all)).map { |one| one.dig("by", "who") }.uniq
    end
    assert_equal [3, [[:read_multi, 2]]], [@store.entries.size / 2, @store.calls_made.last(1)]
  end

  test "objects that a getter makes anew each time are found by their keys" do
    type = Class.new(ToJson::Serializer) { has_one :fresh, serializer: AuthorSerializer }
    row = Struct.new(:id) { def fresh = Author.new(id, "f#{id}", 1) }
    seen = twice(type, Array.new(4) { |index| row.new(index) })
    assert_equal [[[:read_multi, 4], [:write_multi, 4]], [[:read_multi, 4]]], seen
  end

  test "another Ractor's documents, laid out ones and switched off caches are as without" do
    ToJson.cache_store = false
    assert_equal due(articles(2), "by"), ArticleSerializer.json!(articles(2))
    ToJson.cache_store = @store
    indented = ArticleSerializer.json!(articles(2), rules: { indent: " ", object_nl: "\n" })
    assert_equal JSON.parse(due(articles(2), "by")), JSON.parse(indented)
    assert_empty @store.entries
  end
end
