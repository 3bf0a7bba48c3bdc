# frozen_string_literal: true

# Preloading in `render json:`, and the N+1 guard: by the application's setting, the controller's,
# and the call's.

require_relative "../app"

class CommentSerializer < ToJson::Serializer
  attributes :body
end

class PostSerializer < ToJson::Serializer
  attributes :title
  has_many :comments
  view(:bare) { remove :comments }
end

class AuthorSerializer < ToJson::Serializer
  attributes :name
  has_many(:posts) { attributes :title }
end

STORE = {}

class CardSerializer < ToJson::Serializer
  cache key: :id, store: -> { STORE }
  attributes :title
  has_one(:author) { attributes :name }
  has_many(:comments) { attributes :body }
end

class ShelfSerializer < ToJson::Serializer
  attributes :name
  has_many :posts, serializer: CardSerializer
end

class TalkSerializer < ToJson::Serializer
  attributes :title
  has_many(:comments, cache: { key: :id, store: -> { STORE } }) do
    has_one(:post) { has_one(:author) { attributes :name } }
  end
end

Author.has_many :comments, through: :posts
Author.has_many :last_comments, -> { order(id: :desc) }, through: :posts, source: :comments

# Cached associations that go through another one, which is cached or not.
class ThreadSerializer < ToJson::Serializer
  KEPT = { key: :id, store: -> { STORE } }.freeze
  attributes :name
  has_many(:posts) { attributes :title }
  has_many(:comments, cache: KEPT) { attributes :body }
  has_many(:last_comments, cache: KEPT) { attributes :body }

  view(:kept) { has_many(:posts, cache: KEPT) { attributes :title } }
end

# Their documents cannot be kept, since they are laid out.
class LaidOutSerializer < CardSerializer
  rules ToJson::Rules.new(indent: " ")
end

class CachedController < ActionController::API
  include ToJson::Rendering

  def cards = render(json: Post.order(:id), serializer: CardSerializer, only: params[:only])
  def records = render(json: Post.order(:id).to_a, serializer: CardSerializer)
  def card = render(json: Post.order(:id).first, serializer: CardSerializer)
  def lines = render(ndjson: Post.all, serializer: CardSerializer)
  def stream = render(json: Post.all, serializer: CardSerializer, stream: true)
  def shelves = render(json: Author.order(:id), serializer: ShelfSerializer)
  def talks = render(json: Post.order(:id), serializer: TalkSerializer, only: params[:only])
  def threads = render(json: Author.order(:id), serializer: ThreadSerializer,
                       **params.permit(:view, :only).to_h.symbolize_keys)
  def unkept = render(json: Post.order(:id), serializer: LaidOutSerializer)
  def unkept_stream = render(json: Post.all, serializer: LaidOutSerializer, stream: true)
end

class PreloadController < ActionController::API
  include ToJson::Rendering

  def index = render(json: Post.order(:id), **params.permit(:view).to_h.symbolize_keys)
  def show = render(json: Post.find(params[:id]))
  def list = render(json: Post.order(:id).to_a)
  def comments = render(json: Post.order(:id).first.comments)
  def mixed = render(json: mix)
  def lines = render(ndjson: mix)
  def tree = render(json: { all: mix, posts: Post.order(:id).to_a, first: Post.order(:id) })
  def call = render(json: posts, preload: params[:preload].to_sym)

  private

  def mix = [*Post.order(:id), nil, *Author.order(:id)]

  def posts
    relation = Post.order(:id)
    params[:ours] ? ToJson.preload(relation, PostSerializer) : relation
  end
end

class ManualController < PreloadController
  serialization preload: :manual
end

class LoggingController < ManualController
  serialization n_plus_one: :log
end

App.routes do
  get "/cached/:action", controller: :cached
  %w[preload manual logging].each do |name|
    %i[list comments mixed lines tree].each do |action|
      get "/#{name}/#{action}", controller: name, action: action
    end
    get "/#{name}/call", controller: name, action: :call
    get "/#{name}", controller: name, action: :index
    get "/#{name}/:id", controller: name, action: :show
  end
