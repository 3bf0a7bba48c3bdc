# frozen_string_literal: true

require_relative "../contenders/bound"
require_relative "../contenders/gem_contenders"
require_relative "../contenders/hand"
require_relative "../data/blog"

# What a controller of Rails has, a relation: 100 authors with three posts each, and scenario 6's
# 100 posts with 10 comments each, ActiveRecord on sqlite3 in memory; already loaded with what
# belongs to them, or queried by the call, which then builds the models too. All read through
# getters.
Bench.scenario 9, "rows", "ActiveRecord relations, loaded and unloaded" do
  gems = ["ActiveModelSerializers", "jsonapi-serializer", "RABL", "Jbuilder", "Panko", "Alba",
          "oj_serializers", "oj_serializers, StringWriter"]

  # By hand without models, for what is not loaded: no figure is due over it.
  plucked = {
    author: <<~RUBY,
      records = Bench::Blog::Records
      posts = records::AuthorPost.where(author_id: v).order(:id)
                                 .pluck(:author_id, :id, :title, :body).group_by(&:first)
      coder.generate(records::Author.where(id: v).order(:id).pluck(:id, :name).map do |id, name|
        list = posts.fetch(id).map { |_, key, title, body| {id: key, title: title, body: body} }
        {id: id, name: name, posts: list}
      end)
    RUBY
    article: <<~RUBY
      records = Bench::Blog::Records
      comments = records::Comment.where(article_id: v).order(:id)
                                 .pluck(:article_id, :id, :body, :author).group_by(&:first)
      rows = records::Article.where(id: v).order(:id).pluck(:id, :title, :body, :author_name)
      coder.generate(rows.map do |id, title, body, name|
        list = comments.fetch(id).map { |_, key, text, by| {id: key, body: text, author: by} }
        {id: id, title: title, body: body, author_name: name, comments: list}
      end)
    RUBY
  }

  {author: "100 authors", article: "100 × 10"}.to_a.product([true, false])
                                              .each do |(kind, name), loaded|
    table "#{name}, #{loaded ? "loaded" : "unloaded"}", quick: loaded && kind == :author do
      needs "activerecord", "sqlite3"
      data do
        require_relative "../data/records"
        ids = Bench::Blog::Records.public_send(:"#{kind}_ids")
        loaded ? ids.map { |range| Bench::Blog::Records.public_send(:"#{kind}s", range).load } : ids
      end
      shape = Bench::Blog::SHAPES[kind]
      read = "v = Bench::Blog::Records.#{kind}s(v)" unless loaded
      Bench::GemContenders.add(self, shape, many: kind.to_s, read: read, only: gems)
      fastest = ["Hash + JSON::Coder", "Oj::StringWriter, reset"]
      hand = loaded ? Bench::Hand::ALL.keys : fastest
      Bench::Hand.add(self, shape, many: kind.to_s, read: read, only: hand)

      # What is due over Panko is for raw reads and rows without models, a later issue.
      reach "to_json, json!", over: :gem, at_least: 1
      reach "to_json, json!", over: "Panko"
      next if loaded

      contender "pluck, Hash + JSON::Coder", :hand, peer: "json", code: plucked.fetch(kind),
                                                    before: "coder = JSON::Coder.new"
      Bench::Bound.add(self, shape, many: kind.to_s, read: "#{read}.records")
    end
  end
end
