# frozen_string_literal: true

# Scenario 13. Small payloads that differ (support/payloads.rb) from a lazy Enumerator into Sinks of every kind, in a process of its own each. What
# cannot write before it has all builds it first: that is what its memory shows.

require_relative "../support/payloads"

Bench.scenario 13, "streams", "many records from a lazy Enumerator" do
  sinks = ["String", "file", "pipe", "slow reader", "gzip"]
  members = Bench::Payloads::MEMBERS.fetch("Small")
  pairs = members.map { |name| "#{name}: r.#{name}" }.join(", ")

  # Times of 100,000; of a million the memory, which is to be the same, and of one round.
  {
    "records" => {records: 100_000, quick_records: 50_000, quick_rounds: 1},
    "a million records" => {records: 1_000_000, rounds: 1, passes: 1}
  }.each do |name, options|
    million = options.key?(:rounds)

    table name, measure: "streams", sinks: sinks, **options do
      data { [Bench::Payloads.varied(:struct)] }

      setup(:ours) do
        class PayloadSerializer < ToJson::Serializer
          attributes :st, :sid, :tt, :gr, :uuid, :ip, :ua, :tz, :v
        end

        class WrittenPayloads < ToJson::Serializer
          def serialize(records) = array(records) { |record| put_fields record, :st, :sid, :tt, :gr, :uuid, :ip, :ua, :tz, :v }
        end
      end

      contender "to_json, json!", :ours, before: "sink = nil", code: "PayloadSerializer.json!(v, into: sink)", quick: !million
      contender "to_json, DSL", :ours, before: "sink = nil", code: "WrittenPayloads.json!(v, into: sink)", quick: !million
      ["to_json, json!", "to_json, DSL"].each do |ours|
        (sinks - ["String"]).each { |sink| limit ours, metric: "peak_rss", at: sink, at_most: 8 * 1024 * 1024 }
      end
      next if million

      # JSON.dump writes past a GzipWriter, into what that packs for: it asks for to_io.
      contender "JSON.dump", :hand, peer: "json", before: "sink = nil", quick: false, code: <<~RUBY
        list = v.map { |r| {#{pairs}} }.to_a
        if sink.is_a?(Zlib::GzipWriter) then sink.write(JSON.generate(list)) && sink
        else sink ? JSON.dump(list, sink) : JSON.generate(list)
        end
      RUBY
      contender "Oj::StreamWriter", :hand, peer: "oj", before: "sink = nil", differs: "white space", code: <<~RUBY
        writer = sink ? Oj::StreamWriter.new(sink, mode: :strict, indent: 0, buffer_size: 65_536) : Oj::StringWriter.new(mode: :strict, indent: 0)
        writer.push_array
        v.each do |r|
          writer.push_object
          #{members.map { |name| "writer.push_value(r.#{name}, \"#{name}\")\n" }.join}
          writer.pop
        end
        writer.pop
        sink ? writer.flush : writer.to_s
      RUBY

      # Only reads the records; their texts are ready, and leave in chunks as ours do.
      contender "lower bound, ready texts", :control, peer: "json", before: "sink = nil", code: <<~RUBY
        texts = (@texts ||= {}.compare_by_identity)
        chunk = +"["
        v.each do |r|
          chunk << "," unless chunk == "["
          chunk << (texts[r] ||= JSON.generate({#{pairs}}))
          if sink && chunk.bytesize >= 65_536
            sink.write(chunk)
            chunk = +""
          end
        end
        chunk << "]"
        sink ? sink.write(chunk) && sink : chunk
      RUBY

      # Reads each record's fields and writes them by one call of C, with a look at each text and at the room.
      texts = members.map.with_index { |name, i| "#{i.zero? ? "{" : ","}\"#{name}\":" }
      setup(:lower_bound) do
        RECORD = LowerBound.texts(*texts, "}")
      end

      contender "lower bound, kept right", :control, peer: "lower_bound", before: "sink = nil", code: <<~RUBY
        out, buffer = sink || +"", LowerBound::Buffer.take
        v.each { |r| buffer.record(out, RECORD, #{members.map { |name| "r.#{name}" }.join(", ")}) }
        buffer.ended(out)
      RUBY

      ["ready texts", "kept right"].each { |which| limit "lower bound, #{which}", metric: "by_ready", at: "gzip", at_most: 1.1 }
      ["to_json, json!", "to_json, DSL"].each do |ours|
        limit ours, metric: "by_string", at: "file", at_most: 1.25 # 80 % of the speed
        limit ours, metric: "by_string", at: "pipe", at_most: 1.25
        limit ours, metric: "by_ready", at: "gzip", at_most: 1.1
        limit ours, metric: "records_before", at: "file", at_most: 65_536 / 130 + 2
      end
      reach "to_json, json!", over: :hand, at_least: 1.0, at: "file"
    end
  end
end
