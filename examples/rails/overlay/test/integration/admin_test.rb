# frozen_string_literal: true

require "blog_case"

class AdminTest < BlogCase
  TOKEN = { "Authorization" => "Bearer secret" }.freeze

  test "an admin sees drafts, and more of each post" do
    get "/admin/posts", headers: TOKEN
    assert_equal %w[Draft Second First], json["posts"].pluck("title")
    assert_equal %w[id title published_at url author author_id draft created_at updated_at],
                 json["posts"].first.keys
    assert_equal [true, false, false], json["posts"].pluck("draft")
    assert_equal %w[ann@example.org bob@example.org ann@example.org],
                 json["posts"].map { |post| post["author"]["email"] }
  end

  test "others see neither" do
    get "/admin/posts"
    assert_response 401
    get "/admin/posts", headers: { "Authorization" => "Bearer guess" }
    assert_response 401
    get "/posts?fields=draft"
    assert_includes json(400)["message"], 'unknown field "draft"'
  end

  test "a post is made, changed and removed" do
    post "/admin/posts", headers: TOKEN, as: :json,
                         params: { post: { title: "Third", author_id: @ann.id } }
    made = json(201)["post"]
    assert_equal ["Third", "", [], true], made.values_at("title", "body", "comments", "draft")
    assert_equal "http://www.example.com/admin/posts/#{made["id"]}", response.location

    change = { post: { published_at: "2026-02-01T12:00:00Z" } }
    patch "/admin/posts/#{made["id"]}", headers: TOKEN, as: :json, params: change
    assert_equal [false, "2026-02-01T12:00:00.000Z"],
                 json["post"].values_at("draft", "published_at")

    delete "/admin/posts/#{made["id"]}", headers: TOKEN
    assert_response 204
    assert_empty response.body
    get "/admin/posts/#{made["id"]}", headers: { **TOKEN, "Accept" => "application/json" }
    assert_response 404
  end

  test "what is not valid is answered with what is wrong" do
    patch "/admin/posts/#{@first.id}", headers: TOKEN, as: :json, params: { post: { title: "" } }
    assert_equal({ "title" => ["can't be blank"] }, json(422))
  end

  test "a document is read by the serializer that writes it" do
    post "/admin/posts", headers: TOKEN, as: :json,
                         params: { post: { title: "Third", body: "Text", author_id: @ann.id } }
    whole = json(201)
    whole["post"] = whole["post"].merge("title" => "Fourth", "id" => 7, "draft" => false,
                                        "author" => { "name" => "Eve" }, "url" => "http://x")
    patch "/admin/posts/#{Post.last.id}", headers: TOKEN, as: :json, params: whole
    assert_equal [Post.last.id, "Fourth", "Text", true],
                 json["post"].values_at("id", "title", "body", "draft")
    assert_equal %w[Ann Bob], Author.order(:id).pluck(:name)
  end

  test "a document that cannot be read is answered with all that is wrong" do
    post "/admin/posts", headers: TOKEN, as: :json,
                         params: { post: { title: ["Third"], body: {}, author_id: [1] } }
    assert_equal %w[author_id body title], json(422).keys.sort
    assert_match(/\Atakes text, .*; got an array\z/, json(422)["title"].first)
    assert_equal 3, Post.count
    post "/admin/posts", headers: TOKEN, as: :json, params: {}
    assert_equal({ "base" => ["has none of the writable fields"] }, json(422))
  end

  test "a text from the cache is that of its own serializer" do
    with_cache do
      get "/posts?fields=author"
      assert_equal %w[id name path], json["posts"].first["author"].keys
      get "/admin/posts?fields=author", headers: TOKEN
      assert_equal %w[id name path email], json["posts"].first["author"].keys
    end
  end
end
