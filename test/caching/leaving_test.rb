# frozen_string_literal: true

require_relative "caching_case"
require "stringio"
require "timeout"

# What leaves a cached part from any point of user code: nothing of it is kept, and the next call is
# right.
class CachingLeavingTest < CachingCase
  ALL = '[{"id":0,"title":"t0"},{"id":1,"title":"t1"},{"id":2,"title":"t2"}]'
  Stop = Class.new(StandardError)

  WAYS = {
    "raise" => -> { raise Stop, "no" },
    "throw" => -> { throw :out },
    "Timeout" => -> { sleep 5 },
    "kill" => -> { Thread.current.kill }
  }.freeze

  # Calls `leave` at a point, the first time it comes there for the second object.
  class Faulty < CachingCase::CountingStore
    attr_accessor :point, :leave

    %i[read_multi read write_multi write].each do |name|
      define_method(name) do |*arguments, **options|
        at(name)
        super(*arguments, **options)
      end
    end

    def at(point)
      return unless point == @point

      @point = nil
      @leave.call
    end
  end

  def faulty(store)
    Class.new(ToJson::Serializer) do
      attributes :id
      attribute(:title) { |post| store.at(:getter) if post.id == 1; post.title }
      cache store: store, key: ->(post) { store.at(:key) if post.id == 1; [post.id, post.version] }
    end
  end

  def leave
    Thread.new { Timeout.timeout(0.05, Stop) { catch(:out) { yield } } }.tap do |thread|
      thread.report_on_exception = false
    end.join
  rescue Stop
    nil
  end

  SOURCES = { "an Array" => ->(posts) { posts }, "an Enumerator" => ->(posts) { posts.each },
              "one" => ->(posts) { posts[1] } }.freeze

  WAYS.each do |way, code|
    %i[key getter read_multi read write_multi write].each do |point|
      test "#{way} from #{point}: the next call is right, and nothing of a failed part is kept" do
        SOURCES.each do |name, source|
          [nil, StringIO].each do |sink|
            store = Faulty.new
            store.leave = code
            type = faulty(store)
            store.point = point
            made = nil
            leave { made = type.json!(source.call(posts), into: sink&.new) }
            assert_nil made, "#{name} came through" unless store.point
            wrong = store.entries.reject do |_, text|
              ["{\"id\":0,\"title\":\"t0\"}", "{\"id\":1,\"title\":\"t1\"}",
               "{\"id\":2,\"title\":\"t2\"}"].include?(text)
            end
            assert_empty wrong
            store.point = nil
            2.times do
              assert_equal name == "one" ? '{"id":1,"title":"t1"}' : ALL,
                           type.json!(source.call(posts))
            end
          end
        end
      end
    end
  end

  test "an exception of user code knows its record, wherever it comes from" do
    store = Faulty.new
    type = faulty(store)
    outer = Class.new(ToJson::Serializer) { has_many :posts, serializer: type }
    { key: "$.posts[1]", getter: "$.posts[1].title" }.each do |point, path|
      store.point, store.leave = point, -> { raise Stop }
      error = assert_raises(Stop) { outer.json!({ posts: posts }) }
      assert_equal path, ToJson.location(error)
      error = assert_raises(Stop) { store.point = point; outer.json!({ posts: posts.each }) }
      assert_equal path, ToJson.location(error)
    end
  end

  test "an exception in the key of a cached association, or where it is read, has the " \
       "association's path once" do
    row = Struct.new(:id) { def inside = raise(Stop) }.new(1)
    [->(_) { raise Stop }, :id, :inside].each do |key|
      type = Class.new(ToJson::Serializer) do
        attributes :id; has_one(:inside, cache: { key: key }) { attributes :x }
      end
      assert_equal "$.inside", ToJson.location(assert_raises(Stop) { type.json!(row) })
      assert_equal "$[0].inside",
                   ToJson.location(assert_raises(Stop) { type.json!([row], view: nil) })
      assert_equal "$[0].inside",
                   ToJson.location(assert_raises(Stop) { type.json!([row], only: "inside") })
    end
  end

  test "a source that raises: what it gave before is written, and the error has the index of " \
       "what was due" do
    source = ->(count) do
      Enumerator.new { |feed| posts(count).each { |post| feed << post }; raise Stop, "source" }
    end
    [serializer, serializer(batch: 2), Class.new(serializer) { cache false }].each do |type|
      outer = Class.new(ToJson::Serializer) { has_many :posts, serializer: type }
      [0, 1, 2, 3, 5].each do |count|
        2.times do
          sink = []
          error = assert_raises(Stop) { type.json!(source.call(count), into: sink, chunk: 1) }
          assert_equal "$[#{count}]", ToJson.location(error)
          assert_equal "source", error.message
          whole = type.json!(posts(count)).chomp("]")
          assert whole.start_with?(sink.join), "#{sink.join} is no beginning of #{whole}"
          assert_equal "$.posts[#{count}]",
                       ToJson
                         .location(
                           assert_raises(Stop) { outer.json!({ posts: source.call(count) }) }
                         )
        end
      end
    end
  end

  test "a part that was rescued inside a document leaves nothing, and the document goes on" do
    store = Faulty.new
    type = faulty(store)
    store.point, store.leave = :getter, -> { raise Stop }
    text = ToJson.json do |j|
      j.put :before, 1
      begin
        j.put :posts, type.new(posts)
      rescue Stop
        j.put :sorry, true
      end
      j.put :after, type.new(posts)
    end
    assert_equal %({"before":1,"sorry":true,"after":#{ALL}}), text
  end

  test "a store that raises is heard: caching hides no error" do
    store = Faulty.new
    type = faulty(store)
    %i[read_multi write_multi].each do |point|
      store.point, store.leave = point, -> { raise Stop, "down" }
      assert_equal "down", assert_raises(Stop) { type.json!(posts) }.message
    end
  end

  test "a store may make documents itself, with the same serializer" do
    type = nil
    store = Class.new(CountingStore) do
      define_method(:read_multi) do |*keys, **o|
        type.json!(Post.new(9, "in", 1)); super(*keys, **o)
      end
    end.new
    type = faulty(store.tap { |one| one.define_singleton_method(:at) { |_| nil } })
    2.times { assert_equal ALL, type.json!(posts) }
  end

  LEFT = Figures.of("cached documents left")

  test "#{LEFT} documents left by raise keep memory flat" do
    type = serializer(key: ->(post) { raise Stop if post.version.nil?; post.id })
    good, bad = posts(2), [Post.new(1, "x", nil)]
    failing = lambda do |times|
      times.times do
        type.json!(bad)
      rescue Stop
        nil
      end
    end
    failing.call(2_000)
    before = GC.stat(:heap_live_slots).tap { GC.start }
    failing.call(LEFT)
    Figures.reached("cached documents left", LEFT)
    GC.start
    assert_operator GC.stat(:heap_live_slots) - before, :<, 5_000
    assert_equal '[{"id":0,"title":"t0"},{"id":1,"title":"t1"}]', type.json!(good)
  end

  test "a Fiber that is left within a part costs nobody its document" do
    type = Class.new(ToJson::Serializer) do
      attributes :id
      attribute(:title) { |post| Fiber.yield if post.id == 1; post.title }
      cache key: ->(post) { post.id }
    end
    20.times { Fiber.new { type.json!(posts, into: StringIO.new) }.resume }
    GC.start
    assert_equal '{"id":0,"title":"t0"}', type.json!(posts.first)
    assert_equal '[{"id":5,"title":"t5"}]',
                 serializer.json!([Post.new(5, "t5", 1)], into: StringIO.new).string
  end

  test "threads share a cache" do
    type, all = serializer, posts(50)
    due = "[#{all.map { |post| %({"id":#{post.id},"title":"t#{post.id}"}) }.join(",")}]"
    results =
      Array.new(4) { Thread.new { Array.new(50) { type.json!(all) }.uniq } }.flat_map(&:value).uniq
    assert_equal [due], results
  end
end