end

class PreloadCase < AppCase
  # The models are what is loaded.
  def setup
    super
    settings.rows = false
    posts("one", "two", "three").each do |post|
      2.times { |i| post.comments.create!(body: "#{post.title} #{i}") }
    end
  end

  def teardown
    settings.preload, settings.n_plus_one, settings.rows = :auto, :raise, true
    STORE.clear
    super
  end

  def settings = Rails.application.config.to_json

  # Requests => how many queries they make where the store has nothing, and where it has all.
  {
    "cards" => [3, 1], # posts, authors, comments
    "records" => [3, 1],
    "card" => [3, 1],
    "lines" => [3, 1],
    "stream" => [3, 1],
    "cards?only=title,comments" => [2, 1],
    "shelves" => [3, 2], # authors, posts, their comments
    "talks" => [3, 1], # posts, comments, the authors of their posts
    "talks?only=title" => [1, 1],
    "threads?only=name,posts,comments" => [3, 3], # authors, posts, comments
    "threads?only=name,comments" => [3, 1],
    "threads?only=name,posts,comments&view=kept" => [3, 1],
    "threads" => [4, 4],
    "threads?view=kept" => [4, 1],
    "unkept" => [3, 3],
    "unkept_stream" => [3, 3]
  }.each do |path, (cold, warm)|
    test "#{path}: what a cache has is not loaded, and what it has not is loaded at once" do
      Post.find_each { |post| post.update!(author: Author.create!(name: "of #{post.title}")) }
      written = nil
      found = queries { written = body_of("/cached/#{path}") }
      assert_equal(cold, found.size, found.join("\n"))
      assert_equal(warm, queries { assert_equal(written, body_of("/cached/#{path}")) }.size)
      settings.preload = :off
      settings.n_plus_one = :off
      assert_equal(written, body_of("/cached/#{path}"))
    end
  end

  test "the collection of a record is written from its rows, and not loaded" do
    models = []
    note = ->(*, payload) { models << payload[:class_name] }
    bodies = [false, true].map do |rows|
      settings.rows = rows
      ActiveSupport::Notifications.subscribed(note, "instantiation.active_record") do
        body_of("/preload/comments")
      end
    end
    assert_equal bodies.first, bodies.last
    assert_includes bodies.last, "one 1"
    assert_equal %w[Post Comment Post], models
  end

  test "of a list of which the cache has a part, the rest is loaded" do
    Post.find_each { |post| post.update!(author: Author.create!(name: "of #{post.title}")) }
    body_of("/cached/cards")
    2.times do |i|
      Post.create!(title: "new #{i}", author: Author.first).comments.create!(body: "n")
    end
    found = queries { body_of("/cached/cards") }
    assert_equal(3, found.size)
    assert_match(/IN \(\?, \?\)/, found.last) # comments of two posts
    assert_equal(["n"], json_of("/cached/cards").last["comments"].map { |one| one["body"] })
  end

  # The SQL that the block runs.
  def queries(&)
    found = []
    note = ->(*, payload) do
      found << payload[:sql] unless %w[SCHEMA TRANSACTION].include?(payload[:name])
    end
    ActiveSupport::Notifications.subscribed(note, "sql.active_record", &)
    found
  end

  # Asserts the status, and how many queries the request makes.
  def assert_queries(count, path)
    body = nil
    found = queries { body = json_of(path) }
    assert_equal(count, found.size, found.join("\n"))
    body
  end

  test "a relation, an Array and a record are rendered without a query for each record" do
    document = assert_queries(2, "/preload")
    assert_equal(["two 0", "two 1"], document[1]["comments"].map { |comment| comment["body"] })
    assert_equal(document, assert_queries(2, "/preload/list"))
    assert_equal(document[0], assert_queries(2, "/preload/#{Post.first.id}"))
    assert_queries(1, "/preload?view=bare")
  end

  test "Arrays of several classes, also inside a Hash, are loaded class by class" do
    2.times do |i|
      Post.first(2).each { |post| post.update!(author: Author.create!(name: "a#{i}")) }
    end
    Author.create!(name: "c")
    document = assert_queries(4, "/preload/mixed") # posts, authors, their comments and posts
    assert_equal(%w[one two three] + [nil] * 6, document.map { |one| one&.[]("title") })
    assert_equal(2, document.last(5).sum { |author| author["posts"].size })
    found = assert_queries(8, "/preload/tree")
    assert_equal(document, found["all"])
    assert_equal(document.first(3), found["posts"])
    body = nil
    assert_equal(4, queries { body = body_of("/preload/lines") }.size)
    assert_equal(document, body.lines.map { |line| JSON.parse(line) })
    settings.n_plus_one = :off
    assert_equal(document, assert_queries(2 + 3 + 5, "/manual/mixed"))
  end

  test "the associations of a single record are read without models" do
    id = Post.first.id
    expected = json_of("/preload/#{id}")
    settings.rows = true
    made = []
    note = ->(*, payload) { made << payload[:class_name] }
    found = ActiveSupport::Notifications.subscribed(note, "instantiation.active_record") do
      assert_queries(2, "/preload/#{id}")
    end
    assert_equal([expected, %w[Post]], [found, made])
    assert_operator(expected["comments"].size, :>, 0)
  end

  test "a controller class, a call and the application say otherwise" do
    settings.n_plus_one = :off
    assert_queries(4, "/manual")
    assert_queries(4, "/preload/call?preload=manual")
    assert_queries(2, "/manual/call?preload=auto")
    assert_queries(2, "/manual/call?preload=manual&ours=1")
    Rails.application.config.to_json.preload = :off
    assert_queries(4, "/preload")
    assert_queries(4, "/manual/call?preload=manual&ours=1")
    error = assert_raises(ArgumentError) { get("/preload/call?preload=often") }
    assert_match(/preload takes :auto or :manual or :off; got :often/, error.message)
  end

  test "in the tests of an application what is loaded record by record raises" do
    error = assert_raises(ToJson::NPlusOneError) { get("/manual") }
    assert_equal("$[1].comments: Post#comments is loaded record by record. PostSerializer " \
                 "declares " \
                 "it, but the records were not preloaded. Pass them through " \
                 "ToJson.preload(records, " \
                 "PostSerializer), or render the records themselves with preload: :auto.",
                 error.message)
    assert_raises(ToJson::NPlusOneError) { PostSerializer.json!(Post.order(:id)) }
    assert_queries(2, "/manual/call?preload=manual&ours=1")
    assert_equal(3, json_of("/preload/list").size)
    settings.n_plus_one = :off
    assert_queries(4, "/manual")
  end

  test "in development it is logged, as a controller may choose" do
    App::LOG.truncate(App::LOG.rewind)
    assert_queries(4, "/logging")
    warnings = App::LOG.string.lines.grep(/record by record/)
    assert_equal(1, warnings.size)
    assert_match(/ WARN .*to_json: \$\[1\]\.comments: Post#comments is loaded/, warnings.first)
    assert_equal({ "development" => :log, "test" => :raise, "production" => :off },
                 %w[development test production].to_h { |name| [name, chosen_in(name)] })
  end

  # What an application begins with in that environment.
  def chosen_in(name)
    before, Rails.env = Rails.env, name
    config = Object.new
    ToJson::Railtie.send(:give_settings, config)
    config.to_json.n_plus_one
  ensure
    Rails.env = before
  end

  test "an unknown setting of the guard is refused" do
    error = assert_raises(ArgumentError) { settings.n_plus_one = :warn }
    assert_equal("n_plus_one takes :raise or :log or :off; got :warn", error.message)
  end
end
