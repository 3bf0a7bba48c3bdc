# frozen_string_literal: true

require_relative "../contenders/gems"
require_relative "../contenders/listed"
require_relative "../data/blog"

# One object: attributes alone, with one other object, with two others; as plain objects and as
# loaded ActiveRecord records, read through their getters.
Bench.scenario 5, "associations", "attributes, has one, has many" do
  # Shape, where the values are, times better than by hand: interpreter, YJIT.
  documents = {"attributes" => [:organisation, :organisations, 1.5, 1.5],
               "has one" => [:post_with_user, :posts, 1.7, 1.8],
               "has many" => [:user_with_posts, :users, 1.8, 2.1]}

  documents.to_a.product([false, true]).each do |(name, (shape, values, *figures)), records|
    table "#{name}#{", ActiveRecord" if records}", quick: name == "has many" do
      needs "activerecord", "sqlite3" if records
      data do
        require_relative "../data/records" if records
        (records ? Bench::Blog::Records : Bench::Blog).public_send(values)
      end
      Bench::Gems.add(self, Bench::Blog::SHAPES.fetch(shape), objects: 4)
      Bench::Listed.hand(self, Bench::Blog::SHAPES.fetch(shape))

      figures = [1.2, 1.2] if records
      reach "to_json, json!", over: :gem, at_least: records ? 1.5 : 5
      reach "to_json, json!", over: :hand, interpreter: figures[0], yjit: figures[1]
    end
  end
end
