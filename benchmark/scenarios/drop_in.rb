# frozen_string_literal: true

# Beyond those of the contract: scenarios 8 and 11 for those who change the library and nothing else: each dialect beside what it stands for, byte for byte,
# the hooks that serve a library's own call, and the validator beside the parser.

require_relative "../support/corpus"
require_relative "../support/drop_in"

Bench.scenario 17, "drop_in", "dialects beside their libraries" do
  libraries = {
    "json" => [:json, "json", "JSON.generate(v)", ""],
    "Oj compat" => [:oj, "oj", "Oj.dump(v, options)", "options = {mode: :compat}"],
    "Oj strict" => [:oj_strict, "oj", "Oj.dump(v, options)", "options = {mode: :strict}"],
    "ActiveSupport" => [:rails, "active_support", "ActiveSupport::JSON.encode(v)", ""]
  }
  # The same call, served by us or by the library: which of the two is changed before each sample.
  hooks = {
    "ActiveSupport" => ["to_json/active_support", "ToJson::ActiveSupportEncoder.install", "ToJson::ActiveSupportEncoder.uninstall if defined?(ToJson::ActiveSupportEncoder)"]
  }
  documents = { "small" => -> { Bench::DropIn.small }, "rows" => -> { Bench::DropIn.rows }, "rows, Symbols" => -> { Bench::DropIn.symbol_rows } }
  Bench::Corpus::NAMES.each { |name| documents[name] = -> { Bench::Corpus.trees(name) } }

  libraries.each do |library, (dialect, peer, code, before)|
    hook, install, uninstall = hooks[library]
    documents.each do |name, values|
      table "#{library}, #{name}", quick: library == "json" && name == "rows" do
        needs "json" if Bench::Corpus::NAMES.include?(name)
        data(&values)

        # In the library's process, where core classes are as it left them.
        contender "to_json, #{dialect.inspect}", :ours, peer: peer, before: "rules = ToJson::Rules.new(dialect: #{dialect.inspect})",
                                                        code: "ToJson.generate(v, rules: rules)"
        contender library, :gem, peer: peer, before: "#{before}#{uninstall}", code: code
        reach "to_json, #{dialect.inspect}", over: library, at_least: (1.5 if library == "json" && Bench::Corpus::NAMES.include?(name))
        next unless hook

        contender "#{library}, served by us", :ours, peer: peer, define: "require \"#{hook}\"", before: install, code: code
        reach "#{library}, served by us", over: library
      end
    end
  end

  documents.each do |name, values|
    table "MultiJson, #{name}", quick: false do
      needs "json" if Bench::Corpus::NAMES.include?(name)
      data(&values)

      contender "MultiJson, served by us", :ours, peer: %w[multi_json json], define: "require \"to_json/multi_json\"", before: "ToJson::MultiJsonAdapter.install",
                                                  code: "MultiJson.dump(v)"
      contender "MultiJson, json_gem", :gem, peer: %w[multi_json json], before: "MultiJson.use(:json_gem)", code: "MultiJson.dump(v)"
      contender "MultiJson, oj", :gem, peer: %w[multi_json oj], before: "MultiJson.use(:oj)", code: "MultiJson.dump(v)", differs: "floats in digits of its own"
      reach "MultiJson, served by us", over: :gem
    end
  end

  # What to_json validate does, beside the only check that there is without it.
  Bench::Corpus::NAMES.each do |name|
    table "validation, #{name}", quick: name == "twitter" do
      data { Array.new(2) { Bench::Corpus.text(name) } }

      contender "to_json, Fragment.new", :ours, code: "ToJson::Fragment.new(v)", document: "ToJson::Fragment.new(v).to_s"
      contender "JSON.parse", :gem, peer: "json", code: "JSON.parse(v)", document: "JSON.parse(v) && v"
      contender "Oj.load strict", :gem, peer: "oj", before: "options = {mode: :strict}", code: "Oj.load(v, options)",
                                        document: "Oj.load(v, mode: :strict) && v", quick: false
      reach "to_json, Fragment.new", over: "JSON.parse", at_least: 5
      reach "to_json, Fragment.new", over: :gem
    end
  end
end
