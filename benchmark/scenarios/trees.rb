# frozen_string_literal: true

require_relative "../contenders/listed"
require_relative "../data/corpus"
require_relative "../data/trees"

# Hashes and Arrays as a parser makes them, written by one call.
Bench.scenario 8, "trees", "Hash and Array trees" do
  Bench::Corpus::NAMES.each do |name|
    table name do
      needs "json"
      data { Bench::Corpus.trees(name) }
      # json writes some Floats with more digits than they need.
      Bench::Listed.generators(self, floats: name == "canada")

      # The figure is against json, whichever of its two ways is faster.
      ["JSON.generate", "JSON::Coder"].each do |json|
        reach "to_json, generate", over: json, at_least: name == "canada" ? 3 : 1.5
      end
      reach "to_json, generate", over: :gem
    end
  end
end
