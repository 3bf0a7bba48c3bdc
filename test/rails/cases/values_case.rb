# frozen_string_literal: true

# What can be given to `render json:`, and which options go with it.

require_relative "../app"

class PostSerializer < ToJson::Serializer
  root :post, :posts
  attributes :id, :title
  attribute(:admin, if: -> { context[:admin] }) { true }
  view(:full) { attributes :body }
end

class BareSerializer < ToJson::Serializer
  attributes :title
end

class CommentSerializer < ToJson::Serializer
  def serialize(comment, loud: false)
    put :body, loud ? comment.body.upcase : comment.body
  end
end

class AnimalSerializer < ToJson::Serializer
  root :animal, :animals
  attributes :name
end

class DogSerializer < ToJson::Serializer
  root :dog, :animals
  attributes :name, :type
end

class MoneySerializer < ToJson::Serializer
  attributes :cents
end

Money = Struct.new(:cents)

class PairSerializer < ToJson::Serializer
  attribute(:sum) { |pair| pair.sum }
end

Total = Struct.new(:number) do
  include ToJson::Serialize

  def serialize = put(:total, number)
end

class Opaque
  def initialize = @secret = "s3cret"
  def method = "GET" # hides the one of Ruby
end

# Like a page of Pagy: the records that Kaminari and WillPaginate give are relations.
class Page < Array
  attr_accessor :total_pages
end

class ApplicationController < ActionController::API
  include ToJson::Rendering

  private

  def serialization_context = { admin: params[:admin] }
end

