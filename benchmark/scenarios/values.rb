# frozen_string_literal: true

# Scenario 12. Arrays of one kind of value (support/plain_values.rb). A peer that has no form of its own for a kind is given the text that
# we write, made as its users would make it.

require_relative "../support/generators"
require_relative "../support/plain_values"

Bench.scenario 12, "values", "values of one kind" do
  active_support = lambda do |table, **more|
    table.contender "ActiveSupport", :gem, peer: "active_support", code: "ActiveSupport::JSON.encode(v)", quick: false, **more
  end

  # What nobody can do without: the bytes of the document stand in one new String. Nothing is looked at, nothing escaped.
  joined = lambda do |table|
    table.contender "joined", :control, code: "v.join(glue)", before: "glue = '\",\"'", document: "\"[\\\"\#{v.join('\",\"')}\\\"]\""
    table.reach "joined", over: :gem
  end

  # What json, Oj and ActiveSupport write as it is.
  {"integers" => {}, "large_integers" => {}, "floats" => {floats: true}, "coordinates" => {floats: true}, "prices" => {floats: true}, "uuids" => {},
"escapes" => {}}.each do |kind, options|
    table kind, quick: %w[integers floats].include?(kind) do
      data { Bench::PlainValues.public_send(kind) }

      Bench::Generators.add(self, **options, multi_json: true)
      active_support.call(self)
      reach "to_json, generate", over: :gem, at_least: 2
      case kind
      when "large_integers" # What nobody can do without: the digits, by our own routine, each number over the one before.
        contender "numbers alone", :control, peer: "lower_bound", code: "LowerBound.numbers(v)", document: "\"[\#{v.join(',')}]\""
        reach "numbers alone", over: :gem
      when "uuids"
        joined.call(self)
      end
    end
  end

  # Points in time as ISO 8601 with milliseconds. "strftime" is Ruby's formatting alone, without any JSON around it.
  {"UTC times" => [:utc_times, "%Y-%m-%dT%H:%M:%S.%LZ"], "zoned times" => [:zoned_times, "%Y-%m-%dT%H:%M:%S.%L%:z"]}.each do |name, (kind, format)|
    table name do
      data { Bench::PlainValues.public_send(kind) }

      texts = "v.map { |time| time.strftime(format) }"
      contender "to_json, generate", :ours, code: "ToJson.generate(v)"
      contender "strftime, joined", :hand, before: "format = '\"#{format}\"'", code: "\"[\#{#{texts}.join(\",\")}]\""
      contender "strftime", :other, before: "format = '#{format}'", code: "v.each { |time| time.strftime(format) }",
                                      document: "\"[\\\"\#{v.map { |time| time.strftime('#{format}') }.join('\",\"')}\\\"]\""
      contender "strftime, json", :gem, peer: "json", before: "format = '#{format}'", code: "JSON.generate(#{texts})"
      contender "strftime, Oj strict", :gem, peer: "oj", before: "format = '#{format}'\noptions = {mode: :strict}", code: "Oj.dump(#{texts}, options)"
      active_support.call(self)
      reach "to_json, generate", over: "strftime", at_least: 10
      reach "to_json, generate", over: :gem, at_least: 2
    end
  end

  table "dates" do
    data { Bench::PlainValues.dates }

    contender "to_json, generate", :ours, code: "ToJson.generate(v)"
    contender "JSON.generate", :gem, peer: "json", code: "JSON.generate(v)"
    contender "Oj.dump compat", :gem, peer: "oj", before: "options = {mode: :compat}", code: "Oj.dump(v, options)"
    active_support.call(self)
    reach "to_json, generate", over: :gem, at_least: 2
  end

  table "decimals" do
    data { Bench::PlainValues.decimals }

    contender "to_json, generate", :ours, code: "ToJson.generate(v)"
    contender "to_s, json", :gem, peer: "json", code: "JSON.generate(v.map { |decimal| decimal.to_s('F') })"
    contender "to_s, Oj strict", :gem, peer: "oj", before: "options = {mode: :strict}", code: "Oj.dump(v.map { |decimal| decimal.to_s('F') }, options)"
    active_support.call(self)
    # What nobody can do without: BigDecimal keeps its digits to itself.
    contender "to_s alone", :control, code: "v.each { |decimal| decimal.to_s('F') }",
                                      document: "\"[\\\"\#{v.map { |decimal| decimal.to_s('F') }.join('\",\"')}\\\"]\""
    reach "to_json, generate", over: :gem, at_least: 2
    reach "to_s alone", over: :gem
  end

  # Ruby keeps with a String whether its bytes are known to be valid text, until something changes it.
  table "Japanese text" do
    data { Bench::PlainValues.japanese }

    Bench::Generators.add(self, multi_json: true)
    active_support.call(self)
    forget = "v.each { |text| text.force_encoding(Encoding::BINARY).force_encoding(Encoding::UTF_8) }"
    contender "to_json, unknown code range", :ours, code: "#{forget}\nToJson.generate(v)"
    contender "JSON.generate, unknown code range", :other, peer: "json", code: "#{forget}\nJSON.generate(v)", quick: false
    joined.call(self)
    reach "to_json, generate", over: :gem, at_least: 2
    limit "to_json, unknown code range", over: "to_json, generate", at_most: 1.5
  end

  # Prose, where next to nothing is to be escaped, and markup, where every few bytes one becomes six: that is not judged.
  {"HTML-safe" => :prose, "HTML-safe markup" => :markup}.each do |name, kind|
    table name, quick: kind == :prose do
      data { Bench::PlainValues.public_send(kind) }

      contender "to_json, HTML-safe", :ours, before: "rules = ToJson::Rules.new(html_safe: true)", code: "ToJson.generate(v, rules: rules)"
      contender "to_json, plain", :ours, code: "ToJson.generate(v)", differs: "< > & as they are"
      contender "JSON.generate, script_safe", :gem, peer: "json", code: "JSON.generate(v, script_safe: true)",
                                                    differs: "only slashes, U+2028 and U+2029 escaped"
      contender "Oj.dump, xss_safe", :gem, peer: "oj", before: "options = {mode: :strict, escape_mode: :xss_safe}", code: "Oj.dump(v, options)",
                                           differs: "escapes of its own"
      active_support.call(self, differs: "escapes of its own")
      # What is left where nothing is looked for: the text between known places, and the escapes there.
      known = "places = values.to_h { |list| [list.object_id, LowerBound.places(list, HTML)] }"
      placed = "LowerBound.placed(v, places.fetch(v.object_id))"
      contender "known places, HTML-safe", :control, peer: "lower_bound", before: known.sub("HTML", "true"), code: placed
      contender "known places, plain", :control, peer: "lower_bound", before: known.sub("HTML", "false"), code: placed, differs: "< > & as they are"
      limit "known places, HTML-safe", over: "known places, plain"
      reach "to_json, HTML-safe", over: :gem, at_least: (2 if kind == :prose)
      limit "to_json, HTML-safe", over: "to_json, plain", at_most: (1.1 if kind == :prose)
    end
  end
end
