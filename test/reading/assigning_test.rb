# frozen_string_literal: true

require_relative "reading_case"

# `read` when a setter raises half-way: which objects have their old values again.
class AssigningTest < ReadingCase
  Author = Struct.new(:name, :age)
  Article = Struct.new(:title, :author, :tags) do
    undef_method :tags=
    def tags=(how)
      case how.first
      when "raise" then raise "no tags"
      when "throw" then throw :out
      when "kill" then Thread.current.kill
      end
    end
  end

  def articles
    serializer do
      attributes :title, writable: true
      has_one(:author, writable: true) { attributes :name, :age, writable: true }
      attribute :tags, writable: { as: :array }
    end
  end

  %w[raise throw kill].each do |how|
    test "a Struct inside another one has its old values again: #{how}" do
      article = Article.new("a", Author.new("b", 1))
      made, error = articles, nil
      Thread.new do
        catch(:out) do
          made.read({ title: "c", author: { name: "d", age: 2 }, tags: [how] }, into: article)
        end
      rescue RuntimeError => error
        nil
      end.join
      assert_equal ["a", Author.new("b", 1), nil], article.to_a
      assert_equal [], ToJson.assigned(error) if how == "raise"
      assert_equal how == "raise", !error.nil?
    end
  end

  test "an object with setters keeps what it got, and the error says it" do
    kept = Class.new do
      attr_reader :title, :author

      def initialize(author)
        @author = author
      end

      def title=(_)
        raise "no title"
      end
    end.new(Class.new { attr_accessor :name, :age }.new)
    error = assert_raises(RuntimeError) do
      articles.read({ title: "c", author: { name: "d" } }, into: kept)
    end
    assert_equal "d", kept.author.name
    assert_equal [:"author.name"], ToJson.assigned(error)
  end

  test "a frozen Struct raises FrozenError, and others are not touched" do
    article = Article.new("a", Author.new("b").freeze)
    assert_raises(FrozenError) do
      articles.read({ title: "c", author: { name: "d" } }, into: article)
    end
    assert_equal ["a", Author.new("b"), nil], article.to_a
    assert_raises(FrozenError) { articles.read({ title: "c" }, into: article.freeze) }
  end

  test "the same object under two names gets both" do
    made = serializer do
      has_one(:first, writable: true) { attributes :name, writable: true }
      has_one(:second, writable: true) { attributes :age, writable: true }
    end
    pair, author = Struct.new(:first, :second), Author.new("a", 1)
    made.read({ first: { name: "b" }, second: { age: 2 } }, into: pair.new(author, author))
    assert_equal ["b", 2], author.to_a
  end

  test "a setter may read again" do
    made = serializer { attributes :title, :tags, writable: true }
    holder = Class.new do
      attr_accessor :title

      define_method(:tags=) { |tags| made.read({ title: tags }, into: self) }
    end.new
    assert_equal "b", made.read({ title: "a", tags: "b" }, into: holder).title
  end

  test "objects that are built get false and nil, and a setter that is not there is named" do
    flag = Class.new { attr_accessor :on, :note }
    made = serializer do
      has_many(:flags, writable: { build: flag }) { attributes :on, :note, :size, writable: true }
    end
    holder = Struct.new(:flags)
    given = [{ on: false, note: nil }, { note: "a" }, {}]
    found = made.read({ flags: given }, into: holder.new).flags
    assert_equal [[false, nil], [nil, "a"], [nil, nil]], found.map { |one| [one.on, one.note] }
    assert_equal [2, 1, 0], found.map { |one| one.instance_variables.size }
    error = assert_raises(ToJson::Error) do
      made.read({ flags: [{ on: true, size: 1 }] }, into: holder.new)
    end
    assert_match(/cannot be assigned :size\. Define size=/, error.message)
  end
end
