# frozen_string_literal: true

require_relative "../contenders/generators"
require_relative "../data/corpus"

# Hashes and Arrays as a parser makes them, written by one call.
Bench.scenario 8, "trees", "Hash and Array trees" do
  Bench::Corpus::NAMES.each do |name|
    table name do
      needs "json"
      data { Bench::Corpus.trees(name) }
      canada = name == "canada"
      # json writes some Floats with more digits than they need.
      Bench::Generators.add(self, floats: canada)

      # The figure is against json, whichever of its two ways is faster.
      ["JSON.generate", "JSON::Coder"].each do |json|
        reach "to_json, generate", over: json, at_least: canada ? 3 : 1.5
      end
      reach "to_json, generate", over: :gem
      next unless canada

      # What nobody can do without: the digits, by our own routine, each number over the last.
      contender "numbers alone", :control, peer: "lower_bound", code: "LowerBound.numbers(v)",
                                           document: "ToJson.generate(v)"
    end
  end
end
