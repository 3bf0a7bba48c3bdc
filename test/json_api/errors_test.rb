# frozen_string_literal: true

require_relative "json_api_case"

# Documents of error objects. test/rails/cases/json_api_case.rb has those of ActiveModel itself.
class JsonApiErrorsTest < JsonApiCase
  # What ActiveModel has, as far as it is asked.
  ModelError = Struct.new(:attribute, :type, :full_message, :base)

  class ModelErrors
    include Enumerable

    def initialize(*errors) = @errors = errors
    def each(&) = @errors.each(&)
    def full_messages = map(&:full_message)
  end

  Record = Struct.new(:errors)

  class Post
    def self.reflect_on_association(name) = { "author" => :belongs_to }[name]
  end

  class PostSerializer < ToJson::Serializer
    transform_keys :dash
    attribute :headline, :title
    attributes :published_at, subtitle: :title
    nested(:place) { attributes :city }
    has_one :lead_author, source: :author
    has_many :comments
    belongs_to :blog
    flatten(:profile) { attributes :bio }
    view(:full) { has_many :tags }
  end

  def errors(...) = ToJson::JsonApi::Errors.new(...)

  def model(attribute, type = :blank, base = Post.new)
    ModelErrors.new(ModelError.new(attribute, type, "It is wrong", base))
  end

  # The document, which must follow the specification.
  def document(...)
    judged(ToJson::JsonApi.errors!(...), relative: true)
  end

  def pointer(...) = document(...)["errors"].first["source"]["pointer"]

  test "a status is a number" do
    [{ status: :not_found }, {}].each do |given|
      error = assert_raises(ArgumentError) do
        ToJson::JsonApi.errors!(given, status: :not_found)
      end
      assert_equal "errors: status: takes an Integer such as 404; got :not_found", error.message
    end
  end

  test "an error of a model has status, code, title, detail and pointer" do
    assert_equal({ "errors" => [{ "status" => "422", "code" => "blank",
                                  "title" => "Unprocessable Content", "detail" => "It is wrong",
                                  "source" => { "pointer" => "/data/attributes/title" } }] },
                 document(model(:title)))
  end

  test "a record stands for its errors, and a message without a name is invalid" do
    assert_equal ["invalid"], document(Record.new(model(:title, "bad")))["errors"].map { |one|
      one["code"]
    }
  end

  { base: "/data", id: "/data/id", author: "/data/relationships/author",
    author_id: "/data/relationships/author", editor_id: "/data/attributes/editor_id",
    "author.name": "/data/relationships/author",
    "a/b~c": "/data/attributes/a~1b~0c" }.each do |attribute, place|
    test "without a serializer, #{attribute} stands at #{place}" do
      assert_equal place, pointer(model(attribute))
    end
  end

  test "models without associations have attributes" do
    assert_equal "/data/attributes/author", pointer(model(:author, :blank, Object.new))
  end

  { title: "/data/attributes/headline", subtitle: "/data/attributes/title",
    published_at: "/data/attributes/published-at", place: "/data/attributes/place",
    author: "/data/relationships/lead-author", author_id: "/data/relationships/lead-author",
    "comments[0].body": "/data/relationships/comments", comments: "/data/relationships/comments",
    blog_id: "/data/relationships/blog", tags: "/data/relationships/tags",
    profile: "/data/attributes/profile", title_id: "/data/attributes/title-id",
    secret_code: "/data/attributes/secret-code" }.each do |attribute, place|
    test "with a serializer, #{attribute} stands at #{place}" do
      assert_equal place, pointer(model(attribute), serializer: PostSerializer)
    end
  end

  test "an inline block is an attribute, and what the id reads stands at /data/id" do
    serializer = Class.new(ToJson::Serializer) do
      id :slug
      has_one(:author) { attributes :name }
    end
    { author: "/data/attributes/author", slug: "/data/id" }.each do |attribute, place|
      assert_equal place, pointer(model(attribute), serializer: serializer)
    end
  end

  test "what the serializer does not declare is what it is in the model" do
    serializer = Class.new(ToJson::Serializer) do
      transform_keys ->(key) { key.upcase }
      attributes :title
    end
    { author: "/data/relationships/AUTHOR", author_id: "/data/relationships/AUTHOR",
      editor_id: "/data/attributes/EDITOR_ID", title: "/data/attributes/TITLE" }
      .each do |attribute, place|
        assert_equal place, pointer(model(attribute), serializer: serializer)
      end
  end

  test "the resource of the request may stand elsewhere" do
    assert_equal "/data/3/attributes/title", pointer(model(:title), at: "/data/3")
    assert_equal "/data/3", pointer(model(:base), at: "/data/3")
  end

  test "an error of a parameter names it" do
    error = ToJson::JsonApi::ParameterError.new("there is no path x", "include")
    assert_equal({ "errors" => [{ "status" => "400", "code" => "invalid_parameter",
                                  "title" => "Bad Request", "detail" => "there is no path x",
                                  "source" => { "parameter" => "include" } }] }, document(error))
  end

  { ToJson::UnknownFieldError => "unknown_field", ToJson::UnknownViewError => "unknown_view",
    ToJson::SelectionError => "invalid_selection",
    Class.new(ToJson::SelectionError) => "invalid_selection" }.each do |type, code|
    test "#{type.name || "an heir"} becomes #{code} with status 400" do
      assert_equal [{ "status" => "400", "code" => code, "title" => "Bad Request",
                      "detail" => "no" }], document(type.new("no"))["errors"]
    end
  end

  test "a Hash is written in the order of the specification, and without nil" do
    given = { meta: { a: 1 }, source: "/data", detail: "d", title: "t", code: "c", status: 403,
              links: { about: "https://example.com/e" }, id: "1", "detail" => "D" }
    assert_equal '{"errors":[{"id":"1","links":{"about":"https://example.com/e"},' \
                 '"status":"403","code":"c","title":"t","detail":"D","source":{"pointer":' \
                 '"/data"},"meta":{"a":1}}]}', ToJson::JsonApi.errors!(given)
    assert_equal [{ detail: "d", source: { parameter: "page" } }],
                 errors({ detail: "d", code: nil, source: { parameter: "page" } }).to_a
  end

  test "an Array has all kinds, in their order" do
    error = ToJson::JsonApi::ParameterError.new("p", "sort")
    given = [{ detail: "h" }, model(:title), [error]]
    assert_equal ["h", "It is wrong", "p"], document(given)["errors"].map { |one| one["detail"] }
    assert_equal({ "errors" => [] }, document([]))
  end

  { [{ status: 404 }] => 404, [{ status: 422 }, { status: "422" }] => 422,
    [{ status: 422 }, { detail: "x" }] => 422, [{ status: 422 }, { status: 403 }] => 400,
    [{ status: 422 }, { status: 503 }] => 500, [{ status: 502 }] => 502,
    [{ detail: "x" }] => 400, [] => 400 }.each do |given, status|
    test "the status of #{given.inspect} is #{status}" do
      assert_equal status, errors(given).status
    end
  end

  test "status: is that of errors without one" do
    assert_equal [409, %w[409 403]], errors([{ code: "a" }, { status: 403 }], status: 409)
      .then { |made| [errors([{ code: "a" }], status: 409).status, made.to_a.map { |one|
        one[:status]
      }] }
    assert_equal "409", errors(model(:title), status: 409).to_a.first[:status]
    assert_equal 409, errors([], status: 409).status
  end

  test "a status without a known title has none" do
    assert_equal [{ status: "499" }], errors({ status: 499 }).to_a
  end

  test "members of the document stand beside the errors" do
    assert_equal({ "errors" => [], "meta" => { "a" => 1 }, "links" => { "self" => "/" },
                   "jsonapi" => { "version" => "1.1" } },
                 document([], meta: { a: 1 }, links: { self: "/" }, jsonapi: { version: "1.1" }))
  end

  test "it is written into an IO" do
    lines = []
    assert_same lines, ToJson::JsonApi.errors!([], into: lines)
    assert_equal '{"errors":[]}', lines.join
    assert_equal '{"errors":[]}', errors([]).to_json
  end

  { [RuntimeError.new("secret")] => "takes the errors of a model, an error of ToJson, Hashes, or " \
                                    "an Array of these; got RuntimeError",
    ToJson::EncodingError.new("secret") =>
      "the client did not cause this ToJson::EncodingError, so its message must not be sent. " \
      "Pass a Hash with title: and detail:",
    { detial: 1 } => "unknown member :detial, did you mean :detail? Known: id, links, status, " \
                     "code, title, detail, source, meta." }.each do |given, message|
    test "#{message[0, 50]} …" do
      error = assert_raises(ArgumentError) { errors(given) }
      assert_equal "errors: #{message}", error.message
    end
  end

  test "an unknown keyword is refused" do
    error = assert_raises(ArgumentError) { errors([], serialiser: 1) }
    assert_equal "errors: unknown keyword :serialiser, did you mean :serializer? Known: " \
                 "serializer, at, status, meta, links, jsonapi, into.", error.message
  end
end
