# frozen_string_literal: true

# Scenario 11. One Hash a call (support/trees.rb), by each generator directly and through MultiJson.

require_relative "../support/generators"
require_relative "../support/trees"

Bench.scenario 11, "hashes", "Hashes, time and memory" do
  %w[hash1 hash2 hash3].each do |name|
    table name do
      data { Bench::Trees.public_send(name) }

      Bench::Generators.add(self, multi_json: true)
      reach "to_json, generate", over: :gem, at_least: 1.5
      limit "to_json, generate", metric: "objects", at_most: 1
    end
  end
end
