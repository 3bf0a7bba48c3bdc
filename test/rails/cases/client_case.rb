# frozen_string_literal: true

# What a client may ask for: fields and views, by their names in the document, and what it is told
# where they are not there.

require_relative "../app"

class ApplicationController < ActionController::API
  include ToJson::Rendering
end

class AuthorSerializer < ToJson::Serializer
  transform_keys :camel_lower
  attributes :id, name: :full_name
  view(:admin) { attributes :created_at }
end

class PostSerializer < ToJson::Serializer
  transform_keys :camel_lower
  attributes :id, :title, :created_at
  has_one :author
  has_one(:writer, source: :author) { attribute :author_id, source: :id }
  view(:full) { attributes :body }
end

class CommentSerializer < ToJson::Serializer
  transform_keys :dash
  attributes :id, :created_at
  belongs_to(:post) { attributes :title }
end

class AnimalSerializer < ToJson::Serializer
  attributes :id, :name
end

class DogSerializer < AnimalSerializer
  attribute(:sound) { |_| "woof" }
end

class InsectSerializer < ToJson::Serializer
  transform_keys :camel_lower
  attributes :id, name: :given_name
  has_one(:home, source: :itself) { attribute(:wax) { |_| "much" } }
end

class BeeSerializer < InsectSerializer
  attribute(:sound) { |_| "buzz" }
end

class HiveSerializer < ToJson::Serializer
  has_many :insects
end

class SwarmSerializer < ToJson::Serializer
  flatten :insect
end

Author.has_many :insects, primary_key: :name, foreign_key: :name
Author.has_one :insect, primary_key: :name, foreign_key: :name

class SecretSerializer < ToJson::Serializer
  attribute :secret, as: :integer, writable: true
end

class LateController < ApplicationController
  after_action(only: :callback) { wrong }

  def callback = render(json: Post.first)
  def rendered = render(json: Post.first) && wrong
  def headed = head(:created) && wrong

  def rescued
    wrong
  rescue ToJson::UnknownFieldError
    raise "a bug of the program"
  end

  def wrapped
    wrong
  rescue ToJson::UnknownFieldError
    raise ActionView::Template::Error, ActionView::Template.new("", "a", nil, locals: [])
  end

  def sorted = ToJson::JsonApi::Query.new(request.query_parameters)

  def deep
    rescued
  rescue StandardError
    raise ActionView::Template::Error, ActionView::Template.new("", "a", nil, locals: [])
  end

  def read = SecretSerializer.parse('{"secret":"tea for two"}')

  private

  def wrong = PostSerializer.json!(Post.first, only: "titel")
end

module GuestContext
  extend ActiveSupport::Concern

  private

  def serialization_context = { guest: params[:guest] }
end

class GuestSerializer < ToJson::Serializer
  attribute :guest, as: :string, source: :title, if: -> { context[:guest] }
end

# The concern stands above Rendering.
class ConcernedController < ActionController::API
  include GuestContext
  include ToJson::Rendering

  def concerned = render(json: Post.first, serializer: GuestSerializer)
end

class LiveController < ApplicationController
  include ActionController::Live

  def written
    response.stream.write "begun"
    PostSerializer.json!(Post.first, only: "titel")
  end
end

class PostsController < ApplicationController
  def index = render(json: Post.order(:id), **choice)
  def show = render(json: Post.first, **choice)
  def made = render(json: PostSerializer.new(Post.first, **choice))
  def array = render(json: Post.order(:id).to_a, **choice)
  def stream = render(json: Post.order(:id), stream: true, **choice)
  def lines = render(ndjson: Post.order(:id), **choice)
  def mixed = render(json: [Post.first, Comment.first], **choice)
  def mixed_lines = render(ndjson: [Post.first, Comment.first], **choice)
  def animals = render(json: Animal.order(:id), **choice)
  def animal_lines = render(ndjson: Animal.order(:id), **choice)

  def hives = render(json: Author.where(name: "Maya"), serializer: HiveSerializer, **choice)
  def swarms = render(json: Author.where(name: "Maya"), serializer: SwarmSerializer, **choice)

  def fresh
    serializer = PostSerializer.new(Post.first, **choice)
    render json: serializer if stale?(serializer)
  end

  private

  def choice
    { view: params[:view], only: params[:fields], except: params[:without] }.compact
  end
