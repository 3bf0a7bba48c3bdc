# frozen_string_literal: true

require "test_helper"
require "minitest/mock"
require_relative "../support/own_process"

# `only:` and `except:` that say names: read without Ruby, and right. What Ruby makes of the same is
# asked by a Selection, which the native core does not read.
class NamedChoicesTest < ToJsonTest
  AuthorSerializer = Class.new(ToJson::Serializer) do
    attributes :id, :name
    view(:tiny) { remove :name }
  end

  def serializer(&body)
    Class.new(ToJson::Serializer) do
      attributes :id, :title, :größe
      has_one :author, serializer: AuthorSerializer
      has_many :readers, serializer: AuthorSerializer, view: :tiny
      has_one(:inline, source: :author) do
        attributes :id
        has_one(:deep, source: :author) { attributes :id, :name }
      end
      has_one :part, source: :author, serializer: AuthorSerializer, except: :id
      has_one :told, source: :author, serializer: ->(_) { AuthorSerializer }
      view(:full) { attributes :body }
      view(:plain) { remove :author }
      class_exec(&body) if body
    end
  end

  ANN = { id: 2, name: "n", author: { id: 3, name: "m" } }.freeze
  POST = { id: 1, title: "t", body: "b", größe: 3, author: ANN, readers: [ANN, nil] }.freeze

  # A TracePoint would not do: Ruby 3.1 to 3.4 switch all of them off when a dead Ractor of another
  # test is collected.
  # @return [Integer] how often Ruby was asked while the block runs
  def resolved(&)
    count = 0
    original = ToJson::PlanCache.method(:resolve)
    asked = lambda do |*arguments|
      count += 1
      original.call(*arguments)
    end
    ToJson::PlanCache.stub(:resolve, asked, &)
    count
  end

  def document(made, **keywords)
    made.json!(POST, **keywords)
  rescue ToJson::Error, ArgumentError => error
    "#{error.class}: #{error.message}"
  end

  # The same by Ruby.
  def by_ruby(made, only: nil, except: nil, **keywords)
    given = { only: only, except: except }.compact
    document(made, **given.transform_values { |one| ToJson::Selection.parse(one) }, **keywords)
  rescue ToJson::Error => error
    "#{error.class}: #{error.message}"
  end

  {
    { only: %i[title id] } => '{"id":1,"title":"t"}',
    { only: :id } => '{"id":1}',
    { only: "id, title" } => '{"id":1,"title":"t"}',
    { only: ["id,title", :id] } => '{"id":1,"title":"t"}',
    { only: [] } => "{}",
    { only: "" } => "{}",
    { only: "  " } => "{}",
    { only: {} } => "{}",
    { only: "title".to_s.encode("US-ASCII") } => '{"title":"t"}',
    { only: "id".b } => '{"id":1}',
    { only: "author" } => '{"author":{"id":2,"name":"n"}}',
    { only: "author(name)" } => '{"author":{"name":"n"}}',
    { only: "author()" } => '{"author":{}}',
    { only: " author ( name , id ) , id " } => '{"id":1,"author":{"id":2,"name":"n"}}',
    { only: [:author, { author: :id }] } => '{"author":{"id":2,"name":"n"}}',
    { only: [{ author: [:name] }, { "author" => "id" }] } => '{"author":{"id":2,"name":"n"}}',
    { only: { author: true, id: nil } } => '{"id":1,"author":{"id":2,"name":"n"}}',
    { only: "readers(id)" } => '{"readers":[{"id":2},null]}',
    { only: "readers(name)" } => '{"readers":[{},null]}',
    { only: "inline(deep(name))" } => '{"inline":{"deep":{"name":"m"}}}',
    { only: "told" } => '{"told":{"id":2,"name":"n"}}',
    { only: "part" } => '{"part":{"name":"n"}}',
    { only: "author(id),id", except: [:id, { author: :id }] } => '{"author":{}}',
    { only: "author", except: "author(id)" } => '{"author":{"name":"n"}}',
    { only: "author,id", except: [:author, { author: :id }] } => '{"id":1}',
    { only: :body } => "{}",
    { only: :body, view: :full } => '{"body":"b"}',
    { only: "body,author(id)", view: "full" } => '{"author":{"id":2},"body":"b"}',
    { except: %w[author readers inline part told größe], view: :full } => nil,
    { except: "author(id),readers,inline,part,told,title" } => nil,
    { only: %w[id author], view: :plain } => '{"id":1}'
  }.each_with_index do |(keywords, due), index|
    test "names are read without Ruby, choice #{index}: #{keywords}" do
      made = serializer
      by_ruby = by_ruby(made, **keywords)
      assert_equal due, by_ruby if due
      name = ->(given) { given.to_s.ascii_only? }
      asked = resolved { 2.times { assert_equal by_ruby, document(made, **keywords) } }
      assert_equal 0, asked if name[keywords]
      assert_equal 0, ToJson::PlanCache.choices(made) if name[keywords]
      assert_equal "[#{by_ruby}]", made.json!([POST], **keywords)
    end
  end

  strange = Class.new(Array) { def each(&) = [:title].each(&) }
  odd = "\u6469".encode("UTF-16LE") # one character, whose bytes are those of "id"
  [
    { only: "größe" }, { only: :größe }, { only: "told(id)" }, { only: "part(id)" },
    { only: "id\t,title" }, { only: strange.new([:id]) }, { only: Class.new(String).new("id") },
    { only: "id,#{"title," * 200}id" }, { view: [:full], only: "body" },
    { only: "id".encode("UTF-16LE") }, { only: "inline(id" }, { only: "id)" }, { only: "id,,id" },
    { only: "id title" }, { only: "author(name)id" }, { only: "title(id)" }, { only: "id\0" },
    { only: "author(nope)" }, { only: "nope" }, { only: :nope }, { only: { author: false } },
    { only: { 3 => true } }, { only: 3 }, { except: "nope" }, { except: "author(title)" },
    { only: "author(name)", view: :plain }, { only: :id, view: :nope }, { only: :id, view: 3 },
    { only: [:id, nil] }, { only: { "id,title" => nil } }, { only: "\xFF" }, { only: "(id)" },
    { only: odd }, { only: odd.to_sym }, { except: { odd => true } },
    { only: { odd.to_sym => nil } }
  ].each_with_index do |keywords, index|
    test "Ruby has the last word on choice #{index}, which has #{keywords.keys}" do
      made = serializer
      text = nil
      asked = resolved do
        2.times { assert_equal by_ruby(made, **keywords), text = document(made, **keywords) }
      end
      assert_operator asked, :>=, 1, text unless [:nope, 3].include?(keywords[:view])
    end
  end

  test "one serializer within itself: at each level the part that is said, as deep as one likes" do
    node = Class.new(ToJson::Serializer)
    node.attributes :id
    node.has_one :author, serializer: node
    1.upto(14) do |depth|
      only = "#{"author(" * depth}id#{")" * depth}"
      object = (0..depth).inject(nil) { |inner, id| { id: id, author: inner } }
      due = "#{'{"author":' * depth}{\"id\":0}#{"}" * depth}"
      assert_equal due, node.json!(object, only: only), depth
    end
  end

  words = %w[id title author readers inline part told deep name body größe nope] +
          ["(", ")", ",", "(", ")", ",", " ", "\t", "\0", "author(", "inline(deep("]
  test "random words are what Ruby makes of them" do
    made, random = serializer, Random.new(24)
    rights = 0
    2_000.times do
      keywords = { only: random.rand(8), except: random.rand(4) }.filter_map do |key, count|
        next if count.zero?

        list = Array.new(count) { words.sample(random: random) }
        text = random.rand(2).zero? ? list.join : list.join(",")
        given = [text, list.map(&:to_sym), [list, { author: list.first(1) }], [text, "id"]]
        [key, given.sample(random: random)]
      end.to_h
      keywords[:view] = %i[full plain].sample(random: random) if random.rand(3).zero?
      text = document(made, **keywords)
      assert_equal by_ruby(made, **keywords), text, keywords.inspect
      rights += 1 if text.start_with?("{")
    end
    assert_operator rights, :>, 100
  end

  test "what a call gave may change afterwards" do
    made, names, text = serializer, [:id], +"id"
    assert_equal ['{"id":1}'] * 2, [made.json!(POST, only: names), made.json!(POST, only: text)]
    names << :title
    text << ",title"
    assert_equal ['{"id":1,"title":"t"}'] * 2,
                 [made.json!(POST, only: names), made.json!(POST, only: text)]
  end

  test "a class that changes, or whose association's does, chooses anew" do
    author = Class.new(ToJson::Serializer) { attributes :id, :name }
    made = serializer { has_one :writer, source: :author, serializer: author }
    write = -> { made.json!(POST, only: "writer(id,name)") }
    assert_equal '{"writer":{"id":2,"name":"n"}}', write.call
    author.remove :name
    author.attribute(:name) { "other" }
    assert_equal '{"writer":{"id":2,"name":"other"}}', write.call
    assert_raises(ToJson::UnknownFieldError) { made.json!(POST, only: "more") }
    made.attribute(:more) { 3 }
    assert_equal '{"more":3}', made.json!(POST, only: "more")
  end

  test "copies, frozen classes and classes that inherit have fields of their own" do
    made = serializer
    assert_equal '{"id":1}', made.json!(POST, only: :id)
    copy, sub = made.clone, Class.new(made)
    copy.attributes body: :text
    sub.attributes body: :other
    assert_equal '{"text":"b"}', copy.json!(POST, only: :text)
    assert_equal '{"other":"b"}', sub.json!(POST, only: :other)
    assert_raises(ToJson::UnknownFieldError) { made.json!(POST, only: :text) }
    frozen = serializer.freeze
    assert_equal 0, (resolved { 2.times { frozen.json!(POST, only: :id) } })
  end

  test "keys of caches are the same, however a choice is read" do
    store = {}
    cached = Class.new(ToJson::Serializer) do
      cache store: store, key: ->(one) { one[:id] }
      attributes :id, :name
    end
    made = serializer { has_one :cached, source: :author, serializer: cached }
    made.define_singleton_method(:name) { "PostOfNamedChoices" }
    cached.define_singleton_method(:name) { "CachedOfNamedChoices" }
    only = "id,cached(name)"
    assert_equal '{"id":1,"cached":{"name":"n"}}', by_ruby(made, only: only)
    keys = store.keys
    assert_equal 1, keys.size
    assert_equal '{"id":1,"cached":{"name":"n"}}', made.json!(POST, only: only)
    assert_equal '{"name":"n"}', cached.json!(ANN, only: "name")
    assert_equal '{"name":"n"}', by_ruby_of(cached, ANN, only: "name")
    assert_equal keys, store.keys
  end

  def by_ruby_of(made, object, only:) = made.json!(object, only: ToJson::Selection.parse(only))

  test "what a lookup finds is written under the names of the call" do
    made = Class.new(ToJson::Serializer) do
      attributes :id
      has_one :told, source: :author, serializer: { Hash => AuthorSerializer }
    end
    2.times { assert_equal '{"told":{"name":"n"}}', made.json!(POST, only: "told(name)") }
    2.times { assert_equal '{"told":{"id":2,"name":"n"}}', made.json!(POST, only: "told") }
    2.times { assert_equal '{"told":{"id":2,"name":"n"}}', made.json!(POST, except: "id") }
  end

  test "the memory of different choices has an end" do
    left = OwnProcess.run(<<~RUBY).split.map(&:to_i)
      require "objspace"
      class AuthorSerializer < ToJson::Serializer
        attributes :id, :name
      end
      class WideSerializer < ToJson::Serializer
        attributes(*Array.new(20) { |index| :"f\#{index}" })
        has_one :author, serializer: AuthorSerializer
      end
      ROW = { **Array.new(20) { |index| [:"f\#{index}", index] }.to_h, author: { id: 1, name: 2 } }
      def choose(number)
        names = Array.new(20) { |index| "f\#{index}" if number[index] == 1 }.compact
        WideSerializer.json!(ROW, only: [*names, "author(\#{%w[id name][number[3]]})"].join(","))
      end
      def count
        GC.start
        kept = ToJson::PlanCache::NamedFields
        [ObjectSpace.each_object(ToJson::Mask).count, Symbol.all_symbols.size,
         ObjectSpace.each_object(kept).sum { |one| ObjectSpace.memsize_of(one) }]
      end
      100.times { |number| choose(number * 7919) }
      print count.join(" "), " "
      10_000.times { |number| choose(number * 104_729 + 1) }
      puts count.join(" ")
    RUBY
    masks, symbols, size, masks_after, symbols_after, size_after = left
    assert_operator masks, :>, 10
    assert_operator masks_after, :<=, 64 + 64 + 20
    assert_operator symbols_after, :<=, symbols + 20
    assert_operator size, :>, 2_000
    assert_equal size, size_after
  end

  test "threads that choose at once get what they chose" do
    made = serializer
    due = { "id" => '{"id":1}', %i[id title] => '{"id":1,"title":"t"}',
            "author(id)" => '{"author":{"id":2}}', "author(name)" => '{"author":{"name":"n"}}' }
    threads = Array.new(4) do
      Thread.new do
        300.times.reject { due.to_a.sample.then { |word, text|
 made.json!(POST, only: word) == text } }
      end
    end
    assert_empty threads.flat_map(&:value)
  end

  test "choices are right after compaction" do
    skip "needs GC.compact" unless GC.respond_to?(:compact)
    made = serializer
    choices = ["id", "author(id)", "inline(deep(id),id)", %i[title author]]
    write = -> { choices.map { |only| made.json!(POST, only: only) } }
    before = write.call
    GC.compact
    assert_equal before, write.call
  end

  test "a class whose fields are more than a Fixnum has bits chooses all the same" do
    { 61 => 0, 62 => 0, 63 => 1 }.each do |count, asked|
      made = Class.new(ToJson::Serializer) { attributes(*Array.new(count) { |i| :"f#{i}" }) }
      row = Array.new(count) { |i| [:"f#{i}", "f#{i}"] }.to_h
      last = "f#{count - 1}"
      first = ->(only) { assert_equal %({"#{last}":"#{last}"}), made.json!(row, only: only) }
      assert_equal asked, (resolved { first[last] }), count
      assert_equal %({"f0":"f0","#{last}":"#{last}"}), made.json!(row, only: ["f0", last])
    end
  end
end
