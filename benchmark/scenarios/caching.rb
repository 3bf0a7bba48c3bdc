# frozen_string_literal: true

require_relative "../contenders/gems"
require_relative "../contenders/listed"
require_relative "../data/rendered"

# 100 posts from a cache that has them all, and made anew. Stores: ActiveSupport's MemoryStore,
# which compares libraries and not networks, and a Hash, which shows what the library itself costs.
# A MemoryStore of ours refuses to be asked for a part by itself: it serves one round trip a
# document.
Bench.scenario 20, "caching", "100 cached parts" do
  Bench::Listed.tables(File.join(__dir__, "caching")).each do |name, spec|
    table name do
      others, fields = name == "100 posts in others", Bench::Rendered::OURS.fields
      needs "active_support"
      data do
        posts = Bench::Rendered.posts
        [others ? posts.map { |post| {post: post, rank: post.id} } : posts]
      end
      text = Bench::Rendered::TEXT
      Bench::Listed.add(self, spec, {
        "OURS" => Bench::Gems.classes("Our", "Post", others ? fields.except(:comments) : fields),
        "HASH" => text.hash("post."), "WORDS" => text.extracting("post."),
        "FIELDS" => text.hash("object.")
      })
    end
  end
end
