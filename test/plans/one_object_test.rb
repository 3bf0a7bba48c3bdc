# frozen_string_literal: true

require "json"
require_relative "../test_helper"
require_relative "../support/own_process"

# The first document of a class goes the general way, the others through `document` of its Plan's
# code (lib/to_json/compiling/document_code.rb): all write the same and say the same when something
# goes wrong.
class OneObjectTest < ToJsonTest
  Person = Struct.new(:id, :name, :posts, :friend, :extra, keyword_init: true)
  Post = Struct.new(:id, :title)

  class PostSerializer < ToJson::Serializer
    attributes :id, :title
  end

  class NamedSerializer < ToJson::Serializer
    attributes :id, :shout
    def shout(person) = "#{person.name.upcase}#{context[:mark]}"
  end

  SHAPES = {
    "fields that are read" => proc { attributes :id, :name },
    "a method of the serializer" => proc do
      attributes :id, :shout; def shout(person) = person.name.upcase
    end,
    "a block that asks for the scope" => proc do
      attribute(:same) { |person| person.id == 1 && !scope.nil? && context.empty? }
    end,
    "a method of another serializer, lent" => proc do
      attributes :id; has_one :friend, serializer: NamedSerializer
    end,
    "methods of both" => proc do
      attributes :id
      attribute(:twice) { |person| person.id * 2 }
      has_one :friend, serializer: NamedSerializer
    end,
    "an array at the end" => proc { attributes :id; has_many :posts, serializer: PostSerializer },
    "an array at the end, and a method" => proc do
      attributes :shout
      has_many :posts, serializer: PostSerializer
      def shout(person) = person.name.upcase
    end,
    "an array in the middle" => proc do
      has_many :posts, serializer: PostSerializer; attributes :id
    end,
    "two arrays" => proc do
      has_many :posts, serializer: PostSerializer
      has_many(:posts, name: :others) { attributes :title }
    end,
    "an array by lookup" => proc { has_many :posts, serializer: ->(_) { PostSerializer } },
    "fields of an object inside" => proc { attributes :id; flatten(:friend) { attributes :name } },
    "many fields" => proc do
      60.times { |number| attribute(:"f#{number}") { |person| person.id + number } }
    end
  }.freeze

  def person(**with)
    Person.new(**{ id: 1, name: "Fred", posts: [Post.new(1, "a"), Post.new(2, "b")],
                   friend: Person.new(id: 2, name: "Ann"), extra: nil }, **with)
  end

  SHAPES.each do |name, body|
    test "#{name}: the same from the first call on, with nothing inside, and after a failure" do
      klass = Class.new(ToJson::Serializer, &body)
      values = [person, person(posts: []), person(posts: nil, friend: nil),
                person(posts: [Post.new(3, "c")].each), person(posts: [nil])]
      general = values.map { |value| klass.json!([value])[1..-2] }
      4.times { assert_equal general, values.map { |value| klass.json!(value) } }
      if defined?(JSON)
        assert_equal(general, values.map { |value| JSON.generate(klass.to_h(value)) })
      end
    end
  end

  SHAPES.each do |name, body|
    test "#{name}: into a String the same, behind what it holds" do
      klass = Class.new(ToJson::Serializer, &body)
      expected = klass.json!([person])[1..-2]
      6.times do
        text = +"before "
        assert_same text, klass.json!(person, into: text)
        assert_equal "before #{expected}", text
        assert_equal expected, klass.json!(person, into: nil)
        assert_equal expected, klass.json!(person, into: StringIO.new).string
      end
    end
  end

  KEYWORDS = [
    { context: { mark: "!" } }, { rules: { html_safe: true } }, { max_depth: 9 }, { view: nil },
    { root: :it }, { root: "it" }, { root: "Itö", meta: { n: 1 } }, { root: false },
    { collection: false }, { context: { mark: "!" }, rules: :json, collection: nil, into: nil }
  ].freeze

  SHAPES.each do |name, body|
    test "#{name}: with each keyword the same, by the class and by instances" do
      klass = Class.new(ToJson::Serializer, &body)
      KEYWORDS.each do |keywords|
        expected = klass.json!(person, **keywords, into: StringIO.new).string
        3.times do
          assert_equal expected, klass.json!(person, **keywords), keywords.inspect
          assert_equal expected, klass.json!(person, **{ into: +"", **keywords }).to_s
          assert_equal expected, klass.encode!(person, **keywords).to_json
          serializer = klass.new(person, **keywords)
          assert_equal [expected] * 3, [serializer.json!, serializer.to_json, serializer.to_s]
          assert_equal expected, serializer.encode!.to_json
          assert_equal expected, klass.new(person).json!(**keywords)
          assert_equal expected, klass.new.json!(person, **keywords)
        end
      end
    end
  end

  test "a root that is text becomes no Symbol, and meta is not written beside itself" do
    klass = Class.new(ToJson::Serializer) { attributes :id }
    text = "root_#{object_id}_#{Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond)}"
    document = %({"#{text}":{"id":1}})
    6.times { assert_equal document, klass.json!(person, root: text) }
    assert_empty(Symbol.all_symbols.map(&:name).select { |name| name == text })
    own = Class.new(String) { def to_s = "own" }
    assert_equal document, klass.json!(person, root: own.new(text))
    ["meta", :meta].each do |root|
      error = assert_raises(ArgumentError) { klass.json!(person, root: root, meta: { a: 1 }) }
      assert_match(/root: meta is written under the key meta, too/, error.message)
    end
  end

  test "a String that cannot take the document is refused, and one that is frozen meanwhile has " \
       "nothing of it" do
    klass = Class.new(ToJson::Serializer) do
      attributes :id; attribute(:name) { |object| object.extra&.freeze && object.name }
    end
    expected = klass.json!(person)
    4.times do
      assert_raises(FrozenError) { klass.json!(person, into: "frozen".freeze) }
      error = assert_raises(ToJson::SinkError) { klass.json!(person, into: "".encode("UTF-16LE")) }
      assert_match(/UTF-16LE cannot take JSON/, error.message)
      text = +"before"
      assert_raises(FrozenError) { klass.json!(person(extra: text), into: text) }
      assert_equal "before", text
      assert_raises(ArgumentError) { klass.json!(person, into: +"", other: 1) }
      assert_equal expected, klass.json!(person, into: +"")
    end
  end

  test "into a String by a getter of the same class, and an exception of one, leaves what was " \
       "written before it" do
    klass = Class.new(ToJson::Serializer) { attributes :id, :name }
    text = +""
    inner = person.tap do |one|
      one.define_singleton_method(:name) { klass.json!(Person.new(id: 7, name: "in"), into: text) }
    end
    broken = person.tap { |one| one.define_singleton_method(:name) { raise "no" } }
    5.times do
      text.clear
      assert_same text, klass.json!(inner, into: text)
      assert_equal %({"id":7,"name":"in"}{"id":1,"name":"{\\"id\\":7,\\"name\\":\\"in\\"}"}), text
      error = assert_raises(RuntimeError) { klass.json!(broken, into: text) }
      assert_equal ["$.name", 64], [ToJson.location(error), text.size]
    end
  end

  if defined?(RubyVM::YJIT) && RubyVM::YJIT.respond_to?(:runtime_stats)
    COMPILED_CALLER = <<~'RUBY'
      Post = Struct.new(:id, :title)
      Person = Struct.new(:id, :name, :posts)
      serializers = Array.new(3) do
        post = Class.new(ToJson::Serializer) { attributes :id, :title }
        Class.new(ToJson::Serializer) do
          attributes :id, :shout
          has_many(:posts, serializer: post)
          def shout(person) = "#{person.name}!"
        end
      end
      serializers += Array.new(2) { Class.new(ToJson::Serializer) { attributes :id, :name } }
      person = Person.new(1, "Ann", [Post.new(1, "a")])
      def call(serializer, object) = serializer.json!(object)
      def calls(serializer, object, times)
        i = 0
        while i < times
          call(serializer, object)
          i += 1
        end
      end
      200.times { calls(Class.new { def self.json!(object) = object.id }, person, 1) }
      interpreted = serializers.map do |serializer|
        200.times { calls(serializer, person, 1) }
        before = RubyVM::YJIT.runtime_stats[:vm_insns_count]
        calls(serializer, person, 1000)
        (RubyVM::YJIT.runtime_stats[:vm_insns_count] - before) / 1000
      end
      print interpreted.inspect
    RUBY
    # Ruby >= 3.4 counts them.
    COUNTED = IO.popen([RbConfig.ruby, "--yjit", "-e", "p RubyVM::YJIT.runtime_stats"], &:read)

    COUNTED.include?("vm_insns_count") && test("a caller that YJIT compiled stays compiled") do
      library = $LOADED_FEATURES.find { |path| path.end_with?("/lib/to_json.rb") }
      printed = IO.popen([{ "RUBYOPT" => nil }, RbConfig.ruby, "--yjit", "-W0", "-r#{library}",
                          "-e", COMPILED_CALLER], err: %i[child out], &:read)
      assert_equal "[0, 0, 0, 0, 0]", printed
    end
  end

  test "a document of everybody's is not the Plan's own" do
    Module.class_eval { def document(*) = "mine" }
    klass = Class.new(ToJson::Serializer) { attributes :id }
    6.times { assert_equal %({"id":1}), klass.json!(person) }
  ensure
    Module.class_eval { remove_method(:document) }
  end

  test "what takes no object is told as before" do
    klass = Class.new(ToJson::Serializer) { attributes :id }
    6.times do
      assert_match(/takes one argument, an object or a collection/,
                   assert_raises(ArgumentError) { klass.json! }.message)
      assert_match(/write it in braces/,
                   assert_raises(ArgumentError) { klass.json!(id: 1) }.message)
      klass.json!(person)
    end
  end

  FAILURES = {
    "id" => proc { def id = raise("no") },
    "name" => proc { def name = raise("no") },
    "posts" => proc { def posts = raise("no") },
    "posts[1].title" => proc do
      def posts
        [Post.new(1, "a"),
         Post.new(2, "b").tap { |post| post.define_singleton_method(:title) { raise "no" } }]
      end
    end
  }.freeze

  FAILURES.each do |path, body|
    test "an exception from #{path} is told apart by its place, and the next document is right" do
      klass = Class.new(ToJson::Serializer) do
        attributes :id, :name; has_many :posts, serializer: PostSerializer
      end
      broken = Class.new(Person, &body).new(id: 1, name: "Fred", posts: [])
      expected = klass.json!(person)
      4.times do
        error = assert_raises(RuntimeError) { klass.json!(broken) }
        assert_equal "$.#{path}", ToJson.location(error)
        assert_equal expected, klass.json!(person)
      end
    end
  end

  test "values that have no JSON form are named by their path" do
    klass = Class.new(ToJson::Serializer) do
      attributes :id; attribute(:shape) { |object| object.extra }
    end
    4.times do
      error = assert_raises(ToJson::UnsupportedTypeError) { klass.json!(person(extra: Object.new)) }
      assert_match(/\A\$\.shape: /, error.message)
    end
  end

  test "a getter that serializes by the same class, or another, finds nothing changed" do
    klass = Class.new(ToJson::Serializer) do
      attributes :id; attribute(:inner) { |object| object.extra&.call }
    end
    expected = '{"id":1,"inner":"{\"id\":2,\"inner\":null}"}'
    4.times { assert_equal expected, klass.json!(person(extra: -> { klass.json!(person(id: 2)) })) }
  end

  test "a throw and a break leave nothing behind" do
    klass = Class.new(ToJson::Serializer) do
      attributes :id; attribute(:inner) { |object| object.extra&.call }
    end
    4.times do
      assert_equal 1, catch(:out) { klass.json!(person(extra: -> { throw :out, 1 })) }
      assert_equal '{"id":1,"inner":null}', klass.json!(person)
    end
  end

  test "a root that is no text leaves nothing behind" do
    klass = Class.new(ToJson::Serializer) { attributes :id, :name }
    4.times do
      ["\xFF", "a\xC3"].each do |text|
        assert_raises(ToJson::EncodingError) { klass.json!(person, root: text) }
      end
      assert_equal '{"it":{"id":1,"name":"Fred"}}', klass.json!(person, root: "it")
      assert_equal '{"id":1,"name":"Fred"}', klass.json!(person)
    end
  end

  test "a declared root is written by the code of the Plan, and is in paths" do
    klass = Class.new(ToJson::Serializer) do
      root :person, :people
      attributes :id
      has_many(:posts) { attributes :title }
    end
    due = '{"person":{"id":1,"posts":[{"title":"a"},{"title":"b"}]}}'
    broken = [Post.new(1, "a"), Object.new]
    4.times do
      assert_equal due, klass.json!(person)
      assert_equal due, klass.new(person).to_json
      assert_equal due, klass.json!(person, into: ToJson::Buffer.new).to_s
      assert_equal ToJson.generate(JSON.parse(due), indent: "  "),
                   klass.json!(person, rules: { indent: "  " })
      error = assert_raises(NoMethodError) { klass.json!(person(posts: broken)) }
      assert_equal "$.person.posts[1].title", ToJson.location(error)
      assert_raises(ToJson::NestingError) { klass.json!(person, max_depth: 3) }
      assert_equal due, klass.json!(person, max_depth: 4)
      assert_equal '{"id":1}', klass.json!(person, root: false, only: :id)
    end
  end

  test "a Plan's code has its document, and a Plan with meta none" do
    classes = Array.new(3) { Class.new(ToJson::Serializer) { attributes :id } }
    classes.drop(1).each { |klass| klass.root :person }
    classes.last.meta({ n: 1 })
    classes.each { |klass| klass.json!(person) }
    assert_equal([true, true, false],
                 classes.map do |klass|
                   ToJson::PlanCache.plan_of(klass).code.respond_to?(:document)
                 end)
  end

  test "what becomes many later is an array from then on" do
    ways = [proc { include Enumerable; def each = yield(OneObjectTest::Post.new(7, "x")) },
            proc { def to_ary = [OneObjectTest::Post.new(7, "x")] },
            proc {
              def respond_to_missing?(name, _) = name == :to_ary
              def method_missing(*) = [OneObjectTest::Post.new(7, "x")]
            }]
    ways.each do |way|
      klass, type = Class.new(PostSerializer), Class.new { def id = 1; def title = "t" }
      4.times { assert_equal '{"id":1,"title":"t"}', klass.json!(type.new) }
      type.class_eval(&way)
      2.times { assert_equal '[{"id":7,"title":"x"}]', klass.json!(type.new) }
    end
  end

  test "one is told from many wherever its class stands below Object, Struct and Range" do
    klass = Class.new(ToJson::Serializer) do
      attribute(:id) { |object| object.is_a?(Integer) ? object : object.id }
    end
    struct, plain = Struct.new(:id), Class.new { define_method(:id) { 1 } }
    lists = { "a Range of a class of its own" => -> { Class.new(Range).new(1, 2) },
              "a prepended Enumerable" => -> {
                Class.new { prepend Enumerable; def each(&) = [1, 2].each(&) }.new
              },
              "an Enumerable of one object" => -> {
                plain.new.tap { |one| one.extend(Enumerable); def one.each(&) = [1, 2].each(&) }
              },
              "an Enumerable of the superclass" => -> {
                Class.new(Class.new { include Enumerable; def each(&) = [1, 2].each(&) }).new
              } }
    ones = [
      struct, Class.new(struct), Class.new(struct) { include Comparable }
    ].map { |type| type.new(1) } + [plain, Class.new(plain)].map(&:new)
    4.times do
      ones.each { |one| assert_equal '{"id":1}', klass.json!(one) }
      lists.each { |name, make| assert_equal '[{"id":1},{"id":2}]', klass.json!(make.call), name }
    end
    struct.define_method(:to_ary) { [1, 2] }
    assert_equal(['[{"id":1},{"id":2}]'] * 3, ones.first(3).map { |one| klass.json!(one) })
  end

  test "a Thread that is killed in a getter takes no Writer with it" do
    klass = Class.new(ToJson::Serializer) do
      attributes :id; attribute(:inner) { |object| object.extra&.call }
    end
    4.times do
      Thread.new { klass.json!(person(extra: -> { Thread.current.kill })) }.join
      assert_equal '{"id":1,"inner":null}', klass.json!(person)
    end
  end

  test "a getter named in capitals is called as others are, and is not if it is private" do
    klass = Class.new(ToJson::Serializer) { attributes :ID, :Name }
    type = Class.new { def ID = 1; def Name = "n" } # rubocop:disable Naming/MethodName
    4.times { assert_equal '{"ID":1,"Name":"n"}', klass.json!(type.new) }
    assert_equal '[{"ID":2,"Name":null}]', klass.json!([{ ID: 2 }])
    refute_includes klass.explain, "public_send"
    type.send(:private, :Name)
    2.times do
      assert_match(/private method/, assert_raises(NoMethodError) { klass.json!(type.new) }.message)
    end
  end

  # From the second call on, `context` was nil and `scope` too.
  test "a serializer among values has an empty context, and its object for a scope, each time" do
    seen = Class.new(ToJson::Serializer) { attribute(:seen) { [context, scope.class.name] } }
    type = Class.new(ToJson::Serializer) { has_one :extra, serializer: seen }
    person = Person.new(extra: Post.new)
    due = ToJson.generate([{ extra: { seen: [{}, Person.name] } }])
    3.times do
      assert_equal due, ToJson.generate([type.new(person)])
      assert_equal due, ToJson.stream([type.new(person)]).each.to_a.join
      assert_equal due, ToJson::Coder.new.dump([type.new(person)])
      assert_equal "[#{due},#{due}]", ToJson.generate([[type.new(person)], [type.new(person)]])
    end
  end
end
