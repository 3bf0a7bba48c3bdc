# frozen_string_literal: true

# The event serialize.to_json, the lines in the log, and Rails.event.

require_relative "../app"

class PostSerializer < ToJson::Serializer
  attributes :id, :title
  view(:full) { attributes :body }
end

class AuthorSerializer < ToJson::Serializer
  attributes :id, :name
  cache
end

class EventsController < ActionController::API
  include ToJson::Rendering

  def index = render(json: Post.order(:id), view: params[:view])
  def show = render(json: Post.first)
  def none = render(json: nil, serializer: PostSerializer)
  def authors = render(json: Author.order(:id))
  def mixed = render(json: { post: PostSerializer.new(Post.first), at: 1 })
  def made = render(json: PostSerializer.new(Post.order(:id).to_a))
  def streamed = render(ndjson: Post.order(:id))
  def roles = render(json: Author.order(:id), serializer: RoleSerializer)
  def several = render(json: [Post.first, Author.create!(name: "Ann")])
  def pair = render(json: [1, 2], serializer: PairSerializer, collection: false)
  def plain = head(:no_content)

  def loaded = render(json: Loaded.first)

  def twice
    render_to_string(json: Post.first)
    render(json: Post.first)
  end

  def failing = render(json: [Post.first], serializer: FailingSerializer)

  private

  def serialization_context = { role: params[:role] }
end

class RoleSerializer < ToJson::Serializer
  attributes :name
  attribute(:role) { context[:role] }
  cache
end

# With a column `loaded`, as a lorry has.
class Loaded < ApplicationRecord
  self.table_name = "posts"
  def loaded? = true
end

class LoadedSerializer < ToJson::Serializer
  attributes :title
end

class PairSerializer < ToJson::Serializer
  attribute(:sum) { |pair| pair.sum }
end

class FailingSerializer < ToJson::Serializer
  attribute(:id) { raise IOError, "no" }
end

App.routes do
  EventsController.public_instance_methods(false).each do |action|
    get action.to_s, to: "events##{action}"
  end
end

