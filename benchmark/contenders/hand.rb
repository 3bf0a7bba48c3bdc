# frozen_string_literal: true

require "yaml"
require_relative "shape"

module Bench
  # The contenders of hand.yml, which are in every scenario of serializers.
  module Hand
    ALL = YAML.safe_load_file(File.expand_path("hand.yml", __dir__)).freeze

    # Adds them for `v`, an object of this shape, or with `many` a list of such. `read` is Ruby
    # before that; `only`: names of them. --quick has those that were fastest so far.
    def self.add(table, shape, many: nil, read: nil, only: ALL.keys, quick: /Coder|reset/)
      hash = many ? "v.map { |#{many}| #{shape.hash("#{many}.")} }" : shape.hash
      write = many ? shape.writer_of_many("v", many) : shape.writer
      ALL.slice(*only).each do |name, spec|
        code = spec["code"].gsub("HASH") { hash }.gsub("WRITE") { write }
        table.contender name, :hand, peer: spec["peer"], before: spec["before"],
                                     code: [*read, code].join("\n"), quick: name.match?(quick)
      end
    end
  end
end