class PostsController < ApplicationController
  def self.actions = @actions ||= {}

  # Defines an action that renders what the block gives: the arguments of `render`.
  def self.renders(name, &block)
    actions[name] = true
    define_method(name) { render(**instance_exec(&block)) }
  end

  renders(:instance) { { json: PostSerializer.new(Post.first) } }
  renders(:instance_full) do
    { json: PostSerializer.new(Post.first), view: :full, only: %i[title body], root: false }
  end
  renders(:instance_context) { { json: PostSerializer.new(Post.first, context: { admin: false }) } }
  renders(:encoded) { { json: PostSerializer.encode!(Post.first) } }
  renders(:nested) { { json: { post: PostSerializer.new(Post.first), at: Time.utc(2026, 1, 2) } } }
  renders(:nested_records) do
    { json: { post: Post.first, posts: Post.order(:id), list: [Post.first, 1, nil] } }
  end
  renders(:errors) { { json: Post.new.tap(&:valid?).errors, status: :unprocessable_entity } }
  renders(:nested_errors) { { json: { errors: Post.new.tap(&:valid?).errors } } }
  renders(:plain) do
    { json: { a: [1, 1.5, nil, Time.utc(2026, 1, 2), "<b>"], d: BigDecimal("1.5") } }
  end
  renders(:plain_only) { { json: [{ a: 1, b: 2 }], only: [:a] } }
  renders(:string) { { json: '{"a":1}' } }
  renders(:nothing) { { json: nil } }
  renders(:struct) { { json: Money.new(5) } }
  renders(:structs) { { json: [Money.new(5), Money.new(6)] } }
  renders(:explicit) { { json: Post.order(:id), serializer: BareSerializer } }
  renders(:explicit_name) { { json: Post.first, serializer: "BareSerializer" } }
  renders(:explicit_hash) { { json: { title: "of a Hash" }, serializer: BareSerializer } }
  renders(:explicit_nil) { { json: nil, serializer: PostSerializer } }
  renders(:empty_array) { { json: [], view: :full } }
  renders(:own) { { json: Comment.new(body: "hi"), loud: true } }
  renders(:own_many) { { json: Comment.order(:id) } }
  renders(:own_array) do
    { json: Comment.order(:id).to_a, loud: true, root: :comments, meta: { total: 2 } }
  end
  renders(:animals) { { json: Animal.order(:id) } }
  renders(:animals_in_hash) do
    { json: { all: Animal.order(:id), pair: [Animal.order(:id), 1], none: Animal.none } }
  end
  renders(:animals_in_hash_streamed) { { json: { all: Animal.order(:id) }, stream: true } }
  renders(:animals_array) { { json: Animal.order(:id).to_a, root: false, only: :name } }
  renders(:page) { { json: Page.new(Post.order(:id).to_a) } }
  renders(:extended_page) do
    { json: Post.order(:id).extending(Module.new { def total_pages = 1 }) }
  end
  renders(:markup) { { json: Post.first, root: false, only: :title } }
  renders(:markup_hash) { { json: { title: Post.first.title } } }
  renders(:callback) { { json: Post.first, root: false, only: :title, callback: "cb" } }
  renders(:located) do
    { json: Post.first, status: :created, location: "http://example.org/x",
      content_type: "application/vnd.x+json" }
  end
  renders(:rules) do
    { json: { at: BareSerializer.new({ title: Time.at(7) }) }, rules: { time: :unix } }
  end
  renders(:nil_context) { { json: Post.first, context: nil } }
  renders(:unblank) { { json: Post.first, only: params[:fields], root: false } }

  def block
    @count = 2
    render json: ToJson::Serializer.json! do
      put :count, @count
      put :id, params[:id]
      put :post, PostSerializer.new(Post.first)
    end
  end

  def block_arguments
    render json: ToJson::Serializer.json!(1, 2), status: :accepted do |a, b|
      put :sum, a + b
    end
  end

  def block_forgotten = render(json: ToJson::Serializer.json!)
  def block_in_braces = render(json: ToJson::Serializer.json! { put :a, 1 })
  def empty = head(:no_content)
  def text = render(plain: render_to_string(json: Post.first, root: false, only: :title))

  renders(:total) { { json: Total.new(3) } }
  renders(:set) { { json: Set[Post.first] } }
  renders(:number) { { json: 5, stream: true } }
  renders(:no_animals) { { json: Animal.none } }
  renders(:nils) { { json: [nil, nil] } }
  renders(:nils_with_options) { { json: [nil], root: :rows, meta: { a: 1 } } }
  renders(:own_chosen) { { json: Comment.order(:id), only: params[:fields] } }
  renders(:one_array) { { json: [1, 2], serializer: PairSerializer, collection: false } }

  def block_as_text
    text = render_to_string(json: ToJson::Serializer.json!) { put :a, 1 }
    render(plain: text)
  end

  # As Rails before 8.1 calls it.
  def escaped
    options = { json: Post.first, root: false, only: :title }
    document = ToJson::Rendering::RenderCall.new(self, options, :json).document
    render(plain: document.to_json(callback: "cb", escape: false))
  end

  # Misuse: the name tells the option or the value.
  renders(:namespace_of_class) do
    { json: Post.first, serializer: BareSerializer, namespace: Object }
  end
  renders(:view_of_stream) { { json: PostSerializer.stream(Post.all), view: :full } }
  renders(:lines_of_number) { { ndjson: 5 } }
  renders(:root_of_several) { { json: [Post.first, Money.new(1)], root: true } }
  renders(:meta_of_several) { { json: [Post.first, Money.new(1)], meta: { a: 1 } } }
  renders(:wrong_option_of_hash) { { json: { post: Post.first }, vieww: :full } }
  renders(:wrong_option) { { json: Post.first, vieww: :full } }
  renders(:each_serializer) { { json: Post.all, each_serializer: PostSerializer } }
  renders(:include_option) { { json: Post.first, include: :comments } }
  renders(:view_of_hash) { { json: { a: 1 }, view: :full } }
  renders(:only_of_string) { { json: "{}", only: :id } }
  renders(:serializer_twice) do
    { json: PostSerializer.new(Post.first), serializer: BareSerializer }
  end
  renders(:namespace_of_instance) { { json: PostSerializer.new(Post.first), namespace: Object } }
  renders(:no_serializer) { { json: Post.first, serializer: String } }
  renders(:into) { { json: Post.first, into: +"" } }
  renders(:view_of_tree) { { json: { post: Post.first }, view: :full } }
  renders(:opaque) { { json: Opaque.new } }
  renders(:opaque_hash) { { json: { a: Opaque.new } } }
  renders(:opaque_array) { { json: [[Opaque.new]] } }
  renders(:opaque_set) { { json: Set[1, Opaque.new] } }
  renders(:author) { { json: { author: Author.new } } }
  renders(:unknown_name) { { json: Post.first, serializer: "NoSuchSerializer" } }
