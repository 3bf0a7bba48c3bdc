# frozen_string_literal: true

# `respond_to` of Rails and `respond_with` of the gem responders.

require_relative "../app"
require "responders"

class AuthorSerializer < ToJson::Serializer
  attributes :name
end

class PostSerializer < ToJson::Serializer
  attributes :id, :title
  view(:full) { attributes :body }
end

class PostsController < ActionController::API
  include ToJson::Rendering
  include ActionController::MimeResponds
  include ActionController::RespondWith
  respond_to :json, :ndjson

  # The gem asks Rails for a renderer of each format; NDJSON has none, so it gets a block.
  def index
    posts = Post.order(:id)
    respond_with(posts, view: params[:view], only: params[:fields]) do |format|
      format.ndjson { render(ndjson: posts) }
    end
  end

  def show = respond_with(Post.find(params[:id]))
  def create = respond_with(Post.create(title: params[:title]))
  def update = respond_with(changed)
  def destroy = respond_with(Post.find(params[:id]).destroy)

  def chosen
    respond_to do |format|
      format.json { render(json: Post.order(:id), view: :full) }
      format.ndjson { render(ndjson: Post.order(:id)) }
      format.text { render(plain: "text") }
    end
  end

  private

  def changed = Post.find(params[:id]).tap { |post| post.update(title: params[:title]) }
end

# What another controller gives for the same, without ToJson::Rendering.
class PlainController < ActionController::API
  include ActionController::MimeResponds
  include ActionController::RespondWith
  respond_to :json

  def create = respond_with(Post.create(title: params[:title]), location: "/posts")
end

App.routes do
  get "posts/chosen", to: "posts#chosen"
  resources :posts
  post "plain", to: "plain#create"
end

class RespondCase < AppCase
  JSON_TYPE = "application/json; charset=utf-8"

  def request(verb, path, headers = {}) = App.request(verb, path, headers)

  def setup
    super
    Post.create!(id: 1, title: "Hi", body: "Hello")
  end

  test "respond_with finds the serializer of a relation and of a record" do
    assert_equal '[{"id":1,"title":"Hi"}]', body_of("/posts.json")
    assert_equal '{"id":1,"title":"Hi"}', body_of("/posts/1.json")
  end

  test "respond_with passes our options on" do
    assert_equal '[{"id":1,"title":"Hi","body":"Hello"}]', body_of("/posts.json?view=full")
    assert_equal '[{"title":"Hi"}]', body_of("/posts.json?fields=title")
    response = get("/posts.json?fields=titel")
    assert_equal 400, response.status
    assert_includes response.body, "did you mean"
  end

  test "respond_with answers a request that creates with 201 and the place" do
    response = request("POST", "/posts.json?title=New")
    post = Post.find_by!(title: "New")
    assert_equal [201, "http://example.org/posts/#{post.id}", JSON_TYPE],
                 [response.status, response["location"], response["content-type"]]
    assert_equal({ "id" => post.id, "title" => "New" }, JSON.parse(response.body))
  end

  test "respond_with answers what is not valid as without us" do
    ours, plain = %w[/posts.json /plain.json].map { |path| request("POST", path) }
    assert_equal [422, { "errors" => { "title" => ["can't be blank"] } }],
                 [ours.status, JSON.parse(ours.body)]
    assert_equal [plain.status, plain.body, plain["content-type"]],
                 [ours.status, ours.body, ours["content-type"]]
  end

  test "respond_with answers updates and deletions with an empty body" do
    response = request("PATCH", "/posts/1.json?title=Two")
    assert_equal [204, "", "Two"], [response.status, response.body, Post.find(1).title]
    assert_equal 422, request("PATCH", "/posts/1.json?title=").status
    response = request("DELETE", "/posts/1.json")
    assert_equal [204, "", 0], [response.status, response.body, Post.count]
  end

  test "respond_with writes lines where the client asks for them" do
    response = get("/posts.ndjson")
    assert_equal [200, "application/x-ndjson", "{\"id\":1,\"title\":\"Hi\"}\n"],
                 [response.status, response["content-type"][/[^;]+/], response.body]
  end

  test "respond_to chooses by the header Accept" do
    { "application/json" => '[{"id":1,"title":"Hi","body":"Hello"}]',
      "application/x-ndjson" => "{\"id\":1,\"title\":\"Hi\"}\n", "text/plain" => "text" }
      .each do |type, body|
      response = get("/posts/chosen", "HTTP_ACCEPT" => type)
      assert_equal [type, body], [response["content-type"][/[^;]+/], response.body]
    end
  end

  test "a type that nobody offers is not acceptable" do
    error = assert_raises(ActionController::UnknownFormat) do
      get("/posts/chosen", "HTTP_ACCEPT" => "image/png")
    end
    assert_kind_of ActionController::UnknownFormat, error
  end
end
