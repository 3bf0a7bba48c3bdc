# frozen_string_literal: true

require_relative "../contenders/generators"
require_relative "../data/plain_values"

# Arrays of one kind of value. A peer that has no form of its own for a kind is given the text that
# we write, made as its users would make it.
Bench.scenario 12, "values", "values of one kind" do
  active_support = lambda do |table, **more|
    table.contender "ActiveSupport", :gem, peer: "active_support", quick: false,
                                           code: "ActiveSupport::JSON.encode(v)", **more
  end
  ours = ->(table) { table.contender "to_json, generate", :ours, code: "ToJson.generate(v)" }
  quoted = ->(list) { "\"[\\\"\#{#{list}.join('\",\"')}\\\"]\"" }
  # What nobody can do without: the bytes of the document in one new String, nothing looked at.
  joined = lambda do |table|
    table.contender "joined", :control, code: "v.join(glue)", before: "glue = '\",\"'",
                                        document: quoted["v"]
  end

  # What json, Oj and ActiveSupport write as it is.
  %i[integers large_integers floats coordinates prices uuids escapes].each do |kind|
    table kind.to_s, quick: %i[integers floats].include?(kind) do
      data { Bench::PlainValues[kind] }
      Bench::Generators.add(self, floats: %i[floats coordinates prices].include?(kind))
      active_support.call(self)
      reach "to_json, generate", over: :gem, at_least: 2
      joined.call(self) if kind == :uuids
      next unless kind == :large_integers

      # What nobody can do without: the digits, by our own routine, each number over the last.
      contender "numbers alone", :control, peer: "lower_bound", code: "LowerBound.numbers(v)",
                                           document: "\"[\#{v.join(',')}]\""
    end
  end

  # Points in time as ISO 8601 with milliseconds. "strftime" is Ruby's formatting alone, without any
  # JSON around it.
  {"UTC times" => [:utc_times, "%Y-%m-%dT%H:%M:%S.%LZ"],
   "zoned times" => [:zoned_times, "%Y-%m-%dT%H:%M:%S.%L%:z"]}.each do |name, (kind, format)|
    table name do
      data { Bench::PlainValues[kind] }
      before, texts = "format = '#{format}'", "v.map { |time| time.strftime(format) }"
      ours.call(self)
      contender "strftime, joined", :hand, before: "format = '\"#{format}\"'",
                                           code: "\"[\#{#{texts}.join(\",\")}]\""
      contender "strftime", :other, before: before, code: "v.each { |time| time.strftime(format) }",
                                    document: quoted[texts.sub("format)", "'#{format}')")]
      contender "strftime, json", :gem, peer: "json", before: before,
                                        code: "JSON.generate(#{texts})"
      contender "strftime, Oj strict", :gem, peer: "oj", code: "Oj.dump(#{texts}, options)",
                                             before: "#{before}\noptions = {mode: :strict}"
      active_support.call(self)
      reach "to_json, generate", over: "strftime", at_least: 10
      reach "to_json, generate", over: :gem, at_least: 2
    end
  end

  table "dates" do
    data { Bench::PlainValues[:dates] }
    ours.call(self)
    contender "JSON.generate", :gem, peer: "json", code: "JSON.generate(v)"
    contender "Oj.dump compat", :gem, peer: "oj", before: "options = {mode: :compat}",
                                      code: "Oj.dump(v, options)"
    active_support.call(self)
    reach "to_json, generate", over: :gem, at_least: 2
  end

  table "decimals" do
    data { Bench::PlainValues[:decimals] }
    texts = "v.map { |decimal| decimal.to_s('F') }"
    ours.call(self)
    contender "to_s, json", :gem, peer: "json", code: "JSON.generate(#{texts})"
    contender "to_s, Oj strict", :gem, peer: "oj", before: "options = {mode: :strict}",
                                       code: "Oj.dump(#{texts}, options)"
    active_support.call(self)
    # What nobody can do without: BigDecimal keeps its digits to itself.
    contender "to_s alone", :control, code: texts.sub("map", "each"), document: quoted[texts]
    reach "to_json, generate", over: :gem, at_least: 2
  end

  # Ruby keeps with a String whether its bytes are known to be valid, until something changes it.
  table "Japanese text" do
    data { Bench::PlainValues[:japanese] }
    forget = "v.each { |text| text.force_encoding(Encoding::BINARY)" \
             ".force_encoding(Encoding::UTF_8) }"
    Bench::Generators.add(self)
    active_support.call(self)
    contender "to_json, unknown code range", :ours, code: "#{forget}\nToJson.generate(v)"
    contender "JSON.generate, unknown code range", :other, peer: "json", quick: false,
                                                           code: "#{forget}\nJSON.generate(v)"
    joined.call(self)
    reach "to_json, generate", over: :gem, at_least: 2
    limit "to_json, unknown code range", over: "to_json, generate", at_most: 1.5
  end

  # Prose, where next to nothing is to be escaped, and markup, where every few bytes one becomes
  # six: that is not judged.
  {"HTML-safe" => :prose, "HTML-safe markup" => :markup}.each do |name, kind|
    table name, quick: kind == :prose do
      data { Bench::PlainValues[kind] }
      contender "to_json, HTML-safe", :ours, before: "rules = ToJson::Rules.new(html_safe: true)",
                                             code: "ToJson.generate(v, rules: rules)"
      contender "to_json, plain", :ours, code: "ToJson.generate(v)", differs: "< > & as they are"
      contender "JSON.generate, script_safe", :gem, peer: "json",
                                                    code: "JSON.generate(v, script_safe: true)",
                                                    differs: "only slashes and U+2028 escaped"
      contender "Oj.dump, xss_safe", :gem,
                peer: "oj", code: "Oj.dump(v, options)", differs: "escapes of its own",
                before: "options = {mode: :strict, escape_mode: :xss_safe}"
      active_support.call(self, differs: "escapes of its own")
      reach "to_json, HTML-safe", over: :gem, at_least: (2 if kind == :prose)
      limit "to_json, HTML-safe", over: "to_json, plain", at_most: (1.1 if kind == :prose)
    end
  end
end
