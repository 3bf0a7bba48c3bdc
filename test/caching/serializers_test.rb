# frozen_string_literal: true

require_relative "caching_case"
require "stringio"

# `cache` of a serializer: the same documents as without, from the store where it has them, and one
# look for a collection.
class CachingSerializersTest < CachingCase
  TEXT = '{"id":0,"title":"t0"}'
  ALL = '[{"id":0,"title":"t0"},{"id":1,"title":"t1"},{"id":2,"title":"t2"}]'

  test "a collection is read in one round trip, its misses written in one, and nothing is read " \
       "of an object that is a hit" do
    type, posts = serializer, posts(100)
    cold = type.json!(posts)
    assert_equal [[:read_multi, 100], [:write_multi, 100]], @store.calls_made
    assert_equal cold, type.json!(posts)
    assert_equal [[:read_multi, 100]], @store.calls_made
    assert_equal [1] * 100, reads(posts)
    assert_equal JSON.parse(cold), Array.new(100) { |index|
      { "id" => index, "title" => "t#{index}" }
    }
  end

  test "every way out of a cached collection gives the same bytes, first and later" do
    3.times { assert_document(ALL) { |**out| (@type ||= serializer).json!(posts, **out) } }
    @store.entries.clear
    assert_document(ALL) { |**out| serializer.json!(posts, **out) } # a new class: all misses
  end

  test "one object, a serializer in place, an association and a root are read from the same " \
       "entry" do
    type, post = serializer { root :post, :posts }, posts(1).first
    outer = Class.new(ToJson::Serializer) { has_one :post, serializer: type }
    assert_equal %({"post":#{TEXT}}), type.json!(post)
    assert_equal [[:read, 1], [:write, 1]], @store.calls_made
    assert_equal %({"post":#{TEXT}}), outer.json!({ post: post })
    assert_equal %({"p":#{TEXT}}), ToJson.json { |j| j.put :p, type.new(post, root: false) }
    assert_equal %({"posts":[#{TEXT}],"meta":{"n":1}}), type.json!([post], meta: { n: 1 })
    assert_equal %({"post":null}), type.json!(nil)
    assert_equal [[:read, 1], [:read, 1], [:read, 1]], @store.calls_made # one element is a read too
    assert_equal [1], reads([post])
  end

  test "nil among many is null and no key, and an object without a key is written anew each time" do
    type = serializer(key: ->(post) { post.version && post.id })
    one, other = Post.new(1, "a", 1), Post.new(2, "b", nil)
    2.times do
      assert_equal '[{"id":1,"title":"a"},null,{"id":2,"title":"b"}]', type.json!([one, nil, other])
    end
    assert_equal [1, 2], reads([one, other])
    assert_equal 1, @store.entries.size
  end

  test "a lazy source is looked up in batches, as it comes" do
    type, seen = serializer(batch: 10), []
    source = Enumerator.new do |out|
      25.times { |index| seen << index; out << Post.new(index, "t", 1) }
    end
    out = StringIO.new
    assert_equal 25, JSON.parse(type.json!(source, into: out).string).size
    assert_equal [[:read_multi, 10],
                  [:write_multi, 10]] * 2 + [[:read_multi, 5], [:write_multi, 5]], @store.calls_made
    assert_equal 25, JSON.parse(type.json!(source.lazy.map(&:itself))).size
    assert_equal [[:read_multi, 10]] * 2 + [[:read_multi, 5]], @store.calls_made
  end

  test "of objects that share a key the first is written and stands for the others" do
    type = serializer
    posts = Array.new(3) { Post.new(1, "same", 1) }
    assert_equal "[#{(['{"id":1,"title":"same"}'] * 3).join(",")}]", type.json!(posts)
    assert_equal [1, 0, 0], reads(posts)
  end

  test "an outer entry contains the inner ones, which are read where it is stale" do
    inner = serializer
    outer = Class.new(ToJson::Serializer) do
      attributes :id
      has_many :posts, serializer: inner
      cache key: ->(blog) { [blog[:id], blog[:version]] }
    end
    posts = posts(2)
    cold = outer.json!({ id: 7, version: 1, posts: posts })
    assert_equal [[:read, 1], [:read_multi, 2], [:write_multi, 2], [:write, 1]], @store.calls_made
    assert_equal '{"id":7,"posts":[{"id":0,"title":"t0"},{"id":1,"title":"t1"}]}', cold
    assert_equal cold, outer.json!({ id: 7, version: 2, posts: posts })
    assert_equal [[:read, 1], [:read_multi, 2], [:write, 1]], @store.calls_made
    assert_equal cold, outer.json!({ id: 7, version: 1, posts: nil })
    assert_equal [[:read, 1]], @store.calls_made
    assert_equal [1, 1], reads(posts)
  end

  test "a serializer within itself is cached at each depth" do
    type = Class.new(ToJson::Serializer) do
      attributes :id
      has_many :replies, serializer: self
      has_one :best, serializer: self
      cache key: ->(comment) { comment[:id] }
    end
    leaf = { id: 3, replies: [], best: nil }
    tree = { id: 1, replies: [{ id: 2, replies: [leaf, leaf], best: leaf }], best: nil }
    due = JSON.generate(tree)
    3.times { assert_equal due, type.json!(tree) }
    assert_equal 3, @store.entries.size
    assert_equal JSON.generate(leaf), type.json!({ id: 3 })
  end

  test "a subclass inherits cache, sets its own, or has none" do
    type = serializer
    heir, without = Class.new(type) { attribute(:more) { 1 } }, Class.new(type) { cache false }
    2.times { assert_equal '{"id":0,"title":"t0","more":1}', heir.json!(posts.first) }
    assert_equal [[:read, 1], [:write, 1], [:read, 1]], @store.calls_made
    assert_equal TEXT, without.json!(posts.first)
    assert_empty @store.calls_made
  end

  test "a frozen class is cached as others are" do
    type = serializer.freeze
    2.times { assert_equal ALL, type.json!(posts) }
    assert_equal [[:read_multi, 3], [:write_multi, 3], [:read_multi, 3]], @store.calls_made
  end

  test "a flatten of a cached serializer and put_attributes write anew" do
    type = serializer
    outer = Class.new(ToJson::Serializer) { flatten :post, serializer: type }
    assert_equal TEXT, outer.json!({ post: posts.first })
    assert_empty @store.calls_made
  end

  test "indented documents are written anew and keep nothing" do
    type = serializer
    type.json!(posts)
    assert_equal "{\n  \"id\":0,\n  \"title\":\"t0\"\n}",
                 type.json!(posts.first, rules: { indent: "  ", object_nl: "\n" })
    assert_equal [[:read_multi, 3], [:write_multi, 3]], @store.calls_made
  end

  test "a document may be longer than a chunk, parts too, whatever the Sink" do
    type = serializer
    long = Array.new(5) { |index| Post.new(index, "é<#{index}" * 40_000, 1) }
    due = JSON.generate(long.map { |post| { "id" => post.id, "title" => post.title } })
    2.times do
      assert_equal due, type.json!(long)
      assert_equal due, type.json!(long, into: StringIO.new.binmode).string.force_encoding("UTF-8")
    end
    assert_equal [1] * 5, reads(long)
  end

  # Keeps nothing; `write` answers nil: all was taken.
  class Nowhere
    attr_reader :bytes

    def write(text) = (@bytes = @bytes.to_i + text.bytesize) && nil
    def read_multi(*) = {}
    def write_multi(*) = nil
  end

  RECORDS = Figures.of("records of a cached source")

  test "#{RECORDS} records of a lazy source are written in flat memory" do
    type = serializer(store: Nowhere.new)
    source = ->(count) do
      Enumerator.new { |out| count.times { |index| out << Post.new(index, "title", 1) } }
    end
    type.json!(source[5_000], into: Nowhere.new)
    GC.start
    live = GC.stat(:heap_live_slots)
    most = 0
    sink = Nowhere.new
    watched = source[RECORDS].lazy.each_with_index.map do |post, index|
      most = [most, GC.stat(:heap_live_slots) - live].max if (index % 5_000).zero? && GC.start.nil?
      post
    end
    type.json!(watched, into: sink)
    assert_operator sink.bytes, :>, RECORDS * 25
    assert_operator most, :<, RECORDS / 3
    Figures.reached("records of a cached source", RECORDS)
  end

  test "explain and the Definition show it" do
    type = serializer(expires_in: 60) { has_many(:tags, cache: { key: :id }) { attributes :name } }
    assert_match(/  tags: cached: key: :id$/, type.explain)
    assert_equal "  cached: key: ->(…) { … }, expires_in: 60\n", type.explain.lines[1]
    assert_includes type.definition.inspect, "cache key: ->(…) { … }, expires_in: 60; "
    assert_includes type.definition.inspect,
                    "has_many(:tags, cache: {key: :id}) { attributes :name }"
  end

  # What had been written when the source made each element.
  def live(type, count, flush: nil)
    seen, sink = [], []
    source = Enumerator.new { |feed| posts(count).each { |post| seen << sink.join; feed << post } }
    type.json!(source, into: sink, flush: flush)
    seen << sink.join
  end

  test "with flush: each element of a live source leaves before the next is made, hit or miss" do
    type = serializer
    first, second = '[{"id":0,"title":"t0"}', ',{"id":1,"title":"t1"}'
    2.times { assert_equal ["", first, "#{first}#{second}]"], live(type, 2, flush: :record) }
    assert_equal ["", "", "#{first}#{second}]"], live(type, 2)
    outer = Class.new(ToJson::Serializer) { attributes :id; has_many :posts, serializer: type }
    seen, sink = [], []
    outer.json!({ id: 1,
                  posts: Enumerator.new do |feed|
                    posts(2).each { |post| seen << sink.join; feed << post }
                  end }, into: sink, flush: :record)
    assert_equal ["", '{"id":1,"posts":[{"id":0,"title":"t0"}'], seen
  end

  # Texts with other escapes than the usual ones were not kept.
  test "texts are kept under each escape, and each has an entry of its own" do
    type = serializer
    post = Post.new(1, "</é\u2028&", 1)
    escapes = %i[html_safe ascii_only script_safe js_separators]
    rules = [{}, *escapes.map { |name| { name => true } }, { ascii_only: true, html_safe: true }]
    due = rules.map { |options| ToJson.generate({ id: 1, title: post.title }, rules: options) }
    assert_equal due.uniq, due
    2.times { assert_equal due, rules.map { |options| type.json!(post, rules: options) } }
    assert_equal rules.size, @store.entries.size
    type.json!(post, rules: { indent: "  " })
    assert_equal rules.size, @store.entries.size
  end

  test "with flush: the elements of an Array, and of what has one, leave one by one, and are " \
       "looked up together" do
    type = serializer
    [posts,
     Class.new do
       include Enumerable
       define_method(:to_ary) { Array.new(3) { |index| Post.new(index, "t#{index}", 1) } }
       def each(&) =
         to_ary.each(&)
     end.new]
      .each do |source|
      2.times do
        sink = []
        type.json!(source, into: sink, flush: :record)
        assert_equal ['[{"id":0,"title":"t0"}', ',{"id":1,"title":"t1"}', ',{"id":2,"title":"t2"}',
                      "]"], sink
      end
    end
    assert_equal %i[read_multi write_multi read_multi read_multi read_multi],
                 @store.calls_made.map(&:first)
  end
end
