# frozen_string_literal: true

require_relative "../contenders/gems"
require_relative "../contenders/listed"
require_relative "../data/payloads"

# Two documents from objects with members: a small one of 132 bytes, a large one of 4,839, as
# Struct, Data and plain objects. Go's encoding/json writes the same documents from Go's structs.
Bench.scenario 7, "typed", "Struct, Data and plain objects with members" do
  in_order = lambda do |document|
    topics = document.fetch("topics")
    {"users" => document.fetch("users"), "topics" => topics.slice("topics", "more_topics_URL")}
  end
  # Panko's associations stand after attributes, has_one first.
  documents = {"small" => [Bench::Payloads::SMALL, {differs: "a newline at the end"}],
               "large" => [Bench::Payloads::LARGE,
                           {differs: "associations in an order of its own", maps: in_order}]}
  # Ruby, times better than by hand.
  kinds = {"Struct" => [nil, 2.5], "Data" => [">= 3.2", 2.5], "plain objects" => [nil, 1.8]}

  kinds.to_a.product(documents.to_a).each do |(kind, (ruby, figure)), (name, (shape, panko))|
    table "#{name}, #{kind}", ruby: ruby, quick: kind == "Struct" do
      data { Bench::Payloads.public_send(name, kind[/\w+/].downcase.to_sym) }
      {ours: "Our", "panko_serializer" => "Panko", "alba" => "Alba"}.each do |whose, style|
        setup whose, Bench::Gems.classes(style, "Payload", shape.fields)
      end
      contender "to_json, json!", :ours, objects: 1, code: "OurPayload.json!(v)"
      # Under YJIT three: the call's keywords are a Hash.
      contender "to_json, into: a String", :ours, before: 'buffer = +""', objects: 3, code:
        "buffer.clear\nOurPayload.json!(v, into: buffer)"
      Bench::Listed.hand(self, shape)
      contender "Panko", :gem, peer: "panko_serializer", quick: false, **panko,
                               code: "PankoPayload.new.serialize_to_json(v)"
      contender "Alba", :gem, peer: "alba", quick: false, code: "AlbaPayload.new(v).serialize"
      contender "Go, json.Marshal", :other, peer: "go_json", code: "marshal"
      contender "Go, json.Encoder, reused buffer", :other, peer: "go_json", code: "encode",
                                                           quick: false,
                                                           differs: "a newline at the end"

      reach "to_json, json!", over: :hand, at_least: figure
      reach "to_json, json!", over: "Go, json.Marshal", yjit: 1.0 if name == "small"
      limit "to_json, json!", over: "Go, json.Marshal", yjit: 0.6 if name == "large"
    end
  end
end
