# frozen_string_literal: true

# Documents of every kind, small enough to be written with a garbage collection at every allocation:
# the rows gc-stress, gc-compact, valgrind and planted-mark run these.

require_relative "../test_helper"
require "stringio"
require "set"
require "date"
require "bigdecimal"

class StressDocumentsTest < ToJsonTest
  Point = Struct.new(:x, :y)

  class Money
    attr_reader :cents

    def initialize(cents) = @cents = cents
  end

  class Named
    def to_s = "named"
  end

  class Own
    def as_json = { "own" => [1, +"two"] }
  end

  Post = Struct.new(:id, :title, :comments, :author)
  class Author
    attr_reader :name, :born

    def initialize(name, born)
      @name = name
      @born = born
    end
  end

  class AuthorSerializer < ToJson::Serializer
    def serialize(author) = put_fields(author, :name, %i[born date_of_birth])
  end

  class PostSerializer < ToJson::Serializer
    def serialize(post, shout: false)
      put_fields post, :id, :title
      put :shouted, shout(post.title) if shout
      put :author, AuthorSerializer.new(post.author)
      put :comments, post.comments do |comment, index|
        put :number, index
        put(:text) { value "#{comment}!" }
      end
      put("a key of the moment #{post.id}") { array([1.5, nil, :sym]) }
    end

    def shout(text) = text.upcase
  end

  VALUES = {
    "integers of every size" =>
      [-> { [0, -1, 2**62, -(2**64), 10**40] },
       "[0,-1,4611686018427387904,-18446744073709551616,1#{"0" * 40}]"],
    "floats" => [-> { [1.0, -0.0, 1e-7, 1e300] }, "[1.0,-0.0,1.0e-07,1.0e+300]"],
    "a BigDecimal" => [-> { BigDecimal("1.50") }, '"1.5"'],
    "text in other encodings" =>
      [-> { ["é".encode("ISO-8859-1"), "日本".encode("UTF-16LE")] }, '["é","日本"]'],
    "text that needs escapes" => [-> { +"\"\\\n\u0001\u2028" }, "\"\\\"\\\\\\n\\u0001\u2028\""],
    "Symbols" => [-> { [:a, :"b#{"c" * 30}"] }, "[\"a\",\"b#{"c" * 30}\"]"],
    "a Time" => [-> { Time.utc(2026, 11, 20, 10, 0, 0.5r) }, '"2026-11-20T10:00:00.500Z"'],
    "a Date" => [-> { Date.new(2026, 11, 20) }, '"2026-11-20"'],
    "a DateTime" =>
      [-> { DateTime.new(2026, 11, 20, 10, 0, 0, "+01:00") }, '"2026-11-20T10:00:00.000+01:00"'],
    "a Rational and a Module" => [-> { [1r / 3, Comparable] }, '["1/3","Comparable"]'],
    "Hashes with keys of any kind" => [-> {
      { 1 => 2, nil => 3, "s" => 4, sym: 5, Named.new => 6 }
    },
                                       '{"1":2,"":3,"s":4,"sym":5,"named":6}'],
    "a Set, a Range and a lazy Enumerator" =>
      [-> { [Set[1, 2], 1..3, (1..3).lazy.map { |x| "#{x}" }] }, '[[1,2],[1,2,3],["1","2","3"]]'],
    "a Struct" => [-> { Point.new(1, +"two") }, '{"x":1,"y":"two"}'],
    "an own as_json" => [-> { Own.new }, '{"own":[1,"two"]}'],
    "deep nesting" => [-> { 40.times.inject(1) { |inner, _| [inner] } }, "#{"[" * 40}1#{"]" * 40}"]
  }.freeze

  VALUES.each do |name, (value, json)|
    test "#{name} under a busy collector" do
      assert_equal(json, ToJson.generate(value.call))
      assert_equal(json.bytesize, ToJson.generate(value.call, into: StringIO.new).string.bytesize)
    end
  end

  def post = Post.new(7, +"Title", %w[one two], Author.new(+"Ann", Date.new(1990, 1, 2)))

  POST = '{"id":7,"title":"Title","author":{"name":"Ann","date_of_birth":"1990-01-02"},' \
         '"comments":[{"number":0,"text":"one!"},{"number":1,"text":"two!"}],"a key of the ' \
         'moment 7":[1.5,null,"sym"]}'

  test "serializer classes within each other, under a busy collector" do
    assert_equal(POST, PostSerializer.json!(post))
    assert_includes(PostSerializer.json!(post, shout: true), '"shouted":"TITLE"')
  end

  test "a serializer instance that is used again, under a busy collector" do
    serializer = PostSerializer.new(post)
    3.times { assert_equal(POST, serializer.json!) }
    assert_equal(POST, serializer.encode!(post).to_s)
  end

  test "the block form, which copies instance variables, under a busy collector" do
    @word = +"word"
    json = ToJson::Serializer.json!(post) do |post|
      put :word, @word
      put(:ids) { array [post.id, "#{post.id}"] }
      @word = "later"
    end
    assert_equal('{"word":"word","ids":[7,"7"]}', json)
    assert_equal("later", @word)
  end

  test "a Fragment and values of a converted class, under a busy collector" do
    rules = { convert: { Money => ->(money) { "#{money.cents} cents" } } }
    assert_equal('["5 cents",[1, 2]]',
                 ToJson.generate([Money.new(5), ToJson::Fragment.new("[1, 2]")], **rules))
  end

  test "an exception within a document names its path, under a busy collector" do
    error = assert_raises(ToJson::UnsupportedTypeError) do
      ToJson.generate({ "list" => [1, { deep: Object.new }] })
    end
    assert_includes(error.message, "$.list[1].deep")
    assert_equal(POST, PostSerializer.json!(post))
  end

  # From 64 KiB on the document lives in a hidden String that only the Writer keeps alive.
  test "a document of several 64 KiB with allocations all the way, under a busy collector" do
    line = "x" * 20_000
    json = ToJson.json do |j|
      12.times { |i| j.put(:"line#{i}") { j.array(["#{i}", line]) } }
    end
    assert_equal("{#{12.times.map { |i| %("line#{i}":["#{i}","#{line}"]) }.join(",")}}", json)
  end

  test "the same into a String, and to an IO in chunks, under a busy collector" do
    line = "y" * 30_000
    due = "[#{(["\"#{line}\""] * 6).join(",")}]"
    items = -> { Array.new(6) { line.dup } }
    assert_equal("begin#{due}", ToJson.generate(items.call, into: +"begin"))
    assert_equal(due, ToJson.generate(items.call, into: StringIO.new).string)
  end

  test "values that change while they are written, under a busy collector" do
    array = [1]
    changing = Class.new do
      define_method(:as_json) { array.size < 5 ? array.push(self) && "more" : "last" }
    end.new
    array.push(changing)
    assert_equal('[1,"more","more","more","last"]', ToJson.generate(array))
  end
end
