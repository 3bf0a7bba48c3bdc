# frozen_string_literal: true

# `render json:` of a Hash, an Array or a Set with relations and records in it, and of relations of
# several classes: without rows, streamed, and while their subclasses are not loaded.

require_relative "../app"

# Counts how often it is asked.
class Store
  attr_accessor :looks

  def initialize = (@texts, @looks = {}, 0)

  def read_multi(*keys, **)
    @looks += 1
    @texts.slice(*keys)
  end

  def write_multi(texts, **) = @texts.merge!(texts)
  def read(key, **) = read_multi(key)[key]
  def write(key, text, **) = @texts[key] = text
end

STORE = Store.new

class AnimalSerializer < ToJson::Serializer
  attributes :name
  cache key: :id, store: STORE
end

class AuthorSerializer < ToJson::Serializer
  attributes :name
end

class PostSerializer < ToJson::Serializer
  def serialize(post) = put(:title, post.title)
end

# Only its subclasses have serializers.
class Thing < ApplicationRecord
  self.table_name = "animals"
end

class Tool < Thing; end
class Toy < Thing; end

class ToolSerializer < ToJson::Serializer
  root :tool, :things
  attributes :id, :name
end

class ToySerializer < ToJson::Serializer
  root :toy, :things
  attributes :name
end

class InsectSerializer < ToJson::Serializer
  attributes :id
end

class BeeSerializer < ToJson::Serializer
  attributes :name
end

# Only its subclass has a serializer.
class Plant < ApplicationRecord
  self.table_name = "animals"
end

App.autoload_subclass(:Fern, Plant)

class FernSerializer < ToJson::Serializer
  attributes :name
end

# Settings that hide one of them.
class Settings < Hash
  def as_json(*) = except(:password).as_json
end

# A list that says how many there are.
class Count < Array
  def as_json(*) = { count: size }
end

class TreesController < ActionController::API
  include ToJson::Rendering

  def animals = render(json: { all: Animal.order(:id), none: Animal.none })
  def posts = render(json: { all: Post.order(:id), one: Post.first, none: Post.none })
  def set = render(json: { all: Set[Author.first, 1], posts: Post.all.to_set })
  def mixed_set = render(json: Set[Author.first, [Author.all.to_set]])
  def each = render(json: { all: Author.all.find_each, rest: Author.all.lazy, n: [1].each })
  def plain_set = render(json: { all: Set[1, "a"] })
  def plain_each = render(json: { n: once([1, 2]), limit: Float::INFINITY, range: 1..3 })
  def each_streamed
    left = Author.all.to_a
    render(json: { all: once(left), n: once([1]) }, stream: true)
    response.headers["X-Left"] = left.size.to_s
  end
  def listed
    list = Author.all.map { |author| AuthorSerializer.new(author) }
    case params[:which]
    when "ndjson" then render(ndjson: list, only: "name")
    when "each" then render(json: list.each, only: "name")
    when "mixed" then render(ndjson: [Author.first, *list], only: "name")
    else render(ndjson: list)
    end
  end

  def endless
    list = [Author.first]
    list << (params[:hash] ? { list: list, again: list } : [list, list])
    list = { each: Enumerator.new { |out| out << list } } if params[:each]
    render(json: { all: list }, **{ stream: params[:stream] && true }.compact)
  end

  def deep
    render(json: 501.times.inject(Author.first) { |inner, _| [inner] }, max_depth: 1000)
  end

  def things = render(json: Thing.order(:id), only: params[:only])
  def things_streamed = render(json: Thing.order(:id), stream: true)
  def insects = render(json: Insect.where(type: "Bee"))
  def plants = render(json: Plant.all)
  def plants_streamed = render(json: Plant.all, stream: true)
  def plant_lines = render(ndjson: Plant.all)
  def plants_inside = render(json: { all: Plant.all })
  def plants_json_api = render(jsonapi: Plant.all)
  def no_posts = render(json: Post.none)

  private

  # An Enumerator that can be read only once, since it removes its elements from the Array.
  def once(list) = Enumerator.new { |yielder| yielder << list.shift until list.empty? }
end

class AsJsonController < TreesController
  missing_serializer :as_json

  def strangers = render(json: { all: once([Plant.new(name: "Ivy")]) })
end

# Not of ActionController::API, where Rails itself does not ask the as_json of Hashes and Arrays.
class OwnController < ActionController::Base
  include ToJson::Rendering

  def as_json_beside
    beside = { "record" => Author.first, "each" => [1].each }[params[:beside]]
    one = { password: 1, b: 2 }
    def one.as_json(*) = "one"
    own = { settings: Settings[password: 1, b: 2], list: Count[1, Author.first], one: one }
    render(json: { **own, beside: beside }, **{ stream: params[:stream] && true }.compact)
  end
end

App.routes do
  TreesController.action_methods.each { |name| get name, to: "trees##{name}" }
  get "strangers", to: "as_json#strangers"
  get "as_json_beside", to: "own#as_json_beside"
end

