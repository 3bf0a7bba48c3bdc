# frozen_string_literal: true

# Scenario 8. Hashes and Arrays as a parser makes them (support/corpus.rb), written by one call.

require_relative "../support/corpus"
require_relative "../support/generators"

Bench.scenario 8, "trees", "Hash and Array trees" do
  Bench::Corpus::NAMES.each do |name|
    table name do
      needs "json"
      data { Bench::Corpus.trees(name) }

      # json writes some Floats with more digits than they need.
      Bench::Generators.add(self, floats: name == "canada", multi_json: true)
      # The figure is against json, whichever of its two ways is faster.
      reach "to_json, generate", over: "JSON.generate", at_least: name == "canada" ? 3 : 1.5
      reach "to_json, generate", over: "JSON::Coder", at_least: name == "canada" ? 3 : 1.5
      reach "to_json, generate", over: :gem
      next unless name == "canada"

      # What nobody can do without: the digits, by our own routine, each number over the one before.
      contender "numbers alone", :control, peer: "lower_bound", code: "LowerBound.numbers(v)", document: "ToJson.generate(v)"
      reach "numbers alone", over: "JSON.generate"
    end
  end
end
