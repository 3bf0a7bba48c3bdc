# frozen_string_literal: true

require_relative "../contenders/gems"
require_relative "../data/blog"

# What a new process does until it serializes: load the library, define 200 serializers of three
# attributes, call each once. "_0" stands for the number of the serializer.
Bench.scenario 15, "start", "require, 200 serializers, first calls" do
  table "200 serializers", measure: "start", count: 200 do
    data { Bench::Blog.comments(periods: 1, size: 1).first }
    define = ->(style, name) { Bench::Gems.classes(style, name, Bench::Blog::COMMENT) }

    contender "to_json", :ours, code: "OurSerializer_0.json!(v)",
                                define: define["Our", "Serializer_0"]
    # What a class costs that writes more than two objects, or an Array of them.
    contender "to_json, compiled at boot", :ours, code: "OurCompiled_0.json!(v)", define:
      "#{define["Our", "Compiled_0"]}OurCompiled_0.compile!\n"
    contender "Alba", :gem, peer: "alba", quick: false, code: "AlbaSerializer_0.new(v).serialize",
                            define: define["Alba", "Serializer_0"]
    contender "Panko", :gem, peer: "panko_serializer", differs: "a newline at the end",
                             code: "PankoSerializer_0.new.serialize_to_json(v)",
                             define: define["Panko", "Serializer_0"]

    # Due: at most twice the time of the fastest.
    reach "to_json", over: :gem, metric: "start", at_least: 0.5
  end
end
