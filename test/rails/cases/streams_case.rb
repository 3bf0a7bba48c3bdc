# frozen_string_literal: true

# `stream: true` and `render ndjson:`: bodies that are written while the response is sent.

require_relative "../app"
require "rack/lint"
require "rack/etag"
require "rack/deflater"
require "zlib"

class PostSerializer < ToJson::Serializer
  root :post, :posts
  attributes :id, :title
  attribute(:locale, if: -> { context[:locale] }) { [I18n.locale, Time.zone.name] }
end

class Current < ActiveSupport::CurrentAttributes
  attribute :tenant

  def tenant=(one)
    raise "called with nil" if one.nil?

    super
  end
end

class TenantSerializer < ToJson::Serializer
  attribute(:tenant) { Current.tenant }
end

class AnimalSerializer < ToJson::Serializer
  attributes :name
end

class DogSerializer < ToJson::Serializer
  attributes :name, :type
end

class RatioSerializer < ToJson::Serializer
  attribute(:ratio) { |row| 6 / row[:by] }
end

class PostsController < ActionController::API
  include ToJson::Rendering

  around_action :in_french, only: :french
  around_action :for_tenant, only: :tenant

  def index = render(json: Post.order(:id), stream: true)
  def lines = render(ndjson: Post.all, only: params[:fields])
  def descending = render(ndjson: Post.order(id: :desc))
  def by_title = render(ndjson: Post.order(:title))
  def by_two = render(ndjson: Post.order(:title, :id))
  def by_text = render(ndjson: Post.order("id"))
  def by_group = render(ndjson: Post.order(Arel::Nodes::Grouping.new(Post.arel_table[:id])))
  def array = render(ndjson: Post.order(:id).to_a, status: :accepted, root: :post)
  def lazily = render(ndjson: Post.find_each.lazy.map(&:itself))
  def rows = render(ndjson: [{ a: 1 }, [2], nil])
  def built = render(json: changed_posts, stream: true)
  def built_lines = render(ndjson: changed_posts)
  def changed_posts
    Post.delete_all
    posts = Author.first.posts
    posts.create!(title: "a").title = "changed"
    posts.build(title: "new")
    posts
  end
  def animals = render(ndjson: Animal.all)
  def animals_json = render(json: Animal.all, stream: true)
  def animals_root = render(json: Animal.all, stream: true, root: :rows)
  def hash
    render(json: { posts: Post.order(:id), n: 1 }, stream: true,
           content_type: "application/vnd.x+json")
  end
  def given = render(json: PostSerializer.stream(Post.order(:id)))
  def serializer = render(json: PostSerializer.new(Post.order(:id), only: :id), stream: true)
  def one = render(json: Post.first, stream: true)
  def failing = render(json: [{ by: 1 }, { by: 0 }], serializer: RatioSerializer, stream: true)
  def skipping
    render(ndjson: [{ by: 1 }, { by: 0 }, { by: 2 }], serializer: RatioSerializer, on_error: :skip)
  end
  def french = render(ndjson: Post.all, context: { locale: true })
  def tenant = render(ndjson: Post.all, serializer: TenantSerializer)
  def text = render(plain: render_to_string(ndjson: Post.all, only: :title))

  def callback = render(json: Post.all, stream: true, callback: "cb")
  def meta = render(ndjson: Post.all, meta: { a: 1 })
  def no_collection = render(ndjson: Post.first)
  def on_error = render(json: Post.all, stream: true, on_error: :skip)

  def given_preload = render(json: PostSerializer.stream(Post.all), preload: :auto)
  def given_serializer
    render(json: PostSerializer.stream(Post.all), serializer: PostSerializer)
  end
  def given_only = render(json: PostSerializer.stream(Post.all), only: :id)
  def safe = render(json: Post.all, stream: true, rules: { html_safe: true })
  def safe_lines = render(ndjson: Post.all, rules: { html_safe: true })

  def each_line = render(ndjson: Post.all, only: :id, flush: :record)
  def in_bits = render(json: Post.order(:id), stream: true, chunk: 16)
  def every = render(json: Post.order(:id), stream: true, flush: :record, only: :id)
  def misplaced = render(json: Post.all, flush: :record)
  def misplaced_chunk = render(json: { a: 1 }, chunk: 16)

  private

  # Like `Current.set(tenant: "one") { … }`: the attribute is reset before the body is read.
  def for_tenant
    Current.tenant = "one"
    yield
  ensure
    Current.reset
  end

  def in_french(&block) = I18n.with_locale(:fr) { Time.use_zone("Paris", &block) }
end

class SizesController < ActionController::API
  include ToJson::Rendering

  LOG = []

  after_action { LOG << response.body << response.body.size }

  def sized = render(json: Post.order(:id), stream: true)
  def sized_lines = render(ndjson: Post.order(:id), only: :id)
  def sized_failing
    render(json: [{ by: 1 }, { by: 0 }], serializer: RatioSerializer, stream: true)
  end