class TreesCase < AppCase
  test "rows of several classes with one serializer, inside a Hash, are looked up together" do
    [Dog, Cat, Puppy].each { |type| type.create!(name: type.name) }
    STORE.looks = 0
    2.times do
      assert_equal '{"all":[{"name":"Dog"},{"name":"Cat"},{"name":"Puppy"}],"none":[]}',
                   body_of("/animals")
    end
    assert_equal 2, STORE.looks
  end

  # `serialize` got the relation itself.
  test "a serializer with its own serialize gets each row of a relation inside a Hash" do
    %w[a b].each { |title| Post.create!(title: title) }
    assert_equal '{"all":[{"title":"a"},{"title":"b"}],"one":{"title":"a"},"none":[]}',
                 body_of("/posts")
  end

  # All columns were written, as without the gem.
  test "records in a Set inside a Hash have their serializers" do
    Author.create!(name: "Ann")
    Post.create!(title: "a")
    assert_equal '{"all":[{"name":"Ann"},1],"posts":[{"title":"a"}]}', body_of("/set")
    assert_equal '[{"name":"Ann"},[[{"name":"Ann"}]]]', body_of("/mixed_set")
    assert_equal '{"all":[1,"a"]}', body_of("/plain_set")
  end

  test "records of an Enumerator inside a Hash have their serializers" do
    Author.create!(name: "Ann")
    list = '[{"name":"Ann"}]'
    assert_equal %({"all":#{list},"rest":#{list},"n":[1]}), body_of("/each")
  end

  # The action read all elements.
  test "an Enumerator inside a Hash is read while the stream is sent" do
    Author.create!(name: "Ann")
    response = get("/each_streamed")
    assert_equal ["1", '{"all":[{"name":"Ann"}],"n":[1]}'], [response["X-Left"], response.body]
  end

  # The list was empty: the Enumerator was read a second time.
  test "missing_serializer :as_json writes an Enumerator that can be read only once" do
    assert_includes body_of("/strangers"), '"name":"Ivy"'
  end

  # The status was 500, since our serializers refuse an infinite Float.
  test "Rails writes a Hash with an Enumerator of other values" do
    assert_equal '{"n":[1,2],"limit":null,"range":"1..3"}', body_of("/plain_each")
  end

  # `only:` was ignored for them, so all their fields were sent.
  test "options that serializers in a list would ignore are refused" do
    Author.create!(name: "Ann")
    %w[ndjson each mixed].each do |which|
      error = assert_raises(ArgumentError) { body_of("/listed?which=#{which}") }
      assert_match(/\Arender: only: would be ignored, since an element is an instance of AuthorSer/,
                   error.message)
    end
    assert_equal %({"name":"Ann"}\n), body_of("/listed?which=usual")
  end

  # They were written as Hashes and Arrays that have no as_json of their own.
  test "beside a record or an Enumerator, Hashes and Arrays keep an as_json of their own" do
    Author.create!(name: "Ann")
    own = '{"settings":{"b":2},"list":{"count":2},"one":"one","beside":'
    { "" => "null}", "record" => '{"name":"Ann"}}', "each" => "[1]}" }.each do |beside, rest|
      ["", "&stream=1"].each do |stream|
        path = "/as_json_beside?beside=#{beside}#{stream}"
        assert_equal own + rest, body_of(path), path
      end
    end
  end

  # The stack overflowed.
  test "a Hash or an Array that contains itself raises a NestingError" do
    %w[/endless /endless?hash=1 /endless?stream=1].each do |path|
      error = assert_raises(ToJson::NestingError) { body_of(path) }
      assert_match(/nested more than 2000 deep. Does one contain itself\?\z/, error.message)
      Fiber.new { assert_raises(ToJson::NestingError) { body_of(path) } }.resume
    end
    Author.create!(name: "Ann")
    %w[/deep /endless?each=1].each do |path|
      error = assert_raises(ToJson::NestingError) { body_of(path) }
      assert_match(/nested more than 500 deep/, error.message)
    end
  end

  # The status was 500, but only as long as there were no rows.
  test "a relation without rows is a list if only the subclasses have serializers" do
    assert_equal '{"things":[]}', body_of("/things")
    assert_equal '{"things":[]}', body_of("/things?only=name")
    assert_equal '{"things":[]}', body_of("/things?only=id") # only ToolSerializer has it
    assert_equal 400, get("/things?only=nope").status
    tool = Tool.create!(name: "Saw")
    Toy.create!(name: "Bear")
    assert_equal %({"things":[{"id":#{tool.id},"name":"Saw"},{"name":"Bear"}]}), body_of("/things")
    assert_equal %({"things":[{"id":#{tool.id}},{}]}), body_of("/things?only=id")
    assert_equal 400, get("/things?only=nope").status
    assert_equal "[]", body_of("/no_posts")
  end

  test "streamed rows of several classes have the root that all their serializers declare" do
    tool = Tool.create!(name: "Saw")
    Toy.create!(name: "Bear")
    assert_equal %({"things":[{"id":#{tool.id},"name":"Saw"},{"name":"Bear"}]}),
                 body_of("/things_streamed")
    Thing.delete_all
    assert_equal '{"things":[]}', body_of("/things_streamed")
  end

  # Only the second request was right.
  test "a subclass that is not loaded yet has its serializer" do
    assert_empty Insect.subclasses
    App.insert_animal("Bee", "Maya")
    2.times { assert_equal '[{"name":"Maya"}]', body_of("/insects") }
  end

  # The request raised SerializerNotFound. A stream did so with rows, too.
  test "a relation without rows is a list if only subclasses not loaded yet have serializers" do
    texts = { "plants" => "[]", "plants_streamed" => "[]", "plant_lines" => "",
              "plants_inside" => '{"all":[]}', "plants_json_api" => '{"data":[]}' }
    texts.each { |name, text| assert_equal text, body_of("/#{name}"), name }
    App.insert_animal("Fern", "Fred")
    assert_empty Plant.subclasses
    assert_equal '[{"name":"Fred"}]', body_of("/plants_streamed")
    assert_equal %({"name":"Fred"}\n), body_of("/plant_lines")
  end
end
