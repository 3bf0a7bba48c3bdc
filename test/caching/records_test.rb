# frozen_string_literal: true

require_relative "caching_case"

# Records of ActiveRecord by their own keys: what changes is made anew, what surrounds it by touch,
# and nothing else is queried.
class CachingRecordsTest < CachingCase
  if Without.library?("active_record") && Without.library?("sqlite3")
    class Base < ActiveRecord::Base
      self.abstract_class = true
    end

    class Blog < Base
      has_many :entries, class_name: "CachingRecordsTest::Entry"
    end

    class Entry < Base
      belongs_to :blog, touch: true
    end

    class EntrySerializer < ToJson::Serializer
      attributes :id, :body
      cache
    end

    class BlogSerializer < ToJson::Serializer
      attributes :id
      has_many :entries, serializer: EntrySerializer
      cache
    end

    def setup
      super
      Base.establish_connection(adapter: "sqlite3", database: ":memory:")
      Base.connection.create_table(:blogs) { |table| table.timestamps }
      Base.connection.create_table(:entries) do |table|
        table.belongs_to :blog
        table.string :body
        table.timestamps
      end
      2.times do |number|
        Blog.create!.tap do |blog|
          2.times { |index| blog.entries.create!(body: "#{number}#{index}") }
        end
      end
    end

    def teardown
      Base.connection_pool.disconnect!
      super
    end

    # The tables that the block asks for.
    def asked(&block)
      tables = []
      ActiveSupport::Notifications.subscribed(->(
                                                *, payload
                                              ) { tables << payload[:sql][/FROM "(\w+)"/, 1] },
                                              "sql.active_record", &block)
      tables.compact
    end

    ALL =
      '[{"id":1,"entries":[{"id":1,"body":"00"},{"id":2,"body":"01"}]},{"id":2,"entries":[{"id":' \
      '3,"body":"10"},{"id":4,"body":"11"}]}]'

    test "a collection of hits is one query and one look; a change makes anew what it touches" do
      assert_equal %w[blogs entries entries], asked {
        assert_equal ALL, BlogSerializer.json!(Blog.order(:id))
      }
      @store.calls_made
      assert_equal %w[blogs], asked { assert_equal ALL, BlogSerializer.json!(Blog.order(:id)) }
      assert_equal [[:read_multi, 2]], @store.calls_made
      Entry.find(3).update!(body: "new")
      assert_equal %w[blogs entries], asked {
        assert_equal ALL.sub("10", "new"), BlogSerializer.json!(Blog.order(:id))
      }
      assert_equal [[:read_multi, 2], [:read_multi, 2], [:write, 1], [:write, 1]], @store.calls_made
    end

    class Animal < Base; end

    class AnimalSerializer < ToJson::Serializer
      attributes :name
      cache
    end

    class ZooSerializer < ToJson::Serializer
      attribute(:name) { |_| context[:of].name }
      cache key: :id, context: ->(context) { context[:of] }
    end

    # Its key is "animals/1", whatever changes. So the text of before was served for ever.
    test "a record that has no version is refused, as an object and in a context" do
      Base.connection.create_table(:animals) { |table| table.string :name }
      rex = Animal.create!(name: "Rex")
      refuses = lambda do |&block|
        error = assert_raises(ToJson::CacheError, &block)
        assert_includes error.message, "CachingRecordsTest::Animal has no updated_at"
      end
      refuses.call { AnimalSerializer.json!(rex) }
      refuses.call { AnimalSerializer.json!([rex]) }
      zoo = Blog.first
      refuses.call { ZooSerializer.json!(zoo, context: { of: rex }) }
      assert_empty @store.entries
      own = Class.new(AnimalSerializer) { cache key: ->(animal) { [animal.id, animal.name] } }
      assert_equal '{"name":"Rex"}', own.json!(rex)
      assert_equal '{"name":"Tom"}', own.json!(rex.tap { |one| one.update!(name: "Tom") })
    end

    # The number of rows and the latest change stay. So the text of before was found.
    test "a relation in a key or a context counts by its records" do
      names = Class.new(ToJson::Serializer) do
        attribute(:bodies) { |_| context[:of].map(&:body) }
        cache key: :id, context: ->(context) { context[:of] }
      end
      Entry.update_all(updated_at: Time.at(0))
      texts = [Entry.where(id: [1, 2]), Entry.where(id: [1, 3]).load, Entry.where(id: [1, 2])]
      assert_equal ['{"bodies":["00","01"]}', '{"bodies":["00","10"]}', '{"bodies":["00","01"]}'],
                   texts.map { |entries| names.json!(Blog.first, context: { of: entries }) }
      blog = Class.new(BlogSerializer) { cache key: ->(one) { [one.id, one.entries] } }
      before = blog.json!(Blog.find(1))
      Entry.find(2).update_columns(blog_id: 2)
      Entry.find(3).update_columns(blog_id: 1)
      refute_equal before, blog.json!(Blog.find(1))
      assert_equal 4, @store.entries.keys.grep_v(/Entry/).size
    end

    Bodies = Struct.new(:entries) { def call(_) = entries.map(&:body) }

    # The first text was found again: count and latest change were the same.
    test "a relation that a callable of Rules holds counts by its records" do
      Entry.update_all(updated_at: Time.at(0))
      type = Class.new(EntrySerializer) { attribute(:at) { |_| Time.at(0) } }
      latest = lambda do
        rules = { convert: { Time => Bodies.new(Entry.order(id: :desc).limit(1)) } }
        type.json!(Entry.first, rules: rules)
      end
      assert_includes latest.call, '"at":["11"]'
      Entry.last.delete
      assert_includes latest.call, '"at":["10"]'
    end

    # Two users in the same teams had one key.
    test "a relation counts by what its SELECT gives, also without updated_at" do
      said = Class.new(ToJson::Serializer) do
        attribute(:said) { |_| context[:of].map { |entry| entry.attributes.values } }
        cache key: :id, context: ->(context) { context[:of] }
      end
      entries = Entry.order(:id).where(id: 1)
      one, two = entries.select("entries.*", "1 AS role"), entries.select("entries.*", "2 AS role")
      few, none = entries.select(:id, :body), [Entry.none, Blog.none, Entry.where(id: 0)]
      [one, two, few, *none].each do |of|
        due = ToJson.generate(of.map { |entry| entry.attributes.values })
        2.times { assert_equal %({"said":#{due}}), said.json!(Blog.first, context: { of: of }) }
      end
      assert_equal 6, @store.entries.size
      Entry.where(id: 1).update_all(body: "new")
      assert_includes said.json!(Blog.first, context: { of: few.reload }), "new"
      assert_equal '{"id":1,"body":"new"}', EntrySerializer.json!(few.first)
    end

    class View < Base; end

    # Its key is "views/-2026…" for all: one text was written for each row.
    test "a record without a primary key, or of a SELECT without one, is not cached" do
      Base.connection.create_table(:views, id: false) do |table|
        table.string :body
        table.timestamps
      end
      type = Class.new(ToJson::Serializer) { attributes :body; cache }
      %w[a b].each { |body| View.create!(body: body, updated_at: Time.at(0)) }
      Entry.update_all(updated_at: Time.at(0))
      2.times do
        assert_equal '[{"body":"a"},{"body":"b"}]', type.json!(View.order(:body).to_a)
        assert_equal '[{"body":"00"},{"body":"01"}]',
                     type.json!(Entry.select(:body, :updated_at).where(blog_id: 1).order(:id).to_a)
      end
      assert_empty @store.entries
      own = Class.new(View) { def cache_key_with_version = "views/#{body}" }
      assert_equal '[{"body":"a"},{"body":"b"}]', type.json!(own.order(:body).to_a)
      assert_equal 2, @store.entries.size
    end

    # The text of the changed record was kept as that of the row.
    test "a record counts by its row, its changes and what a SELECT adds" do
      chosen = ->(body) { Entry.select("entries.*", "'#{body}' AS more").find(1) }
      type = Class.new(ToJson::Serializer) do
        attribute(:body) { |entry| [entry.body, *(entry.more if entry.has_attribute?(:more))] }
        cache
      end
      changed = Entry.find(1).tap { |entry| entry.body = "changed" }
      own = Entry.find(1).tap { |entry| def entry.body = "own" }
      secret = Entry.find(1).extend(Module.new { private def _read_attribute(*) = "private" })
      [[changed, %w[changed]], [own, %w[own]], [secret, %w[private]], [Entry.find(1), %w[00]],
       [chosen.call("a"), %w[00 a]],
       [chosen.call("b"), %w[00 b]], [Entry.find(1), %w[00]]].each do |entry, due|
        assert_equal ToJson.generate({ body: due }), type.json!(entry)
      end
      assert_equal 4, @store.entries.size
    end

    # Like those that a program writes to give the routes of another class.
    class Loud < Entry
      def self.model_name = Entry.model_name
      def body = super.upcase
    end

    test "records of two classes with one model_name are told apart" do
      Entry.where(id: 1).update_all(body: "a")
      assert_equal '{"id":1,"body":"a"}', EntrySerializer.json!(Entry.find(1))
      2.times { assert_equal '{"id":1,"body":"A"}', EntrySerializer.json!(Loud.find(1)) }
      assert_equal 2, @store.entries.size
    end

    class Coded < Base
      self.table_name = "entries"
      serialize :body, coder: JSON
    end

    test "a record of which no one can tell whether it has changed is written without the cache" do
      Entry.where(id: 1).update_all(body: "{")
      type = Class.new(ToJson::Serializer) { attributes :id; cache }
      assert_equal '{"id":1}', type.json!(Coded.find(1).tap { |coded| coded.body = nil })
      assert_empty @store.entries
      assert_equal '{"id":1}', type.json!(Coded.find(1))
      assert_equal 1, @store.entries.size
    end

    Typed = Class.new(Base) do
      self.table_name = "entries"
      attribute :shown, default: -> { Set[1] }
    end

    class Aliased < Base
      self.table_name = "aliased"
      alias_attribute :updated_at, :modified
    end

    # It raised a MissingAttributeError.
    test "updated_at may be an alias" do
      Base.connection.create_table(:aliased) do |table|
        table.string :body
        table.datetime :modified
      end
      Aliased.insert!({ body: "a", modified: Time.at(0) })
      2.times do
        assert_equal '{"id":1,"body":"a"}', EntrySerializer.json!(Aliased.select(:id, :body).first)
      end
      assert_empty @store.entries
      2.times { EntrySerializer.json!(Aliased.first) }
      assert_equal 1, @store.entries.size
    end

    # The text of the one without a body was found for the whole record.
    test "a record counts by the columns that its SELECT leaves out" do
      type = Class.new(ToJson::Serializer) do
        attributes :id
        attribute :body, if: ->(entry) { entry.has_attribute?(:body) }
        cache
      end
      2.times do
        assert_equal '{"id":1}', type.json!(Entry.select(:id, :blog_id, :updated_at).find(1))
        assert_equal '{"id":1,"body":"00"}', type.json!(Entry.find(1))
        assert_equal '{"id":1,"body":"00"}',
                     type.json!(Entry.select(:id, :body, :updated_at).find(1))
      end
      assert_equal 3, @store.entries.size
    end

    # Money has no text that a key could have. A CacheError was raised.
    Money = Struct.new(:cents)

    class MoneyType < ActiveRecord::Type::Value
      def cast(given) = given && Money.new(given.to_s.to_i)
      def serialize(money) = money&.cents&.to_s
    end

    class Priced < Base
      self.table_name = "entries"
      attribute :body, MoneyType.new
    end

    test "a record is not kept if a change has no text, or if it is destroyed" do
      Entry.where(id: 1).update_all(body: "5")
      type = Class.new(ToJson::Serializer) { attribute(:cents) { |one| one.body.cents }; cache }
      changed, destroyed = Priced.find(1), Entry.find(2).tap(&:destroy)
      assert_equal '{"cents":7}', type.json!(changed.tap { |one| one.body = 7 })
      assert_equal '{"id":2,"body":"01"}', EntrySerializer.json!(destroyed)
      assert_empty @store.entries
      assert_equal '{"cents":5}', type.json!(Priced.find(1))
      assert_equal 1, @store.entries.size
    end

    test "what a record has beside its row stands in no key" do
      entry = Entry.find(1).tap { |one| one.body = "a secret" }
      EntrySerializer.json!(entry)
      EntrySerializer.json!(Entry.select("entries.*", "'a secret' AS more").find(1))
      assert_equal 2, @store.entries.size
      form = %r{=CachingRecordsTest::Entry\(_.*entries/1-\d+\)\{\h{32}\}\z}
      @store.entries.each_key { |key| assert_match(form, key) }
    end

    test "records of two shards are told apart" do
      shard = :default
      sharded = Class.new(Entry) do
        define_singleton_method(:current_shard) { shard }
        def self.name = "CachingRecordsTest::Sharded"
      end
      entry = sharded.find(1)
      EntrySerializer.json!(entry)
      shard = :two
      EntrySerializer.json!(entry)
      assert_equal 2, @store.entries.size
    end

    # A default is made once in each process, so it may be another one in the next process.
    test "an attribute without a column counts, also by its default, or the record is not kept" do
      type = Class.new(ToJson::Serializer) { attributes :body; cache }
      type.json!(Typed.find(1))
      assert_empty @store.entries
      Typed.attribute :shown, :integer, default: 3
      type.json!(Typed.find(1))
      Typed.attribute :shown, :integer, default: 2
      type.json!(Typed.find(1))
      assert_equal 2, @store.entries.size
      @store.entries.clear
      { nil => 1, "3 AS shown" => 2, "4 AS shown" => 3 }.each do |more, size|
        type.json!(Typed.select("entries.*", *more).find(1))
        assert_equal size, @store.entries.size
      end
    end

    class Presenter
      delegate_missing_to :@entry

      def initialize(entry, viewer) = (@entry, @viewer = entry, viewer)
      def body = "#{@entry.body} for #{@viewer}"
      def call(_) = body
    end

    # A DelegateClass with a name counted as a class with a key of its own.
    NamedDelegate = DelegateClass(Blog)
    class DelegatePresenter < NamedDelegate
      def initialize(entry, viewer) = (super(entry); @viewer = viewer)
      def body = "for #{@viewer}"
    end

    test "a presenter of a DelegateClass that has a name" do
      type = Class.new(ToJson::Serializer) { attributes :body; cache }
      error = assert_raises(ToJson::CacheError) do
        type.json!(DelegatePresenter.new(Entry.find(1), "ann"))
      end
      assert_includes error.message, "DelegatePresenter has no cache_key_with_version of its own."
      keyed = Class.new(DelegatePresenter) { def cache_key_with_version = "#{super}/#{@viewer}" }
      %w[ann bob].each do |viewer|
        assert_equal %({"body":"for #{viewer}"}), type.json!(keyed.new(Entry.find(1), viewer))
      end
    end

    # It shared the entry of the record, and so did all viewers.
    test "a presenter does not count by the key of the record in it" do
      type = Class.new(ToJson::Serializer) do
        attributes :body
        attribute(:at) { |_| Time.at(0) }
        cache
      end
      error = assert_raises(ToJson::CacheError) { type.json!(Presenter.new(Entry.find(1), "ann")) }
      assert_includes error.message, "Presenter has no cache_key_with_version of its own. Pass key:"
      named = Class.new(ToJson::Serializer) do
        attribute(:body) { |_| context.body }
        cache key: :id, context: ->(context) { context }
      end
      error = assert_raises(ToJson::CacheError) do
        named.json!(Blog.first, context: Presenter.new(Entry.find(1), "ann"))
      end
      assert_includes error.message, "Presenter, which has the key of another object"
      [->(entry) { entry }, ->(entry) { [1, { of: entry }] }].each do |key|
        keyed = Class.new(ToJson::Serializer) do
          attributes :body
          cache key: key
        end
        [Presenter.new(Entry.find(1), "ann"), SimpleDelegator.new(Entry.find(1))].each do |one|
          error = assert_raises(ToJson::CacheError) { keyed.json!(one) }
          assert_includes error.message, "which has the key of another object"
        end
      end
      %w[ann bob].each do |viewer|
        rules = { convert: { Time => Presenter.new(Entry.find(1), viewer) } }
        assert_equal %({"body":"00","at":"00 for #{viewer}"}),
                     type.json!(Entry.find(1), rules: rules)
      end
    end

    # One that answers `class` by that of its record counted as having a key of its own.
    class Disguised < Presenter
      def class = @entry.class
    end

    test "a presenter that answers class by that of its record" do
      [{}, { key: ->(entry) { entry } }, { key: ->(entry) { [entry, 1] } }].each do |options|
        type = Class.new(ToJson::Serializer) { attributes :body; cache(**options) }
        assert_raises(ToJson::CacheError) { type.json!(Disguised.new(Entry.find(1), "ann")) }
      end
    end

    class Keyed < Presenter
      def cache_key_with_version = "#{@entry.cache_key_with_version}-#{@viewer}"
    end

    class KeyedDelegator < SimpleDelegator
      attr_writer :viewer
      def body = "#{super} for #{@viewer}"
      def cache_key_with_version = "#{super}-#{@viewer}"
    end

    test "a presenter counts by a key of its own" do
      delegator = KeyedDelegator.new(Entry.find(1)).tap { |one| one.viewer = "ann" }
      [{}, { key: ->(entry) { [entry, 1] } }].each do |cache|
        type = Class.new(ToJson::Serializer) { attributes :body; cache(**cache) }
        [Keyed.new(Entry.find(1), "ann"), delegator].each do |one|
          @store.entries.clear
          2.times { assert_equal '{"body":"00 for ann"}', type.json!(one) }
          assert_equal 1, @store.entries.size
        end
      end
    end

    module Loudly
      def body = "loud"
    end

    test "what a callable of Rules holds is refused with methods of its own" do
      type = Class.new(EntrySerializer) { attribute(:at) { |_| Time.at(0) } }
      loud = Entry.where(id: 1).extending(Loudly)
      [Entry.find(1).extend(Loudly), loud, Entry.where(id: 1).load.tap { |all|
        all.first.extend(Loudly)
      }].each do |held|
        rules = { convert: { Time => ->(_) { held.is_a?(Entry) ? held.body : held.first.body } } }
        error = assert_raises(ToJson::CacheError) { type.json!(Entry.find(2), rules: rules) }
        assert_includes error.message, "whose contents a key cannot see"
        named = Class.new(ZooSerializer) { attribute(:name) { |_| 1 } }
        if held.equal?(loud)
          assert_raises(ToJson::CacheError) { named.json!(Blog.first, context: { of: held }) }
        end
      end
      assert_empty @store.entries
    end

    test "a record that the callable of Rules holds counts by its changes, too" do
      held = Entry.find(1)
      type = Class.new(EntrySerializer) { attribute(:at) { |_| Time.at(0) } }
      [held, held.tap { |entry| entry.body = "new" }, Entry.new(body: "none")].each do |entry|
        rules = { convert: { Time => ->(_) { entry.body } } }
        assert_includes type.json!(Entry.find(2), rules: rules), %("at":"#{entry.body}")
      end
    end

    Duck = Struct.new(:to_ary, :cache_version, :to_sql, :klass, :admin)

    test "in a context, what only looks like a relation is refused" do
      named = Class.new(ZooSerializer) { attribute(:name) { |_| 1 } }
      duck = Duck.new([], "1", "SELECT", Entry, true)
      assert_raises(ToJson::CacheError) { named.json!(Blog.first, context: { of: duck }) }
    end

    test "a Duration of ActiveSupport is a key" do
      assert_equal "@(^ActiveSupport::Duration,_PT5M)",
                   ToJson::CacheKey.text("here", ActiveSupport::Duration.minutes(5))
    end

    Presented = Struct.new(:entry) { def cache_key = "presented/#{entry.body}" }

    # It raised a NoMethodError for has_attribute?.
    test "a presenter around a relation counts by its elements" do
      presenter = Class.new(SimpleDelegator) do
        def to_ary = __getobj__.map { |entry| Presented.new(entry) }
      end
      key = ->(one) { [one.id, presenter.new(one.entries)] }
      blog = Class.new(BlogSerializer) { cache key: key }
      2.times { blog.json!(Blog.find(1)) }
      assert_equal 3, @store.entries.size # the blog and its two entries
      Entry.where(blog_id: 1).first.update_columns(body: "new")
      blog.json!(Blog.find(1))
      assert_equal 4, @store.entries.size
    end

    test "a record whose updated_at is NULL is written without the cache" do
      Base.connection.change_column_null(:entries, :updated_at, true)
      Entry.where(id: 1).update_all(updated_at: nil)
      assert_equal '[{"id":1,"body":"00"},{"id":2,"body":"01"}]',
                   EntrySerializer.json!(Entry.where(id: [1, 2]).order(:id))
      assert_equal 1, @store.entries.size
      Entry.where(id: 1).update_all(body: "new")
      assert_equal '{"id":1,"body":"new"}', EntrySerializer.json!(Entry.find(1))
    end

    test "a record without a version in a declaration counts by its identity" do
      Base.connection.create_table(:animals) { |table| table.string :name }
      rex, animals = Animal.create!(name: "Rex"), Animal.where(name: "Rex")
      [rex, animals].each do |held|
        type = Class.new(ToJson::Serializer) do
          attribute(:held) { |_| held.inspect }
          cache key: :id
        end
        assert_match(/\A\h{32}\z/, type.digest)
        2.times { assert_equal ToJson.generate({ held: held.inspect }), type.json!(Blog.first) }
      end
      assert_equal 2, @store.entries.size
    end

    test "a record whose class has a key of its own needs no updated_at" do
      Base.connection.create_table(:animals) { |table| table.string :name }
      [:cache_key, :cache_key_with_version].each do |name|
        own = Class.new(Animal) { define_method(name) { "animals/#{self.name}/#{id}" } }
        assert_equal '{"name":"Rex"}', AnimalSerializer.json!(own.create!(name: "Rex"))
      end
    end

    test "a record whose key has a version by itself is not refused" do
      Base.connection.create_table(:animals) { |table| table.string :name; table.date :updated_on }
      Animal.reset_column_information
      Animal.cache_versioning = false
      2.times do |day|
        rex = Animal.create!(name: "Rex", updated_on: Date.new(2026, 11, 22 + day))
        assert_equal '{"name":"Rex"}', AnimalSerializer.json!(rex)
      end
      assert_equal 2, @store.entries.size
    ensure
      Animal.cache_versioning = true
      Animal.reset_column_information
    end

    # Returns its time in Time.zone, as a record does. So the store has an entry for each time zone.
    Meeting = Struct.new(:id, :at) do
      def cache_key_with_version = "meetings/#{id}"
      def starts_at = at.in_time_zone
    end

    class MeetingSerializer < ToJson::Serializer
      attributes :starts_at
      cache
    end

    test "a time in a cached part has the offset of the current Time.zone" do
      meeting = Meeting.new(1, Time.at(0).utc)
      hours = { "UTC" => "00:00:00.000Z", "Asia/Tokyo" => "09:00:00.000+09:00", nil => nil }
      2.times do
        hours.each do |zone, hour|
          written = Time.use_zone(zone) { MeetingSerializer.json!([meeting, meeting]) }
          assert_equal [hour || written[/T(.*?)"/, 1]] * 2, written.scan(/T(.*?)"/).flatten
        end
      end
      assert_equal hours.size, @store.entries.size
    end

    class Event < Base
      belongs_to :subject, polymorphic: true, optional: true
    end

    class EventSerializer < ToJson::Serializer
      attributes :id
      has_one(:subject) { attributes :body }
      cache
    end

    # Rails renders NDJSON in this way: what is not in the store is preloaded together.
    test "a record whose association cannot be preloaded fails alone, whatever the store has" do
      require "to_json/active_record"
      Base.connection.create_table(:events) do |table|
        table.references :subject, polymorphic: true
        table.timestamps
      end
      5.times { |index| Event.create!(subject: Entry.find(1 + index % 4)) }
      Event.where(id: 2).update_all(subject_type: "Gone")
      ToJson.n_plus_one = :raise # the others are preloaded all the same
      [[], [5], [1, 3, 4, 5], [3]].each do |stored|
        @store.entries.clear
        ToJson::Preloading.load_missing { EventSerializer.ndjson(Event.where(id: stored).to_a) }
        lines = ToJson::Preloading.load_missing do
          EventSerializer.ndjson(Event.order(:id).to_a, on_error: lambda do |error, event, index|
            { failed: event.id, at: index, error: error.class }
          end)
        end
        failed = '{"failed":2,"at":1,"error":"NameError"}'
        assert_equal [1, failed, 3, 4, 5],
                     lines.lines.map { |line| line[/"id":(\d)/, 1]&.to_i || line.chomp }
      end
    ensure
      ToJson.n_plus_one = :off
      ToJson::Writer.watch(false)
    end

    test "a record that was not saved is written anew" do
      assert_equal '{"id":null,"entries":[]}', BlogSerializer.json!(Blog.new)
      assert_empty @store.entries
    end
  end
end
