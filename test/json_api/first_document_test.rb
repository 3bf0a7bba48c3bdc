# frozen_string_literal: true

# The first document of JSON:API and of HAL in a process.

require_relative "../test_helper"
require_relative "../support/own_process"

class FirstDocumentTest < ToJsonTest
  # A serializer that is found by its name, and one that says how many Plans of its class are good
  # for a new document while it is written.
  SCRIPT = <<~RUBY
    class A < ToJson::Serializer
      attributes :id
    end
    class ByName < ToJson::Serializer
      has_one :a, serializer: "A"
    end
    ByName.json!({ a: nil })
    class Told < ToJson::Serializer
      attribute(:plans) { ToJson::PlanCache.published(Told, ToJson::PlanCache.epoch).size }
    end
  RUBY

  { "JSON:API" => "json_api!", "HAL" => "hal!" }.each do |what, call|
    test "what the first document of #{what} loads leaves its Plan good" do
      assert_match(/"plans":[1-9]/, OwnProcess.run("#{SCRIPT}puts Told.#{call}({ id: 1 })"))
    end
  end
end
