# frozen_string_literal: true

require "blog_case"

class CommentsTest < BlogCase
  test "the comments of a post" do
    get "/posts/#{@first.id}/comments?fields=body,author(name)"
    assert_equal({ "comments" => [{ "body" => "Yes", "author" => { "name" => "Bob" } }],
                   "meta" => { "page" => 1, "pages" => 1, "total" => 1 } }, json)
    get "/posts/#{@second.id}/comments"
    assert_equal [], json["comments"]
  end

  test "a comment is made" do
    comment = { body: "A <b>", author_id: @ann.id }
    post "/posts/#{@second.id}/comments", params: { comment: comment }, as: :json
    assert_equal({ "id" => Comment.last.id, "body" => "A <b>", "author" => "Ann" },
                 json(201)["comment"].merge("author" => json(201)["comment"]["author"]["name"]))
  end

  test "a comment that is not valid is answered with what is wrong" do
    post "/posts/#{@second.id}/comments", params: { comment: { body: "" } }, as: :json
    assert_equal({ "author" => ["must exist"], "body" => ["can't be blank"] }, json(422))
    post "/posts/#{@second.id}/comments", params: {}, as: :json
    assert_response 400
  end
end