end

class BaseController < ActionController::Base
  include ToJson::Rendering

  def show
    respond_to do |format|
      format.json { render json: Post.first, only: :title, root: false }
      format.html do
        render inline:
          "<p><%= raw PostSerializer.new(Post.first, only: :title, root: false).to_json %></p>"
      end
    end
  end

  def block
    render json: ToJson::Serializer.json! do
      put :ok, true
    end
  end
end

# No serializer has its name.
class ThingsController < ApplicationController
  def none = render(json: [])
  def rows = render(json: [], root: :rows)
end

App.routes do
  get "things/:action", controller: "things"
  PostsController.actions.each_key { |name| get name, to: "posts##{name}" }
  %w[block block_arguments block_forgotten block_in_braces empty text
     block_as_text escaped].each do |name|
    get name, to: "posts##{name}"
  end
  get "base", to: "base#show"
  get "base_block", to: "base#block"
end

class ValuesCase < AppCase
  def setup
    super
    @post = posts("One").first
  end

  test "a serializer gives the document of json!" do
    assert_equal PostSerializer.json!(@post), body_of("/instance")
    assert_equal PostSerializer.json!(@post), body_of("/encoded")
    assert_equal "application/json; charset=utf-8", get("/instance").content_type
  end

  test "the options of render are merged over those of the serializer" do
    assert_equal %({"title":"One","body":"Body of One"}), body_of("/instance_full")
  end

  test "the context of new comes before that of the controller" do
    assert_equal true, json_of("/instance?admin=1").dig("post", "admin")
    assert_nil json_of("/instance_context?admin=1").dig("post", "admin")
  end

  test "an explicit context: comes before that of the controller, nil too" do
    error = assert_raises(NoMethodError) { get("/nil_context?admin=1") }
    assert_match(/nil/, error.message)
  end

  test "serializers in a Hash stand without their root" do
    assert_equal %({"post":{"id":#{@post.id},"title":"One"},"at":"2026-01-02T00:00:00.000Z"}),
                 body_of("/nested")
  end

  test "records in a Hash or an Array have their serializers, and the controller's context" do
    one = { "id" => @post.id, "title" => "One", "admin" => true }
    assert_equal({ "post" => one, "posts" => [one], "list" => [one, 1, nil] },
                 json_of("/nested_records?admin=1"))
  end

  test "errors are written as Rails writes them" do
    response = get("/errors")
    assert_equal [422, %({"title":["can't be blank"]})], [response.status, response.body]
    assert_equal %({"errors":{"title":["can't be blank"]}}), body_of("/nested_errors")
  end

  test "values without records are Rails', byte for byte" do
    expected = { a: [1, 1.5, nil, Time.utc(2026, 1, 2), "<b>"], d: BigDecimal("1.5") }
    escaped = ActionController::API.respond_to?(:escape_json_responses?) &&
              !ActionController::API.escape_json_responses?
    assert_equal(escaped ? expected.to_json(escape: false) : expected.to_json, body_of("/plain"))
    assert_equal '[{"a":1}]', body_of("/plain_only")
    assert_equal '{"a":1}', body_of("/string")
    assert_equal "null", body_of("/nothing")
  end

  test "other objects have a serializer if there is one of their name" do
    assert_equal '{"cents":5}', body_of("/struct")
    assert_equal '[{"cents":5},{"cents":6}]', body_of("/structs")
  end

  test "serializer: comes before the lookup, for any object" do
    assert_equal '[{"title":"One"}]', body_of("/explicit")
    assert_equal '{"title":"One"}', body_of("/explicit_name")
    assert_equal '{"title":"of a Hash"}', body_of("/explicit_hash")
    assert_equal '{"post":null}', body_of("/explicit_nil")
  end

  test "an empty Array has the serializer of the controller's name" do
    assert_equal '{"posts":[]}', body_of("/empty_array")
  end

  test "an empty Array of which nothing tells a serializer is Rails', or a list with its options" do
    assert_equal "[]", body_of("/things/none")
    assert_equal '{"rows":[]}', body_of("/things/rows")
  end

  test "an empty relation of several classes has the root of its model's serializer" do
    assert_equal '{"animals":[]}', body_of("/no_animals")
  end

  test "an Array of nothing but nil keeps them" do
    assert_equal "[null,null]", body_of("/nils")
    assert_equal '{"rows":[null],"meta":{"a":1}}', body_of("/nils_with_options")
  end

  test "a Set of records is a list, and a value that is streamed a document" do
    assert_equal PostSerializer.json!([@post]), body_of("/set")
    assert_equal "5", body_of("/number")
  end

  test "an object that includes Serialize is a serializer" do
    assert_equal '{"total":3}', body_of("/total")
  end

  test "collection: false writes an Array as one record" do
    assert_equal '{"sum":3}', body_of("/one_array")
  end

  test "a serializer with a serialize of its own takes no only:, unless that is empty" do
    Comment.create!(body: "c", post: @post)
    assert_equal '[{"body":"c"}]', body_of("/own_chosen?fields=")
    error = assert_raises(ArgumentError) { get("/own_chosen?fields=body") }
    assert_match(/\Aonly: needs declared fields, but this serializer declares none/, error.message)
  end

  test "a serializer with a serialize of its own writes a document for each record" do
    2.times { |n| Comment.create!(body: "c#{n}", post: @post) }
    assert_equal '{"body":"HI"}', body_of("/own")
    assert_equal '[{"body":"c0"},{"body":"c1"}]', body_of("/own_many")
    assert_equal '{"comments":[{"body":"C0"},{"body":"C1"}],"meta":{"total":2}}',
                 body_of("/own_array")
  end

  test "rows of several classes have a serializer each, and a root on which these agree" do
    [Dog, Cat, Puppy].each { |type| type.create!(name: type.name) }
    assert_equal '{"animals":[{"name":"Dog","type":"Dog"},{"name":"Cat"},{"name":"Puppy","type":' \
                 '"Puppy"}]}', body_of("/animals")
    assert_equal '[{"name":"Dog"},{"name":"Cat"},{"name":"Puppy"}]', body_of("/animals_array")
  end

  test "each row of a relation in a Hash or an Array is written by the serializer of its class" do
    [Dog, Cat, Puppy].each { |type| type.create!(name: type.name) }
    rows = '[{"name":"Dog","type":"Dog"},{"name":"Cat"},{"name":"Puppy","type":"Puppy"}]'
    assert_equal %({"all":#{rows},"pair":[#{rows},1],"none":[]}), body_of("/animals_in_hash")
    assert_equal %({"all":#{rows}}), body_of("/animals_in_hash_streamed")
  end

  test "pages are Arrays and relations" do
    assert_equal PostSerializer.json!([@post]), body_of("/page")
    assert_equal PostSerializer.json!([@post]), body_of("/extended_page")
  end

  test "markup is escaped as Rails escapes it in a Hash" do
    @post.update!(title: "</script>\u2028&")
    assert_equal body_of("/markup_hash"), body_of("/markup")
    escaped = { title: @post.title }.to_json
    assert_includes escaped, '\u003c/script\u003e'
    assert_equal "/**/cb(#{escaped})", body_of("/callback")
    assert_equal escaped, body_of("/escaped")
    assert_equal "text/javascript; charset=utf-8", get("/callback").content_type
    assert_equal "<p>#{escaped}</p>", body_of("/base", "HTTP_ACCEPT" => "text/html")
  end

  test "status, location and content type are those of render" do
    response = get("/located")
    assert_equal [201, "http://example.org/x", "application/vnd.x+json; charset=utf-8"],
                 [response.status, response["location"], response.content_type]
  end

  test "rules: are passed on" do
    assert_equal '{"at":{"title":7}}', body_of("/rules")
  end

  test "an empty only: of a client means all fields" do
    assert_equal({ "id" => @post.id, "title" => "One" }, json_of("/unblank?fields="))
    assert_equal({ "title" => "One" }, json_of("/unblank?fields=title"))
  end

  test "the block form works with do after render" do
    assert_equal %({"count":2,"id":"7","post":{"id":#{@post.id},"title":"One"}}),
                 body_of("/block?id=7")
    response = get("/block_arguments")
    assert_equal [202, '{"sum":3}'], [response.status, response.body]
    assert_equal '{"a":1}', body_of("/block_in_braces")
    assert_equal '{"a":1}', body_of("/block_as_text")
    assert_equal '{"ok":true}', body_of("/base_block", "HTTP_ACCEPT" => "application/json")
  end

  test "json! without a block raises in an action, and outside at once" do
    error = assert_raises(ToJson::Error) { get("/block_forgotten") }
    assert_match(/needs a block/, error.message)
    assert_raises(ToJson::Error) { ToJson::Serializer.json! }
  end

  test "ActionController::Base renders JSON and HTML" do
    assert_equal '{"title":"One"}', body_of("/base", "HTTP_ACCEPT" => "application/json")
  end

  test "head has no body, and render_to_string gives the document" do
    assert_equal [204, ""], get("/empty").then { |response| [response.status, response.body] }
    assert_equal '{"title":"One"}', body_of("/text")
  end

  {
    "wrong_option" => /unknown option :vieww, did you mean :view\?/,
    "each_serializer" => /unknown option each_serializer:\. It is serializer: here/,
    "include_option" => /unknown option include:\. Declare has_one and has_many/,
    "view_of_hash" => /view: would be ignored, since Hash has no serializer/,
    "only_of_string" => /only: would be ignored, since a String is JSON already/,
    "serializer_twice" => /serializer: would be ignored, since the value is a serializer/,
    "namespace_of_instance" => /namespace: would be ignored/,
    "no_serializer" =>
      /serializer: takes a subclass of ToJson::Serializer, or its name; got String/,
    "into" => /unknown option into:\. render writes the response/,
    "view_of_tree" => /view: would be ignored, since Hash has no serializer of its own/,
    "namespace_of_class" => /namespace: would be ignored beside serializer:\. Remove one\./,
    "view_of_stream" => /view: would be ignored, since the value is a stream already/,
    "lines_of_number" => /render ndjson: takes a collection; got Integer\./,
    "root_of_several" => /root: true: the serializers declare no root, or several/,
    "meta_of_several" => /meta: is written beside the data, so it needs a root: pass root:/,
    "wrong_option_of_hash" => /\Arender: unknown option :vieww, did you mean :view\?/
  }.each do |path, message|
    test "an option that would be ignored raises: #{path}" do
      error = assert_raises(ArgumentError) { get("/#{path}") }
      assert_match(message, error.message)
    end
  end

  test "what has no serializer is refused, also inside a Hash" do
    # In a Hash, an Array or a Set it was written with what its variables hold, such as a record.
    %w[opaque opaque_hash opaque_array opaque_set].each do |path|
      assert_match(/no serializer for Opaque: tried OpaqueSerializer/,
                   assert_raises(ToJson::SerializerNotFound, path) { get("/#{path}") }.message)
    end
    assert_match(/no serializer for Author/,
                 assert_raises(ToJson::SerializerNotFound) { get("/author") }.message)
    assert_match(/NoSuchSerializer/,
                 assert_raises(ToJson::SerializerNotFound) { get("/unknown_name") }.message)
  end
end
