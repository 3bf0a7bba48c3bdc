# frozen_string_literal: true

require "blog_case"

class PostsTest < BlogCase
  test "the index has the posts that are published, the newest first, and a page's numbers" do
    get "/posts"
    assert_equal({ "posts" => [post(@second, @bob), post(@first, @ann)],
                   "meta" => { "page" => 1, "pages" => 1, "total" => 2 } }, json)
  end

  test "the client turns pages" do
    get "/posts?per_page=1&page=2"
    assert_equal ["First"], json["posts"].pluck("title")
    assert_equal({ "page" => 2, "pages" => 2, "total" => 2 }, json["meta"])
    get "/posts?page=3"
    assert_equal [], json["posts"]
  end

  test "the client chooses fields, also those of other views" do
    get "/posts?fields=title,author(name)"
    assert_equal [{ "title" => "Second", "author" => { "name" => "Bob" } },
                  { "title" => "First", "author" => { "name" => "Ann" } }], json["posts"]
    get "/posts?view=full&fields=body,comments(body)"
    assert_equal [{ "body" => "Two", "comments" => [] },
                  { "body" => "One", "comments" => [{ "body" => "Yes" }] }], json["posts"]
  end

  test "a field, view or page that is not there is the client's mistake, and is named" do
    { "fields=titel" => 'unknown field "titel", did you mean "title"?',
      "fields=author(email)" => 'unknown field "email"',
      "fields=title,(" => "offset 6: expected a name", "view=secret" => 'unknown view "secret"',
      "page=x" => 'page: a number from 1 to 1000000 was due, got "x"',
      "page=0" => "page:", "per_page=1000" => "per_page:", "page[a]=1" => "page:" }
      .each do |parameters, message|
      get "/posts?#{parameters}"
      assert_equal [400, "Bad Request"], json(400).values_at("status", "error"), parameters
      assert_includes json(400)["message"], message
    end
  end

  test "a post has its text and its comments, each with its author" do
    get "/posts/#{@first.id}"
    assert_equal({ "post" => { **post(@first, @ann), "body" => "One",
                               "comments" => [{ "id" => @comment.id, "body" => "Yes",
                                                "author" => author(@bob) }] } }, json)
  end

  test "a draft is not found" do
    get "/posts/#{@draft.id}", headers: { "Accept" => "application/json" }
    assert_response 404
  end

  test "a client that has the document gets 304 until the document changes" do
    get "/posts/#{@first.id}"
    fresh = { "If-None-Match" => response.headers["etag"] }
    get "/posts/#{@first.id}", headers: fresh
    assert_response 304
    assert_empty response.body
    get "/posts/#{@first.id}?fields=title", headers: fresh
    assert_equal({ "post" => { "title" => "First" } }, json)
    @first.comments.create!(body: "No", author: @ann)
    get "/posts/#{@first.id}", headers: fresh
    assert_equal %w[Yes No], json["post"]["comments"].pluck("body")
  end

  test "the number of queries does not depend on that of the posts" do
    few = queries { get "/posts?view=full" }
    5.times do |number|
      more = Post.create!(title: "Post #{number}", author: @bob, published_at: Time.current)
      more.comments.create!(body: "Yes", author: @ann)
    end
    many = queries { get "/posts?view=full" }
    assert_equal 7, json["posts"].size
    assert_equal few.size, many.size, [*few, *many].join("\n")
  end

  test "what is not written is not loaded" do
    assert_equal(2, queries { get "/posts?fields=title" }.size) # how many there are, and the posts
  end

  test "authors come from the cache until they change" do
    with_cache do
      get "/authors/#{@ann.id}"
      @ann.update_column(:name, "Eve") # which leaves its version as it was
      get "/authors/#{@ann.id}"
      assert_equal "Ann", json["author"]["name"]
      @ann.update!(name: "Zoe")
      get "/authors/#{@ann.id}"
      assert_equal({ "author" => author(@ann) }, json)
      assert_equal "/authors/#{@ann.id}", json["author"]["path"]
    end
  end

  test "the export has a line for each post that is published" do
    get "/posts/export?fields=id,title,author(name)"
    assert_response 200
    assert_equal "application/x-ndjson", response.media_type
    assert_equal <<~LINES, response.body
      {"id":#{@first.id},"title":"First","author":{"name":"Ann"}}
      {"id":#{@second.id},"title":"Second","author":{"name":"Bob"}}
    LINES
    get "/posts/export?fields=secret"
    assert_includes json(400)["message"], 'unknown field "secret"'
  end

  private

  def post(post, author)
    { "id" => post.id, "title" => post.title, "published_at" => post.published_at.as_json,
      "url" => "http://www.example.com/posts/#{post.id}", "author" => author(author) }
  end

  def author(author)
    { "id" => author.id, "name" => author.name, "path" => "/authors/#{author.id}" }
  end
end
