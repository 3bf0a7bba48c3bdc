# frozen_string_literal: true

# `render json:` finds the serializer of what it is given.

require_relative "../app"

class PostSerializer < ToJson::Serializer
  root :post, :posts
  attributes :id, :title
  attribute(:admin, if: -> { context[:admin] }) { true }
  view(:full) { attributes :body }
end

class AnimalSerializer < ToJson::Serializer
  attributes :name
end

class DogSerializer < ToJson::Serializer
  attributes :name, :type
end

module Api
  module V1
    class PostSerializer < ToJson::Serializer
      attributes :title
    end
  end
end

class ApplicationController < ActionController::API
  include ToJson::Rendering
end

class PostsController < ApplicationController
  def show = render(json: Post.first)
  def index = render(json: Post.order(:id))
  def list = render(json: Post.order(:id).to_a)
  def none = render(json: Post.none)
  def full = render(json: Post.first, view: :full, only: "title,body", root: false)
  def meta = render(json: Post.all, meta: { total: 1 }, status: :accepted)
  def admin = render(json: Post.first, context: { admin: true })
  def dogs = render(json: Animal.where(type: %w[Dog Puppy]))
  def comment = render(json: Comment.new)
end

module Api
  module V1
    class PostsController < ApplicationController
      def show = render(json: Post.first)
      def comment = render(json: Comment.new)
    end

    class AnimalsController < ApplicationController
      missing_serializer :as_json

      def comment = render(json: Comment.new(body: "as Rails"))
    end
  end
end

# Rows of several classes, none of which has a serializer.
class Thing < ApplicationRecord
  self.table_name = "animals"
end

class Gadget < Thing; end

class Label < ApplicationRecord
  self.table_name = Thing.table_name
end

# That of another library, whatever it is.
class LabelSerializer; end

class AuthorsSerializer < ToJson::Serializer
  attributes :name
end

module Elsewhere
  class CommentSerializer < ToJson::Serializer
    attributes :body
  end
end

class WriterSerializer < ToJson::Serializer
  has_one :author
end

class MissingController < ApplicationController
  def things = render(json: Thing.all)
  def foreign = render(json: Label.new)
  def authors = render(json: Author.new)
  def notes = render(json: Comment.new)
  def named = render(json: Thing.new, serializer: "NoSerializer")
  def lines = render(ndjson: Thing.all)
  def stream = render(json: Thing.all, stream: true)
  def inside = render(json: Post.new(author: Author.new), serializer: WriterSerializer)
  def nowhere = render(json: Post.new, namespace: "Api::V9")
  def symbol = render(json: Post.new, namespace: :api)
  def nameless = render(json: Class.new { def to_model = self }.new)
  def unnamed = render(json: Post.new, serializer: "NoSerializer", namespace: Api::V1)
end

class NamespacesController < ApplicationController
  def by_name = render(json: Post.new(title: "A"), namespace: "Api::V1")
  def of_name = render(json: Post.new(title: "B"), namespace: Api, serializer: "V1::PostSerializer")
end

class PlainController < ActionController::API
  def show = render(json: Post.first)
  def stream = render(json: PostSerializer.stream(Post.all))
end

App.routes do
  %w[show index list none full meta admin dogs comment].each do |name|
    get name, to: "posts##{name}"
  end
  get "v1/show", to: "api/v1/posts#show"
  get "v1/comment", to: "api/v1/posts#comment"
  get "v1/as_json", to: "api/v1/animals#comment"
  get "plain", to: "plain#show"
  get "plain/stream", to: "plain#stream"
  get "missing/:action", controller: "missing"
  get "namespaces/:action", controller: "namespaces"
end

