# frozen_string_literal: true

# Documents of JSON:API in Rails: what a client may ask for, media types, errors, pages.

require_relative "../app"
require "kaminari/activerecord"
require "pagy"

class ApplicationController < ActionController::API
  include ToJson::Rendering
end

class AuthorSerializer < ToJson::Serializer
  attributes :name
  has_many :posts
end

class KeptAuthorSerializer < AuthorSerializer
  type :authors
  cache
end

class KeptPostSerializer < ToJson::Serializer
  type :posts
  attributes :title, :body
  belongs_to :author, serializer: KeptAuthorSerializer
  cache
end

class CommentSerializer < ToJson::Serializer
  attributes :body
end

class HouseSerializer < ToJson::Serializer
  type :houses
  id { |post| "h#{post.id}" }
  attributes :title
  link(:self) { |post| "/houses/#{post.id}" }
  has_one(:author) { attributes :name }
  view(:full) { attributes :body }
end

class PostSerializer < ToJson::Serializer
  attributes :title, :body
  belongs_to :author
  has_many :comments
  view(:full) { attributes :created_at }
  link(:self) { |post| post_url(post) }
end

class ShopSerializer < ToJson::Serializer
  type :shops
  nested(:size) { attributes :title }
  attributes :title
  has_one(:author, serializer: ->(_) { AuthorSerializer })
  has_many :comments
  attribute(:all, preload: :comments) { |post| post.comments.size }
end

class CatalogSerializer < ToJson::Serializer
  attributes :name
  has_many :posts, serializer: ShopSerializer
  attribute(:first, preload: :posts) { |author| author.posts.first.title }
end

# Its name tells the serializer of an empty Array.
class HousesController < ApplicationController
  negotiate_json_api

  def index = render(jsonapi: [])
  def hal = render(hal: [], content_type: "application/json")
  def view = render(jsonapi: Post.first, serializer: HouseSerializer, view: params[:view])
  def off = render(jsonapi: Post.preload(:comments).load, serializer: ShopSerializer, preload: :off)
  def shops = render(jsonapi: Post.order(:id), serializer: ShopSerializer)
  def catalogs = render(jsonapi: Author.order(:id), serializer: CatalogSerializer)
  def animals = render(jsonapi: Animal.order(:id))
  def cats = render(jsonapi: Cat.order(:id), stream: true)
  def given = render(jsonapi: PostSerializer.json_api_stream(Post.order(:id)))
  def two = render(jsonapi: ToJson::Serializer.new(1, 2))
  def number = render(jsonapi: 5)
  def wrong = render(jsonapi_errors: Post.new.tap(&:valid?))
end

class AnimalSerializer < ToJson::Serializer
  attributes :name
end

