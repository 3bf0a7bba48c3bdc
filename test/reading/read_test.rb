# frozen_string_literal: true

require_relative "reading_case"

# `read`: what objects get, and that it is all or nothing.
class ReadTest < ReadingCase
  Post = Struct.new(:title, :body, :author, :comments)
  Author = Struct.new(:name, :email)

  class Page
    attr_reader :title, :calls

    def initialize = @calls = []

    def title=(title)
      @calls << :title
      @title = title
    end

    def body=(_body)
      @calls << :body
      raise KeyError, "no"
    end
  end

  class Wish
    attr_accessor :title

    def initialize(title: "none") = @title = title
  end

  class Model
    attr_reader :given

    def initialize(given = {}) = @given = given
  end

  def made
    @made ||= serializer do
      attributes :title, :body, writable: true
      has_one(:author, writable: true) { attributes :name, :email, writable: true }
    end
  end

  test "a Struct, an object with setters and a Hash get attributes" do
    post = Post.new("a", "b", Author.new("c", "d"))
    assert_same post, made.read('{"title":"e","author":{"name":"f"}}', into: post)
    assert_equal Post.new("e", "b", Author.new("f", "d")), post
    page = Page.new
    made.read({ title: "x" }, into: page)
    assert_equal "x", page.title
    hash = { title: "a" }
    assert_same hash, made.read({ body: "b" }, into: hash)
    assert_equal({ title: "a", body: "b" }, hash)
  end

  # Ruby 3.1 writes :"2fa=" without quotes, so the generated code was a SyntaxError.
  test "names that are no names of Ruby have setters, too" do
    names = [:"2fa", :"a b", :"x-y", :+]
    made = serializer { attributes(*names, writable: true) }
    into = Class.new { names.each { |name| define_method(:"#{name}=") { |v| (@got ||= []) << v } } }
    into.attr_reader(:got)
    assert_equal [1, 2, 3, 4],
                 made.read(names.zip(1..4).to_h.transform_keys(&:to_s), into: into.new).got
  end

  test "nothing is assigned where the document is wrong" do
    page = Page.new
    assert_problems(["/body", :type]) { made.read({ title: "a", body: [] }, into: page) }
    assert_problems(["/x", :unknown]) { made.read({ title: "a", x: 1 }, into: page) }
    assert_empty page.calls
  end

  test "nothing is assigned where a setter is missing" do
    made = serializer { attributes :title, :date, writable: true }
    page = Page.new
    error = assert_raises(ToJson::Error) { made.read({ title: "a", date: 1 }, into: page) }
    assert_match(/ReadTest::Page cannot be assigned :date\. Define date=, or name/, error.message)
    assert_empty page.calls
    inner = Post.new("a", "b", Page.new)
    given = { title: "c", author: { name: "d" } }
    assert_raises(ToJson::Error) { self.made.read(given, into: inner) }
    assert_equal "a", inner.title
  end

  test "where a setter raises, the error says what was assigned before" do
    page = Page.new
    error = assert_raises(KeyError) { made.read({ title: "a", body: "b" }, into: page) }
    assert_equal [:title], ToJson.assigned(error)
    assert_equal "a", page.title
  end

  test "where building an object raises, the error says that nothing was assigned" do
    broken = Class.new { define_method(:name=) { |_| raise KeyError, "no" } }
    [broken, ->(_) { raise KeyError, "no" }].each do |build|
      made = serializer do
        attributes :title, writable: true
        has_one(:author, writable: { build: build }) { attributes :name, writable: true }
      end
      [Post.new("a"), Post].each do |into|
        error = assert_raises(KeyError) do
          made.read({ title: "b", author: { name: "c" } }, into: into)
        end
        assert_equal [], ToJson.assigned(error)
      end
    end
  end

  test "a Struct whose setter raises has its old values again" do
    base = Struct.new(:title, :body)
    strict = Class.new(base) { define_method(:body=) { |_| raise "no" } }
    post = strict.new("a", "b")
    error = assert_raises(RuntimeError) { made.read({ title: "c", body: "d" }, into: post) }
    assert_empty ToJson.assigned(error)
    assert_equal %w[a b], post.to_a
    thrown = Class.new(base) { define_method(:body=) { |_| throw :out } }.new("a", "b")
    catch(:out) { made.read({ title: "c", body: "d" }, into: thrown) }
    assert_equal %w[a b], thrown.to_a
  end

  test "a class is built as its initialize takes attributes" do
    made = serializer { attributes :title, writable: true }
    given = { title: "a" }
    assert_equal "a", made.read(given, into: Wish).title
    assert_equal given, made.read(given, into: Model).given
    assert_equal "a", made.read(given, into: Post).title
    assert_equal "a", made.read(given, into: Page).title
  end

  test "build: makes associated objects, before anything is assigned" do
    made = serializer do
      attributes :title, writable: true
      has_one(:author, writable: { build: Author }) { attributes :name, writable: true }
      has_many(:comments, writable: { build: "ReadTest::Author" }) do
        attributes :name, writable: true
      end
    end
    post = Post.new
    made.read({ author: { name: "a" }, comments: [{ name: "b" }, {}] }, into: post)
    assert_equal Post.new(nil, nil, Author.new("a"), [Author.new("b"), Author.new]), post
    author = post.author
    made.read({ author: { name: "c" } }, into: post)
    assert_same author, post.author
    assert_equal "c", author.name
    made.read({ author: nil, comments: nil }, into: post)
    assert_equal Post.new, post
  end

  test "what build: refuses is a problem at its place, and nothing is assigned" do
    made = serializer do
      attributes :title, writable: true
      no = ->(given) { given.fetch(:name) && raise(ArgumentError, "no") }
      has_many(:comments, writable: { build: no }) do
        attributes :name, writable: true
      end
    end
    post = Post.new("a")
    assert_problems(["/comments/0", :invalid, "no."]) do
      made.read({ title: "b", comments: [{ name: "c" }] }, into: post)
    end
    assert_equal "a", post.title
  end

  test "a problem of build: has the keys of the document" do
    no = ->(_) { raise ArgumentError, "no" }
    made = serializer do
      root :post
      transform_keys :camel_lower
      nested(:some_place) do
        has_one(:old_author, writable: { build: no }) { attributes :name, writable: true }
      end
    end
    target = Struct.new(:old_author).new
    assert_problems(["/post/somePlace/oldAuthor", :invalid]) do
      made.read({ post: { somePlace: { oldAuthor: { name: "a" } } } }, into: target)
    end
  end

  test "what build: and as: name is not frozen" do
    builder = Class.new { def call(given) = (@calls = [*@calls, given]) && given[:name] }.new
    decoder = Class.new { def decode(text) = (@last = text) }.new
    made = serializer do
      attribute :title, writable: { as: decoder }
      has_one(:author, writable: { build: builder }) { attributes :name, writable: true }
    end
    post = Post.new
    made.read({ title: "a", author: { name: "b" } }, into: post)
    assert_equal %w[a b], [post.title, post.author]
    refute_predicate builder, :frozen?
  end

  test "without build: Hashes are assigned" do
    made = serializer { has_many(:comments, writable: true) { attributes :name, writable: true } }
    assert_equal [{ name: "a" }], made.read({ comments: [{ name: "a" }] }, into: Post.new).comments
  end

  test "unknown: :collect returns the object and what was unknown" do
    object, unknown = made.read({ title: "a", x: 1 }, into: Post.new, unknown: :collect)
    assert_equal ["a", { "/x" => 1 }], [object.title, unknown]
  end

  test "into: must be there, and is one object" do
    assert_raises(ArgumentError) { made.read({}, into: nil) }
    assert_raises(ArgumentError) { made.read([], into: Post.new, collection: true) }
  end

  if defined?(Data) && Data.respond_to?(:define)
    Point = Data.define(:title, :body)

    test "of a Data a new one is returned" do
      point = Point.new(title: "a", body: "b")
      assert_equal Point.new(title: "c", body: "b"), made.read({ title: "c" }, into: point)
      whole = { title: "c", body: "d" }
      assert_equal Point.new(**whole), made.read(whole, into: Point)
      assert_problems(["", :invalid]) { made.read({ title: "c" }, into: Point) }
      holder = Post.new("a", "b", Point.new(title: "c", body: "d"))
      other = serializer { has_one(:author, writable: true) { attributes :title, writable: true } }
      other.read({ author: { title: "e" } }, into: holder)
      assert_equal Point.new(title: "e", body: "d"), holder.author
    end
  end
end
