# frozen_string_literal: true

# Scenario 6. Arrays of plain objects: 100 posts with 10 comments each, and 1,000 comments alone. The serializers are in
# support/blog/*.rb, what else is written of them in support/blog_collections.rb.

require_relative "../support/blog"
require_relative "../support/blog_collections"

Bench.scenario 6, "collections", "100 × 10 and 1,000 objects" do
  claims = lambda do |table|
    table.reach "to_json, json!", over: :hand, interpreter: 1.7, yjit: 2.0
    table.reach "to_json, json!", over: :gem, interpreter: 2, yjit: 4
    table.limit "to_json, json!", metric: "objects", at_most: 5
  end

  table "100 × 10" do
    data { Bench::Blog.articles }
    Bench::BlogCollections.articles(self)
    claims.call(self)
  end

  table "1,000 × 3", quick: false do
    data { Bench::Blog.comments }
    Bench::BlogCollections.comments(self)
    claims.call(self)
  end
end
