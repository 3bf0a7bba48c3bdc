# frozen_string_literal: true

require "blog_case"

class JsonApiTest < BlogCase
  TYPE = "application/vnd.api+json"

  test "the index has a page of the posts that are published, and links to the others" do
    get "/json_api/posts?page[size]=1"
    assert_equal [resource(@second)], document["data"]
    assert_equal [nil, "page%5Bsize%5D=1&page%5Bnumber%5D=2"],
                 document["links"].values_at("prev", "next").map { |link| link&.split("?")&.last }
  end

  test "a client chooses what is included, fields and order" do
    get "/json_api/posts?include=author&fields[posts]=title,author&fields[authors]=name&sort=id"
    assert_equal %w[First Second], document["data"].map { |one| one.dig("attributes", "title") }
    assert_equal({ "author" => { "data" => { "type" => "authors", "id" => @ann.id.to_s } } },
                 document["data"].first["relationships"])
    assert_equal [[@ann.id.to_s, { "name" => "Ann" }], [@bob.id.to_s, { "name" => "Bob" }]],
                 document["included"].map { |one| one.values_at("id", "attributes") }
  end

  test "what is included is loaded for all posts at once, and nothing else" do
    assert_equal 2, queries { get "/json_api/posts" }.size # how many there are, and the posts
    few = queries { get "/json_api/posts?include=author,comments.author" }
    5.times do |number|
      more = Post.create!(title: "Post #{number}", author: @bob, published_at: Time.current)
      more.comments.create!(body: "Yes", author: @ann)
    end
    many = queries { get "/json_api/posts?include=author,comments.author" }
    assert_equal 7, document["data"].size
    assert_equal few.size, many.size, [*few, *many].join("\n")
  end

  test "a post, with its comments and their authors" do
    get "/json_api/posts/#{@first.id}?include=comments.author"
    assert_equal resource(@first), document["data"].except("relationships")
    assert_equal [{ "type" => "comments", "id" => @comment.id.to_s }],
                 document["data"].dig("relationships", "comments", "data")
    assert_equal %w[comments authors], document["included"].pluck("type")
  end

  test "a mistake of the client is answered with an error object" do
    { "include=autor" => "include", "fields[posts]=titel" => "fields[posts]", "sort=body" => "sort",
      "page[size]=0" => "page[size]", "page[number]=x" => "page[number]", "titel=a" => "titel" }
      .each do |parameters, name|
        get "/json_api/posts?#{parameters}"
        assert_equal [["400", { "parameter" => name }]],
                     document(400)["errors"].map { |one| one.values_at("status", "source") }
      end
    get "/json_api/posts/#{@draft.id}"
    assert_equal [{ "status" => "404", "title" => "Not Found" }], document(404)["errors"]
  end

  test "media types are negotiated" do
    get "/json_api/posts", headers: { "Accept" => "#{TYPE}; charset=utf-8" }
    document(406)
    post "/json_api/comments", params: "{}", headers: { "Content-Type" => "#{TYPE}; a=b" }
    document(415)
    get "/json_api/posts", headers: { "Accept" => TYPE }
    assert_equal "Accept", response.headers["Vary"]
  end

  test "a comment is made, or what is wrong is said with pointers" do
    create(attributes: { body: "No" }, relationships: {
             post: { data: { type: "posts", id: @first.id.to_s } },
             author: { data: { type: "authors", id: @ann.id.to_s } }
           })
    assert_equal({ "body" => "No" }, document(201)["data"]["attributes"])
    assert_equal %w[Yes No], @first.comments.pluck(:body)

    create(attributes: { body: "" })
    assert_equal %w[/data/attributes/body /data/relationships/author /data/relationships/post],
                 document(422)["errors"].map { |one| one["source"]["pointer"] }.sort
    post "/json_api/comments", params: "{}", headers: { "Content-Type" => TYPE }
    document(400)
  end

  private

  def create(data)
    post "/json_api/comments", params: { data: { type: "comments", **data } }.to_json,
                               headers: { "Content-Type" => TYPE }
  end

  # @return [Hash] the body of the answer, which is a valid document
  def document(status = 200)
    assert_response status
    assert_equal TYPE, response.headers["Content-Type"]
    text = response.body
    assert_empty ToJson::JsonApi.validate(text, full_linkage: false).map(&:to_s)
    JSON.parse(text)
  end

  def resource(post)
    { "type" => "posts", "id" => post.id.to_s,
      "attributes" => { "title" => post.title, "published_at" => post.published_at.as_json,
                        "body" => post.body },
      "links" => { "self" => "http://www.example.com/json_api/posts/#{post.id}" } }
  end
end
