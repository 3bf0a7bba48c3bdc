# frozen_string_literal: true

require_relative "../contenders/bound"
require_relative "../contenders/hand"
require_relative "../data/people"

# Five pairs of literals: what a call costs before it has much to do.
Bench.scenario 1, "small", "small object, class DSL" do
  address = Bench::People::ADDRESS

  table "address" do
    setup :ours, <<~RUBY
      class AddressSerializer < ToJson::Serializer
        def serialize
          #{address.put}
        end
      end
    RUBY
    contender "to_json, reused instance", :ours, code: "serializer.json!",
                                                 before: "serializer = AddressSerializer.new"
    contender "to_json, json!", :ours, code: "AddressSerializer.json!"
    Bench::Hand.add(self, address, quick: //)
    contender "Jbuilder", :gem, peer: "jbuilder",
                                code: "Jbuilder.encode do |json|\n#{address.words}\nend"
    Bench::Bound.words(self, "", address.put, "")

    reach "to_json, reused instance", over: :hand, interpreter: 1.0, yjit: 1.4
    reach "to_json, json!", over: "Oj::StringWriter, new", at_least: 2.5
    reach "to_json, json!", over: "Jbuilder", at_least: 9
    limit "to_json, reused instance", metric: "objects", at_most: 1
    limit "to_json, json!", metric: "objects", at_most: 2
  end
end