class JsonApiController < ApplicationController
  include ActionController::MimeResponds

  OLD = defined?(Pagy::Backend) # until Pagy 9
  include OLD ? Pagy::Backend : Pagy::Method

  TIMES = "https://example.com/times"
  negotiate_json_api profile: [TIMES], except: :plain

  def index = render(jsonapi: Post.order(:id))
  def kept = render(jsonapi: Author.order(:id), serializer: KeptAuthorSerializer)
  def kept_posts = render(jsonapi: Post.order(:id), serializer: KeptPostSerializer)
  def show = render(jsonapi: Post.find(params[:id]), include: "author")
  def made = render(jsonapi: PostSerializer.new(Post.first, view: :full))
  def narrow = render(jsonapi: Post.first, includable: %w[author])
  def closed = render(jsonapi: Post.first, include: false)
  def none = render(jsonapi: nil)
  def version = render(jsonapi: Post.first, jsonapi_object: true)
  def text = render(jsonapi: '{"data":[]}')
  def markup = render(json: { title: Post.first.title })
  def marked = render(jsonapi: Post.first)
  def marked_meta = render(jsonapi: nil, meta: { title: Post.first.title })
  def marked_errors = render(jsonapi_errors: { title: Post.first.title }, status: :ok)
  def marked_hal = render(hal: Post.first, serializer: HouseSerializer)
  def empty = render(jsonapi: [], meta: { a: 1 })
  def bare = render(jsonapi: nil, meta: -> { { a: _1 } }, links: { self: "/bare" },
                    jsonapi_object: true)
  def unknown = render(jsonapi: Post.first, includes: "author")
  def tree = render(jsonapi: { a: 1 })
  def mixed = render(jsonapi: [Post.new(id: 1), Author.new(id: 1)])
  def pages = render(jsonapi: Post.order(:id).page(json_api_query.page[:number]).per(1))
  def all_of_page = render(jsonapi: Post.order(:id).page(1).per(1), pagination: false)
  def uncounted = render(jsonapi: Post.order(:id).page(1).per(1).without_count)

  def pagy_page
    posts = Post.order(:id)
    page, records = OLD ? pagy(posts, limit: 1) : pagy(:offset, posts, limit: 1)
    render jsonapi: records, pagination: page
  end

  def linked
    render(jsonapi: Post.order(:id).page(1).per(1),
           links: ->(posts) { { first: nil, related: "/posts/#{posts.size}" } })
  end

  def stream
    render(jsonapi: Post.order(:id), stream: true, include: "author")
  end
  def created = render(jsonapi: Post.first, status: :created, location: "/posts/1")
  def typed = render(jsonapi: nil, content_type: "application/json")
  def plain = render(json: params[:data])

  def create
    post = Post.new(params.dig(:data, :attributes)&.permit(:title))
    return render(jsonapi: post, status: :created) if post.save

    render jsonapi_errors: post.errors
  end

  def hal = render(hal: Post.order(:id), serializer: HouseSerializer, **hal_options)
  def hal_one = render(hal: HouseSerializer.new(Post.first), status: :created)
  def hal_empty = render(hal: [])
  def hal_found = render(hal: [], serializer: HouseSerializer, links: { self: "/hal" })
  def hal_unknown = render(hal: Post.first, stream: true)

  def refused = render(jsonapi_errors: { code: "late" }, status: :conflict,
                        jsonapi_object: { version: "1.1" }, meta: { a: 1 })
  def none_found = render(jsonapi_errors: [{ status: 404 }, { status: 404 }])

  def sorted
    query = json_api_query(PostSerializer, sort: %i[title])
    render jsonapi: Post.order(query.sort)
  end

  def hal_options = { view: params[:view], only: params[:only], as: :houses }.compact
  private :hal_options

  def respond
    respond_to do |format|
      format.json { render json: { json: true } }
      format.jsonapi { render jsonapi: nil }
    end
  end
end

App.routes do
  resources :posts, only: :show
  HousesController.action_methods.each { |action| get "houses/#{action}", to: "houses##{action}" }
  JsonApiController.action_methods.each do |action|
    match action, to: "json_api##{action}", via: :all
  end
end

