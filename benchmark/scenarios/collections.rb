# frozen_string_literal: true

# Scenario 6. Arrays of plain objects: 100 posts with 10 comments each, and 1,000 comments alone. The serializers are in
# support/blog/*.rb.

require_relative "../support/blog"
require_relative "../support/blog_contenders"

Bench.scenario 6, "collections", "100 × 10 and 1,000 objects" do
  comment = "{id: comment.id, body: comment.body, author: comment.author}"
  write_comment = <<~RUBY
    writer.push_object
    writer.push_value(comment.id, "id")
    writer.push_value(comment.body, "body")
    writer.push_value(comment.author, "author")
    writer.pop
  RUBY
  claims = lambda do |table|
    table.reach "to_json, json!", over: :hand, interpreter: 1.7, yjit: 2.0
    table.reach "to_json, json!", over: :gem, interpreter: 2, yjit: 4
    table.limit "to_json, json!", metric: "objects", at_most: 5
  end

  table "100 × 10" do
    data { Bench::Blog.articles }

    Bench::BlogContenders.many(self, "Article", include: :comments, jbuilder: <<~RUBY)
      Jbuilder.encode do |json|
        json.array! v do |post|
          json.extract! post, :id, :title, :body, :author_name
          json.comments post.comments, :id, :body, :author
        end
      end
    RUBY

    hash = "{id: post.id, title: post.title, body: post.body, author_name: post.author_name, " \
           "comments: post.comments.map { |comment| #{comment} }}"
    Bench::Hand.add(self, hash: "v.map { |post| #{hash} }", write: <<~RUBY)
      writer.push_array
      v.each do |post|
        writer.push_object
        writer.push_value(post.id, "id")
        writer.push_value(post.title, "title")
        writer.push_value(post.body, "body")
        writer.push_value(post.author_name, "author_name")
        writer.push_array("comments")
        post.comments.each do |comment|
          #{write_comment}
        end
        writer.pop
        writer.pop
      end
      writer.pop
    RUBY

    claims.call(self)
  end

  table "1,000 × 3", quick: false do
    data { Bench::Blog.comments }

    Bench::BlogContenders.many(self, "Comment", jbuilder: "Jbuilder.encode { |json| json.array! v, :id, :body, :author }")

    Bench::Hand.add(self, hash: "v.map { |comment| #{comment} }", write: <<~RUBY)
      writer.push_array
      v.each do |comment|
        #{write_comment}
      end
      writer.pop
    RUBY

    claims.call(self)
  end
end
