# frozen_string_literal: true

# Scenario 4. Scenario 1 in many processes and in Ractors. What the machine and Ruby's allocator allow
# is shown by a control that only allocates the same Strings.

require_relative "../support/contenders"

Bench.scenario 4, "parallel", "small object in processes and Ractors" do
  allocate = "document = #{Bench::Contenders::ADDRESS_DOCUMENT}; empty = ''"
  serializer = lambda do
    class AddressSerializer < ToJson::Serializer
      Bench::Contenders.define(self, "serialize", Bench::Contenders::PUT_ADDRESS)
    end
  end

  table "processes", measure: "parallel", kind: "processes", workers: [1, 2, 4, 16], calls: 200_000 do
    setup :ours, &serializer
    contender "to_json, json!", :ours, code: "AddressSerializer.json!"
    # + makes a new String with its own copy; dup would share the bytes.
    contender "the same String, allocated", :control, before: allocate, code: "document + empty"

    [2, 4, 16].each { |count| reach "to_json, json!", over: :control, metric: "scaling", at: count, at_least: 0.95 }
  end

  table "Ractors", measure: "parallel", kind: "ractors", workers: [1, 2], calls: 200_000 do
    setup :ours, &serializer
    contender "to_json, json!", :ours, code: "AddressSerializer.json!"
    contender "the same String, allocated", :control, before: allocate, code: "document + empty"

    reach "to_json, json!", over: :control, metric: "scaling", at: 2, at_least: 0.95
  end
end