end

App.routes do
  %i[index show made array stream lines mixed mixed_lines animals animal_lines
     hives swarms fresh].each do |action|
    get action, to: "posts##{action}"
  end
  %i[callback rendered headed rescued wrapped deep read sorted].each do |action|
    get action, to: "late##{action}"
  end
  get "written", to: "live#written"
  get "concerned", to: "concerned#concerned"
end

class ClientCase < AppCase
  PLACES = %w[index show made array stream lines fresh].freeze

  def setup
    super
    Post.create!(title: "Hi", body: "Hello", author: Author.create!(name: "Ann"))
    Comment.create!(post: Post.first, body: "Yes")
    Dog.create!(name: "Rex")
  end

  # The first document of an answer.
  def first_of(path)
    body = body_of(path)
    found = body.lines.size == 1 ? JSON.parse(body) : JSON.parse(body.lines.first)
    found.is_a?(Array) ? found.first : found
  end

  # The message of a 400.
  def refused(path)
    response = get(path)
    assert_equal 400, response.status, "#{path}: #{response.body}"
    assert_equal "application/json; charset=utf-8", response.content_type
    body = JSON.parse(response.body)
    assert_equal [400, "Bad Request"], body.values_at("status", "error")
    body.fetch("message")
  end

  PLACES.each do |place|
    test "#{place}: fields are named as in the document, or as they are declared" do
      assert_equal %w[id createdAt], first_of("/#{place}?fields=id,createdAt").keys
      assert_equal %w[createdAt], first_of("/#{place}?fields=created_at").keys
      assert_equal({ "author" => { "fullName" => "Ann" } },
                   first_of("/#{place}?fields=author(fullName)"))
      assert_equal %w[authorId], first_of("/#{place}?fields=writer(authorId)")["writer"].keys
      assert_equal %w[id title author writer], first_of("/#{place}?without=createdAt").keys
      assert_equal({ "id" => Author.first.id },
                   first_of("/#{place}?without=author(fullName)")["author"])
    end

    test "#{place}: other forms of a list of fields" do
      assert_equal %w[id title], first_of("/#{place}?fields[]=id&fields[]=title").keys
      assert_equal({ "author" => { "fullName" => "Ann" } },
                   first_of("/#{place}?fields[author]=fullName"))
      %w[fields= fields=+ fields[]=].each do |query|
        assert_equal %w[id title createdAt author writer], first_of("/#{place}?#{query}").keys
      end
    end

    {
      "fields=titel" => 'PostSerializer: unknown field "titel", did you mean "title"? ' \
                        "Known: id, title, createdAt, author, writer.",
      "fields=body" => 'PostSerializer: the field "body" stands only in the view :full, which ' \
                       "this call has not.",
      "fields=author(nope)" => 'AuthorSerializer: unknown field "nope". Known: id, fullName.',
      "fields=author(createdAt)" => 'AuthorSerializer: the field "createdAt" stands only in the ' \
                                    "view :admin, which this call has not.",
      "fields=writer(id)" => /unknown field "id".* Known: authorId\.\z/,
      "fields=id%00" => /unknown field "id\\u0000"/,
      "fields=%00" => /unknown field "\\u0000"/,
      "fields[]=%00" => /unknown field "\\u0000"/,
      "fields=title(x)" => /"title" is an attribute and has no fields inside/,
      "fields=author(" => /\A"author\(", offset 7: expected a name\.\z/,
      "fields[id][title][x]=3" => /"id" is an attribute and has no fields inside/,
      "without=titel" => /unknown field "titel", did you mean "title"\?/,
      "without=author(nope)" => /unknown field "nope"/,
      "view=ful" => 'PostSerializer: unknown view "ful", did you mean "full"? Known: full.',
      "view=" => 'PostSerializer: unknown view "". Known: full.',
      "view[a]=full" => /\Aa view is a name, or a list of names; got /,
      "view[][a]=full" => /\Aa view is a name, or a list of names; got /
    }.each do |query, message|
      test "#{place}: #{query} is a 400" do
        assert message === refused("/#{place}?#{query}"), refused("/#{place}?#{query}")
      end
    end

    test "#{place}: a field of another view is there with that view, and may be left out without" do
      assert_equal({ "body" => "Hello" }, first_of("/#{place}?view=full&fields=body"))
      assert_equal %w[id title createdAt author writer], first_of("/#{place}?without=body").keys
    end
  end

  # It was {}, since the method of Rendering stood before the concern's.
  test "the context of a concern above Rendering counts" do
    assert_equal '{"guest":"Hi"}', body_of("/concerned?guest=1")
    assert_equal "{}", body_of("/concerned")
  end

  # It was a DoubleRenderError.
  test "an error after something was rendered is the action's own" do
    %w[callback rendered headed].each do |action|
      assert_raises(ToJson::UnknownFieldError, action) { get("/#{action}") }
    end
  end

  # It was answered with 400, for its cause.
  test "an exception of the program that an error of the client has caused is the program's" do
    error = assert_raises(RuntimeError) { get("/rescued") }
    assert_equal "a bug of the program", error.message
    assert_equal 400, get("/wrapped").status, "as it is where a template raises it"
    assert_raises(ActionView::Template::Error) { get("/deep") }
  end

  test "the log has the places of what cannot be read, and not the values" do
    log = StringIO.new
    before, ActionController::Base.logger = ActionController::Base.logger, Logger.new(log)
    ActionController::API.logger = ActionController::Base.logger
    assert_equal 400, get("/read").status
    ours = log.string.lines.grep(/ToJson::ReadError: /) # Rails 8.1 itself logs the message
    assert_match(%r{ToJson::ReadError: /secret type$}, ours.join)
    refute_includes ours.join, "tea for two"
    assert_equal 400, get("/sorted?fields[a%0AFAKE][]=x").status
    assert_includes log.string, 'fields[a\nFAKE]: takes one text'
  ensure
    ActionController::Base.logger = ActionController::API.logger = before
  end

  # The server's thread waited for ever.
  test "an error after a first chunk of ActionController::Live ends the response" do
    Timeout.timeout(20) { assert_match(/\Abegun/, body_of("/written")) }
  end

  test "nothing is read for what is refused" do
    queries = 0
    count = ->(*) { queries += 1 }
    ActiveSupport::Notifications.subscribed(count, "sql.active_record") do
      %w[index stream lines].each do |place|
        refused("/#{place}?fields=author(nope)")
        refused("/#{place}?fields=body")
      end
    end
    assert_equal 0, queries
  end

  # What a controller may take from the body of a request, or from a header.
  test "a list that is too deep or no text is refused as such, and its names become no Symbols" do
    fields = ToJson::Rendering.const_get(:ClientFields)
    deep = 5_000.times.inject("id") { |inside, _| { "author" => inside } }
    circular = []
    circular << circular
    { deep => /nested more than 100 levels/, circular => /nested more than 100 levels/,
      "\xFF(" => /not valid UTF-8/, ["\xFF"] => /not valid UTF-8/,
      { "\xFF" => "id" } => /not valid UTF-8/ }.each do |given, message|
      error = assert_raises(ToJson::SelectionError) do
        fields.checked(PostSerializer, { only: given }, Post)
      end
      assert_match(message, error.message)
    end
    name = "stranger_#{Process.clock_gettime(Process::CLOCK_REALTIME, :nanosecond)}"
    assert_raises(ToJson::UnknownFieldError) do
      fields.checked(PostSerializer, { only: name }, Post)
    end
    refute_includes Symbol.all_symbols.map(&:name), name
  end

  test "records of several classes are asked for what all of them have" do
    assert_equal [["id"], ["id"]], json_of("/mixed?fields=id").map(&:keys)
    assert_equal %w[createdAt created-at], json_of("/mixed?fields=created_at").flat_map(&:keys)
    assert_match(/\A\{"createdAt":.*\n\{"created-at":/, body_of("/mixed_lines?fields=created_at"))
    assert_match(/\ACommentSerializer: unknown field "title"/, refused("/mixed?fields=title"))
    assert_match(/\ACommentSerializer: unknown view "full"/, refused("/mixed?view=full"))
    assert_match(/unknown field "createdAt", did you mean "created-at"/,
                 refused("/mixed?fields=createdAt"))
  end

  # What ClientFields makes of `only:` for a Post, or the message of its refusal.
  def asked(type, only)
    found = ToJson::Rendering.const_get(:ClientFields).checked(type, { only: only }, Post)
    found[:only].to_s
  rescue ToJson::UnknownFieldError => error
    error.message
  end

  test "fields inside nested ones, and of flattened and named serializers, are checked" do
    type = Class.new(ToJson::Serializer) do
      nested(:inner) { attributes :id }
      flatten(:author) { attribute :name }
      has_many :comments, serializer: CommentSerializer
      has_one :writer, source: :author, serializer: "AuthorSerializer"
      view(:a) { attributes :body }
      view(:b) { attributes :body }
    end
    %w[inner(id) name comments(id) writer(id)].each { |only| assert_equal only, asked(type, only) }
    assert_match(/only in the views :a, :b, which this call has not/, asked(type, "body"))
    { "inner(x)" => /unknown field "x"/, "nope" => /unknown field "nope".*name/,
      "comments(x)" => /\ACommentSerializer: unknown field "x"/,
      "writer(x)" => /\AAuthorSerializer: unknown field "x"/ }.each do |only, message|
      assert_match message, asked(type, only)
    end
  end

  test "fields inside what only values can tell are not refused before" do
    type = Class.new(ToJson::Serializer) do
      has_one :author
      has_one :post, source: :itself, serializer: { Post => PostSerializer }
      def author = nil
    end
    assert_equal "author(x)", asked(type, "author(x)")
    # One of the serializers of a Hash must know the name.
    assert_match(/: post: unknown field "x"\. Known: id, title/, asked(type, "post(x)"))
  end

  # The field was refused until the subclass was loaded.
  test "a field of a subclass that is not loaded yet may be asked for" do
    Author.create!(name: "Maya")
    assert_empty Insect.subclasses
    assert_equal [{ "insects" => [] }], json_of("/hives?fields=insects(sound)")
    App.insert_animal("Bee", "Maya")
    assert_empty Insect.subclasses
    { "sound,givenName" => { "sound" => "buzz", "givenName" => "Maya" },
      "home(wax)" => { "home" => { "wax" => "much" } } }.each do |fields, found|
      assert_equal [{ "insects" => [found] }], json_of("/hives?fields=insects(#{fields})")
      assert_equal [found], json_of("/swarms?fields=#{fields}")
    end
    assert_match(/BeeSerializer: unknown field "nope"/, refused("/hives?fields=insects(nope)"))
  end

  # The status was 200 if all rows were Dogs. Without rows, with other rows and in streams it was
  # 400.
  test "a client may name a field that only the serializer of one subclass has" do
    [[], [Dog], [Dog, Animal], [Animal], [Cat]].each do |classes|
      Animal.delete_all
      classes.each { |type| type.create!(name: "Rex") }
      { "name" => { "name" => "Rex" }, "sound" => { "sound" => "woof" },
        "sound,name" => { "sound" => "woof", "name" => "Rex" } }.each do |fields, of_dog|
        expected = classes.map { |type| type == Dog ? of_dog : of_dog.except("sound") }
        assert_equal expected, json_of("/animals?fields=#{fields}"), fields
        lines = body_of("/animal_lines?fields=#{fields}").lines
        assert_equal expected, lines.map { |line| JSON.parse(line) }, fields
      end
      %w[animals animal_lines].each do |action|
        refused = refused("/#{action}?fields=sound,nope")
        assert_match(/\A(Animal|Dog)Serializer: unknown field "nope"/, refused)
      end
    end
  end
end
