# frozen_string_literal: true

# Scenario 15. What a new process does until it serializes: load the library, define 200 serializers of three attributes, call each
# once. Ruby's own start is not in it (support/start.rb). "_0" stands for the number of the serializer.

require_relative "../support/blog"

Bench.scenario 15, "start", "require, 200 serializers, first calls" do
  table "200 serializers", measure: "start", count: 200 do
    data { Bench::Blog.comments(periods: 1, size: 1).first }

    define = "class Serializer_0 < ToJson::Serializer\n  attributes :id, :body, :author\nend\n"
    contender "to_json", :ours, code: "Serializer_0.json!(v)", define: define
    # What a class costs that writes more than two objects, or an Array of them.
    contender "to_json, compiled at boot", :ours, code: "Compiled_0.json!(v)", define: "#{define.sub("Serializer_0", "Compiled_0")}Compiled_0.compile!\n"

    contender "Alba", :gem, peer: "alba", quick: false, code: "Alba_0.new(v).serialize", define: <<~RUBY
      class Alba_0
        include Alba::Resource
        attributes :id, :body, :author
      end
    RUBY

    contender "Panko", :gem, peer: "panko_serializer", code: "Panko_0.new.serialize_to_json(v)", differs: "a newline at the end", define: <<~RUBY
      class Panko_0 < Panko::Serializer
        attributes :id, :body, :author
      end
    RUBY

    reach "to_json", over: :gem, metric: "start", at_least: 1.0
  end
end
