# frozen_string_literal: true

# The N+1 guard in many documents: which loads count together, and what it keeps.

require_relative "../test_helper"

if Without.library?("active_record") && Without.library?("sqlite3")
  require_relative "guard_case"

  class GuardDocumentsTest < GuardCase
    test "one load of an association is none too many, in each of any number of documents" do
      made = named { has_one :author, serializer: AuthorSerializer }
      posts(3).each { |post| made.json!(Post.find(post.id)) }
      made.json!([Post.first])
    end

    # The frame of a method in C that begins a Fiber has no path. Right documents raised a
    # NoMethodError.
    test "documents that an Enumerator makes in its Fiber are watched as others are" do
      posts(2)
      made = named { attribute(:by) { |post| post.author.name } }
      one = -> { Enumerator.new { |out| out << made.json!([Post.first]) }.next }
      assert_equal(made.json!([Post.first]), one.call)
      stream = made.stream(Post.order(:id).to_a).each
      assert_equal("$[1].by", reported { stream.next }.path)
    end

    test "documents of one Fiber do not count for those of another" do
      posts(2)
      made = named { attribute(:by) { |post| post.author.name } }
      one, two = Post.order(:id).to_a
      pause = named { attribute(:by) { |post| post.author.name.tap { Fiber.yield } } }
      fibers = [one, two].map { |post| Fiber.new { pause.json!([Post.find(post.id)]) } }
      2.times { fibers.each(&:resume) }
      assert_equal([false, false], fibers.map(&:alive?))
      fiber = Fiber.new { pause.json!([one, two]) }
      fiber.resume
      made.json!([Post.find(two.id)]) # while the other is at work
      assert_equal("$[1].by", reported { fiber.resume }.path)
    end

    test "threads count for themselves" do
      pool = ActiveRecord::Base.connection_pool
      pool.pin_connection!(true) # all threads have the one database in memory
      posts(4)
      ready = Queue.new
      made = named do
        attribute(:by) do |post|
          post.author.name.tap { ready << 1; Thread.pass until ready.size >= 4 }
        end
      end
      threads = Post.ids.map { |id| Thread.new { made.json!([Post.find(id)]) } }
      assert_equal(["author 0", "author 1", "author 2", "author 3"],
                   threads.map { |thread| JSON.parse(thread.value)[0]["by"] })
      assert_equal("$[1].by", reported { made.json!(Post.order(:id)) }.path)
    ensure
      pool.unpin_connection!
    end

    test "json! within a document counts for the outer one" do
      posts(2)
      inner = named("AuthorSerializer") { attribute(:url) { |author| author.avatar.url } }
      outer = named { attribute(:card) { |post| inner.json!(post.author) } }
      error = reported { outer.json!(Post.preload(:author).order(:id)) }
      assert_equal("$.url: Shop::Author#avatar is loaded record by record. Declare what it " \
                   "reads: " \
                   "attribute :url, preload: :avatar.", error.message)
      by_hand = named do
        attribute(:card) { |post| ToJson.json { |j| j.put(:by, post.author.name) } }
      end
      assert_match(/\A\$: Shop::Post#author is loaded .* attribute :card, preload: :author\.\z/,
                   reported { by_hand.json!(Post.order(:id)) }.message)
    end

    test "streams and NDJSON are guarded" do
      posts(2)
      made = named { attribute(:by) { |post| post.author.name } }
      error = reported { made.stream(Post.order(:id)).each { |_| nil } }
      assert_equal("$[1].by", error.path)
      error = reported { made.ndjson(Post.find_each, into: +"") }
      assert_equal("$[1].by", error.path)
      failed = []
      lines = made.ndjson(Post.find_each, into: +"", on_error: ->(one, *) { failed << one; nil })
      assert_equal([ToJson::NPlusOneError], failed.map(&:class))
      assert_equal(1, lines.lines.size)
    end

    test "an error that the block rescues is raised for the next record too" do
      posts(3)
      made = named { attribute(:by) { |post| post.author.name rescue "none" } }
      assert_equal(["author 0", "none", "none"],
                   JSON.parse(made.json!(Post.order(:id))).map { |post| post["by"] })
    end

    test "a document that is killed, thrown out of or left by another error leaves " \
         "nothing behind" do
      posts(2)
      leave = nil
      made = named { attribute(:by) { |post| post.author.name.tap { leave&.call } } }
      leaving = [-> { throw :out }, -> { raise IOError }, -> { Thread.current.kill }]
      leaving.each do |way|
        leave = way
        Thread.new { catch(:out) { made.json!([Post.first]) } rescue IOError }.join
        leave = nil
        assert_empty(ToJson::Writer.places)
        made.json!([Post.first])
      end
    end

    test "no record is kept for the guard once its document is written" do
      posts(2)
      made = named do
        has_one(:author, preload: false) { attributes :name }
        has_many(:comments) { attributes :id }
      end
      kept = ObjectSpace::WeakMap.new
      50.times do
        records = Post.preload(:comments).order(:id).to_a
        made.json!(records)
        records.each { |post| kept[post] = kept[post.author] = true }
      end
      GC.start
      # of 200; the stack of the machine may hold some, and size counts the dead on Ruby 3.3
      assert_operator(kept.keys.size, :<, 100)
    end

    test "a stream keeps no records for the guard that it has written" do
      posts(200)
      made = named do
        has_one(:author, preload: false) { has_one(:avatar) { attributes :url } }
      end
      authors = lambda do
        GC.start
        ObjectSpace.each_object(Shop::Author).count
      end
      before = authors.call
      at_end = nil
      posts = Post.find_each(batch_size: 10).lazy.with_index.map do |post, index|
        at_end = authors.call if index == 199
        post
      end
      made.stream(posts, format: :ndjson).each { nil }
      assert_operator(at_end - before, :<, 100) # of 199
    end
  end
end
