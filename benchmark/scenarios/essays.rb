# frozen_string_literal: true

require_relative "../contenders/gems"
require_relative "../contenders/hand"
require_relative "../data/essays"

# A blog post with its comments, of 1,000, a million and ten million characters: time, and memory in
# a process of its own.
Bench.scenario 10, "essays", "blog renders, time and memory" do
  text = Bench::Essays::TEXT
  jbuilder = "Jbuilder.encode do |json|\n#{text.extracting}\nend"
  rabl = "Rabl::Renderer.json(v, RABL_ESSAY)"
  # RABL writes children before what is computed.
  in_order = lambda do |document|
    keys = text.fields[:comments].first.keys.map(&:to_s)
    comments = document.fetch("comments").map { |comment| comment.slice(*keys) }
    {**document.slice("content", "created_at", "published", "author"), "comments" => comments}
  end
  setups = lambda do |table|
    %i[hand gem].each { |group| table.setup group, "require \"time\"" }
    table.setup :ours, Bench::Gems.classes("Our", "Essay", Bench::Essays::OURS.fields)
    table.setup "rabl", "RABL_ESSAY = #{Bench::Gems.rabl(text.fields).inspect}"
  end

  Bench::Essays::SIZES.each_key do |name|
    table name, quick: name != "post3" do
      data { [Bench::Essays.post(name)] }
      setups.call(self)
      Bench::Hand.add(self, text)
      contender "to_json, json!", :ours, objects: 1, code: "OurEssay.json!(v)"
      contender "to_json, into: a Buffer", :ours, objects: 3,
                before: "buffer = ToJson::Buffer.new", document: "OurEssay.json!(v)",
                code: "OurEssay.json!(v, into: buffer.clear)"
      contender "Jbuilder", :gem, peer: "jbuilder", code: jbuilder, differs: "escapes of Rails"
      contender "RABL", :gem, peer: "rabl", quick: false, code: rabl, differs: "order of keys",
                              maps: in_order
      reach "to_json, json!", over: :hand, at_least: 1.0
      reach "to_json, json!", over: :gem, at_least: 1.0
    end

    rounds = name == "post3" ? 4 : 8
    table "#{name}, memory", measure: "streams", sinks: %w[String file], quick: name == "post3",
                             rounds: rounds, quick_rounds: 1 do
      data { [Bench::Essays.post(name), Bench::Essays.post("post1")] } # the last is for warming up
      setups.call(self)
      to_sink = lambda do |contender, group, peer, code, **more|
        contender contender, group, peer: peer, before: "sink = nil", code: code, **more
      end
      to_sink["to_json, json!", :ours, nil, "OurEssay.json!(v, into: sink)"]
      to_sink["Hash + JSON.generate", :hand, "json",
              "hash = #{text.hash}\nsink ? JSON.dump(hash, sink) : JSON.generate(hash)"]
      writer = "sink ? Oj::StreamWriter.new(sink, mode: :strict, indent: 0) : " \
               "Oj::StringWriter.new(mode: :strict, indent: 0)"
      to_sink["Oj::StreamWriter", :hand, "oj", "writer = #{writer}\n#{text.writer}\n" \
              "sink ? writer.flush : writer.to_s", quick: false, differs: "white space"]
      {"Jbuilder" => [jbuilder, "escapes of Rails"], "RABL" => [rabl, "order of keys", in_order]}
        .each do |gem, (code, differs, maps)|
        to_sink[gem, :gem, gem.downcase, "text = #{code}\nsink ? sink.write(text) : text",
                quick: false, maps: maps, differs: differs]
      end
      limit "to_json, json!", metric: "memsize", at: "String", at_most: 1.05
      # post1 is less than a page.
      limit "to_json, json!", metric: "peak_share", at: "String", at_most:
        (1.1 unless name == "post1")
      limit "to_json, json!", metric: "peak_rss", at: "file", at_most: 8 * 1024 * 1024
    end
  end
end
