# frozen_string_literal: true

require_relative "../contenders/gems"
require_relative "../contenders/listed"
require_relative "../data/essays"

# A blog post with its comments, of 1,000, a million and ten million characters: time, and memory in
# a process of its own.
Bench.scenario 10, "essays", "blog renders, time and memory" do
  text, spec = Bench::Essays::TEXT, Bench::Listed.tables(File.join(__dir__, "essays"))
  rabl = {peer: "rabl", quick: false, differs: "order of keys", maps: lambda do |document|
    # RABL writes children before what is computed.
    keys = text.fields[:comments].first.keys.map(&:to_s)
    comments = document.fetch("comments").map { |comment| comment.slice(*keys) }
    {**document.slice("content", "created_at", "published", "author"), "comments" => comments}
  end}
  render = "Rabl::Renderer.json(v, RABL_ESSAY)"
  texts = {"OURS" => Bench::Gems.classes("Our", "Essay", Bench::Essays::OURS.fields),
           "TEMPLATE" => Bench::Gems.rabl(text.fields).inspect, "HASH" => text.hash,
           "WRITE" => text.writer, "EXTRACTING" => text.extracting}

  Bench::Essays::SIZES.each_key do |name|
    table name, quick: name != "post3" do
      data { [Bench::Essays.post(name)] }
      Bench::Listed.hand(self, text)
      Bench::Listed.add(self, {**spec, **spec["calls"]}, texts)
      contender "RABL", :gem, code: render, **rabl
    end

    rounds = name == "post3" ? 4 : 8
    table "#{name}, memory", measure: "streams", sinks: %w[String file], quick: name == "post3",
                             rounds: rounds, quick_rounds: 1 do
      data { [Bench::Essays.post(name), Bench::Essays.post("post1")] } # the last is for warming up
      Bench::Listed.add(self, {**spec, **spec["sinks"]}, texts, before: "sink = nil")
      contender "RABL", :gem, before: "sink = nil", **rabl,
                              code: "text = #{render}\nsink ? sink.write(text) : text"
      # post1 is less than a page.
      limit "to_json, json!", metric: "peak_share", at: "String", at_most:
        (1.1 unless name == "post1")
    end
  end
end
