# frozen_string_literal: true

# Scenario 15. What a new process does until it serializes: load the library, define 200 serializers of three attributes, call each
# once. Ruby's own start is not in it (support/start.rb). "_0" stands for the number of the serializer.

require_relative "../support/blog"

Bench.scenario 15, "start", "require, 200 serializers, first calls" do
  table "200 serializers", measure: "start", count: 200 do
    data { Bench::Blog.comments(periods: 1, size: 1).first }

    contender "to_json", :ours, code: "Serializer_0.json!(v)", define: <<~RUBY
      class Serializer_0 < ToJson::Serializer
        attributes :id, :body, :author
      end
      Serializer_0.compile!
    RUBY

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

    # What a compiler to Ruby cannot do without, whatever else it does: a class, one small object of C for what stands around the values,
    # and Ruby's own parser over the text of `object` and `items`. The first loads no library for it; the second loads ours, and tells
    # how much of the figure that is.
    bound = <<~RUBY
      class Bound_0
        TEXTS = LowerBound.texts('{"id":', ',"body":', ',"author":', "}")
        module_eval("def self.object(w, s, o)\\n  LowerBound.document(TEXTS,\\n    o.id,\\n    o.body,\\n    o.author)\\nend\\n" \\
                    "def self.items(w, s, c)\\n  i = 0\\n  while i < c.size\\n    o = c[i]\\n    i += 1\\n" \\
                    "    LowerBound.item(TEXTS,\\n      o.id,\\n      o.body,\\n      o.author)\\n  end\\nend", "(bound 0)", 1)
      end
    RUBY
    contender "lower bound, generated text", :control, peer: "lower_bound", code: "Bound_0.object(nil, nil, v)", define: bound
    contender "lower bound, loaded too", :control, peer: "lower_bound", code: "Bound_0.object(nil, nil, v)", define: "require \"to_json\"\n#{bound}"

    reach "to_json", over: :gem, metric: "start", at_least: 1.0
    ["generated text", "loaded too"].each { |which| reach "lower bound, #{which}", over: :gem, metric: "start" }
  end
end
