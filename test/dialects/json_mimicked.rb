# frozen_string_literal: true

# :json2 after Oj.mimic_JSON, which takes JSON.generate and everybody's to_json: a process of its
# own. What json wrote before is what is due. Answers with {version:, checked:, differences: []}.

$LOAD_PATH.unshift(File.expand_path("../../lib", __dir__))
require "json"
require "to_json"
require "oj"
require_relative "json_outcome"
require_relative "json_table"

answer = $stdout.dup.binmode
$stdout.reopen($stderr)
$VERBOSE = nil
# A to_json of the user's that calls others' gets Oj's.
values = JsonTable::VALUES.except("with to_json that delegates", "with to_json that collides",
                                  "a Fragment of ours")
cases = [{}, JsonTable::LAYOUT, { ascii_only: true }, { strict: true }].product(values.to_a)
due = cases.map { |options, (_, value)| JsonOutcome.of { JSON.generate(value.call, options) } }
Oj.mimic_JSON
Oj.add_to_json
differences = cases.zip(due).filter_map do |(options, (name, value)), outcome|
  got = JsonOutcome.of { ToJson.generate(value.call, dialect: :json2, **options) }
  unless outcome.same?(got)
    "#{name}, #{options}: due #{outcome.inspect[0, 200]}, got #{got.inspect[0, 200]}"
  end
end
# Raised an ArgumentError: Oj's State says that it responds to `depth`.
serializer = Class.new(ToJson::Serializer) { attributes :id }
[-> { JSON.generate([serializer.new({ id: 1 })]) },
 -> { Oj.generate([serializer.new({ id: 1 })]) }].each do |write|
  got = JsonOutcome.of(&write)
  due = JsonOutcome.of { '[{"id":1}]' }
  differences << "serializer: got #{got.inspect[0, 200]}" unless due.same?(got)
end
answer
  .write(Marshal.dump({ version: JSON::VERSION, checked: cases.size, differences: differences }))
