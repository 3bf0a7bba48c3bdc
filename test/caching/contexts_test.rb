# frozen_string_literal: true

require_relative "caching_case"
require "date"
require "delegate"
require_relative "../support/own_process"

# What one context may see is never given to another: unless somebody says so, parts that could see
# one are not kept under it.
class CachingContextsTest < CachingCase
  def secretive(**cache)
    Class.new(ToJson::Serializer) do
      attributes :id
      attribute :secret, if: -> { context[:admin] }
      cache(**{ key: :id }, **cache)
    end
  end

  ROW = { id: 1, secret: "s" }.freeze
  OPEN = '{"id":1,"secret":"s"}'
  SHUT = '{"id":1}'

  test "fields that could see a context are written anew in one that the key does not tell, and " \
       "cached without" do
    type = secretive
    2.times do
      assert_equal [OPEN, SHUT, SHUT, OPEN],
                   [{ admin: true }, { admin: false }, {}, { admin: true }].map { |context|
        type.json!(ROW, context: context)
      }
    end
    assert_equal [[:read, 1], [:write, 1], [:read, 1]], @store.calls_made
  end

  class Author
    include ToJson::Serialize

    attr_reader :id, :write

    def initialize(write) = (@id, @write = 1, write)
    def cache_key_with_version = "authors/1"
    def email = context[:admin] ? "secret" : nil
    def card = ToJson::Fragment.new(ToJson::Serializer.json! { put :email, email })
    def serialize = put(:a, instance_exec(&write))
  end

  # The read was noted on the document of the context, and not on that of the part: each guest got
  # what an admin had caused to be kept.
  test "a getter that reads the context of a document around is not kept" do
    %i[email card].each do |field|
      part = Class.new(ToJson::Serializer) { cache; attributes :id, field }
      outer = Class.new(ToJson::Serializer) { has_one :itself, serializer: part }
      [-> { ToJson::Fragment.new(part.json!(self)) },
       -> { ToJson::Fragment.new(part.json!([self])) },
       -> { part.ndjson([self]) }, -> { part.to_h(self) }, -> { [part.new(self)] },
       -> { ToJson::Fragment.new(ToJson.generate([part.new(self)])) },
       -> { ToJson::Fragment.new(outer.json!(self)) },
       -> { ToJson::Fragment.new(ToJson.json { |j| j.put :x, part.new(itself) }) }].each do |write|
        @store.entries.clear
        author = Author.new(write)
        2.times do
          assert_includes author.json!(context: { admin: true }), "secret"
          refute_includes author.json!, "secret"
          refute_includes author.json!(context: { admin: false }), "secret"
        end
      end
    end
  end

  # The documents that capture were linked in a circle, and noting a read went round it for ever.
  test "a document whose part is kept, within another one, writes a part of the outer document" do
    outer = nil
    item = Struct.new(:id, :write) do
      def shown = write&.call
      def itself = self
    end
    part = Class.new(ToJson::Serializer) { cache key: :id; attributes :id, :shown }
    writing = Class.new(ToJson::Serializer) do
      define_method(:serialize) do |one|
        outer = self
        put :in, ToJson::Fragment.new(part.json!(one))
      end
    end
    type = Class.new(ToJson::Serializer) do
      cache key: ->(one) { [:outer, one.id] }
      has_one :itself, serializer: writing
    end
    write = -> { outer.put :y, part.new(item.new(2, -> { outer.context.size })) }
    assert_equal '{"itself":{"y":{"id":2,"shown":0},"in":{"id":1,"shown":null}}}',
                 type.json!(item.new(1, write))
  end

  # A block took its context by a read, so nothing was kept.
  test "a document by a block reads a context only if its code does" do
    inner = Class.new(ToJson::Serializer) do
      def serialize(_) = put(:v, ToJson::Fragment.new(ToJson::Serializer.json! { put :z, 1 }))
    end
    type = Class.new(ToJson::Serializer) { cache key: :id; attributes :id, :v }
    2.times { type.json!({ id: 1, v: inner.new(1) }, context: { admin: true }) }
    assert_equal 1, @store.entries.size
    told = Class.new(ToJson::Serializer) do
      attributes :id
      attribute(:v) { |_| ToJson::Serializer.json! { put :admin, context[:admin] } }
      cache key: :id, context: ->(context) { context[:admin] ? 1 : 0 }
    end
    @store.entries.clear
    [true, false, true].each do |admin|
      assert_equal %({"id":1,"v":"{\\"admin\\":#{admin}}"}),
                   told.json!(ROW, context: { admin: admin })
    end
    assert_equal 2, @store.entries.size
  end

  test "context: tells what of it matters" do
    type = secretive(context: ->(context) { context[:admin] ? 1 : 0 })
    2.times do
      assert_equal [OPEN, SHUT, OPEN],
                   [{ admin: true, user: 1 }, { admin: nil }, { admin: 2 }].map { |context|
        type.json!([ROW], context: context)[1..-2]
      }
    end
    assert_equal 2, @store.entries.size
  end

  # Times of one moment are eql?, and were one key.
  test "one moment in two time zones is two contexts" do
    type = Class.new(ToJson::Serializer) do
      attribute(:at) { |_| context[:at] }
      cache key: :id, context: ->(context) { context[:at] }
    end
    zones = { "UTC" => "Z", "+00:00" => "+00:00", "+01:00" => "+01:00", "-05:30" => "-05:30" }
    2.times do
      zones.each do |zone, ending|
        at = Time.at(0, in: zone)
        assert_equal %({"at":"#{at.strftime("%FT%T.000")}#{ending}"}),
                     type.json!(ROW, context: { at: at })
      end
    end
    assert_equal zones.size, @store.entries.size
  end

  test "a key of two arguments gets the context" do
    type = secretive(key: ->(row, context) { [row[:id], context[:admin] == true] })
    2.times do
      assert_equal [OPEN, SHUT], [true, false].map { |admin|
        type.json!(ROW, context: { admin: admin })
      }
    end
    assert_equal 2, @store.entries.size
  end

  Held = Struct.new(:id, :inner)

  # The inner text was found, so no code ran that read the context. The outer one was kept for all.
  test "a cached part by value that could read the context is no part of a cached text" do
    inner = secretive
    outer = Class.new(ToJson::Serializer) { attributes :id, :inner; cache key: :id }
    text = lambda do |context, list|
      held = Held.new(1, list ? [inner.new(ROW)] : { a: inner.new(ROW) })
      outer.json!(held, context: context)
    end
    [true, false].each do |list|
      3.times { refute_includes text.call({}, list), "secret" }
      assert_includes text.call({ admin: true }, list), "secret"
      assert_equal 1, @store.entries.size # of the inner one
    end
  end

  # A document that failed, or one of the serializer's own, did not count.
  test "a serializer that kept a context is told wherever it read it" do
    inner = Class.new(ToJson::Serializer) do
      attributes :id
      attribute(:role) { @role ||= context[:role] }
      attribute(:late) { Thread.current[:cut] && raise("cut") }
    end
    outer = Class.new(ToJson::Serializer) { attributes :id, :inner; cache key: :id }
    reads = { failing: ->(one) {
      Thread.current[:cut] = true
      assert_raises(RuntimeError) { outer.json!(Held.new(1, one), context: { role: "admin" }) }
      Thread.current[:cut] = nil
    } }
    %i[to_json as_json to_h to_s].each { |name| reads[name] = ->(one) { one.public_send(name) } }
    reads.each do |name, read|
      one = inner.new(ROW, context: { role: "admin" })
      one = inner.new(ROW) if name == :failing
      read.call(one)
      assert_includes outer.json!(Held.new(1, one), context: { role: "guest" }), "admin", name
      assert_empty @store.entries, name
    end
  end

  # It counted as a key of two arguments, so the context was thought to be in the key.
  test "a key with a keyword or a block does not get the context" do
    [->(row, name: :id) { row[name] }, ->(row, &_block) { row[:id] }].each do |key|
      type = secretive(key: key)
      2.times do
        assert_equal OPEN, type.json!(ROW, context: { admin: true })
        assert_equal SHUT, type.json!(ROW, context: { admin: false })
      end
    end
    assert_empty @store.entries
  end

  test "ToJson.cache_context tells it for all that could see a context and say nothing" do
    before = secretive.tap { |type| type.json!(ROW, context: { admin: true }) }
    assert_empty @store.entries
    ToJson.cache_context = ->(context) { context[:admin] ? 1 : 0 }
    [before, secretive].each do |type|
      @store.entries.clear
      2.times do
        assert_equal [OPEN, SHUT, OPEN],
                     [{ admin: true }, {}, { admin: 2 }].map { |one| type.json!(ROW, context: one) }
      end
      assert_equal 2, @store.entries.size
    end
    own = secretive(context: ->(context) { context[:user] })
    plain = Class.new(ToJson::Serializer) { attributes :id; cache key: :id }
    [own, plain].each do |type|
      @store.entries.clear
      2.times { |admin| type.json!(ROW, context: { admin: admin.zero?, user: 1 }) }
      assert_equal 1, @store.entries.size
    end
    # It had a key without the rule, so the guest got the part of the admin.
    keyed = secretive(key: ->(row, context) { [row[:id], context[:locale]] })
    @store.entries.clear
    assert_equal [OPEN, SHUT], [true, false].map { |admin|
      keyed.json!(ROW, context: { admin: admin, locale: :de })
    }
    assert_equal 2, @store.entries.size
  ensure
    ToJson.cache_context = nil
  end

  # Each in a process of its own: the names of the classes must be the same.
  test "a serializer that the object of ToJson.cache_context holds is a part of the keys" do
    ids, names = ["", ", :name"].map do |more|
      OwnProcess.run(<<~RUBY)
        STORE = Class.new { def read(*, **) = nil; def write(key, *, **) = puts(key) }.new
        class Held < ToJson::Serializer
          attributes :id#{more}
        end
        class Rule
          def initialize(serializer) = @serializer = serializer
          def call(context) = @serializer.json!(context).size
        end
        class Cached < ToJson::Serializer
          attributes :id
          attribute(:seen) { context.class.to_s }
          cache key: :id, store: STORE
        end
        ToJson.cache_context = Rule.new(Held)
        Cached.json!({ id: 1 }, context: { id: 2, name: nil })
      RUBY
    end
    assert_match(%r{\Ato_json/Cached/\h{32}/}, ids)
    refute_equal(*[ids, names].map { |key| key[/\h{32}/] })
  end

  test "without ToJson.cache_context again, nothing is given that was kept for another" do
    ToJson.cache_context = ->(_context) { 1 }
    type = secretive
    assert_equal OPEN, type.json!(ROW, context: { admin: true })
    assert_equal OPEN, type.json!(ROW, context: { admin: false }) # the rule is wrong
    ToJson.cache_context = ->(context) { context[:admin] }
    assert_equal SHUT, type.json!(ROW, context: { admin: false })
    ToJson.cache_context = nil
    assert_equal SHUT, type.json!(ROW, context: { admin: false })
    assert_equal SHUT, type.json!(ROW)
    assert_raises(ArgumentError) { ToJson.cache_context = :admin }
  ensure
    ToJson.cache_context = nil
  end

  test "context: false says that nothing of it matters" do
    type = secretive(context: false)
    assert_equal [OPEN, OPEN], [true, false].map { |admin|
      type.json!(ROW, context: { admin: admin })
    }
  end

  test "where no block and no method could see a context, any will do" do
    type = Class.new(ToJson::Serializer) { attributes :id; cache key: :id }
    3.times { |user| assert_equal SHUT, type.json!(ROW, context: { user: user }) }
    assert_equal [[:read, 1], [:write, 1], [:read, 1], [:read, 1]], @store.calls_made
  end

  HIDDEN = {
    "a nested serializer's block" => ->(inner) { has_one :in, serializer: inner },
    "a helper" => ->(_) { attributes :shown; def shown(_) = context[:admin] },
    "a serializer told by the value" => ->(inner) { has_one :in, serializer: ->(_) { inner } },
    "an inline block's condition" =>
      ->(_) { has_one(:in) { attribute :secret, if: -> { context[:admin] } } },
    "a serializer as as:" => ->(inner) { attribute :in, as: inner }
  }.freeze

  HIDDEN.each do |name, body|
    test "#{name} could see the context" do
      inner = Class.new(ToJson::Serializer) { attribute :secret, if: -> { context[:admin] } }
      type = Class.new(ToJson::Serializer) do
        attributes :id; class_exec(inner, &body); cache key: :id
      end
      plain = Class.new(type) { cache false }
      row = { id: 1, in: { secret: "s" } }
      [true, false, true].each do |admin|
        assert_equal plain.json!(row, context: { admin: admin }),
                     type.json!(row, context: { admin: admin })
      end
      assert_empty @store.calls_made
    end
  end

  # Looks at the context, as a value of a plain field of others may; `memo` keeps what it saw.
  Seer = Class.new(ToJson::Serializer) { attribute(:u) { context && context[:u] } }
  Memo = Class.new(ToJson::Serializer) do
    attribute(:u) { user }; def user = @user ||= context[:u].inspect
  end
  Writer = Class.new(ToJson::Serializer) { def serialize(_) = put(:u, context && context[:u]) }
  Model = Struct.new(:name) do
    include ToJson::Serialize
    def serialize = put(:u, context[:u])
  end

  VALUES = {
    "a serializer" => -> { Seer.new({}) },
    "one with a serialize" => -> { Writer.new({}) },
    "in a Hash" => -> { { a: Seer.new({}) } },
    "in an Array" => -> { [1, [Writer.new({})]] },
    "of a lazy source" => -> { [1].lazy.map { Seer.new({}) } },
    "an object that serializes itself" => -> { Model.new("m") },
    "a collection in place" => -> { Seer.new([{}, {}]) },
    "one in one" => -> do
      { a: Class.new(ToJson::Serializer) { attributes :in }.new({ in: Seer.new({}) }) }
    end
  }.freeze

  def holder(&body)
    Class.new(ToJson::Serializer) { attributes :id; class_eval(&body) }
  end

  HOLDERS = {
    "a plain field" => [->(_) { attributes :v; cache key: :id }, ->(v) { { id: 1, v: v } }],
    "an inline association" =>
      [->(_) { has_one(:v) { attributes :w }; cache key: :id }, ->(v) { { id: 1, v: { w: v } } }],
    "a cached association" =>
      [->(_) { has_one(:v, cache: { key: :id }) { attributes :w } },
       ->(v) { { id: 1, v: { w: v } } }],
    "a flattened one" =>
      [->(_) { flatten(:v) { attributes :w }; cache key: :id }, ->(v) { { id: 1, v: { w: v } } }],
    "a cached one in a cached one" =>
      [->(inner) { has_one :v, serializer: inner; cache key: :id },
       ->(v) { { id: 1, v: { w: v } } }]
  }.freeze

  HOLDERS.each do |where, (body, row)|
    VALUES.each do |what, value|
      test "#{what}, the value of #{where}: nobody is given another's" do
        inner = Class.new(ToJson::Serializer) do
          attributes :w; cache key: ->(object) { object.object_id.zero? ? 0 : 1 }
        end
        type = Class.new(ToJson::Serializer) { attributes :id; class_exec(inner, &body) }
        plain = Class.new(ToJson::Serializer) { attributes :id; class_exec(inner, &body) }
        [{ u: "A" }, { u: "B" }, {}, nil, { u: "A" }, {}].each do |context|
          next if context.nil? && what == "an object that serializes itself"

          ToJson.cache_store = false
          due = plain.json!(row.call(value.call), context: context)
          ToJson.cache_store = @store
          assert_equal due, type.json!(row.call(value.call), context: context)
          assert_equal "[#{due}]", type.json!([row.call(value.call)].each, context: context)
        end
        assert_empty @store.entries
        assert_equal type.json!(row.call(5), context: { u: "A" }),
                     type.json!(row.call(6), context: { u: "B" }), "others are kept"
      end
    end
  end

  class UserContext < Hash
    attr_accessor :user

    def self.of(user) = new.tap { |context| context.user = user }
  end

  class AdminContext < Hash
    def [](_key) = true
  end

  test "an empty Hash that still says something is a context as any other" do
    by_user = Class.new(ToJson::Serializer) do
      attribute :secret, if: -> { context.respond_to?(:user) && context.user }
      cache key: :id
    end
    own = {}
    def own.[](_key) = true
    held = {}
    held.instance_variable_set(:@user, 1)
    def held.user = @user
    [[secretive, Hash.new(true), SHUT], [secretive, Hash.new { true }, SHUT],
     [secretive, AdminContext.new, SHUT], [secretive, own, SHUT],
     [by_user, UserContext.of(1), "{}"], [by_user, held, "{}"]].each do |type, context, shut|
      2.times do
        assert_includes type.json!(ROW, context: context), "secret", context.class
        assert_equal shut, type.json!(ROW), context.class
        assert_equal "[#{shut}]", type.json!([ROW]), context.class
      end
    end
  end

  test "context: that returns a Hash which says more than its pairs is refused, or told from " \
       "others" do
    type = secretive(context: ->(context) { context })
    own = {}
    def own.[](_key) = true
    [Hash.new(true), Hash.new { true }, own, UserContext.of(1),
     Class.new(Hash).new].each do |context|
      error = assert_raises(ToJson::CacheError) { type.json!(ROW, context: context) }
      assert_match(/the key cannot show all of this context\. In it is a Hash with a default/,
                   error.message)
      assert_raises(ToJson::CacheError) { type.json!(ROW, context: { can: [context] }) }
    end
    2.times do
      assert_equal OPEN, type.json!(ROW, context: AdminContext.new)
      assert_equal SHUT, type.json!(ROW, context: {})
    end
  end

  Keyed = Struct.new(:id) { def cache_key = "keyed/#{id}" }

  class Roles < Array
    attr_accessor :admin
  end

  class Level < String
    def admin? = true
  end

  module Switch
    class << self
      attr_accessor :admin
    end
  end

  module Hidden
    class << self
      private

      def method_missing(*) = Thread.current[:admin]
      def respond_to_missing?(*) = true
    end
  end

  module Whispers
    private

    def method_missing(*) = Thread.current[:admin]
    def respond_to_missing?(*) = true
  end

  module Named
    class << self
      attr_accessor :admin

      def name = Thread.current[:admin]
    end
  end

  # Its text is that of what is in it. So an admin's part was found for others.
  test "context: that returns what says more than its contents is refused, or told from others" do
    type = secretive(context: ->(context) { context })
    own = +"text"
    def own.admin? = true
    values = [own, Roles.new.tap { |roles| roles.admin = true }, Switch, Class.new(String).new("a"),
              Time.at(0).tap { |time| time.instance_variable_set(:@admin, true) },
              SimpleDelegator.new(Keyed.new(1)), DelegateClass(Keyed).new(Keyed.new(1)),
              Keyed.new(1).extend(Comparable), Named, Hidden, "text".dup.extend(Whispers),
              ["text"].extend(Whispers), { a: 1 }.compare_by_identity, Class.new(Keyed).new(1)]
    values.each do |value|
      [value, [value], { a: value }, [[], { a: [1, value] }]].each do |context|
        assert_raises(ToJson::CacheError, context.inspect) { type.json!(ROW, context: context) }
      end
    end
    begin # refused only where ActiveRecord is loaded, since it answers what a relation answers
      type.json!(ROW, context: { of: Keyed.new(1).extend(Whispers) })
    rescue ToJson::CacheError
      nil
    end
    assert_empty @store.entries
    fine = [["a", [Level.new("b")]], [Level.new("a"), ["b"]], ["a", ["b"]], [String, Comparable],
            [AdminContext.new], [{}], [Date.new(2026), Time.at(0), 1.5, nil, true, :a]]
    fine.each { |context| type.json!(ROW, context: { of: context }) }
    assert_equal fine.size, @store.entries.size
  end

  # The key had only the pairs of the Hash, and the name of the module.
  test "a key that gets the context is refused with what says more than its contents" do
    type = secretive(key: ->(row, context) { [row[:id], context] })
    [Hash.new(true), { of: Switch }, [Keyed.new(1).extend(Comparable)]].each do |context|
      error = assert_raises(ToJson::CacheError) { type.json!(ROW, context: context) }
      assert_includes error.message, "the key cannot show all of this context."
    end
    type.json!(ROW, context: { of: Array.new(101) { |id| Keyed.new(id) } })
    none = secretive(key: ->(_row, context) { context[:of] })
    [nil, false].each { |of| none.json!(ROW, context: { of: of }) }
    assert_equal 1, @store.entries.size
  end

  # Each element asked again, which took 10 s for 100 elements and a relation of 1,000 rows.
  test "context: is called once for elements that are looked up together" do
    calls = 0
    type = secretive(context: ->(context) { (calls += 1) && context })
    rows = Array.new(50) { |id| ROW.merge(id: id) }
    2.times { |time| assert_equal time + 1, type.json!(rows, context: { a: 1 }).then { calls } }
  end

  test "context: that returns more objects than their keys are worth is refused" do
    type = secretive(context: ->(context) { context })
    keyed = Array.new(101) { |id| Keyed.new(id) }
    error = assert_raises(ToJson::CacheError) { type.json!(ROW, context: { of: keyed }) }
    assert_match(/this context has more than 100 objects/, error.message)
    type.json!(ROW, context: { of: keyed.first(100), ids: [*1..5_000] })
    assert_equal 1, @store.entries.size
  end

  test "a value that looks at an empty Hash that still says something is not kept" do
    looks = Class.new(ToJson::Serializer) do
      def serialize = put(:secret, context[:admin])
    end
    type = Class.new(ToJson::Serializer) do
      attributes :id, :inner
      cache key: :id
    end
    row = { id: 1, inner: looks.new }
    assert_equal '{"id":1,"inner":{"secret":true}}', type.json!(row, context: Hash.new(true))
    assert_equal '{"id":1,"inner":{"secret":null}}', type.json!(row)
  end

  test "a serializer that kept what it saw is one that looks" do
    shared = Memo.new({})
    cached = Class.new(ToJson::Serializer) { attributes :id, :v; cache key: :id }
    rows = Array.new(2) { |index| { id: index, v: shared } }
    2.times { cached.json!(rows, context: { u: 1 }) }
    assert_empty @store.entries
    inner = Class.new(ToJson::Serializer) { attributes :id; has_one :m, serializer: ->(_) { Memo } }
    cached.json!([{ id: 1, v: inner.new({ id: 1, m: {} }) },
                  { id: 2, v: inner.new({ id: 2, m: {} }) }], context: { u: 1 })
    assert_empty @store.entries
  end

  # An admin's part was kept for the context of the second call, or for none.
  test "a serializer that kept another context is not kept, nor is what has it inside" do
    inner = Class.new(ToJson::Serializer) do
      attributes :id
      attribute(:role) { @role ||= context[:role] }
      cache key: :id, context: ->(context) { context[:role] }
    end
    outers = [{}, { context: false }].map do |cache|
      Class.new(ToJson::Serializer) do
        attributes :id, :inner
        attribute(:mine) { |_| context[:x] }
        cache key: :id, **cache
      end
    end
    [{}, { role: "guest" }].each do |context|
      one = inner.new(ROW)
      one.json!(context: { role: "admin" })
      @store.entries.clear
      assert_includes one.json!(context: context), "admin"
      outers.each do |outer|
        assert_includes outer.json!(Held.new(1, one), context: context), "admin"
      end
      assert_empty @store.entries
    end
  end

  test "a part with a look at the context is kept where its key or context: tells what matters, " \
       "and then what holds it is not" do
    inner = Class.new(ToJson::Serializer) do
      attributes :id, :v; cache key: :id, context: ->(context) { context[:u] }
    end
    outer = Class.new(ToJson::Serializer) { attributes :name, :in; cache key: :name }
    make = ->(user) do
      outer.json!({ name: "n", in: inner.new({ id: 1, v: Seer.new({}) }) }, context: { u: user })
    end
    2.times do
      assert_equal %w[A B].map { |user| %({"name":"n","in":{"id":1,"v":{"u":"#{user}"}}}) },
                   %w[A B].map(&make)
    end
    assert_equal 2, @store.entries.size
  end

  test "a store with fetch alone keeps nothing of it either" do
    store = Class.new do
      attr_reader :kept; def initialize = @kept = {}; def fetch(key, **) = @kept[key] ||= yield
    end.new
    ToJson.cache_store = store
    type = holder { attributes :v; cache key: :id }
    2.times do
      %w[A B].each do |user|
        assert_equal %({"id":1,"v":{"u":"#{user}"}}),
                     type.json!({ id: 1, v: Seer.new({}) }, context: { u: user })
      end
    end
    assert_empty store.kept
    2.times do
      assert_equal '[{"id":1,"v":1},{"id":2,"v":2}]',
                   type.json!([{ id: 1, v: 1 }, { id: 2, v: 2 }], context: { u: 1 })
    end
    assert_equal 2, store.kept.size
  end
end
