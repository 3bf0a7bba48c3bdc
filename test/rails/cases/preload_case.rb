# frozen_string_literal: true

# Preloading in `render json:`: by the application's setting, the controller's, and the call's.

require_relative "../app"

class CommentSerializer < ToJson::Serializer
  attributes :body
end

class PostSerializer < ToJson::Serializer
  attributes :title
  has_many :comments
  view(:bare) { remove :comments }
end

class PreloadController < ActionController::API
  include ToJson::Rendering

  def index = render(json: Post.order(:id), **params.permit(:view).to_h.symbolize_keys)
  def show = render(json: Post.find(params[:id]))
  def list = render(json: Post.order(:id).to_a)
  def call = render(json: posts, preload: params[:preload].to_sym)

  private

  def posts
    relation = Post.order(:id)
    params[:ours] ? ToJson.preload(relation, PostSerializer) : relation
  end
end

class ManualController < PreloadController
  serialization preload: :manual
end

App.routes do
  %w[preload manual].each do |name|
    get "/#{name}/list", controller: name, action: :list
    get "/#{name}/call", controller: name, action: :call
    get "/#{name}", controller: name, action: :index
    get "/#{name}/:id", controller: name, action: :show
  end
end

class PreloadCase < AppCase
  def setup
    super
    posts("one", "two", "three").each do |post|
      2.times { |i| post.comments.create!(body: "#{post.title} #{i}") }
    end
  end

  def teardown
    Rails.application.config.to_json.preload = :auto
    super
  end

  # Asserts the status, and how many queries the request makes.
  def assert_queries(count, path)
    found = []
    note = ->(*, payload) do
      found << payload[:sql] unless %w[SCHEMA TRANSACTION].include?(payload[:name])
    end
    body = ActiveSupport::Notifications.subscribed(note, "sql.active_record") { json_of(path) }
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

  test "a controller class, a call and the application say otherwise" do
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
end
