# frozen_string_literal: true

# :json where nobody has loaded json: a process of its own, since the suite needs json. Answers with
# [[what, due, got], ...].

$LOAD_PATH.unshift(File.expand_path("../../lib", __dir__))
require "to_json"
require_relative "../support/ractor_value"

answer = $stdout.dup.binmode
named = Class.new { def to_s = "named" }
own = Class.new { def to_json(*) = "[1]" }
asks = Class.new { def to_json(state) = state.inspect.to_s.then { |text| %("#{text}") } }
error = ->(value, **options) do
  ToJson.generate(value, dialect: :json, **options) && nil rescue $!.class.name
end
found = [
  ["json is not loaded", nil, defined?(JSON)],
  ["simple values", '[1,null,"é",1e+20,:a]'.sub(":a", '"a"'),
   ToJson.generate([1, nil, "é", 1e20, :a], dialect: :json)],
  ["to_s", '["named"]', ToJson.generate([named.new], dialect: :json)],
  ["to_json", '[[1],"{}"]', ToJson.generate([own.new, asks.new], dialect: :json)],
  ["subclasses", '{"a":["x"]}',
   ToJson.generate(Class.new(Hash)[a: Class.new(Array).new(["x"])], dialect: :json)],
  ["NaN", "ToJson::NumberError", error.(0.0 / 0)],
  ["depth", "ToJson::NestingError", error.([[]], max_nesting: 1)],
  ["strict", "ToJson::UnsupportedTypeError", error.(named.new, strict: true)],
  ["keys", "ToJson::DuplicateKeyError", error.({ a: 1, "a" => 2 })],
  ["canonical keys", "ToJson::DuplicateKeyError", error.({ a: 1, "a" => 2 }, rfc8785: true)]
]
# Ruby 3.1 stops for ever where it loads an encoding after a Ractor: the parent would wait.
Ractor.new { nil }.value
alarm = Process.fork { sleep 20; Process.kill(:KILL, Process.ppid) }
found << ["canonical order after a Ractor", '{"a":2,"b":1}',
          ToJson.generate({ "b" => 1, "a" => 2 }, dialect: :json, rfc8785: true)]
Process.kill(:KILL, alarm)
answer.write(Marshal.dump(found))
