# frozen_string_literal: true

# What JSON.generate, JSON.pretty_generate and JSON.dump answer with to_json/json and without, under
# the json gem that this process has: run by json_hook_test.rb under the Gemfile of each line.
# Writes a Marshal of {version:, checked:, served:, differences: []}

$LOAD_PATH.unshift(File.expand_path("../../lib", __dir__))
require "json"
require "stringio"
require "to_json"
require_relative "json_outcome"
require_relative "json_table"

answer = $stdout.dup.binmode
$stdout.reopen($stderr)
$VERBOSE = nil # json's deprecations

line = JSON::VERSION.to_i >= 3 ? :json : :json2
served = 0
TracePoint.new(:c_call) do |event|
  served += 1 if event.self == ToJson && event.method_id == :generate_under
end.enable
options = JsonTable.options(line) + [{ indent: 1 }, { max_nesting: -1 }, { space: :x },
                                     { "indent" => "  " }, { unknown: 1, indent: " " },
                                     JSON::State.new(indent: " "), JSON::State.new(strict: true)]
cases = options.flat_map do |given|
  known = given.is_a?(Hash) ? given : given.to_h
  JsonTable.values(known, line).flat_map do |name, value|
    [["#{name}, generate, #{given.inspect[0, 100]}", -> { JSON.generate(value.call, given) }],
     ["#{name}, pretty_generate, #{given.inspect[0, 100]}",
      -> { JSON.pretty_generate(value.call, given) }]]
  end
end
into = ->(*rest, &io) do
  io ||= -> { StringIO.new(String.new(encoding: "UTF-8")) }
  ->(value) do
    io.call.then { |made| JSON.dump(value, made, *rest).equal?(made) ? made.string : "another IO" }
  end
end
dumps = { "dump" => ->(value) { JSON.dump(value) },
          "dump, an IO" => into.call,
          "dump, a limit" => ->(value) { JSON.dump(value, 3) },
          "dump, both" => into.call(4),
          "dump, options" => ->(value) { JSON.dump(value, strict: true) },
          "dump, an IO and options" => into.call({ indent: " " }),
          "dump, what is no IO" => ->(value) { JSON.dump(value, :no) },
          "generate" => ->(value) { JSON.generate(value) },
          "pretty_generate" => ->(value) { JSON.pretty_generate(value) },
          "[]" =>
            ->(value) { JSON[[value]] }, "Kernel#JSON" => ->(value) { JSON([value]) },
            "nil for options" => ->(value) do
            JSON.generate(value, nil)
          end }
# Where nothing limits the depth json ends the process.
dumps.each do |what, call|
  JsonTable.values({ max_nesting: false }, line).each do |name, value|
    cases << ["#{name}, #{what}", -> { call.call(value.call) }]
  end
end

due = cases.map { |_, call| JsonOutcome.of(&call) }
before = served
require "to_json/json"
got = cases.map { |_, call| JsonOutcome.of(&call) }
# Ruby's error_highlight quotes the caller after them
words = ->(outcome) { outcome.settled(outcome.error.message.b)[/.*?(?=\n\n|\z)/m] }
kind = Kernel.instance_method(:class)
# An error is json's own: its class, its words and what it is about.
same = lambda do |one, other|
  next one.same?(other) if one.text
  next false unless other.error.instance_of?(one.error.class) && words.(one) == words.(other)

  !one.error.is_a?(JSON::GeneratorError) ||
    kind.bind_call(one.error.invalid_object) == kind.bind_call(other.error.invalid_object)
end
differences = cases.each_index.reject { |i| same.call(due[i], got[i]) }.map do |i|
  "#{cases[i].first}: due #{due[i].inspect[0, 200]}, got #{got[i].inspect[0, 200]}"
end
answer
  .write(
    Marshal
      .dump({ version: JSON::VERSION, checked: cases.size, served: served - before,
              differences: differences })
  )