end

class BaseController < ActionController::Base
  include ToJson::Rendering

  def index = render(json: Post.order(:id), stream: true)
  def lines = render(ndjson: Post.all, location: "http://example.org/x")
  def format = respond_to { |format| format.ndjson { render ndjson: Post.all } }
end

I18n.available_locales = %i[en fr]

class LiveController < ActionController::Base
  include ActionController::Live
  include ToJson::Rendering

  def stream = render(json: Post.all, stream: true)
  def ndjson = render(ndjson: Post.all)
  def document = render(json: Post.all)

  def into_response_stream
    PostSerializer.json!(Post.all, into: response.stream)
  ensure
    response.stream.close
  end
end

App.routes do
  LiveController.action_methods.each { |name| get "live_#{name}", to: "live##{name}" }
  PostsController.action_methods.each { |name| get name, to: "posts##{name}" }
  SizesController.action_methods.each { |name| get name, to: "sizes##{name}" }
  get "base", to: "base#index"
  get "base_lines", to: "base#lines"
  get "format", to: "base#format"
end

class StreamsCase < AppCase
  # @return [Array] the response of the application, its body as it is
  def response_of(path, headers = {})
    Rails.application
      .call(Rack::MockRequest.env_for(path, { "HTTP_HOST" => "example.org" }.merge(headers)))
  end

  def lines_of(path) = body_of(path).lines.map { |line| JSON.parse(line) }

  # The SQL that the block runs.
  def queries
    found = []
    subscriber = ActiveSupport::Notifications.subscribe("sql.active_record") do |*, payload|
      found << payload[:sql] unless payload[:name] == "SCHEMA"
    end
    yield
    found
  ensure
    ActiveSupport::Notifications.unsubscribe(subscriber)
  end

  # Rails 7.2 raised NoMethodError, and in Rails 8.1 the Body had no size.
  test "an after_action may read response.body, which is then sent" do
    two = posts("Öne", "Two")
    document = PostSerializer.json!(two)
    assert_equal document, body_of("/sized").force_encoding("UTF-8")
    assert_equal [document, document.size], SizesController::LOG.pop(2)
    lines = PostSerializer.stream(two, format: :ndjson, only: :id, root: false).each.to_a.join
    assert_equal lines, body_of("/sized_lines")
    assert_equal [lines, lines.size], SizesController::LOG.pop(2)
    assert_raises(ZeroDivisionError) { get("/sized_failing") }
  end

  test "a body whose text was read is sent by call, and not after close" do
    posts("One")
    body = response_of("/sized").last
    sent = StringIO.new
    sent.define_singleton_method(:close) { nil }
    body.call(sent)
    assert_equal SizesController::LOG.last(2).first, sent.string

    body = response_of("/sized").last
    body.close
    assert_raises(ToJson::SinkError) { body.each { flunk } }
  end

  test "no document is written before its body is read, if nobody asks for response.body" do
    posts("One")
    body = nil
    assert_empty(queries { body = response_of("/index").last })
    refute_empty(queries { body.each.to_a })
  end

  test "stream: true gives the document of json!, with its headers" do
    two = posts("One", "Two")
    %w[/index /base].each do |path|
      response = get(path)
      assert_equal [200, "application/json; charset=utf-8", PostSerializer.json!(two)],
                   [response.status, response.content_type, response.body]
    end
    assert_equal PostSerializer.json!(two.first), body_of("/one")
  end

  test "with ActionController::Live, stream: true and ndjson: raise an error with an instruction" do
    two = posts("One", "Two")
    %w[stream ndjson].each do |action|
      error = assert_raises(ArgumentError) { get("/live_#{action}") }
      assert_includes error.message, "into: response.stream"
    end
    %w[document into_response_stream].each do |action|
      assert_equal PostSerializer.json!(two), body_of("/live_#{action}")
    end
  end

  test "a streamed body escapes HTML where the call says so, whatever Rails' setting is" do
    posts("<b>")
    assert_equal true, ActiveSupport.escape_html_entities_in_json
    %w[/index /lines].each { |path| assert_includes body_of(path), '"title":"<b>"' }
    %w[/safe /safe_lines].each do |path|
      assert_includes body_of(path), '"title":"\u003cb\u003e"'
    end
  end

  test "a streamed body is read when the server reads it, and answers each and call" do
    posts("One")
    body = nil
    before = queries { body = response_of("/lines").last }
    assert_empty before.grep(/posts/)
    refute_respond_to body, :to_ary
    during = queries { assert_equal 1, body.each.to_a.join.lines.size }
    assert_equal 1, during.grep(/posts/).size
    body.close
    out = StringIO.new
    response_of("/lines").last.call(out)
    assert_equal 1, out.string.lines.size
  end

  test "flush: and chunk: say when something leaves" do
    two = posts("One", "Two")
    lines = two.map { |post| "{\"id\":#{post.id}}\n" }
    assert_equal lines, response_of("/each_line").last.each.to_a
    assert_equal 2, response_of("/every").last.each.count { |part| part.include?("id") }
    parts = response_of("/in_bits").last.each.to_a
    assert_operator parts.size, :>, 3
    assert_equal PostSerializer.json!(two), parts.join
  end

  test "flush: and chunk: raise where nothing is streamed" do
    error = assert_raises(ArgumentError) { get("/misplaced") }
    assert_equal "render: flush: works only with stream: true or ndjson:", error.message
    error = assert_raises(ArgumentError) { get("/misplaced_chunk") }
    assert_includes error.message, "chunk: would be ignored"
  end

  test "ndjson: writes a line for each record" do
    two = posts("One", "Two")
    rows = two.map { |post| { "id" => post.id, "title" => post.title } }
    response = get("/lines")
    assert_equal "application/x-ndjson; charset=utf-8", response.content_type
    assert_equal rows, response.body.lines.map { |line| JSON.parse(line) }
    assert_equal rows.reverse, lines_of("/descending")
    assert_equal rows, lines_of("/by_title")
    assert_equal rows, lines_of("/lazily")
    assert_equal rows.map { |row| row.slice("title") }, lines_of("/lines?fields=title")
    array = get("/array")
    assert_equal [202, rows.map { |row| { "post" => row } }],
                 [array.status, array.body.lines.map { |line| JSON.parse(line) }]
    assert_equal "http://example.org/x", get("/base_lines")["location"]
    assert_equal "application/x-ndjson; charset=utf-8", get("/base_lines").content_type
  end

  test "a relation is read in batches where that gives the same order" do
    posts(*Array.new(3) { |n| "t#{n}" })
    { "/lines" => true, "/descending" => true, "/index" => true, "/by_text" => true,
      "/by_title" => false, "/by_two" => false, "/by_group" => false }.each do |path, batches|
      sql = queries { body_of(path) }.grep(/FROM "posts"/)
      assert_equal batches, sql.first.include?("LIMIT"), sql.first
    end
  end

  # The new record was missing, and the changed one came as the table has it.
  test "an association with new or changed records in memory is written as it is" do
    Author.create!(name: "Ann")
    %w[/built /built_lines].each do |path|
      assert_equal %w[changed new], body_of(path).scan(/"title":"(\w+)"/).flatten, path
    end
  end

  # The order is that of the batches.
  test "error_on_ignored_order does not concern streams" do
    posts("a", "b")
    before = ActiveRecord.error_on_ignored_order
    ActiveRecord.error_on_ignored_order = true
    %w[/index /lines /descending].each { |path| assert_equal 200, get(path).status }
    assert_equal 2, lines_of("/descending").size
    assert_includes body_of("/index"), '"title":"b"'
  ensure
    ActiveRecord.error_on_ignored_order = before
  end

  test "values that are no records are lines too" do
    assert_equal [{ "a" => 1 }, [2], nil], lines_of("/rows")
  end

  test "rows of several classes have a serializer each, and are not loaded before" do
    [Dog, Cat].each { |type| type.create!(name: type.name) }
    rows = [{ "name" => "Dog", "type" => "Dog" }, { "name" => "Cat" }]
    assert_equal rows, lines_of("/animals")
    assert_equal rows, json_of("/animals_json")
    assert_equal({ "rows" => rows }, json_of("/animals_root"))
  end

  test "a Hash, a serializer and a Stream can be streamed" do
    one = posts("One")
    response = get("/hash")
    assert_equal "application/vnd.x+json; charset=utf-8", response.content_type
    assert_equal({ "posts" => [{ "id" => one.first.id, "title" => "One" }], "n" => 1 },
                 JSON.parse(response.body))
    assert_equal PostSerializer.json!(one), body_of("/given")
    assert_equal PostSerializer.json!(one, only: :id), body_of("/serializer")
  end

  test "an error half-way is raised to the server, and leaves no whole document" do
    text = +""
    body = response_of("/failing").last
    error = assert_raises(ZeroDivisionError) { body.each { |chunk| text << chunk } }
    assert_equal "$[1].ratio", ToJson.location(error)
    assert_raises(JSON::ParserError) { JSON.parse(text) }
    assert_equal %({"ratio":6}\n{"ratio":3}\n), body_of("/skipping")
  end

  test "an unknown field is answered before a header is sent" do
    response = get("/lines?fields=titel")
    assert_equal 400, response.status
    assert_match(/unknown field \\"titel\\".*Known: id, title/, response.body)
  end

  def surroundings = ToJson::Rendering::Surroundings.new(nil, nil)

  test "the body has the locale and the time zone of the action" do
    posts("One")
    assert_equal ["fr", "Paris"], lines_of("/french").first["locale"]
    assert_equal :en, I18n.locale
  end

  # The body read rows of all tenants, if a default scope asked for the tenant.
  test "the body has the current attributes of the action, and later restores those it found" do
    posts("One")
    assert_equal "one", lines_of("/tenant").first["tenant"]
    assert_nil Current.tenant
    body = surroundings
    Current.tenant = "two"
    assert_nil(body.call { Current.tenant })
    assert_equal "two", Current.tenant
  ensure
    Current.reset
  end

  test "a body that is left in a Fiber, half read, leaves no controller on the thread" do
    posts("One", "Two")
    body = response_of("/each_line").last
    assert_equal 1, body.to_enum(:each).next.lines.size
    body.close
    assert_nil ToJson::Rendering.controller
  end

  test "the body has the database's role and shard of the action" do
    base = ActiveRecord::Base
    around = base.connected_to(role: :reading, shard: :default) { surroundings }
    assert_equal :writing, base.current_role
    assert_equal :reading, around.call { base.current_role }
    assert_equal :writing, base.current_role
  end

  # The body read rows of the default shard.
  test "the body has the roles and shards that abstract classes have in the action" do
    base = ActiveRecord::Base
    record = Class.new(base) do
      self.abstract_class = true
      self.connection_class = true # as connects_to does
    end
    here = [base, record]
    two = -> { record.connected_to(shard: :two) { surroundings } }
    bodies = [record.connected_to(role: :reading, shard: :two) { surroundings },
              base.connected_to(role: :reading) { surroundings },
              base.connected_to(role: :reading, &two), surroundings]
    expected = [%i[writing default reading two], %i[reading default reading default],
                %i[reading default reading two], %i[writing default writing default]]
    states = -> { here.flat_map { |type| [type.current_role, type.current_shard] } }
    assert_equal expected, bodies.map { |body| body.call(&states) }
    record.connected_to(role: :reading, shard: :three) do
      assert_equal expected, bodies.map { |body| body.call(&states) }
      assert_equal %i[writing default reading three], states.call
    end
  end

  test "the connection to the database is given back when the body ends" do
    posts("One")
    pool = ActiveRecord::Base.connection_pool
    ActiveRecord::Base.connection_handler.clear_active_connections!(:all)
    body = response_of("/lines").last
    refute pool.active_connection?
    during = nil
    body.each { during = pool.active_connection? }
    assert during
    refute pool.active_connection?
  end

  test "the bodies pass Rack::Lint, Rack::ETag and Rack::Deflater" do
    posts("One", "Two")
    expected = body_of("/index")
    app = Rack::Builder.app do
      use Rack::Lint
      use Rack::ETag
      use Rack::Deflater
      use Rack::Lint
      run Rails.application
    end
    response = Rack::MockRequest.new(app).get("/index", "HTTP_HOST" => "example.org",
                                              "HTTP_ACCEPT_ENCODING" => "gzip")
    assert_equal "gzip", response["content-encoding"]
    assert_nil response["etag"]
    assert_equal expected, Zlib.gunzip(response.body)
    assert_equal "",
                 Rack::MockRequest.new(app).request("HEAD", "/index",
                                                    "HTTP_HOST" => "example.org").body
  end

  test "render_to_string gives the text, and respond_to knows ndjson" do
    posts("One")
    assert_equal %({"title":"One"}\n), body_of("/text")
    assert_equal 1, body_of("/format", "HTTP_ACCEPT" => "application/x-ndjson").lines.size
    assert_raises(ActionController::UnknownFormat) { get("/format", "HTTP_ACCEPT" => "text/css") }
  end

  test "what a stream cannot have raises" do
    posts("One")
    assert_match(/callback: does not work with a stream/,
                 assert_raises(ArgumentError) { get("/callback") }.message)
    assert_match(/meta: does not work with ndjson:/,
                 assert_raises(ArgumentError) { get("/meta") }.message)
    assert_match(/on_error: works only with ndjson:/,
                 assert_raises(ArgumentError) { get("/on_error") }.message)
    assert_match(/ndjson: takes a collection; got Post/,
                 assert_raises(ArgumentError) { get("/no_collection") }.message)
    assert_match(/only: would be ignored.* Give it to the call that makes the stream\.\z/,
                 assert_raises(ArgumentError) { get("/given_only") }.message)
    %w[preload serializer].each do |option|
      assert_match(/#{option}: would be ignored.* Render the records: by ndjson:, or with stream:/,
                   assert_raises(ArgumentError) { get("/given_#{option}") }.message)
    end
  end
end
