# frozen_string_literal: true

require_relative "../contenders/generators"
require_relative "../data/plain_values"

# Arrays of one kind of value, and who writes them. A peer that has no form of its own for a kind is
# given the text that we write, made as its users would make it.
Bench.scenario 12, "values", "values of one kind" do
  as_rails = {peer: "active_support", quick: false, code: "ActiveSupport::JSON.encode(v)"}
  json = ->(code) { {peer: "json", code: "JSON.generate(#{code})"} }
  oj = lambda do |code, options = "mode: :strict"|
    {peer: "oj", before: "options = {#{options}}", code: "Oj.dump(#{code}, options)"}
  end
  quoted = ->(list) { "\"[\\\"\#{#{list}.join('\",\"')}\\\"]\"" }
  # What nobody can do without: the bytes of the document in one new String, nothing looked at.
  joined = {before: "glue = '\",\"'", code: "v.join(glue)", document: quoted["v"]}

  # What json, Oj and ActiveSupport write as it is.
  %i[integers large_integers floats coordinates prices uuids escapes].each do |kind|
    table kind.to_s, quick: %i[integers floats].include?(kind) do
      data { Bench::PlainValues[kind] }
      Bench::Generators.add(self, floats: %i[floats coordinates prices].include?(kind))
      contender "ActiveSupport", :gem, **as_rails
      contender "joined", :control, **joined if kind == :uuids
      reach "to_json, generate", over: :gem, at_least: 2
    end
  end

  # Points in time as ISO 8601 with milliseconds. "strftime" is Ruby's formatting alone, without any
  # JSON around it.
  {"UTC times" => [:utc_times, "%Y-%m-%dT%H:%M:%S.%LZ"],
   "zoned times" => [:zoned_times, "%Y-%m-%dT%H:%M:%S.%L%:z"]}.each do |name, (kind, format)|
    table name do
      data { Bench::PlainValues[kind] }
      texts = "v.map { |time| time.strftime('#{format}') }"
      contender "to_json, generate", :ours, objects: 1, code: "ToJson.generate(v)"
      contender "strftime, joined", :hand,
                code: "\"[\#{#{texts.sub(format, "\"#{format}\"")}.join(\",\")}]\""
      contender "strftime", :other, code: texts.sub("map", "each"), document: quoted[texts]
      contender "strftime, json", :gem, **json[texts]
      contender "strftime, Oj strict", :gem, **oj[texts]
      contender "ActiveSupport", :gem, **as_rails
      reach "to_json, generate", over: "strftime", at_least: 10
      reach "to_json, generate", over: :gem, at_least: 2
    end
  end

  table "dates" do
    data { Bench::PlainValues[:dates] }
    contender "to_json, generate", :ours, objects: 1, code: "ToJson.generate(v)"
    contender "JSON.generate", :gem, **json["v"]
    contender "Oj.dump compat", :gem, **oj["v", "mode: :compat"]
    contender "ActiveSupport", :gem, **as_rails
    reach "to_json, generate", over: :gem, at_least: 2
  end

  table "decimals" do
    data { Bench::PlainValues[:decimals] }
    texts = "v.map { |decimal| decimal.to_s('F') }"
    contender "to_json, generate", :ours, objects: 1_001, code: "ToJson.generate(v)"
    contender "to_s, json", :gem, **json[texts]
    contender "to_s, Oj strict", :gem, **oj[texts]
    contender "ActiveSupport", :gem, **as_rails
    # What nobody can do without: BigDecimal keeps its digits to itself.
    contender "to_s alone", :control, code: texts.sub("map", "each"), document: quoted[texts]
    reach "to_json, generate", over: :gem, at_least: 2
  end

  # Ruby keeps with a String whether its bytes are known to be valid, until something changes it.
  table "Japanese text" do
    data { Bench::PlainValues[:japanese] }
    forget = "v.each { |text| text.force_encoding(Encoding::BINARY)" \
             ".force_encoding(Encoding::UTF_8) }\n"
    Bench::Generators.add(self)
    contender "ActiveSupport", :gem, **as_rails
    contender "to_json, unknown code range", :ours, objects: 1,
                                                    code: "#{forget}ToJson.generate(v)"
    contender "JSON.generate, unknown code range", :other, peer: "json", quick: false,
                                                           code: "#{forget}JSON.generate(v)"
    contender "joined", :control, **joined
    reach "to_json, generate", over: :gem, at_least: 2
    limit "to_json, unknown code range", over: "to_json, generate", at_most: 1.5
  end

  # Prose, where next to nothing is to be escaped, and markup, where every few bytes one becomes
  # six: that is not judged.
  {"HTML-safe" => :prose, "HTML-safe markup" => :markup}.each do |name, kind|
    table name, quick: kind == :prose do
      data { Bench::PlainValues[kind] }
      own = {differs: "escapes of its own"}
      contender "to_json, HTML-safe", :ours, objects: 2, code: "ToJson.generate(v, rules: rules)",
                                             before: "rules = ToJson::Rules.new(html_safe: true)"
      contender "to_json, plain", :ours, objects: 1, code: "ToJson.generate(v)",
                                         differs: "< > & as they are"
      contender "JSON.generate, script_safe", :gem, **json["v, script_safe: true"], **own
      contender "Oj.dump, xss_safe", :gem, **oj["v", "mode: :strict, escape_mode: :xss_safe"], **own
      contender "ActiveSupport", :gem, **as_rails, **own
      reach "to_json, HTML-safe", over: :gem, at_least: (2 if kind == :prose)
      limit "to_json, HTML-safe", over: "to_json, plain", at_most: (1.1 if kind == :prose)
    end
  end
end