class JsonApiCase < AppCase
  TYPE = "application/vnd.api+json"

  def setup
    super
    ann = Author.create!(name: "Ann")
    @posts = [Post.create!(title: "One", author: ann), Post.create!(title: "Two", author: ann)]
  end

  # The document, which must be valid, and the status that it must have.
  def document(path, status = 200, headers = {}, **options)
    @response = App.request(options.delete(:verb) || "GET", path, headers, **options)
    assert_equal status, @response.status, @response.body
    assert_equal TYPE, @response.headers["Content-Type"]
    assert_includes @response.headers["Vary"].to_s, "Accept"
    assert_empty ToJson::JsonApi.validate(@response.body, full_linkage: !path.include?("fields"))
                                .map(&:to_s)
    JSON.parse(@response.body)
  end

  def parameter(document) = document["errors"].first["source"]["parameter"]

  test "render passes all keywords of json_api! and hal! on, but those of a Sink" do
    response = ToJson::Rendering::EnvelopeResponse
    { jsonapi: ToJson::JsonApi::Call::KEYWORDS - [:jsonapi],
      hal: ToJson::Hal::Document::KEYWORDS }.each do |format, keywords|
      passed = keywords - %i[into chunk flush]
      given = { format => [], into: 1, chunk: 2, flush: 3, **passed.to_h { |name| [name, name] } }
      assert_equal passed.to_h { |name| [name, name] }, response.keywords(given, format)
    end
  end

  test "records are written as resources, with the media type alone" do
    data = document("/index")["data"]
    assert_equal(%w[One Two], data.map { |one| one["attributes"]["title"] })
    assert_equal "http://example.org/posts/#{@posts[0].id}", data.first["links"]["self"]
    refute document("/index").key?("included")
  end

  test "include and fields come from the request, and go before what the action says" do
    path = "/show?id=#{@posts[0].id}"
    assert_equal(%w[authors], document(path)["included"].map { |one| one["type"] })
    assert_empty document("#{path}&include=").fetch("included", [])
    found = document("#{path}&include=author.posts&fields[posts]=title&fields[authors]=name,posts")
    assert_equal(["authors", "posts"], found["included"].map { |one| one["type"] })
    assert_equal({ "title" => "One" }, found["data"]["attributes"])
  end

  # It raised a NoMethodError for to_sym.
  test "what a cached serializer includes is what it includes without a cache" do
    { "/kept?include=posts" => %w[posts], "/kept_posts?include=author.posts" => %w[authors],
      "/kept?include=posts.comments" => %w[posts] }.each do |path, types|
      first = document(path)
      assert_equal types.sort, first["included"].map { |one| one["type"] }.uniq.sort, path
      assert_equal first, document(path)
    end
  end

  { "/index?include=tags" => "include", "/index?include[]=a" => "include",
    "/index?fields[posts]=titel" => "fields[posts]",
    "/houses/view?fields[cats]=a" => "fields[cats]",
    "/index?fields=title" => "fields", "/narrow?include=comments" => "include",
    "/closed?include=author" => "include", "/pages?page=2" => "page",
    "/pages?page[number]=no" => "page[number]", "/pages?page[nr]=1" => "page[nr]",
    "/pages?pages=2" => "pages", "/sorted?sort=body" => "sort" }.each do |path, name|
    test "#{path} has status 400 and names #{name}" do
      assert_equal name, parameter(document(path, 400))
    end
  end

  test "what may be included can be narrowed" do
    assert_equal 1, document("/narrow?include=author")["included"].size
    refute document("/closed").key?("included")
  end

  # How many queries a request makes.
  def queries(path)
    count = 0
    counter = ->(*, payload) { count += 1 unless payload[:name] == "SCHEMA" }
    ActiveSupport::Notifications.subscribed(counter, "sql.active_record") { document(path) }
    count
  end

  test "what is included is loaded for all records at once, and nothing for linkage" do
    ann = Author.first
    @posts.each { |post| 2.times { |index| post.comments.create!(body: "No. #{index}") } }
    3.times { |index| Post.create!(title: "More #{index}", author: ann) }
    assert_equal 1, queries("/index")
    assert_equal 2, queries("/index?include=author")
    assert_equal 2, queries("/index?include=comments&fields[comments]=body")
    assert_equal 4, queries("/index?include=author.posts,comments") # comments of both
    assert_equal 3, queries("/stream?include=author.posts")
  end

  test "parameters of the application's own do not matter to render" do
    assert_equal 2, document("/index?locale=de&sort=x")["data"].size
  end

  test "a serializer, nothing, an empty Array and a text are written too" do
    assert_includes document("/made")["data"]["attributes"].keys, "created_at"
    assert_equal({ "data" => nil }, document("/none"))
    assert_equal({ "data" => [], "meta" => { "a" => 1 } }, document("/empty"))
    assert_equal({ "data" => nil, "meta" => { "a" => nil }, "links" => { "self" => "/bare" },
                   "jsonapi" => { "version" => "1.1" } }, document("/bare"))
    assert_equal({ "data" => [] }, document("/text"))
  end

  # From Rails 8.1 on, a setting says whether Rails escapes it.
  test "markup is escaped where Rails escapes it in a Hash" do
    @posts[0].update!(title: "</script>\u2028&")
    settings = JsonApiController.respond_to?(:escape_json_responses=) ? [true, false] : [nil]
    settings.each do |setting|
      JsonApiController.escape_json_responses = setting unless setting.nil?
      title = body_of("/markup")[1...-1]
      assert_equal setting != false, title.include?('\u003c'), title
      %w[/marked /marked_meta /marked_errors /marked_hal].each do |path|
        assert_includes body_of(path), title
      end
    end
  ensure
    JsonApiController.escape_json_responses = true if settings&.include?(true)
  end

  test "an unknown option, a Hash and records of several classes are refused" do
    { "/unknown" => /render jsonapi: unknown option :includes, did you mean :include\?/,
      "/tree" => /render jsonapi: takes records; got Hash/,
      "/mixed" => /render jsonapi: takes records of one serializer/ }.each do |path, message|
      assert_match message, assert_raises(ArgumentError) { get(path) }.message
    end
  end

  test "a page has links to the others" do
    links = document("/pages?filter[a]=b")["links"]
    assert_equal "http://example.org/pages?filter%5Ba%5D=b&page%5Bnumber%5D=2", links["next"]
    assert_nil links["prev"]
    assert_equal [@posts[1].id.to_s],
                 document("/pages?page[number]=2")["data"].map { |one| one["id"] }
    refute document("/all_of_page").key?("links")
    assert_equal [[1, 1, nil, 2, 2], [1, 1, nil, 2, :none]], %w[/pagy_page /uncounted].map { |path|
      links = document(path)["links"]
      %w[self first prev next last].map do |name|
        links[name] ? links[name][/\d+\z/].to_i : links.fetch(name, :none)
      end
    }
    links = document("/linked")["links"]
    assert_equal [nil, "/posts/1"], links.values_at("first", "related")
    assert_match(/page%5Bnumber%5D=2\z/, links["last"])
  end

  test "a document is streamed" do
    found = document("/stream")
    assert_equal [2, 1], [found["data"].size, found["included"].size]
    assert_nil @response.headers["Content-Length"]
  end

  test "status, location and content type are those of render" do
    document("/created", 201)
    assert_equal "/posts/1", @response.headers["Location"]
    assert_equal "application/json", get("/typed").headers["Content-Type"]
  end

  test "the body of a request is read, and errors of a model have pointers" do
    text = ToJson.generate({ data: { type: "posts", attributes: { title: "Three" } } })
    headers = { "CONTENT_TYPE" => TYPE, input: text }
    found = document("/create", 201, {}, verb: "POST", **headers)
    assert_equal "Three", found["data"]["attributes"]["title"]
    text = ToJson.generate({ data: { type: "posts", attributes: { title: "" } } })
    errors = document("/create", 422, {}, verb: "POST", "CONTENT_TYPE" => TYPE, input: text)
    assert_equal [{ "status" => "422", "code" => "blank", "title" => "Unprocessable Content",
                    "detail" => "Title can't be blank",
                    "source" => { "pointer" => "/data/attributes/title" } }], errors["errors"]
  end

  test "errors have the status of render, or that on which they agree" do
    found = document("/refused", 409)
    assert_equal ["409", { "version" => "1.1" }, { "a" => 1 }],
                 [found["errors"].first["status"], found["jsonapi"], found["meta"]]
    assert_equal({ "version" => "1.1" }, document("/version")["jsonapi"])
    document("/none_found", 404)
  end

  test "sort is checked and passed on" do
    assert_equal(%w[Two One], document("/sorted?sort=-title")["data"].map { |one|
      one["attributes"]["title"]
    })
  end

  test "media types with other parameters are refused before the action" do
    document("/create", 415, { "CONTENT_TYPE" => "#{TYPE}; charset=utf-8" }, verb: "POST",
                                                                             input: "{}")
    document("/index", 406, { "HTTP_ACCEPT" => "#{TYPE};a=b" })
    assert_equal 2, Post.count
    assert_equal 200, get("/plain", { "HTTP_ACCEPT" => "#{TYPE};a=b" }).status
  end

  test "profiles that the client asks for stand in the content type" do
    accept = "#{TYPE};profile=\"urn:x https://example.com/times\""
    response = get("/index", { "HTTP_ACCEPT" => accept })
    assert_equal "#{TYPE}; profile=\"https://example.com/times\"", response.headers["Content-Type"]
  end

  test "actions respond to the media type of JSON:API, and to JSON" do
    assert_equal({ "data" => nil }, document("/respond", 200, { "HTTP_ACCEPT" => TYPE }))
    assert_equal '{"json":true}', body_of("/respond", { "HTTP_ACCEPT" => "application/json" })
  end

  test "HAL is written from the same serializers, with the associations that are embedded" do
    found = nil
    count = 0
    counter = ->(*, payload) { count += 1 unless payload[:name] == "SCHEMA" }
    ActiveSupport::Notifications.subscribed(counter, "sql.active_record") do
      found = json_of("/hal?view=full")["_embedded"]["houses"]
    end
    assert_equal 2, count
    assert_equal({ "_links" => { "self" => { "href" => "/houses/#{@posts[0].id}" } },
                   "title" => "One", "body" => nil,
                   "_embedded" => { "author" => { "name" => "Ann" } } }, found.first)
    assert_equal "application/hal+json; charset=utf-8", get("/hal").headers["Content-Type"]
    assert_equal 201, get("/hal_one").status
    assert_equal "/hal", json_of("/hal_found")["_links"]["self"]["href"]
  end

  test "what HAL cannot have is refused, and an unknown field has status 400" do
    assert_equal 400, get("/hal?only=titel").status
    { "/hal_empty" => /render hal: an Array without records needs serializer:/,
      "/hal_unknown" => /render hal: unknown option :stream/ }.each do |path, message|
      assert_match message, assert_raises(ArgumentError) { get(path) }.message
    end
  end

  test "the name of the controller tells the serializer of an empty Array" do
    assert_equal({ "data" => [] }, document("/houses/index"))
    assert_equal "application/json; charset=utf-8", get("/houses/hal").headers["Content-Type"]
    assert_equal "house", json_of("/houses/hal")["_embedded"].keys.first.delete_suffix("s")
  end

  test "an unknown view has status 400, and a document of errors" do
    assert_equal "unknown_view", document("/houses/view?view=all", 400)["errors"].first["code"]
    assert document("/houses/view?view=full")["data"]["attributes"].key?("body")
  end

  test "what fields and preload: name is loaded, inside associations as well" do
    @posts.each { |post| post.comments.create!(body: "Yes") }
    assert_equal 2, queries("/houses/shops")
    assert_equal 1, queries("/houses/shops?fields[shops]=title,size")
    assert_equal 3, queries("/houses/shops?include=author,comments")
    assert_equal 3, queries("/houses/catalogs?include=posts")
    assert_equal 2, queries("/houses/catalogs?include=posts.author&fields[shops]=author,comments")
    assert_equal 2, queries("/houses/off")
  end

  test "records of subclasses are written, if they have one serializer" do
    Dog.create!(name: "Rex")
    Cat.create!(name: "Tom")
    assert_equal(%w[Rex Tom], document("/houses/animals")["data"].map { |one|
      one["attributes"]["name"]
    })
  end

  test "rows of a class without subclasses are streamed, also if their table has a type" do
    Cat.create!(name: "Tom")
    assert_equal(%w[Tom], document("/houses/cats")["data"].map { |one| one["attributes"]["name"] })
  end

  test "a stream that the action made is sent" do
    assert_equal 2, document("/houses/given")["data"].size
  end

  test "a serializer of two objects, and what has no serializer, are refused" do
    assert_match(/takes a serializer of one object; got ToJson::Serializer/,
                 assert_raises(ArgumentError) { get("/houses/two") }.message)
    assert_raises(ToJson::SerializerNotFound) { get("/houses/number") }
  end

  test "a record stands for its errors" do
    assert_equal "/data/attributes/title",
                 document("/houses/wrong", 422)["errors"].first["source"]["pointer"]
  end
end
