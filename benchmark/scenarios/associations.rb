# frozen_string_literal: true

# Scenario 5. One object: attributes alone, with one other object, with two others; as plain objects and as loaded ActiveRecord
# records, read through their getters. The serializers are in support/blog/*.rb, the objects in support/blog.rb.

require_relative "../support/blog"
require_relative "../support/blog_contenders"

Bench.scenario 5, "associations", "attributes, has one, has many" do
  logo = '"https://example.com/organisations/#{v.id}/logo.png"'
  full_name = '"#{user.first_name} #{user.last_name}"'
  write_user = <<~RUBY
    writer.push_value(user.id, "id")
    writer.push_value(user.first_name, "first_name")
    writer.push_value(#{full_name}, "full_name")
  RUBY
  write_post = <<~RUBY
    writer.push_value(post.id, "id")
    writer.push_value(post.title, "title")
    writer.push_value(post.body, "body")
  RUBY

  attributes = lambda do |table|
    Bench::BlogContenders.bound(table, "Organisation")
    Bench::BlogContenders.one(table, "Organisation", jbuilder: <<~RUBY)
      Jbuilder.encode do |json|
        json.extract! v, :id, :name
        json.logo_url #{logo}
      end
    RUBY
    Bench::Hand.add(table, hash: "{id: v.id, name: v.name, logo_url: #{logo}}", write: <<~RUBY)
      writer.push_object
      writer.push_value(v.id, "id")
      writer.push_value(v.name, "name")
      writer.push_value(#{logo}, "logo_url")
      writer.pop
    RUBY
  end

  has_one = lambda do |table|
    Bench::BlogContenders.bound(table, "PostWithUser")
    Bench::BlogContenders.one(table, "PostWithUser", include: :user, jbuilder: <<~RUBY)
      Jbuilder.encode do |json|
        json.extract! v, :id, :title, :body
        user = v.user
        json.user do
          json.extract! user, :id, :first_name
          json.full_name #{full_name}
        end
      end
    RUBY
    hash = "{id: v.id, title: v.title, body: v.body, user: {id: user.id, first_name: user.first_name, full_name: #{full_name}}}"
    Bench::Hand.add(table, read: "user = v.user", hash: hash, write: <<~RUBY)
      post = v
      writer.push_object
      #{write_post}
      writer.push_object("user")
      #{write_user}
      writer.pop
      writer.pop
    RUBY
  end

  has_many = lambda do |table|
    in_order = ->(document) { document.slice("id", "first_name", "full_name", "posts") }
    Bench::BlogContenders.bound(table, "UserWithPosts")
    Bench::BlogContenders.one(table, "UserWithPosts", include: :posts, rabl_maps: in_order, jbuilder: <<~RUBY)
      Jbuilder.encode do |json|
        user = v
        json.extract! user, :id, :first_name
        json.full_name #{full_name}
        json.posts user.posts, :id, :title, :body
      end
    RUBY
    posts = "user.posts.map { |post| {id: post.id, title: post.title, body: post.body} }"
    hash = "{id: user.id, first_name: user.first_name, full_name: #{full_name}, posts: #{posts}}"
    Bench::Hand.add(table, read: "user = v", hash: hash, write: <<~RUBY)
      writer.push_object
      #{write_user}
      writer.push_array("posts")
      user.posts.each do |post|
        writer.push_object
        #{write_post}
        writer.pop
      end
      writer.pop
      writer.pop
    RUBY
  end

  # Contenders, where the values are, times better than by hand: interpreter, YJIT.
  documents = {"attributes" => [attributes, :organisations, 1.5, 1.5], "has one" => [has_one, :posts, 1.7, 1.8],
               "has many" => [has_many, :users, 1.8, 2.1]}

  documents.each do |name, (contenders, values, interpreter, yjit)|
    table name, quick: name == "has many" do
      data { Bench::Blog.public_send(values) }
      contenders.call(self)

      reach "to_json, json!", over: :gem, at_least: 5
      reach "to_json, json!", over: :hand, interpreter: interpreter, yjit: yjit
      ["native", "with keywords", "kept right"].product([:gem, :hand]) { |which, over| reach "lower bound, #{which}", over: over }
    end
  end

  documents.each do |name, (contenders, values)|
    table "#{name}, ActiveRecord", quick: name == "has many" do
      needs "activerecord", "sqlite3"
      data do
        require_relative "../support/blog_records"
        Bench::Blog::Records.public_send(values)
      end
      contenders.call(self)

      reach "to_json, json!", over: :gem, at_least: 1.5
      reach "to_json, json!", over: :hand, at_least: 1.2
      ["native", "with keywords", "kept right"].product([:gem, :hand]) { |which, over| reach "lower bound, #{which}", over: over }
    end
  end
end
