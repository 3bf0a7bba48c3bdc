# frozen_string_literal: true

require_relative "../contenders/gems"
require_relative "../contenders/listed"
require_relative "../data/blog"

# Arrays of plain objects: 100 posts with 10 comments each, and 1,000 comments alone.
Bench.scenario 6, "collections", "100 × 10 and 1,000 objects" do
  {"100 × 10" => :article, "1,000 × 3" => :comment}.each do |name, shape|
    table name, quick: shape == :article do
      data { Bench::Blog.public_send(:"#{shape}s") }
      Bench::Gems.add(self, Bench::Blog::SHAPES[shape], many: shape.to_s, objects: 5)
      Bench::Listed.hand(self, Bench::Blog::SHAPES[shape], many: shape.to_s)

      reach "to_json, json!", over: :hand, interpreter: 1.7, yjit: 2.0
      reach "to_json, json!", over: :gem, interpreter: 2, yjit: 4
      limit "to_json, json!", metric: "objects", at_most: 5
    end
  end
end
