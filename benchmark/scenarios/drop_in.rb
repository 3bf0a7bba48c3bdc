# frozen_string_literal: true

require_relative "../data/corpus"
require_relative "../data/trees"

# Scenarios 8 and 11 for those who change the library and nothing else: each dialect beside what it
# stands for, byte for byte, the hooks that serve a library's own call, and the validator beside the
# parser. The list of BENCHMARKS has no such row.
Bench.scenario 21, "drop_in", "dialects beside their libraries" do
  corpus = Bench::Corpus::NAMES
  encoder = "ToJson::ActiveSupportEncoder"
  libraries = {
    "json" => [:json, "json", "JSON.generate(v)", ""],
    "Oj compat" => [:oj, "oj", "Oj.dump(v, options)", "options = {mode: :compat}"],
    "Oj strict" => [:oj_strict, "oj", "Oj.dump(v, options)", "options = {mode: :strict}"],
    "ActiveSupport" => [:rails, "active_support", "ActiveSupport::JSON.encode(v)",
                        "#{encoder}.uninstall if defined?(#{encoder})"]
  }
  documents = {"small" => :small, "rows" => :rows, "rows, Symbols" => :symbol_rows}
              .merge(corpus.to_h { |name| [name, nil] })
  values = lambda do |table, name, method|
    table.needs "json" unless method
    table.data { method ? Bench::Trees.public_send(method) : Bench::Corpus.trees(name) }
  end

  libraries.to_a.product(documents.to_a).each do |(library, spec), (name, method)|
    dialect, peer, code, before = spec
    table "#{library}, #{name}", quick: library == "json" && name == "rows" do
      values.call(self, name, method)
      ours = "to_json, #{dialect.inspect}"
      # In the library's process, where core classes are as it left them.
      contender ours, :ours, peer: peer, code: "ToJson.generate(v, rules: rules)",
                             objects: (2 if library == "json" && method == :rows),
                             before: "rules = ToJson::Rules.new(dialect: #{dialect.inspect})"
      contender library, :gem, peer: peer, before: before, code: code
      reach ours, over: library, at_least: (1.5 if library == "json" && method.nil?)
      next unless library == "ActiveSupport"

      # The same call: who serves it is changed before each sample.
      contender "ActiveSupport, served by us", :ours, peer: peer, code: code,
                                                      define: 'require "to_json/active_support"',
                                                      before: "#{encoder}.install"
      reach "ActiveSupport, served by us", over: library
    end
  end

  documents.each do |name, method|
    table "MultiJson, #{name}", quick: false do
      values.call(self, name, method)
      multi_json = lambda do |contender, group, peer, before, **more|
        contender contender, group, peer: ["multi_json", peer], before: before,
                                    code: "MultiJson.dump(v)", **more
      end
      multi_json["MultiJson, served by us", :ours, "json", "ToJson::MultiJsonAdapter.install",
                 define: "require \"to_json/multi_json\""]
      multi_json["MultiJson, json_gem", :gem, "json", "MultiJson.use(:json_gem)"]
      multi_json["MultiJson, oj", :gem, "oj", "MultiJson.use(:oj)",
                 differs: "floats in digits of its own"]
      reach "MultiJson, served by us", over: :gem
    end
  end

  # What to_json validate does, beside the only check that there is without it.
  corpus.each do |name|
    table "validation, #{name}", quick: name == "twitter" do
      data { Array.new(2) { Bench::Corpus.text(name) } }
      contender "to_json, Fragment.new", :ours, code: "ToJson::Fragment.new(v)", objects: 2,
                                                document: "ToJson::Fragment.new(v).to_s"
      contender "JSON.parse", :gem, peer: "json", code: "JSON.parse(v)",
                                    document: "JSON.parse(v) && v"
      contender "Oj.load strict", :gem, peer: "oj", before: "options = {mode: :strict}",
                                        code: "Oj.load(v, options)", quick: false,
                                        document: "Oj.load(v, mode: :strict) && v"
      reach "to_json, Fragment.new", over: "JSON.parse", at_least: 5
      reach "to_json, Fragment.new", over: :gem
    end
  end
end
