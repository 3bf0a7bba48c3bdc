# frozen_string_literal: true

require_relative "../contenders/gems"
require_relative "../data/payloads"

# Small payloads that differ from a lazy Enumerator into Sinks of every kind, in a process of its
# own each. What cannot write before it has all builds it first: that is what its memory shows.
Bench.scenario 13, "streams", "many records from a lazy Enumerator" do
  sinks = ["String", "file", "pipe", "slow reader", "gzip"]
  shape, ours = Bench::Payloads::SMALL, ["to_json, json!", "to_json, DSL"]

  # Times of 100,000; of a million the memory, which is to be the same, and of one round.
  {"records" => {records: 100_000, quick_records: 50_000, quick_rounds: 1},
   "a million records" => {records: 1_000_000, rounds: 1}}.each do |name, options|
    million = options.key?(:rounds)

    table name, measure: "streams", sinks: sinks, **options do
      data { [Bench::Payloads.varied(:struct)] }
      setup :ours, <<~RUBY
        #{Bench::Gems.classes("Our", "Payload", shape.fields)}
        class WrittenPayloads < ToJson::Serializer
          def serialize(records) = array(records) { |record| put_fields record, #{shape.symbols} }
        end
      RUBY
      to_sink = lambda do |contender, group, peer, code, **more|
        contender contender, group, peer: peer, before: "sink = nil", code: code, **more
      end
      to_sink[ours[0], :ours, nil, "OurPayload.json!(v, into: sink)", quick: !million]
      to_sink[ours[1], :ours, nil, "WrittenPayloads.json!(v, into: sink)", quick: !million]
      ours.product(sinks - ["String"]).each do |one, sink|
        limit one, metric: "peak_rss", at: sink, at_most: 8 * 1024 * 1024
      end
      next if million

      # JSON.dump writes past a GzipWriter, into what that packs for: it asks for to_io.
      to_sink["JSON.dump", :hand, "json", <<~RUBY, quick: false]
        list = v.map { |r| #{shape.hash("r.")} }.to_a
        if sink.is_a?(Zlib::GzipWriter) then sink.write(JSON.generate(list)) && sink
        else sink ? JSON.dump(list, sink) : JSON.generate(list)
        end
      RUBY
      to_sink["Oj::StreamWriter", :hand, "oj", <<~RUBY, differs: "white space"]
        options = {mode: :strict, indent: 0}
        writer = sink ? Oj::StreamWriter.new(sink, **options, buffer_size: 65_536)
                      : Oj::StringWriter.new(options)
        #{shape.writer_of_many("v", "r")}
        sink ? writer.flush : writer.to_s
      RUBY
      # Only reads the records; their texts are ready, and leave in chunks as ours do.
      to_sink["lower bound, ready texts", :control, "json", <<~RUBY]
        texts = (@texts ||= {}.compare_by_identity)
        chunk = +"["
        v.each do |r|
          chunk << "," unless chunk == "["
          chunk << (texts[r] ||= JSON.generate(#{shape.hash("r.")}))
          if sink && chunk.bytesize >= 65_536
            sink.write(chunk)
            chunk = +""
          end
        end
        chunk << "]"
        sink ? sink.write(chunk) && sink : chunk
      RUBY

      ours.each do |one|
        limit one, metric: "by_string", at: "file", at_most: 1.25 # 80 % of the speed
        limit one, metric: "by_string", at: "pipe", at_most: 1.25
        limit one, metric: "by_ready", at: "gzip", at_most: 1.1
        limit one, metric: "records_before", at: "file", at_most: (65_536 / 130) + 2
      end
      reach ours[0], over: :hand, at_least: 1.0, at: "file"
    end
  end
end
