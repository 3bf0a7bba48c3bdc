# frozen_string_literal: true

require_relative "../contenders/listed"
require_relative "../data/trees"

# One Hash a call, by each generator directly and through MultiJson.
Bench.scenario 11, "hashes", "Hashes, time and memory" do
  %w[hash1 hash2 hash3].each do |name|
    table name do
      data { Bench::Trees.public_send(name) }
      Bench::Listed.generators(self)
      reach "to_json, generate", over: :gem, at_least: 1.5
      limit "to_json, generate", metric: "objects", at_most: 1
    end
  end
end
