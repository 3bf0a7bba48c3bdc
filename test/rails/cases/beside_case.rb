# frozen_string_literal: true

# Other libraries in the same application: what their objects give in a controller with
# ToJson::Rendering is what they give without, and our documents are ours. So an application can
# move from one to the other endpoint by endpoint.

require "rails"
require "action_controller/railtie"
require "active_model_serializers" # before the application: it has an initializer
require_relative "../app"
require "alba"
require "blueprinter"
require "jsonapi/serializer"
require "panko_serializer"

class PostSerializer < ToJson::Serializer
  attributes :id, title: :ours
end

class CommentSerializer < ActiveModel::Serializer
  attributes :body
end

class PostResource
  include Alba::Resource
  attributes :title
end

class PostBlueprint < Blueprinter::Base
  field :title
end

class PankoSerializer < Panko::Serializer
  attributes :title
end

class ApiSerializer
  include JSONAPI::Serializer
  set_type :post
  attributes :title
end

module Theirs
  def active_model_serializers = render(json: Comment.new(body: "Yes"))
  def alba = render(json: PostResource.new(Post.all))
  def blueprinter = render(json: PostBlueprint.render(Post.all))
  def jsonapi_serializer = render(json: ApiSerializer.new(Post.all))
  def jsonapi_hash = render(json: ApiSerializer.new(Post.all).serializable_hash)

  def panko
    render json: Panko::ArraySerializer.new(Post.all, each_serializer: PankoSerializer).to_json
  end
end

module Ours
  def records = render(json: Post.all)
  def record = render(json: Post.first, only: :ours)
  def serializer = render(json: PostSerializer.new(Post.all))
  def inside = render(json: { post: Post.first })
  def lines = render(ndjson: Post.all)
end

class TheirsController < ActionController::API
  include Theirs
end

class BothController < ActionController::API
  include ToJson::Rendering
  missing_serializer :as_json
  include Theirs
  include Ours

  def options = render(json: Post.all, each_serializer: CommentSerializer)
  def foreign = render(json: Post.first, serializer: CommentSerializer)

  # Some of these have serializers.
  def some_of_hash = render(json: { post: Post.first, posts: Post.all, author: Author.first })
  def some_of_array = render(json: [Post.first, nil, [Author.first], 1.5])
  def some_of_rows = render(json: Animal.order(:id))
  def rows_inside = render(json: { post: Post.first, animals: Animal.order(:id) })
  def own_as_json = render(json: { post: Post.first, odd: Odd.first })

  def enumerators
    render json: [[Author.first, Post.first].each, Author.find_each, [Post.first].lazy][params[:n]
      .to_i]
  end

  def no_serializer = render(json: { authors: Author.all, total: 1 }, methods: :to_param)

  def delegators
    render json: [SimpleDelegator.new(Post.first), SimpleDelegator.new(Author.first), 0.0 / 0]
  end
end

# As `super.merge(author: author)` in an application.
class Odd < ApplicationRecord
  self.table_name = "authors"
  def as_json(*) = { name: name, self: Author.find(id), nan: 0.0 / 0, at: created_at }
end

class DogSerializer < ToJson::Serializer
  attribute :ours, source: :name
end

App.routes do
  get "theirs/:action", controller: "theirs"
  get "both/:action", controller: "both"
end

class BesideCase < AppCase
  def setup
    super
    Post.create!(id: 1, title: "Hi")
  end

  THEIRS = {
    active_model_serializers: '{"body":"Yes"}', alba: '[{"title":"Hi"}]',
    blueprinter: '[{"title":"Hi"}]', panko: "[{\"title\":\"Hi\"}]\n",
    jsonapi_serializer: '{"data":[{"id":"1","type":"post","attributes":{"title":"Hi"}}]}',
    jsonapi_hash: '{"data":[{"id":"1","type":"post","attributes":{"title":"Hi"}}]}'
  }.freeze

  THEIRS.each do |action, body|
    test "what #{action} writes is the same with and without ToJson::Rendering" do
      assert_equal [body, body], [body_of("/theirs/#{action}"), body_of("/both/#{action}")]
    end
  end

  { records: '[{"id":1,"ours":"Hi"}]', record: '{"ours":"Hi"}',
    serializer: '[{"id":1,"ours":"Hi"}]', inside: '{"post":{"id":1,"ours":"Hi"}}',
    lines: "{\"id\":1,\"ours\":\"Hi\"}\n" }.each do |action, body|
    test "ours is written by our serializer: #{action}" do
      assert_equal body, body_of("/both/#{action}")
    end
  end

  # Rails wrote all of it, so the post had all of its columns.
  test "under missing_serializer :as_json what has a serializer is written by it, whatever else " \
       "there is" do
    author = Author.create!(name: "Ann").reload.to_json
    Dog.create!(name: "Rex")
    cat = Animal.create!(name: "Tom").reload.to_json
    post = '{"id":1,"ours":"Hi"}'
    assert_equal %({"post":#{post},"posts":[#{post}],"author":#{author}}),
                 body_of("/both/some_of_hash")
    assert_equal "[#{post},null,[#{author}],1.5]", body_of("/both/some_of_array")
    assert_equal %([{"ours":"Rex"},#{cat}]), body_of("/both/some_of_rows")
  end

  test "under missing_serializer :as_json what has none is written as by Rails alone" do
    author = Author.create!(name: "Ann").reload.to_json
    Dog.create!(name: "Rex")
    cat = Animal.create!(name: "Tom").reload.to_json
    post = '{"id":1,"ours":"Hi"}'
    assert_equal %({"post":#{post},"animals":[{"ours":"Rex"},#{cat}]}),
                 body_of("/both/rows_inside")
    assert_equal %({"post":#{post},"odd":#{Odd.first.to_json}}), body_of("/both/own_as_json")
    assert_includes Odd.first.to_json, %("self":#{author},"nan":null)
    assert_equal "[#{post},#{author},null]", body_of("/both/delegators")
    assert_equal({ authors: Author.all, total: 1 }.to_json(methods: :to_param),
                 body_of("/both/no_serializer"))
    assert_equal ["[#{author},#{post}]", "[#{author}]", "[#{post}]"],
                 Array.new(3) { |n| body_of("/both/enumerators?n=#{n}") }
  end

  test "an option of active_model_serializers says what ours is called" do
    error = assert_raises(ArgumentError) { get("/both/options") }
    assert_includes error.message, "unknown option each_serializer:. It is serializer: here."
    error = assert_raises(ArgumentError) { get("/both/foreign") }
    assert_includes error.message, "takes a subclass of ToJson::Serializer, or its name"
  end
end
