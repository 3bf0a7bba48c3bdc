# frozen_string_literal: true

# Layer: none below it. Whoever turns any tree into text, for scenarios 8, 11 and 12: json, Oj and Yajl by themselves, and through MultiJson.

module Bench
  # Adds contenders to a table. All of them are gems: what a person would write by hand is one of these calls.
  module Generators
    ADAPTERS = {"json_gem" => "json", "oj" => "oj", "yajl" => "yajl-ruby"}.freeze
    FLOATS = "Floats in digits of its own"

    # With `floats` json may write Floats otherwise: not always the shortest form (Yajl never does). Oj is asked for all digits: its
    # strict mode rounds to 16 unless told not to.
    def self.add(table, floats: false, multi_json: false)
      differs = floats ? {differs: FLOATS} : {}
      table.contender "to_json, generate", :ours, code: "ToJson.generate(v)"
      table.contender "JSON.generate", :gem, peer: "json", code: "JSON.generate(v)", **differs
      table.contender "JSON::Coder", :gem, peer: "json", before: "coder = JSON::Coder.new", code: "coder.generate(v)", **differs
      table.contender "Oj.dump strict", :gem, peer: "oj", before: "options = {mode: :strict, float_precision: 0}", code: "Oj.dump(v, options)"
      table.contender "Oj.dump compat", :gem, peer: "oj", before: "options = {mode: :compat}", code: "Oj.dump(v, options)", quick: false
      # https://github.com/brianmario/yajl-ruby#encoding: an encoder is made once and used again.
      table.contender "Yajl", :gem, peer: "yajl-ruby", before: "encoder = Yajl::Encoder.new", code: "encoder.encode(v)", quick: false,
                                    differs: "slashes escaped, Floats in 20 digits"
      through_multi_json(table, differs) if multi_json
    end

    # One call, the adapter chosen before it: with `adapter:` in the call MultiJson 1.19 gives one adapter's options to another, which it keeps.
    # Its others have no generator of their own (fast_jsonparser, ok_json of Ruby) or are JRuby's.
    def self.through_multi_json(table, differs)
      ADAPTERS.each do |adapter, peer|
        table.contender "MultiJson, #{adapter}", :gem, peer: ["multi_json", peer], before: "MultiJson.use(:#{adapter})", code: "MultiJson.dump(v)",
                                                       quick: false, **(adapter == "yajl" ? {differs: "slashes escaped, Floats in 20 digits"} : differs)
      end
    end
  end
end
