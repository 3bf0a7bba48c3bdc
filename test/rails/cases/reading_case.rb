# frozen_string_literal: true

# permit and expect in controllers, models that are read, and errors of models.

require_relative "../app"

class PostSerializer < ToJson::Serializer
  transform_keys :camel_lower
  attributes :id, :createdAt
  attributes :title, writable: true
  attributes body: :postText, writable: true
  attribute :created_at, as: :time, writable: true
  has_many(:comments, writable: { nested: true, destroy: true }) do
    attributes :id, :body, writable: true
  end
  view(:plain) do
    attribute :updated_at, as: :time, format: :unix_ms, writable: true
    has_one :author, serializer: "AuthorSerializer", writable: true
  end
end

class AuthorSerializer < ToJson::Serializer
  attributes :id
  attributes :name, writable: true
end

class CommentSerializer < ToJson::Serializer
  attributes :id, :body
end

class LinkedPostSerializer < ToJson::Serializer
  type :posts
  attributes :id
  attributes :title, writable: true
  has_one :author, serializer: "AuthorSerializer", writable: true
  has_many :comments, serializer: "CommentSerializer", writable: true
end

Post.accepts_nested_attributes_for(:comments, allow_destroy: true)

class Draft < ApplicationRecord
  self.table_name = "posts"
  enum :title, { draft: "d", live: "l" }
end

class ApplicationController < ActionController::API
  include ToJson::Rendering

  wrap_parameters format: [:json]
end

class PostsController < ApplicationController
  def create
    post = Post.create!(PostSerializer.expect(params))
    render json: { title: post.title, body: post.body, comments: post.comments.map(&:body) }
  end

  def update
    post = Post.find(params[:id])
    PostSerializer.read(request.raw_post, into: post, errors: :all)
    post.save!
    render json: { id: post.id, title: post.title }
  rescue ToJson::ReadError => error
    render json: error.model_errors(post), status: 422
  end

  def strict
    given = params.except(*request.path_parameters.keys)
    render json: PostSerializer.expect(given, unknown: :raise).to_h
  end

  def linked
    post = Post.create!(LinkedPostSerializer.expect(params))
    render json: { title: post.title, author: post.author.name, comments: post.comment_ids }
  end
end

class BareController < ActionController::API
  def create = render(json: PostSerializer.expect(params).to_h)
end

App.routes do
  post "posts", to: "posts#create"
  post "bare", to: "bare#create"
  patch "posts/:id", to: "posts#update"
  post "blogs/:blog_id/posts", to: "posts#strict"
  post "linked", to: "posts#linked"
end