class EventsCase < AppCase
  SECOND = "second"

  def setup
    super
    ToJson.cache_store = ActiveSupport::Cache::MemoryStore.new
    App::LOG.truncate(0)
    App::LOG.rewind
  end

  def log = App::LOG.string

  test "a cache that keeps nothing, because its code reads the context, says so once in the log" do
    Author.create!(name: "Ann")
    2.times { assert_equal [{ "name" => "Ann", "role" => "a" }], json_of("/roles?role=a") }
    line = "RoleSerializer: cache keeps nothing, because its code reads the context"
    assert_equal 1, log.scan(line).size, log
    ToJson.cache_context = ->(context) { context[:role] }
    assert_equal [{ "name" => "Ann", "role" => "b" }], json_of("/roles?role=b")
    assert_equal [{ "name" => "Ann", "role" => "c" }], json_of("/roles?role=c")
    assert_equal [{ "name" => "Ann", "role" => "b" }], json_of("/roles?role=b")
    assert_match(/RoleSerializer: .*1 of 1 from the cache/, log)
    assert_equal 1, log.scan(line).size, log
  ensure
    ToJson.cache_context = nil
  end

  # The payloads of a request's events.
  def events_of(path)
    payloads = []
    ActiveSupport::Notifications.subscribed(->(event) {
      payloads << event.payload.merge(ms: event.duration)
    }, "serialize.to_json") do
      body_of(path)
    end
    payloads
  end

  # An action => what its event says.
  EVENTS = {
    "index" => { serializer: PostSerializer, name: "PostSerializer", view: nil, records: 2 },
    "index?view=full" => { serializer: PostSerializer, name: "PostSerializer", view: "full",
                           records: 2 },
    "show" => { serializer: PostSerializer, name: "PostSerializer", view: nil, records: 1 },
    "none" => { serializer: PostSerializer, name: "PostSerializer", view: nil, records: 0 },
    "mixed" => { serializer: nil, name: "Hash", view: nil, records: nil },
    "made" => { serializer: PostSerializer, name: "PostSerializer", view: nil, records: 2 },
    "pair" => { serializer: PairSerializer, name: "PairSerializer", view: nil, records: 1 },
    "loaded" => { serializer: LoadedSerializer, name: "LoadedSerializer", view: nil, records: 1 },
    "several" => { serializer: nil, name: "Array", view: nil, records: 2 }
  }.freeze

  EVENTS.each do |action, due|
    test "#{action}: the event tells serializer, view, records, bytes and the time" do
      posts("One", "Two")
      events = events_of("/#{action}")
      assert_equal 1, events.size
      event = events.first
      assert_equal due, event.slice(:serializer, :name, :view, :records)
      assert_equal body_of("/#{action}").bytesize, event[:bytes] unless action == "several"
      assert_operator event[:ms], :>, 0
      assert_equal [0, 0], event.values_at(:cache_hits, :cache_misses) unless action == "several"
    end
  end

  test "cache hits and misses are counted for the document that looked" do
    3.times { |n| Author.create!(name: "A#{n}") }
    assert_equal [[0, 3]],
                 events_of("/authors").map { |event| event.values_at(:cache_hits, :cache_misses) }
    Author.create!(name: "New")
    assert_equal [[3, 1]],
                 events_of("/authors").map { |event| event.values_at(:cache_hits, :cache_misses) }
    body_of("/authors")
    cached = /4 of 4 from the cache in \d+\.\d ms/
    assert_match(/Serialized AuthorSerializer: 4 records, \d+ bytes, #{cached}/, log)
  end

  test "each document is a line in the log, and the sum of their times a part of Completed" do
    posts("One", "x" * 3000)
    body_of("/index?view=full")
    assert_match(/^.*Serialized PostSerializer \(view: full\): 2 records, \d\.\d KB in \d+\.\d ms$/,
                 log)
    assert_match(/Completed 200 OK in \d+ms \(.*Serialization: \d+\.\dms.*\)/, log)
    body_of("/twice")
    assert_equal 2, log.scan(/Serialized PostSerializer: 1 record, \d+ bytes in/).size
  end

  test "a request that writes no document says nothing of it" do
    response = get("/plain")
    assert_equal 204, response.status
    refute_match(/Seriali[sz]/, log)
  end

  test "subscribers of process_action are told the time, which is the sum" do
    posts("One")
    runtime = whole = nil
    ActiveSupport::Notifications.subscribed(->(event) {
      runtime, whole = event.payload[:serialization_runtime], event.duration
    }, "process_action.action_controller") do
      parts = events_of("/twice")
      assert_equal 2, parts.size
      # A busy machine may stop the thread between the two measures, so no difference is a limit.
      assert_operator runtime, :>=, parts.sum { |event| event[:ms] } * 0.9
      assert_operator runtime, :<=, whole
    end
  end

  test "a stream is told when it has been sent" do
    posts("One", "Two")
    events = events_of("/streamed")
    assert_equal [PostSerializer, 2, body_of("/streamed").bytesize],
                 events.first.values_at(:serializer, :records, :bytes)
    assert_match(/Serialized PostSerializer: 2 records, \d+ bytes in/, log)
  end

  test "a document that fails is told with its exception" do
    posts("One")
    events = []
    ActiveSupport::Notifications.subscribed(->(event) { events << event.payload },
                                            "serialize.to_json") do
      assert_raises(IOError) { get("/failing") }
    end
    assert_equal [FailingSerializer, "IOError", 0],
                 [events.first[:serializer], events.first[:exception].first, events.first[:bytes]]
  end

  # It raised a NoMethodError instead.
  test "a stream that is stopped before its first byte raises the exception that stopped it" do
    posts("One")
    counter = ToJson::Rendering::Events.const_get(:Counter)
    counter.define_singleton_method(:new) { |*| raise IOError, "stopped" }
    error = assert_raises(StandardError) { get("/streamed") }
    assert_equal "IOError: stopped", "#{error.class}: #{error.message}"
  ensure
    counter.singleton_class.remove_method(:new)
  end

  test "without listeners and above level debug there is no event, and Completed has the time" do
    posts("One")
    level = Rails.logger.level
    Rails.logger.level = Logger::INFO
    refute ActiveSupport::Notifications.notifier.listening?("serialize.to_json")
    body_of("/show")
    refute_match(/Serialized/, log)
    assert_match(/Completed 200 OK in .*Serialization: \d+\.\dms/, log)
  ensure
    Rails.logger.level = level
  end

  if Rails.respond_to?(:event)
    # What Rails.event reports of the documents that the block writes.
    def reported
      found = []
      subscriber = Object.new
      subscriber.define_singleton_method(:emit) { |event| found << event }
      Rails.event.subscribe(subscriber)
      yield
      found.select { |one| one[:name] == "to_json.serialized" }
    ensure
      Rails.event.unsubscribe(subscriber)
    end

    test "Rails.event reports the same" do
      posts("One")
      event = reported { body_of("/show") }.first
      assert_equal ["PostSerializer", 1], event[:payload].values_at(:serializer, :records)
      assert_operator event[:payload][:bytes], :>, 10
      assert_kind_of Float, event[:payload][:duration_ms]
      assert_nil event[:payload][:exception_class]
    end

    test "Rails.event reports the class of the exception of a document that fails" do
      posts("One")
      event = reported { assert_raises(IOError) { get("/failing") } }.first
      assert_equal "IOError", event[:payload][:exception_class]
    end
  end
end
