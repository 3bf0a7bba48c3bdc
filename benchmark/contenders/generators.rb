# frozen_string_literal: true

require "yaml"

module Bench
  # Ours, and the contenders of generators.yml.
  module Generators
    ALL = YAML.safe_load_file(File.expand_path("generators.yml", __dir__)).freeze

    # With `floats` some may write Floats otherwise: not always the shortest form.
    def self.add(table, floats: false)
      table.contender "to_json, generate", :ours, code: "ToJson.generate(v)", objects: 1
      ALL.each do |name, spec|
        differs = spec["differs"] || ("Floats in digits of its own" if floats && spec["floats"])
        table.contender name, :gem, peer: spec["peer"], before: spec["before"],
                                    code: spec["code"], quick: spec["quick"] || false,
                                    differs: differs
      end
    end
  end
end
