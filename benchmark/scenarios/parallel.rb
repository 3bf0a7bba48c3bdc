# frozen_string_literal: true

require_relative "../data/people"

# Scenario 1 in many processes and in Ractors. What the machine and Ruby's allocator allow is shown
# by a control that only allocates the same Strings.
Bench.scenario 4, "parallel", "small object in processes and Ractors" do
  {"processes" => [1, 2, 4, 16], "Ractors" => [1, 2]}.each do |name, workers|
    table name, measure: "parallel", kind: name.downcase, workers: workers, calls: 200_000 do
      setup :ours, Bench::People::ADDRESS_CLASS
      contender "to_json, json!", :ours, code: "AddressSerializer.json!"
      # + makes a new String with its own copy; dup would share the bytes.
      contender "the same String, allocated", :control, code: "document + empty", before:
        "document = #{Bench::People::ADDRESS_DOCUMENT}; empty = ''"

      (workers - [1]).each do |count|
        reach "to_json, json!", over: :control, metric: "scaling", at: count, at_least: 0.95
      end
    end
  end
end
