# frozen_string_literal: true

require "test_helper"
require "minitest/mock"
require_relative "../support/own_process"

# What a class keeps of view:, only: and except:. masks_test.rb has what they write,
# named_choices_test.rb what names alone choose, which is not kept here.
class DeclaredChoicesTest < ToJsonTest
  AuthorSerializer = Class.new(ToJson::Serializer) { attributes :id, :name }

  # Where a field is flattened, names alone do not tell what is left.
  def serializer(&body)
    Class.new(ToJson::Serializer) do
      attributes :id, :title
      has_one :author, serializer: AuthorSerializer
      flatten(:never, if: -> { false }) { attributes :odd }
      view(:full) { attributes :body }
      view(:plain) { remove :author }
      class_exec(&body) if body
    end
  end

  POST = { id: 1, title: "t", body: "b", author: { id: 2, name: "n" } }.freeze

  # A TracePoint would not do: Ruby 3.1 to 3.4 switch all of them off when a dead Ractor of another
  # test is collected.
  # @return [Array] the keywords that lead PlanCache to make something while the block runs
  def resolved(&)
    made = []
    original = ToJson::PlanCache.method(:resolve)
    asked = lambda do |*arguments|
      made << arguments[1, 3]
      original.call(*arguments)
    end
    ToJson::PlanCache.stub(:resolve, asked, &)
    made
  end

  def kept(made) = ToJson::PlanCache.choices(made)

  def with_kept(most)
    before = ToJson.kept_choices
    ToJson.kept_choices = most
    yield
  ensure
    ToJson.kept_choices = before
  end

  test "a view is resolved once, by Symbol and by String" do
    made = serializer
    calls = [:full, "full", +"full"].flat_map { |view| [view, view] }
    assert_equal([[:full, nil, nil]],
                 resolved { calls.each { |view| made.json!(POST, view: view) } })
    assert_equal([["plain", nil, nil]],
                 resolved { ["plain", :plain].each { |view| made.json!(POST, view: view) } })
    assert_equal 0, kept(made)
  end

  deep = [:title, "id", { author: ["name", :id], "title" => nil }]
  {
    "an Array of Symbols" => [-> { { only: %i[id title] } }, '{"id":1,"title":"t"}'],
    "a String" => [-> { { only: +"id,author(name)" } }, '{"id":1,"author":{"name":"n"}}'],
    "a String in another encoding" => [-> { { only: "id".encode("UTF-16LE") } }, '{"id":1}'],
    "a Symbol" => [-> { { except: :author } }, '{"id":1,"title":"t","none":3}'],
    "a dynamic Symbol" => [-> { { only: "title".to_sym, except: "no#{"ne"}".to_sym } }, nil],
    "names in a Hash" => [-> { { only: { id: true, author: nil }, except: deep } }, nil],
    "nested Arrays" => [-> { { view: [:full, "plain"], only: [[:body], ["id"]] } },
                        '{"id":1,"body":"b"}'],
    "a composition" => [-> { { view: %w[full plain] } },
                        '{"id":1,"title":"t","none":3,"body":"b"}'],
    "nothing" => [-> { { only: [] } }, "{}"]
  }.each do |name, (keywords, due)|
    test "the same choice is resolved once, compared by value: #{name}" do
      made = serializer { attribute(:none) { 3 } }
      first = made.json!(POST, **keywords.call)
      assert_equal due, first if due
      assert_empty(resolved { 3.times { assert_equal first, made.json!(POST, **keywords.call) } })
      assert_equal 1, kept(made)
    end
  end

  different = [{ only: :id }, { only: "id" }, { only: ["id"] }, { only: [:id] }, { only: [[:id]] },
               { except: :id }, { only: { id: true } }, { only: { id: nil } }, { only: {} },
               { only: [] }, { only: "" }, { only: "id".b }, { only: "id,title" },
               { only: %w[id title] }, { only: %w[title id] }, { only: [:id, "title"] },
               { view: :full, only: :id }, { view: "full", only: :id },
               { view: [:full], only: :id },
               { view: [:full] }, { only: [:id], except: [:title] }, { only: { author: [:id] } },
               { only: { author: { id: true } } }, { only: [{ author: :id }] }]
  test "choices that differ are told apart" do
    made = serializer
    keywords = different
    first = keywords.map { |one| made.json!(POST, **one) }
    assert_equal keywords.size, kept(made)
    again = resolved { assert_equal(first, keywords.map { |one| made.json!(POST, **one) }) }
    assert_empty again
    assert_equal(first, keywords.map { |one| Class.new(made).json!(POST, **one) })
  end

  test "what was kept does not change with the objects of the call" do
    made, names, text = serializer, [:id], +"id"
    2.times { assert_equal '{"id":1}', made.json!(POST, only: names) }
    2.times { assert_equal '{"id":1}', made.json!(POST, only: text) }
    names << :title
    text << ",title"
    2.times { assert_equal '{"id":1,"title":"t"}', made.json!(POST, only: names) }
    2.times { assert_equal '{"id":1,"title":"t"}', made.json!(POST, only: text) }
  end

  strange = Class.new(Array) { def each(&) = [:title].each(&) }
  {
    "a subclass of Array" => [{ only: strange.new([:id]) }, '{"title":"t"}'],
    "a subclass of String" => [{ only: Class.new(String).new("id") }, '{"id":1}'],
    "a long String" => [{ only: "id,#{"title," * 200}id" }, '{"id":1,"title":"t"}'],
    "a long name" => [{ only: ["id"], except: ["a" * 1_024] }, nil],
    "many names" => [{ only: [:id] * 200 }, '{"id":1}'],
    "a Selection" => [{ only: ToJson::Selection.parse("id") }, '{"id":1}']
  }.each do |name, (keywords, due)|
    test "#{name} is right, and not kept" do
      made = serializer
      2.times do
        if due then assert_equal due, made.json!(POST, **keywords)
        else assert_raises(ToJson::UnknownFieldError) { made.json!(POST, **keywords) }
        end
      end
      assert_equal 0, kept(made)
    end
  end

  test "wrong choices are told each time and not kept" do
    made = serializer
    { { only: :nope } => ToJson::UnknownFieldError, { view: :nope } => ToJson::UnknownViewError,
      { view: "nope" } => ToJson::UnknownViewError, { view: 3 } => ArgumentError,
      { only: 3 } => ToJson::SelectionError, { only: "id(" } => ToJson::SelectionError,
      { only: { 3 => true } } => ToJson::SelectionError,
      { view: :full, only: { author: [:nope] } } => ToJson::UnknownFieldError }.each do |one, error|
      2.times { assert_raises(error, one.inspect) { made.json!(POST, **one) } }
    end
    assert_equal 0, kept(made)
  end

  test "the choice that was not used for longest goes first" do
    made = serializer
    choose = ->(word) { made.json!(POST, only: word) }
    with_kept(3) do
      %w[id title author id].each(&choose)
      assert_equal(["id,title"], resolved { choose["id,title"] }.map { |_, only| only })
      assert_equal 3, kept(made)
      assert_empty(resolved { %w[id author id,title].each(&choose) })
      assert_equal([[nil, "title", nil]], resolved { choose["title"] })
      assert_equal([[nil, "id", nil]], resolved { %w[author id].each(&choose) })
    end
  end

  test "views are kept whatever clients choose" do
    made = serializer
    made.json!(POST, view: :full)
    300.times { |number| made.json!(POST, only: "id#{" " * number}") }
    assert_equal ToJson.kept_choices, kept(made)
    assert_empty(resolved { made.json!(POST, view: :full) })
  end

  test "kept_choices takes a number, and 0 keeps none" do
    assert_equal 100, ToJson.kept_choices
    [-1, 1.5, nil, 10_001, "3"].each do |wrong|
      error = assert_raises(ArgumentError) { ToJson.kept_choices = wrong }
      assert_equal "kept_choices takes an Integer from 0 to 10000; got #{wrong.inspect}",
                   error.message
    end
    made = serializer
    with_kept(0) { 2.times { made.json!(POST, only: :id) } }
    assert_equal 0, kept(made)
  end

  test "a class that changes, or whose association's does, chooses anew" do
    author = Class.new(ToJson::Serializer) { attributes :id, :name }
    made = serializer { has_one :writer, source: :author, serializer: author }
    choices = [{ view: :full, only: "writer" }, { except: "id,author" }, { view: :full }]
    write = -> { choices.map { |one| made.json!(POST, **one) } }
    before = write.call
    author.attribute(:more) { 3 }
    after = write.call
    assert_equal(before.map { |text| text.sub('"writer":{"id":2,"name":"n"',
                                              '"writer":{"id":2,"name":"n","more":3') }, after)
    made.attributes body: :text
    assert_match(/"text":"b"/, made.json!(POST, except: "id,author"))
    assert_equal 1, kept(made)
  end

  test "a copy of a class has choices of its own" do
    made = serializer
    made.json!(POST, view: :full)
    made.json!(POST, only: :id)
    copy = made.clone
    copy.attributes body: :text
    copy.view(:full) { attribute(:copied) { 1 } }
    assert_match(/"copied":1/, copy.json!(POST, view: :full))
    assert_equal '{"text":"b"}', copy.json!(POST, only: :text)
    refute_match(/copied/, made.json!(POST, view: :full))
    assert_raises(ToJson::UnknownFieldError) { made.json!(POST, only: :text) }
  end

  test "a frozen class keeps its choices too" do
    made = serializer.freeze
    assert_empty(resolved { made.json!(POST, view: :full) }, "views are there when it is frozen")
    made.json!(POST, only: :id)
    assert_empty(resolved { assert_equal '{"id":1}', made.json!(POST, only: :id) })
    assert_equal 1, kept(made)
  end

  test "what serialize of the class selects is kept, and put_attributes keeps its own" do
    made = serializer do
      def serialize(post)
        put(:chosen) { super }
        put(:own) { put_attributes post, only: [:id] }
        put(:full) { put_attributes post, view: :full, except: "author" }
      end
    end
    due = '{"chosen":{"title":"t"},"own":{"id":1},"full":{"id":1,"title":"t","body":"b"}}'
    assert_equal due, made.json!(POST, only: :title)
    assert_equal 4, kept(made), "only: :title with and without serialize, two of put_attributes"
    assert_empty(resolved { assert_equal due, made.json!(POST, only: :title) })
  end

  # Where only a value tells the serializer, its class may be gone before the choice. In a process
  # of its own: a collection reads the heap of all tests, ten times as long.
  test "a kept choice keeps no class alive that a value led to" do
    left = OwnProcess.run(<<~'RUBY')
      class AuthorSerializer < ToJson::Serializer
        attributes :id, :name
      end
      class PostSerializer < ToJson::Serializer
        attributes :id, :title
        has_one :author, serializer: AuthorSerializer
        flatten(:never, if: -> { false }) { attributes :odd }
        association :told, source: :author, serializer: ->(one) { one[:with] }
      end
      write = lambda do |_|
        other = Class.new(AuthorSerializer)
        text = PostSerializer.json!({ author: { id: 2, with: other } }, only: "told(id)")
        abort text unless text == '{"told":{"id":2}}'
      end
      1_000.times(&write)
      GC.start
      print ObjectSpace.each_object(Class).count { |klass| klass < AuthorSerializer }
    RUBY
    assert_operator Integer(left), :<, 700, "Ruby's own caches keep some 450"
  end

  test "threads that choose at once get what they chose" do
    made = serializer
    due = { "id" => '{"id":1}', "title" => '{"title":"t"}', "id,title" => '{"id":1,"title":"t"}',
            "author(id)" => '{"author":{"id":2}}' }
    wrong = with_kept(2) do
      Array.new(4) do
        Thread.new do
          200.times.filter_map do
            word, text = due.to_a.sample
            word if made.json!(POST, only: word) != text
          end
        end
      end.flat_map(&:value)
    end
    assert_empty wrong
    assert_equal 2, kept(made)
  end

  test "kept choices are right after compaction" do
    skip "needs GC.compact" unless GC.respond_to?(:compact)
    made = serializer
    write = lambda do
      20.times.map { |number| made.json!(POST, view: :full, only: "id#{" " * number}") }
    end
    before = write.call
    GC.compact
    assert_empty(resolved { assert_equal before, write.call })
  end

  # In a process of its own: once there was a second Ractor, ObjectSpace does not list them.
  test "Ruby is told how much memory kept choices take" do
    sizes = OwnProcess.run(<<~RUBY).split.map(&:to_i)
      require "objspace"
      class NoteSerializer < ToJson::Serializer
        attributes :id, :title
        flatten(:never, if: -> { false }) { attributes :odd }
      end
      [1, 20].each do |most|
        most.times { |number| NoteSerializer.json!({ id: 1 }, only: "id" + " " * number) }
        puts ObjectSpace.each_object(ToJson::PlanCache::Choices)
          .sum { |one| ObjectSpace.memsize_of(one) }
      end
    RUBY
    assert_operator sizes[0], :>, 0
    assert_operator sizes[1], :>, sizes[0] + 19 * 20
  end
end
