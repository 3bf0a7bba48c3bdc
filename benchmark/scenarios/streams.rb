# frozen_string_literal: true

require_relative "../contenders/gems"
require_relative "../contenders/listed"
require_relative "../data/payloads"

# Small payloads that differ from a lazy Enumerator into Sinks of every kind, in a process of its
# own each. What cannot write before it has all builds it first: that is what its memory shows.
Bench.scenario 13, "streams", "many records from a lazy Enumerator" do
  sinks, shape = ["String", "file", "pipe", "slow reader", "gzip"], Bench::Payloads::SMALL
  ours = {"to_json, json!" => "OurPayload", "to_json, DSL" => "WrittenPayloads"}
  texts = {"OURS" => Bench::Gems.classes("Our", "Payload", shape.fields), "NAMES" => shape.symbols,
           "HASH" => shape.hash("r."), "MANY" => shape.writer_of_many("v", "r")}
  spec = Bench::Listed.tables(File.join(__dir__, "streams"))

  # Times of 100,000; of a million the memory, which is to be the same, and of one round.
  {"records" => {records: 100_000, quick_records: 50_000, quick_rounds: 1},
   "a million records" => {records: 1_000_000, rounds: 1, quick: false}}.each do |name, options|
    million = options.key?(:rounds)
    table name, measure: "streams", sinks: sinks, **options do
      data { [Bench::Payloads.varied(:struct)] }
      ours.each do |one, type|
        contender one, :ours, before: "sink = nil", code: "#{type}.json!(v, into: sink)"
        (sinks - ["String"]).each do |sink|
          limit one, metric: "peak_rss", at: sink, at_most: 8 * 1024 * 1024
        end
      end
      Bench::Listed.add(self, million ? spec.slice("setup") : spec, texts, before: "sink = nil")
      next if million

      ours.each_key do |one|
        limit one, metric: "by_string", at: "file", at_most: 1.25 # 80 % of the speed
        limit one, metric: "by_string", at: "pipe", at_most: 1.25
        limit one, metric: "by_ready", at: "gzip", at_most: 1.1
        limit one, metric: "records_before", at: "file", at_most: (65_536 / 130) + 2
      end
      reach "to_json, json!", over: :hand, at_least: 1.0, at: "file"
    end
  end
end
