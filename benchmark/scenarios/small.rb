# frozen_string_literal: true

# Scenario 1. Five pairs of literals: what a call costs before it has much to do.

Bench.scenario 1, "small", "small object, class DSL" do
  table "address" do
    setup :ours do
      class AddressSerializer < ToJson::Serializer
        def serialize
          put :address, "1143 1st Ave"
          put :address2, "Apt 200"
          put :city, "New York"
          put :state, "New York"
          put :zip, 10065
        end
      end
    end

    contender "to_json, reused instance", :ours, before: "serializer = AddressSerializer.new", code: "serializer.json!"
    contender "to_json, json!", :ours, code: "AddressSerializer.json!"

    contender "Hash + JSON.generate", :hand, peer: "json", code: <<~RUBY
      JSON.generate({address: "1143 1st Ave", address2: "Apt 200", city: "New York", state: "New York", zip: 10065})
    RUBY

    contender "Hash + JSON::Coder", :hand, peer: "json", before: "coder = JSON::Coder.new", code: <<~RUBY
      coder.generate({address: "1143 1st Ave", address2: "Apt 200", city: "New York", state: "New York", zip: 10065})
    RUBY

    contender "Hash + Oj.dump strict", :hand, peer: "oj", code: <<~RUBY
      Oj.dump({address: "1143 1st Ave", address2: "Apt 200", city: "New York", state: "New York", zip: 10065}, mode: :strict)
    RUBY

    # indent: -1 is Oj's way to leave out a newline at the end.
    contender "Oj::StringWriter, reset", :hand, peer: "oj", before: "writer = Oj::StringWriter.new(mode: :strict, indent: -1)", code: <<~RUBY
      writer.reset
      writer.push_object
      writer.push_value("1143 1st Ave", "address")
      writer.push_value("Apt 200", "address2")
      writer.push_value("New York", "city")
      writer.push_value("New York", "state")
      writer.push_value(10065, "zip")
      writer.pop
      writer.to_s
    RUBY

    contender "Oj::StringWriter, new", :hand, peer: "oj", before: "options = {mode: :strict, indent: -1}", code: <<~RUBY
      writer = Oj::StringWriter.new(options)
      writer.push_object
      writer.push_value("1143 1st Ave", "address")
      writer.push_value("Apt 200", "address2")
      writer.push_value("New York", "city")
      writer.push_value("New York", "state")
      writer.push_value(10065, "zip")
      writer.pop
      writer.to_s
    RUBY

    contender "Jbuilder", :gem, peer: "jbuilder", code: <<~RUBY
      Jbuilder.encode do |json|
        json.address "1143 1st Ave"
        json.address2 "Apt 200"
        json.city "New York"
        json.state "New York"
        json.zip 10065
      end
    RUBY

    # What any DSL of this shape must pay: a call of a native method for each pair, and the String.
    setup :control do
      class AddressCalls < Array
        alias_method :put, :push

        def json!(document)
          clear
          put :address, "1143 1st Ave"
          put :address2, "Apt 200"
          put :city, "New York"
          put :state, "New York"
          put :zip, 10065
          document + ""
        end
      end
    end

    contender "lower bound", :control, code: "calls.json!(document)", before: <<~'RUBY'
      calls = AddressCalls.new
      document = '{"address":"1143 1st Ave","address2":"Apt 200","city":"New York","state":"New York","zip":10065}'
    RUBY

    reach "to_json, reused instance", over: :hand, interpreter: 1.0, yjit: 1.4
    reach "to_json, json!", over: "Oj::StringWriter, new", at_least: 2.5
    reach "to_json, json!", over: "Jbuilder", at_least: 9
    reach "lower bound", over: :hand
    reach "lower bound", over: "Jbuilder"
    limit "to_json, reused instance", metric: "objects", at_most: 1
    limit "to_json, json!", metric: "objects", at_most: 2
  end
end
