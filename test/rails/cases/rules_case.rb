# frozen_string_literal: true

# Rails' own values for everything, while models are refused: `dialect: :rails, models: :raise`.

require_relative "../app"

class AuthorSerializer < ToJson::Serializer
  attributes :name
end

class PostSerializer < ToJson::Serializer
  rules dialect: :rails, models: :raise
  attributes :title, :created_at
  has_one :author
  view(:wrong) { attribute(:hidden) { |post| { list: [post.author] } } }
end

class Own < ApplicationRecord
  self.table_name = "authors"
  def as_json(_options = nil) = { own: name }
end

class RulesCase < AppCase
  RULES = { dialect: :rails, models: :raise }.freeze
  Holder = Struct.new(:it)

  class Plain
    def initialize(it) = @it = it
  end

  def setup
    super
    @author = Author.create!(name: "Ann")
    @post = Post.create!(title: "<Hi>", author: @author, created_at: Time.utc(2026, 1, 2, 3, 4, 5))
  end

  # {where a model stands: [the value, its path]}
  PLACES = {
    "the root" => [->(model) { model }, "$"],
    "a Hash" => [->(model) { { a: model } }, "$.a"],
    "an Array" => [->(model) { [1, model] }, "$[1]"],
    "a Hash with values of many kinds" => [->(model) { { "a" => { b: [nil, 2.5, model] } } },
                                           "$.a.b[2]"],
    "a Hash with indifferent access" => [->(model) { { a: model }.with_indifferent_access }, "$.a"],
    "a subclass of Array" => [->(model) { Class.new(Array).new([model]) }, "$[0]"],
    "a Struct" => [->(model) { Holder.new(model) }, "$.it"],
    "a Struct in a Struct" => [->(model) { Holder.new(Holder.new(model)) }, "$.it.it"],
    "a Set" => [->(model) { Set[model] }, "$[0]"],
    "an Enumerator" => [->(model) { [model].each }, "$[0]"],
    "an object without as_json" => [->(model) { Plain.new(model) }, "$.it"],
    "a relation" => [->(_) { Post.all }, "$[0]"],
    "a relation in a Hash" => [->(_) { { posts: Post.order(:id) } }, "$.posts[0]"],
    "an association" => [->(model) { { posts: model.author.posts } }, "$.posts[0]"]
  }.freeze

  PLACES.each do |name, (make, path)|
    test "a model in #{name} is refused" do
      error = assert_raises(ToJson::SerializerNotFound) do
        ToJson.generate(make.call(@post), **RULES)
      end
      assert_match(/\APost is a model: .*PostSerializer\.new\(post\)/,
                   error.message.delete_prefix("#{error.path}: "))
      assert_equal path, error.path
    end
  end

  VALUES = {
    "times" => -> {
      { at: Time.utc(2026, 1, 2), zoned: Time.utc(2026).in_time_zone("Berlin"), on: Date.new(2026) }
    },
    "numbers" => -> { [1, 2.5, Float::NAN, BigDecimal("1.50"), 3r, Complex(1, 2)] },
    "text" => -> { ["<b>&", :sym, "\u2028"] },
    "Rails' own" => -> {
      { for: 3.days, errors: Post.new.tap(&:valid?).errors, safe: "<i>".html_safe }
    },
    "objects" => -> {
      [Plain.new(Plain.new(1)), Holder.new([Set[1]]), (1..3), { a: 1 }.with_indifferent_access]
    },
    "a class and an exception" => -> { [String, RuntimeError.new("no")] }
  }.freeze

  VALUES.each do |name, make|
    [3, 0].each do |precision|
      test "#{name} are written as Rails writes them, with time_precision #{precision}" do
        before = ActiveSupport::JSON::Encoding.time_precision
        ActiveSupport::JSON::Encoding.time_precision = precision
        value = make.call
        assert_equal ActiveSupport::JSON.encode(value), ToJson.generate(value, **RULES)
      ensure
        ActiveSupport::JSON::Encoding.time_precision = before
      end
    end
  end

  test "an object may have a method named method" do
    request = Class.new(Plain) { def method = "GET" }.new(1)
    assert_equal '[{"it":1}]', ToJson.generate([request], **RULES)
  end

  test "a model with an as_json of its own is written by that" do
    assert_equal '[{"own":"Ann"}]', ToJson.generate([Own.find(@author.id)], **RULES)
  end

  test "serializers with these Rules write fields and associations, and refuse models" do
    assert_equal '{"title":"\u003cHi\u003e","created_at":"2026-01-02T03:04:05.000Z",' \
                 '"author":{"name":"Ann"}}',
                 PostSerializer.json!(@post)
    assert_equal '{"posts":[{"title":"\u003cHi\u003e"}]}',
                 ToJson.generate({ posts: PostSerializer.new([@post], only: :title) }, **RULES)
    error = assert_raises(ToJson::SerializerNotFound) { PostSerializer.json!(@post, view: :wrong) }
    assert_equal "$.hidden.list[0]", error.path
  end

  class CachedSerializer < ToJson::Serializer
    rules RULES
    attributes :title, :created_at
    cache
  end

  # Each setting, and in 8.1 the options `escape:` and `escape_html_entities:` of the call.
  test "cached texts and digests follow ActiveSupport's settings" do
    encoding = ActiveSupport::JSON::Encoding
    @post.update!(title: "<\u2028>")
    ToJson.cache_store = store = {}
    digests = []
    settings = { time_precision: [3, 0], escape_html_entities_in_json: [true, false],
                 escape_js_separators_in_json: [true, false],
                 use_standard_json_time_format: [true, false] }
    settings.select! { |name, _| encoding.respond_to?(name) }
    before = settings.to_h { |name, _| [name, encoding.public_send(name)] }
    all = settings.values.inject([[]]) { |made, two| made.product(two).map { |(a, b)| [*a, b] } }
    all.each do |values|
      settings.keys.zip(values) { |name, value| encoding.public_send(:"#{name}=", value) }
      digests << CachedSerializer.digest
      due = ActiveSupport::JSON.encode({ title: @post.title, created_at: @post.created_at })
      2.times { assert_equal due, CachedSerializer.json!(@post), values.inspect }
    end
    assert_equal all.size, store.size
    assert_equal digests.uniq, digests
  ensure
    before.each { |name, value| encoding.public_send(:"#{name}=", value) }
    ToJson.cache_store = nil
  end

  test "cached texts follow the escapes of the call" do
    require "to_json/active_support"
    @post.update!(title: "<\u2028>")
    ToJson.cache_store = {}
    calls = [{}, { escape: false }, { escape_html_entities: false },
             { escape_html_entities: true }]
    due = calls.map { |options| ActiveSupport::JSON.encode({ title: @post.title }, options) }
    type = Class.new(CachedSerializer) { remove :created_at; cache key: :id }
    2.times do
      assert_equal due, calls.map { |options| ActiveSupport::JSON.encode(type.new(@post), options) }
    end
  ensure
    ToJson::ActiveSupportEncoder.uninstall
    ToJson.cache_store = nil
  end

  test "without models: they are written by their columns, as Rails does it" do
    assert_equal ActiveSupport::JSON.encode([@post]), ToJson.generate([@post], dialect: :rails)
  end

  test "models: is an option of the dialect :rails alone" do
    error = assert_raises(ArgumentError) { ToJson.generate(1, models: :as_json) }
    assert_match(/models: works only with the dialects :rails, not with :standard/, error.message)
    assert_raises(ArgumentError) { ToJson::Rules.new(dialect: :rails, models: :never) }
    assert_equal({ models: :raise }, ToJson::Rules.new(**RULES).own)
  end
end
