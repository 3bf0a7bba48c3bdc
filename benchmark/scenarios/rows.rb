# frozen_string_literal: true

# Scenario 9. What a controller of Rails has, a relation: 100 authors with three posts each, and scenario 6's 100 posts with 10 comments
# each, ActiveRecord on sqlite3 in memory; already loaded with what belongs to them, or queried by the call, which then
# builds the models too. All read through getters, as the public API does today.

require_relative "../support/blog"
require_relative "../support/blog_collections"

Bench.scenario 9, "rows", "ActiveRecord relations, loaded and unloaded" do
  gems = ["ActiveModelSerializers", "jsonapi-serializer", "RABL", "Jbuilder", "Panko", "Alba", "oj_serializers", "oj_serializers, StringWriter"]

  # By hand without models, for what is not loaded: no figure is due over it.
  plucked = {
    authors: <<~RUBY,
      posts = Bench::Blog::Rows::Post.where(author_id: v).order(:id).pluck(:author_id, :id, :title, :body).group_by(&:first)
      coder.generate(Bench::Blog::Rows::Author.where(id: v).order(:id).pluck(:id, :name).map do |id, name|
        {id: id, name: name, posts: posts.fetch(id).map { |_, number, title, body| {id: number, title: title, body: body} }}
      end)
    RUBY
    articles: <<~RUBY
      comments = Bench::Blog::Rows::Comment.where(article_id: v).order(:id).pluck(:article_id, :id, :body, :author).group_by(&:first)
      coder.generate(Bench::Blog::Rows::Article.where(id: v).order(:id).pluck(:id, :title, :body, :author_name).map do |id, title, body, name|
        {id: id, title: title, body: body, author_name: name,
         comments: comments.fetch(id).map { |_, number, text, author| {id: number, body: text, author: author} }}
      end)
    RUBY
  }

  # Times better than Panko is due for raw reads and rows without models, a later issue (2 loaded, 6 unloaded): printed, not judged.
  claims = lambda do |table|
    table.reach "to_json, json!", over: :gem, at_least: 1
    table.reach "to_json, json!", over: "Panko"
  end

  {authors: "100 authors", articles: "100 × 10"}.each do |kind, name|
    ids = lambda do
      require_relative "../support/blog_rows"
      Bench::Blog::Rows.public_send(kind == :authors ? :author_ids : :article_ids)
    end

    table "#{name}, loaded", quick: kind == :authors do
      needs "activerecord", "sqlite3"
      data { ids.call.map { |range| Bench::Blog::Rows.public_send(kind, range).load } }
      Bench::BlogCollections.public_send(kind, self, gems: gems)
      claims.call(self)
    end

    table "#{name}, unloaded", quick: false do
      needs "activerecord", "sqlite3"
      data(&ids)
      read = "v = Bench::Blog::Rows.#{kind}(v)"
      Bench::BlogCollections.public_send(kind, self, gems: gems, fastest: true, read: read)
      contender "pluck, Hash + JSON::Coder", :hand, peer: "json", before: "coder = JSON::Coder.new", code: plucked.fetch(kind)
      Bench::BlogContenders.bound_of_many(self, kind == :authors ? "Author" : "Article", read: read)
      claims.call(self)
      # Nine tenths of each call are ActiveRecord's, and a value's first getter costs more than Panko's raw read: on 3.1 the bound is
      # below Panko too (100 × 10: 31.5 ms, ours 31.7, Panko 26.2), with YJIT on 3.4 it is level.
      reach "lower bound, native", over: :gem
    end
  end
end