class LookupCase < AppCase
  test "a record has the serializer of its class" do
    post = posts("Hi").first
    assert_equal PostSerializer.json!(post), body_of("/show")
    assert_equal "application/json; charset=utf-8", get("/show").content_type
  end

  test "a relation and an Array have the serializer of their records" do
    two = posts("One", "Two")
    assert_equal PostSerializer.json!(two), body_of("/index")
    assert_equal PostSerializer.json!(two), body_of("/list")
  end

  test "an empty relation knows its model" do
    assert_equal '{"posts":[]}', body_of("/none")
  end

  test "the options of json! stand beside those of render" do
    post = posts("Hi").first
    assert_equal %({"title":"Hi","body":"Body of Hi"}), body_of("/full")
    response = get("/meta")
    assert_equal [202, %({"posts":[{"id":#{post.id},"title":"Hi"}],"meta":{"total":1}})],
                 [response.status, response.body]
    assert_equal true, json_of("/admin").dig("post", "admin")
  end

  test "the nearest namespace of the controller comes first" do
    posts("Hi")
    assert_equal '{"title":"Hi"}', body_of("/v1/show")
  end

  test "rows of several classes have the serializer of a superclass too" do
    Dog.create!(name: "Rex")
    Puppy.create!(name: "Tim")
    assert_equal [{ "name" => "Rex", "type" => "Dog" }, { "name" => "Tim", "type" => "Puppy" }],
                 json_of("/dogs")
  end

  test "a record without a serializer is refused, with what was tried and a command" do
    error = assert_raises(ToJson::SerializerNotFound) { get("/v1/comment") }
    assert_includes error.message,
                    "tried Api::V1::CommentSerializer, Api::CommentSerializer, CommentSerializer."
    assert_includes error.message, "bin/rails generate serializer Api::V1::Comment"
  end

  test "a stream that a controller without the line renders raises, and its variables stay" do
    error = assert_raises(ToJson::UnsupportedTypeError) { get("/plain/stream") }
    assert_includes error.message, "if the controller includes ToJson::Rendering"
  end

  test "what is missing, misnamed or elsewhere is refused before a status is sent" do
    Gadget.create!(name: "Tom")
    { "things" => /\Ano serializer for Gadget: tried GadgetSerializer, ThingSerializer\. Create/,
      "foreign" => /tried LabelSerializer\. There is LabelSerializer, which is no ToJson::Ser/,
      "authors" => /There is AuthorsSerializer, which has another name\. Create one with bin/,
      "notes" => /There is Elsewhere::CommentSerializer, in another namespace\. Create one/,
      "named" => /\Aserializer: no class NoSerializer: tried NoSerializer\. Create one/,
      "unnamed" => /tried Api::V1::NoSerializer, Api::NoSerializer, NoSerializer\. Create one/,
      "nameless" => /\A#<Class:\w+> has no name, so no serializer can be found for it: pass/,
      "lines" => /\Ano serializer for Gadget: tried GadgetSerializer, ThingSerializer\. Create/,
      "stream" => /\Ano serializer for Gadget/,
      "inside" => /\A\$\.author: no serializer for Author: .*Create one with bin.rails generate ser/
    }.each do |path, message|
      error = assert_raises(ToJson::SerializerNotFound, path) { get("/missing/#{path}") }
      assert_match message, error.message
    end
    error = assert_raises(ArgumentError) { get("/missing/nowhere") }
    assert_equal "namespace: there is no Module Api::V9. Define it, or correct its name",
                 error.message
    error = assert_raises(ArgumentError) { get("/missing/symbol") }
    assert_match(/\Anamespace: takes a Module, or the name of one; got :api/, error.message)
  end

  test "a namespace is a Module or its name, in which a serializer's name is looked up too" do
    assert_equal '{"title":"A"}', body_of("/namespaces/by_name")
    assert_equal '{"title":"B"}', body_of("/namespaces/of_name")
  end

  test "a BasicObject is no record" do
    finder = ToJson::Rendering::Finder.new(nil)
    assert_equal [false, true], [BasicObject.new, Post.new].map { |one| finder.record?(one) }
  end

  test "missing_serializer :as_json leaves such a record to Rails" do
    assert_equal Comment.new(body: "as Rails").to_json, body_of("/v1/as_json")
  end

  test "a controller that does not include Rendering renders as before" do
    post = posts("Hi").first
    assert_equal post.to_json, body_of("/plain")
  end
end
