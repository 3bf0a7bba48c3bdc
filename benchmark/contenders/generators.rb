# frozen_string_literal: true

module Bench
  # Whoever turns any tree into text: json, Oj and Yajl by themselves, and through MultiJson. All of
  # them are gems: what a person would write by hand is one of these calls.
  module Generators
    ADAPTERS = {"json_gem" => "json", "oj" => "oj", "yajl" => "yajl-ruby"}.freeze
    FLOATS = "Floats in digits of its own"
    YAJL = "slashes escaped, Floats in 20 digits"

    # With `floats` json may write Floats otherwise: not always the shortest form. Oj is asked for
    # all digits: its strict mode rounds to 16 unless told not to.
    def self.add(table, floats: false)
      differs = floats ? FLOATS : nil
      table.contender "to_json, generate", :ours, code: "ToJson.generate(v)"
      [["JSON.generate", "json", "", "JSON.generate(v)", true, differs],
       ["JSON::Coder", "json", "coder = JSON::Coder.new", "coder.generate(v)", true, differs],
       ["Oj.dump strict", "oj", "options = {mode: :strict, float_precision: 0}",
        "Oj.dump(v, options)", true],
       ["Oj.dump compat", "oj", "options = {mode: :compat}", "Oj.dump(v, options)", false],
       ["Yajl", "yajl-ruby", "encoder = Yajl::Encoder.new", "encoder.encode(v)", false, YAJL],
       # The adapter is chosen before the call: with `adapter:` in it MultiJson 1.19 gives one
       # adapter's options to another, which it keeps.
       *ADAPTERS.map do |adapter, peer|
         ["MultiJson, #{adapter}", ["multi_json", peer], "MultiJson.use(:#{adapter})",
          "MultiJson.dump(v)", false, adapter == "yajl" ? YAJL : differs]
       end].each do |name, peer, before, code, quick, differing|
        table.contender name, :gem, peer: peer, before: before, code: code, quick: quick,
                                    differs: differing
      end
    end
  end
end