class ReadingCase < AppCase
  def params(hash) = ActionController::Parameters.new(hash)

  def send_json(verb, path, body)
    App.request(verb, path, "CONTENT_TYPE" => "application/json",
                            :input => body.is_a?(String) ? body : JSON.generate(body))
  end

  test "permit gives what Post.new takes" do
    given = params(title: "a", postText: "b", id: 7, admin: true,
                   comments: [{ body: "c", post_id: 5 }, { id: 1, _destroy: "1" }])
    found = PostSerializer.permit(given)
    assert_instance_of ActionController::Parameters, found
    assert_predicate found, :permitted?
    assert_equal({ "title" => "a", "body" => "b",
                   "comments_attributes" =>
                     [{ "body" => "c" }, { "id" => 1, "_destroy" => true }] }, found.to_h)
    assert_equal "b", Post.new(found.except(:comments_attributes)).body
  end

  test "permit leaves out what has another form, as Rails does" do
    [{ title: { a: 1 } }, { title: [1] }, { comments: 5 }, { title: params(a: 1) }].each do |given|
      assert_empty PostSerializer.permit(params(given)).to_h, given.inspect
    end
    assert_equal({ "comments_attributes" => [{ "body" => "a" }] },
                 PostSerializer.permit(params(comments: [5, { body: "a" }, [1]])).to_h)
    tagged = Class.new(ToJson::Serializer) { attribute :tags, writable: { as: :array } }
    [[{ name: 1 }], ["a", { name: 1 }], ["a", [1]], ["a", nil], ["a"], []].each do |tags|
      assert_equal params(tags: tags).permit(tags: []).to_h,
                   tagged.permit(params(tags: tags)).to_h, tags.inspect
    end
    assert_empty PostSerializer.permit(params(post: "a"), root: :post).to_h
    error = assert_raises(ToJson::ReadError) do
      PostSerializer.permit(params(title: "a", x: 1), unknown: :raise)
    end
    assert_equal "/x", error.pointer
  end

  test "permit leaves to the model what the model casts, and undoes the rest" do
    found = PostSerializer.permit(params(createdAt: "2026-11-20T10:00:00Z",
                                         updatedAt: 1_700_000_000_000), view: :plain).to_h
    assert_equal "2026-11-20T10:00:00Z", found["created_at"]
    assert_equal Time.at(1_700_000_000), found["updated_at"]
  end

  test "forms may have arrays as objects with numbers" do
    found = PostSerializer.permit(params(comments: { "0" => { body: "a" }, "1" => { body: "b" } }))
    assert_equal %w[a b], found[:comments_attributes].map { |one| one[:body] }
  end

  test "forms may name nested attributes as fields_for does" do
    given = params(comments_attributes: { "0" => { body: "a", x: 1, _destroy: "0" } }, y: 1)
    found, unknown = PostSerializer.permit(given, unknown: :collect)
    assert_equal({ "comments_attributes" => [{ "body" => "a", "_destroy" => false }] }, found.to_h)
    assert_equal({ "/comments_attributes/0/x" => 1, "/y" => 1 }, unknown)
    both = params(comments: [{ body: "b" }], comments_attributes: [{ body: "c" }])
    assert_equal ["b"], PostSerializer.permit(both)[:comments_attributes].map { |one| one[:body] }
  end

  test "permit leaves out a _destroy that is no boolean, and keeps what stands beside it" do
    given = params(comments: [{ body: "a", _destroy: "no?" }, { body: "b", _destroy: { x: 1 } }])
    assert_equal({ "comments_attributes" => [{ "body" => "a" }, { "body" => "b" }] },
                 PostSerializer.permit(given).to_h)
  end

  test "parse reads text of forms as the fields say" do
    made = Class.new(ToJson::Serializer) do
      attribute :count, as: :integer, writable: true
      attribute :open, as: :boolean, writable: true
      attribute :score, as: :float, writable: true
      attribute :on, as: :date, writable: true
    end
    assert_equal({ count: 5, open: false, score: 1.5, on: Date.new(2026, 11, 20) },
                 made.parse(params(count: "5", open: "0", score: "1.5", on: "2026-11-20")))
    error = assert_raises(ToJson::ReadError) { made.parse(params(count: "5x")) }
    assert_equal "/count", error.pointer
  end

  test "a controller creates a record, under the root or without" do
    body = { title: "a", postText: "b", comments: [{ body: "c" }] }
    expected = { "title" => "a", "body" => "b", "comments" => ["c"] }
    assert_equal expected, JSON.parse(send_json("POST", "/posts", { post: body }).body)
    assert_equal expected, JSON.parse(send_json("POST", "/posts", body).body)
    post = Post.order(:id).last
    refute_equal 7, JSON.parse(send_json("POST", "/posts", { **body, id: 7 }).body)["id"]
    assert_equal 1, post.comments.size
  end

  test "expect answers 400 where the form is wrong, and says where" do
    response = send_json("POST", "/posts", { post: { title: [1] } })
    assert_equal 400, response.status
    body = JSON.parse(response.body)
    assert_equal [{ "pointer" => "/post/title", "code" => "type",
                    "message" => "takes text, a number, true, false or null; got an array." }],
                 body["errors"]
    { {} => "", { post: 5 } => "/post", { post: {} } => "", { post: { x: 1 } } => "" }
      .each do |given, pointer|
        response = send_json("POST", "/posts", given)
        assert_equal 400, response.status, given.inspect
        assert_equal pointer, JSON.parse(response.body)["errors"][0]["pointer"], given.inspect
      end
    error = assert_raises(ToJson::ReadError) { PostSerializer.expect(params(x: 1)) }
    assert_equal "/post", error.pointer
  end

  test "expect refuses a document that is no object" do
    ["[]", "[1]", '[{"title":"a"}]', "1", "1e999999999", '"post"', "null", [], [["post", {}]]]
      .each do |given|
        [{}, { collection: true }, { collection: nil }, { envelope: :plain },
         { envelope: :json_api }, { root: false }, { root: :blog }].each do |keywords|
          error = assert_raises(ToJson::ReadError, "#{given} #{keywords}") do
            PostSerializer.expect(given, **keywords)
          end
          assert_equal ["", :type], [error.pointer, error.problems[0].code]
        end
      end
  end

  test "without the keys of the route, expect finds what is unknown" do
    { { title: "a" } => 200, { post: { title: "a" } } => 200, { title: "a", x: 1 } => 400,
      { post: { title: "a", x: 1 } } => 400, { title: "a", blog: 1 } => 400 }
      .each do |given, status|
        response = send_json("POST", "/blogs/5/posts", given)
        assert_equal status, response.status, "#{given}: #{response.body}"
      end
  end

  test "without ToJson::Rendering the status is 400 too" do
    responses = ActionDispatch::ExceptionWrapper.rescue_responses
    assert_equal :bad_request, responses["ToJson::ReadError"]
  end

  test "read assigns to a record, or answers errors of the model" do
    post = Post.create!(title: "old")
    response = send_json("PATCH", "/posts/#{post.id}", { title: "new", postText: "b" })
    assert_equal({ "id" => post.id, "title" => "new" }, JSON.parse(response.body))
    wrong = { title: "newer", postText: [], comments: [{ body: {} }], id: 9 }
    response = send_json("PATCH", "/posts/#{post.id}", wrong)
    assert_equal 422, response.status, response.body
    assert_equal %w[body comments[0].body id], JSON.parse(response.body).keys
    assert_equal "new", post.reload.title
  end

  test "errors without a model have names and messages" do
    error = assert_raises(ToJson::ReadError) { PostSerializer.parse({ title: [] }) }
    errors = error.model_errors
    assert_equal ["Title takes text, a number, true, false or null; got an array"],
                 errors.full_messages
    assert_equal [:type], errors.map(&:type)
    error = assert_raises(ToJson::ReadError) { PostSerializer.parse("[") }
    assert_equal [:base], error.model_errors.map(&:attribute)
  end

  # Documents in which a client names a method of the model.
  NAMING_METHODS = [
    '{"destroy":1}', '{"destroy!":1}', '{"reload":{}}', '{"destroy":1,"destroy":2}',
    '{"destroy":"\\udc00"}', '{"touch":1}',
    '{"data":{"type":"posts","attributes":{"destroy":1},"relationships":{"delete":{}}}}'
  ].freeze

  # ActiveModel called it for the message: {"destroy":1} deleted the record.
  test "errors of a model call no method that a client has named" do
    touching = Class.new(PostSerializer) do
      type :posts
      attribute(:touch) { |_| true } # is not writable
    end
    post = Post.create!(title: "Tea")
    methods = %i[destroy destroy! delete reload touch]
    methods.each { |name| post.define_singleton_method(name) { |*| raise "#{name} was called" } }
    NAMING_METHODS.each do |body|
      error = assert_raises(ToJson::ReadError, body) do
        touching.read(body, into: post, errors: :all)
      end
      found = error.model_errors(post)
      refute_empty found.full_messages
      assert_empty found.attribute_names - %i[base touch], body
      found.clear
    end
    response = send_json("PATCH", "/posts/#{post.id}", { destroy: 1 })
    assert_equal [422, ["base"]], [response.status, JSON.parse(response.body).keys]
    assert Post.exists?(post.id)
  end

  class LooseSerializer < ToJson::Serializer
    attribute :title, as: :integer, writable: true
    attribute :body, writable: { as: :object }
    attribute :author, as: AuthorSerializer, writable: true
    attribute :tags, writable: { as: :array }
    has_many(:comments, writable: true) do
      attribute :body, as: :integer, writable: true
      attribute :more, writable: { as: :object }
    end
    flatten(:place, writable: true) { attribute :x, as: :integer, writable: true }
  end

  # {document => the messages}. I18n raised "missing interpolation argument", and kept each name.
  CHOSEN = {
    '{"title":"%{x} 100%"}' => ['Title takes an integer; got String "%{x} 100%"'],
    '{"%{x}":1}' => [/\Aunknown field "%{x}". Known: title, /],
    '{"%{x}":1,"%{x}":2}' => ["/%{x} appears twice in one object"],
    '{"%<x>d":"\\udc00"}' => ["/%<x>d has half of a surrogate pair"],
    '{"comments":[{"body":1,"%{x}":2}]}' =>
      ['Comments[0] unknown field "%{x}". Known: body, more'],
    '{"comments":[{"body":"%{x}"}]}' =>
      [/\AComments\[0\][. ]body takes an integer; got String "%{x}"\z/],
    '{"comments":[{"body":1,"body":2}]}' => [/\AComments\[0\][. ]body appears twice/],
    '{"comments":[{"more":{"k1":1e999}}]}' =>
      [/\AComments\[0\][. ]more \/comments\/0\/more\/k1 the number/],
    %({"comments":[#{"{}," * 1200}1]}) => [/\AComments \/comments\/1200 takes an object/],
    '{"tags":["a",{}]}' => [/\ATags\[1\] takes text/],
    '{"x":[]}' => [/\AX takes an integer/],
    '{"body":{"%{x}":1e999}}' => [/\ABody \/body\/%{x} /],
    '{"author":{"name":[]}}' => [/\AAuthor[. ]name takes text/]
  }.freeze

  CHOSEN.each do |body, messages|
    test "what a client has chosen in #{body[0, 50]} is no name and no pattern of I18n" do
      error = assert_raises(ToJson::ReadError) { LooseSerializer.parse(body, errors: :all) }
      [nil, Post.new].each do |model|
        found = error.model_errors(model).full_messages.sort.reverse
        messages.zip(found).each { |due, message| assert_operator due, :===, message }
      end
    end
  end

  test "error objects of JSON:API have the pointers" do
    error = assert_raises(ToJson::ReadError) { PostSerializer.parse({ title: [] }) }
    assert_equal({ status: "400", code: "type", source: { pointer: "/title" } },
                 ToJson::JsonApi::Errors.new(error).to_a[0].slice(:status, :code, :source))
  end

  test "a controller creates a record of a document of JSON:API" do
    author = Author.create!(name: "Ann")
    comment = Comment.create!(body: "c", post: Post.create!(title: "x"))
    data = { type: "posts", attributes: { title: "a" },
             relationships: { author: { data: { type: "authors", id: author.id.to_s } },
                              comments: { data: [{ type: "comments", id: comment.id.to_s }] } } }
    response = send_json("POST", "/linked", { data: data })
    assert_equal({ "title" => "a", "author" => "Ann", "comments" => [comment.id] },
                 JSON.parse(response.body))
    response = send_json("POST", "/linked", { data: { **data, type: "people" } })
    assert_equal [400, "/data/type"],
                 [response.status, JSON.parse(response.body)["errors"][0]["pointer"]]
  end

  test "what is no name of an enum is a problem before anything is assigned" do
    made = Class.new(ToJson::Serializer) do
      transform_keys :camel
      attributes :body, writable: true
      attribute :state, :title, writable: true
    end
    post = Draft.new
    error = assert_raises(ToJson::ReadError) do
      made.read({ Body: "a", State: "gone" }, into: post)
    end
    assert_equal ["/State: takes one of \"draft\", \"live\"; got String \"gone\"."],
                 error.problems.map(&:to_s)
    assert_nil post.body
    ["live", nil, ""].each do |state|
      made.read({ State: state }, into: post)
      state.presence ? assert_equal("live", post.title) : assert_nil(post.title)
    end
  end

  test "uploaded files and other objects of Rails stay as they are" do
    file = ActionDispatch::Http::UploadedFile.new(tempfile: StringIO.new("x"), filename: "a.png")
    assert_same file, PostSerializer.permit(params(title: file))[:title]
  end
end
