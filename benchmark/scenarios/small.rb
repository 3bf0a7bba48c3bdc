# frozen_string_literal: true

require_relative "../contenders/listed"
require_relative "../data/people"

# Five pairs of literals: what a call costs before it has much to do.
Bench.scenario 1, "small", "small object, class DSL" do
  address = Bench::People::ADDRESS

  table "address" do
    setup :ours, Bench::People::ADDRESS_CLASS
    contender "to_json, reused instance", :ours, objects: 1, code: "serializer.json!",
                                                 before: "serializer = AddressSerializer.new"
    contender "to_json, json!", :ours, objects: 2, code: "AddressSerializer.json!"
    Bench::Listed.hand(self, address, quick: //)
    contender "Jbuilder", :gem, peer: "jbuilder",
                                code: "Jbuilder.encode do |json|\n#{address.words}\nend"

    reach "to_json, reused instance", over: :hand, interpreter: 1.0, yjit: 1.4
    reach "to_json, json!", over: "Oj::StringWriter, new", at_least: 2.5
    reach "to_json, json!", over: "Jbuilder", at_least: 9
  end
end
