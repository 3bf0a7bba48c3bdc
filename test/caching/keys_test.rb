# frozen_string_literal: true

require_relative "caching_case"
require "date"
require "rbconfig"
require "open3"
require "digest/sha2"

# What a key says: one entry for what is the same, another for whatever makes the text another.
class CachingKeysTest < CachingCase
  Record = Struct.new(:id) do
    def cache_key_with_version = "records/#{id}-20261122"
    def new_record? = id.nil?
  end

  def key_of(given, **cache)
    type = Class.new(ToJson::Serializer) do
      attributes :id
      cache(key: ->(_) { given }, **cache)
    end
    @store.entries.clear
    type.json!({ id: 1 })
    @store.entries.keys.first&.[](%r{\Ato_json/[\w.:]+/\h{32}/(.*)\z}m, 1)
  end

  Ärger = Class.new

  KEYS = {
    ["a", 1, :b] =>
      "(_a,1,:b)", "posts/1-2026" => "_posts/1-2026", 5 => "5", [1, nil] => "(1,nil)",
      ["a/b", "c"] => "(_a/b,_c)",
    ["a", "b/c"] =>
      "(_a,_b/c)", [[1, 2], 3] => "((1,2),3)", ["%nil"] => "(_%25nil)", { a: 1 } => "{:a=1}",
      [] => "()", "" => "_",
    "(1,2)" =>
      "_%281%2C2%29", "a b\n" => "_a%20b%0A", "José" => "_Jos%C3%A9",
      "Jos\xE9".dup.force_encoding("ISO-8859-1") => "_'ISO-8859-1'Jos%E9",
    "\xFF".b =>
      "_'ASCII-8BIT'%FF", 1.5 => "~1.5", 3/2r => "~3/2", -0.0 => "~-0.0",
      [nil, false, true] => "(nil,false,true)",
    Time.at(5, 123_456_789, :nsec).utc =>
      "@5.123456789", Time.at(5).utc => "@5.000000000", Time.at(1/3r).utc => "@0.1000000000/3",
    Date.new(2026, 11, 22) =>
      "@D2026-11-22",
      DateTime.new(2026, 11, 22, 1, 2, 3.5r) => "@T2026-11-22T01:02:03+00:00.500000000",
      BigDecimal("1.5") => "~D0.15e1", BigDecimal("-0") => "~D-0.0", true => "true",
    Record.new(7) => "=CachingKeysTest::Record(_records/7-20261122)",
    [Record.new(7), :x] => "(=CachingKeysTest::Record(_records/7-20261122),:x)",
      String => "^String", Ärger => "^CachingKeysTest::%C3%84rger"
  }.freeze

  KEYS.each do |given, due|
    test("the key #{given.inspect} is #{due}") { assert_equal due, key_of(given) }
  end

  # A Hash would take the Times of one moment for one key.
  [["+01:00", "@5.000000000+3600"], ["-05:30", "@5.000000000-19800"],
   ["+00:00", "@5.000000000+0"], ["UTC", "@5.000000000"]].each do |zone, due|
    test("the key of a Time in #{zone} has its offset") do
      assert_equal due, key_of(Time.at(5, in: zone))
    end
  end

  # Documents have other texts of one day.
  test "the key of a day says in which calendar it is" do
    day = Date.new(1500, 1, 1)
    assert_equal "@D1500-01-01J", key_of(day)
    assert_equal "@D1500-01-10", key_of(day.gregorian)
    assert_equal "@T1500-01-01T00:00:00+00:00J.000000000", key_of(day.to_datetime)
  end

  test "a key that would be too long enters as a digest, which no text begins like; all keys are " \
       "of one bound" do
    texts = [("x" * 500), ("ü" * 100), [1] * 200, { "a" => "x" * 200 }].map do |given|
      key_of(given)
    end
    assert_equal [true] * 4, texts.map { |text| text.match?(/\A%\h{32}\z/) }
    assert_equal 4, texts.uniq.size
    refute_equal texts.first, key_of(texts.first)
    type = Class.new(ToJson::Serializer) { attributes :id }
    type.define_singleton_method(:to_s) { "Some::Very::Long::Name" * 20 }
    [199, 120, 80, 10].each do |size|
      @store.entries.clear
      type.cache key: ->(_) { "y" * size }
      type.json!({ id: 1 })
      assert_operator @store.entries.keys.first.bytesize, :<=, 200
    end
  end

  test "long texts of two bytes, encodings or types have two digests" do
    texts = ["x" * 1000, "x" * 1001, "#{"x" * 1000}y", "ü" * 600, ("ü" * 600).b]
    texts.push(texts[1].to_sym, [texts[1]])
    assert_equal texts.size, texts.map { |text| ToJson::CacheKey.text("", text) }.uniq.size
    assert_equal key_of("x" * 1001), key_of(("x" * 1001).b)
  end

  # It entered as itself, and a key that was odd as "%" and its digest.
  test "a client whose name is the digest of another's does not read the other's part" do
    type = Class.new(ToJson::Serializer) { attributes :name, :secret; cache key: :name }
    names = ["José", "x" * 300, "x" * 200]
    texts = names.flat_map { |name| [name, name.b, "_".b + name.b, name.b.inspect] }
    names.concat(texts.map { |text| "%#{Digest::SHA256.hexdigest(text)[0, 32]}" })
    names.uniq!
    secrets = names.each_index.map do |secret|
      JSON.parse(type.json!({ name: names[secret], secret: secret }))["secret"]
    end
    assert_equal names.each_index.to_a, secrets
    tails = @store.entries.keys.map { |key| key[%r{\Ato_json/[^/]+/\h{32}/(.*)\z}m, 1] } - names
    assert_equal [names.size + 1] * tails.size, tails.map { |name|
      JSON.parse(type.json!({ name: name, secret: names.size + 1 }))["secret"]
    }
  end

  test "what a context gives and what key: gives are never taken for each other" do
    type = Class.new(ToJson::Serializer) do
      attributes :id, :n
      cache key: :id, context: ->(context) { context[:part] }
    end
    parts = [nil, false, "", "nil", "a", "a;", "a;_b", ";", [], [nil], [[]], "(nil)", :a, 1, "1",
             1.0, {}, [["a"]], ["a"]]
    keys = parts - [nil, false]
    pairs = parts.product(keys)
    pairs.each_with_index do |(part, id), n|
      assert_equal n, JSON.parse(type.json!({ id: id, n: n }, context: { part: part }))["n"]
    end
    assert_equal pairs.size, @store.entries.size
  end

  test "two guests who are no records yet, and objects whose own key is nil, share nothing" do
    guest = Record.new(nil)
    type = Class.new(ToJson::Serializer) do
      attributes :id; cache key: :id, context: ->(context) { context }
    end
    2.times { |id| assert_equal %({"id":#{id}}), type.json!({ id: id }, context: guest) }
    mute = Struct.new(:id) { def cache_key_with_version = nil }
    plain = Class.new(ToJson::Serializer) { attributes :id; cache }
    2.times { |id| assert_equal %({"id":#{id}}), plain.json!(mute.new(id)) }
    assert_empty @store.entries
  end

  test "a key that contains itself, or a class that no constant holds, is refused" do
    endless = [1]
    endless << endless
    assert_match(/more than 100 Arrays or Hashes inside each other/,
                 assert_raises(ToJson::CacheError) { key_of(endless) }.message)
    own = Class.new { def cache_key = self }
    assert_match(/more than 100 Arrays/,
                 assert_raises(ToJson::CacheError) { key_of(own.new) }.message)
    [Class.new, Class.new.tap { |type| type.const_set(:Inner, Class.new) }::Inner,
     BasicObject.new].each do |given|
      assert_match(/the key has an instance of/,
                   assert_raises(ToJson::CacheError) { key_of(given) }.message)
    end
  end

  test "a key of Hashes that lie too deep within each other is refused, one less is taken" do
    deep = ->(depth) { depth.times.inject(1) { |inner, _| { a: inner } } }
    assert_equal '{"id":0,"title":"t0"}',
                 serializer(key: ->(_) { deep.call(100) }).json!(posts(1).first)
    error = assert_raises(ToJson::CacheError) do
      serializer(key: ->(_) { deep.call(101) }).json!(posts(1).first)
    end
    assert_match(/the key has more than 100 Arrays or Hashes inside/, error.message)
  end

  test "without key: it is the object's cache_key_with_version; a record that was not saved has " \
       "none" do
    type = Class.new(ToJson::Serializer) { attributes :id; cache }
    assert_equal '[{"id":7},{"id":null}]', type.json!([Record.new(7), Record.new(nil)])
    assert_equal 1, @store.entries.size
    assert_match(%r{/=CachingKeysTest::Record\(_records/7-20261122\)\z}, @store.entries.keys.first)
    error = assert_raises(ToJson::CacheError) { type.json!({ id: 1 }) }
    assert_match(/cache: an instance of Hash has no cache_key_with_version of its own\. Pass key: /,
                 error.message)
  end

  test "key: is also a Symbol, a method without parameter, a Symbol's Proc, and sees the " \
       "serializer" do
    assert_equal '{"id":1}', Class.new(ToJson::Serializer) {
      attributes :id; cache key: :id
    }.json!({ id: 1 })
    assert_match(%r{/1\z}, @store.entries.keys.first)
    { Class.new(ToJson::Serializer) { attributes :id; cache key: -> { object.id } } => "2",
      Class.new(ToJson::Serializer) { attributes :id; cache key: :id.to_proc } => "2",
      Class.new(ToJson::Serializer) do
        attributes :id
        cache(key: ->(post) { shout(post) })
        private def shout(post) = "#{post.id}!"
      end => "_2!",
      Class.new(ToJson::Serializer) { attributes :id; cache key: :id } => "2" }.each do |type, due|
      @store.entries.clear
      type.json!(Record.new(2))
      assert_equal due, @store.entries.keys.first[%r{[^/]+\z}]
    end
  end

  test "a key that says nothing about itself is refused" do
    error = assert_raises(ToJson::CacheError) { key_of(Object.new) }
    assert_match(/\$: .*cache: the key has an instance of Object\. Let key: and context: return /,
                 error.message)
  end

  Row = { id: 1, title: "<a>", at: Time.at(0), tags: [{ id: 1, name: "x" }] }.freeze

  # Each with the same key: another text must be another entry.
  def self.serializer(&body)
    Class.new(ToJson::Serializer) do
      cache key: ->(row) { row[:id] }
      class_eval(&body) if body
    end
  end

  Tag = Class.new(ToJson::Serializer) { attributes :id, :name; view(:short) { remove :name } }
  Base = serializer do
    attributes :id, :title, :at
    has_many :tags, serializer: Tag
    view(:full) { attribute(:full) { 1 } }
    view(:more) { attribute(:more) { 2 } }
  end

  CALLS = [{}, { view: :full }, { view: :more }, { view: %i[full more] }, { only: "id" },
           { only: "id,tags(id)" }, { only: "id,tags(name)" }, { except: "id" },
           { except: "tags(id)" }, { rules: { time: :unix } }, { rules: { html_safe: true } },
           { rules: { time: :unix_ms } }, { rules: :json }, { max_depth: 50 },
           { rules: { convert: { Time => ->(time) { time.year } } } },
           { rules: { convert: { Time => ->(time) { time.month } } } }].freeze

  test "view, only, except, Rules and depth each have entries of their own, in any order of " \
       "calls" do
    plain = Class.new(Base) { cache false }
    due = CALLS.map { |call| plain.json!(Row, **call) }
    3.times do |seed|
      CALLS.each_index.to_a.shuffle(random: Random.new(seed)).each do |index|
        assert_equal due[index], Base.json!(Row, **CALLS[index]), CALLS[index].inspect
      end
    end
    assert_equal due.map { |text| "[#{text}]" }, CALLS.map { |call| Base.json!([Row], **call) }
    assert_equal CALLS.size, @store.entries.size
    assert_equal '{"id":1,"title":"\u003ca\u003e","at":"1970',
                 Base.json!(Row, rules: { html_safe: true })[0, 42]
  end

  VARIANTS = [
    -> {}, -> { attributes :title }, -> { attributes :title, as: :string },
    -> { attributes title: :name }, -> { attributes :title, skip_nil: true },
    -> { attribute(:title) { |row| row[:title] } },
    -> { attribute(:title) { |row| row[:title].upcase } }, -> { attributes :title, default: 1 },
    -> { attributes :title, default: 2 }, -> { transform_keys :camel },
    -> { has_many(:tags) { attributes :id } }, -> { has_many(:tags) { attributes :name } },
    -> { has_many :tags, serializer: Tag }, -> { has_many :tags, serializer: Tag, view: :short },
    -> { has_many :tags, serializer: Tag, only: "id" },
    -> { cache key: ->(row) { row[:id] }, version: 2 }, -> { attributes :title, if: -> { true } },
    -> { attributes :title, if: -> { 1 > 2 } },
    -> { attributes :title; define_method(:title) { |_| "mine" } },
    -> { attributes :title; def title(_) = "yours" },
    -> { attributes :title; def title(_) = help; private def help = 1 },
    -> { attributes :title; def title(_) = help; private def help = 2 },
    -> { nested(:title) { attributes :id } }, -> { attribute :at, as: :time, format: :unix },
    -> { attribute :at, as: :time, format: "%Y" },
    -> { n = 1; attribute(:title) { n } }, -> { n = 2; attribute(:title) { n } },
    -> { n = [{ a: "é" }]; attribute(:title) { n } },
    -> { attributes :title, default: Time.at(0) }, -> { attributes :title, default: Time.at(9) },
    -> { attributes :title, as: ->(_) { Tag.name } },
    -> { attributes :title, as: Kernel.method(:Array) },
    -> { attribute(:title, &:size) }, -> { attribute(:title, &:keys) },
    -> { attribute(:title) { |row| row[:title][/0x1/] } },
    -> { attribute(:title) { |row| row[:title][/0x2/] } },
    -> { attribute(:title) { |row| row[:title][/0x2/i] } },
    -> { attribute(:title) { |row| row[:title] rescue 1 } },
    -> { attribute(:title) { |row| begin; row[:title]; rescue NameError; 1; end } }
  ].freeze

  # A process of its own stands for one deploy: what class Made is, by number.
  PROGRAM = <<~RUBY
    require "to_json"
    Tag = Class.new(ToJson::Serializer) { attributes :id, :name; view(:short) { remove :name } }
    VARIANTS = eval(File.read(ARGV[0])[/VARIANTS = (\\[.*?\\n  \\])/m, 1])
    ToJson.cache_store = store = {}
    VARIANTS.each do |variant|
      Object.send(:remove_const, :Made) if defined?(Made)
      class Made < ToJson::Serializer
        attributes :id
        cache key: ->(row) { row[:id] }
      end
      Made.class_exec(&variant)
      store.clear
      Made.json!({ id: 1, title: "t", at: Time.at(0), tags: [{ id: 1, name: "x" }] })
      puts store.keys.last
    end
  RUBY

  test "a Definition that differs in anything has other keys, and the same one has the same in " \
       "every process" do
    runs = Array.new(2) do
      out,
      status = Open3.capture2e(*PlainRuby.start, "-W0",
                               *$LOAD_PATH.grep(/lib\z/).flat_map { |path| ["-I", path] }, "-e",
                               PROGRAM, __FILE__)
      assert status.success?, out
      out.lines
    end
    assert_equal runs[0], runs[1]
    assert_equal VARIANTS.size, runs[0].size
    assert_equal VARIANTS.size, runs[0].uniq.size, runs[0].tally.select { |_, count|
      count > 1
    }.inspect
  end

  test "a serializer that changes after it was used has other keys, and so have those that refer " \
       "to it" do
    inner = Class.new(ToJson::Serializer) { attributes :id }
    outer = Class.new(ToJson::Serializer) { has_many :tags, serializer: inner; cache key: :id }
    2.times { assert_equal '{"tags":[{"id":1}]}', outer.json!(Row) }
    inner.attributes :name
    2.times { assert_equal '{"tags":[{"id":1,"name":"x"}]}', outer.json!(Row) }
    inner.define_method(:name) { |tag| tag[:name] * 2 }
    2.times { assert_equal '{"tags":[{"id":1,"name":"xx"}]}', outer.json!(Row) }
    assert_equal 3, @store.entries.size
  end

  test "classes without a name never share entries, whatever their blocks see" do
    types = Array.new(2) do |number|
      Class.new(ToJson::Serializer) { attribute(:n) { number }; cache key: :id }
    end
    2.times { assert_equal ['{"n":0}', '{"n":1}'], types.map { |type| type.json!({ id: 1 }) } }
  end

  Word = Class.new(ToJson::Serializer) { attributes :a, :b, :c }
  PARTS = {
    "an inline association" => -> { has_one(:in) { attributes :a, :b, :c } },
    "a serializer" => -> { has_one :in, serializer: Word },
    "one by name" => -> { has_one :in, serializer: "CachingKeysTest::Word" },
    "one that a value tells" => -> { has_one :in, serializer: ->(_) { Word } },
    "a cached association" => -> { has_one :in, serializer: Word, cache: { key: ->(_) { 1 } } }
  }.freeze

  PARTS.each do |what, part|
    test "#{what}: one entry for each set of fields that only: and except: leave, however they " \
         "are asked" do
      type = Class.new(ToJson::Serializer) do
        attributes :x, :y
        class_exec(&part)
        cache key: ->(_) { 1 } unless definition.entries.any?(&:cache)
      end
      row = { x: 1, y: 2, in: { a: 1, b: 2, c: 3 } }
      sizes = {}
      [%w[x y in(a,b)].permutation.map { |names| names.join(",") },
                                       %w[a b c].permutation
                                         .map { |names| "in(#{names.join(",")}),x" },
       ["x,in(a),in(b)", "in(b,a),x,x", [{ in: %i[b a] }, :x]]].each do |calls|
        before = @store.entries.size
        texts = calls.map { |only| type.json!(row, only: only) }
        assert_equal 1, texts.uniq.size
        sizes[calls] = @store.entries.size - before
      end
      assert_operator sizes.values.max, :<=, 1, sizes.inspect
      assert_equal type.json!(row, only: "x,in(c)"), type.json!(row, except: "y,in(a,b)")
      refute_equal type.json!(row, only: "x,in(c)"), type.json!(row, only: "x,in(a)")
      assert_raises(ToJson::UnknownFieldError) { type.json!(row, only: "x,in(c,nope)") }
    end
  end

  test "only: of all fields, in any order, is one entry" do
    type = Class.new(ToJson::Serializer) { attributes :a, :b, :c, :d; cache key: ->(_) { 1 } }
    %w[a b c d].permutation do |names|
      type.json!({ a: 1, b: 2, c: 3, d: 4 }, only: names.join(","))
    end
    assert_equal 1, @store.entries.size
  end
end
