# frozen_string_literal: true

# Stops. Other libraries' generators, as whose encoders we stand.

module Stops
  MIXED = { "a" => [1, nil, "é"], b: { c: 1.5 } }.freeze

  scenario "JSON.generate through to_json/json", group: :json do
    { call: -> { JSON.generate(MIXED) }, expect: '{"a":[1,null,"é"],"b":{"c":1.5}}' }
  end

  scenario "JSON.generate with options and JSON.dump", group: :json do
    { call: -> { JSON.generate(MIXED, { space: " " }) + JSON.dump([1]) },
      expect: '{"a": [1,null,"é"],"b": {"c": 1.5}}[1]' }
  end

  scenario "to_json/json installed anew", group: :json do
    { call: lambda {
      ToJson::JsonGenerate.uninstall
      ToJson::JsonGenerate.install
      JSON.pretty_generate([1])
    }, expect: "[\n  1\n]", again: -> { JSON.generate(MIXED) },
    accepts: ['{"a":[1,null,"é"],"b":{"c":1.5}}'] }
  end

  scenario "a serializer within JSON.generate", group: :json do
    made = serializer { attributes :name }
    { call: -> { JSON.generate({ a: made.new(ANN) }) }, expect: '{"a":{"name":"Ann"}}' }
  end

  scenario "what json refuses", group: :json do
    { call: lambda {
      begin
        JSON.generate([1.0 / 0])
      rescue JSON::GeneratorError
        "refused"
      end
    }, expect: "refused", again: -> { JSON.generate([1]) }, accepts: ["[1]"] }
  end

  scenario "Oj.dump through to_json/oj", group: :oj do
    { call: -> { Oj.dump(MIXED, mode: :compat) }, expect: '{"a":[1,null,"é"],"b":{"c":1.5}}' }
  end

  scenario "to_json/oj installed anew", group: :oj do
    { call: lambda {
      ToJson::OjDump.uninstall
      ToJson::OjDump.install
      Oj.dump([1], mode: :compat)
    }, expect: "[1]" }
  end

  scenario "ActiveSupport's encoder", group: :rails do
    { call: -> { ActiveSupport::JSON.encode({ "a" => 1..2, b: "<" }) },
      expect: '{"a":"1..2","b":"\u003c"}' }
  end

  scenario "to_json of an object with as_json and options", group: :rails do
    own = Class.new { def as_json(options = nil) = { only: options && options[:only] } }
    { call: -> { [own.new].to_json(only: [:x]) }, expect: '[{"only":["x"]}]' }
  end

  scenario "ActiveSupport's encoder installed anew", group: :rails do
    { call: lambda {
      ToJson::ActiveSupportEncoder.uninstall
      ToJson::ActiveSupportEncoder.install
      [1, nil].to_json
    }, expect: "[1,null]" }
  end
end
