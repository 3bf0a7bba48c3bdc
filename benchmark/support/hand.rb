# frozen_string_literal: true

# Layer: none below it. What a person writes without a serializer library: the five contenders that BENCHMARKS wants in every
# scenario of serializers.

module Bench
  # Adds contenders to a table.
  module Hand
    # `hash` is an expression, `write` what it is in calls of `writer`; `v` is the call's value, `read` sets locals for both.
    # --quick has the two that were fastest so far.
    def self.add(table, hash:, write:, read: nil)
      code = ->(text) { read ? "#{read}\n#{text}" : text }
      write = "#{write.chomp}\nwriter.to_s"
      table.contender "Hash + JSON.generate", :hand, peer: "json", quick: false, code: code["JSON.generate(#{hash})"]
      table.contender "Hash + JSON::Coder", :hand, peer: "json", before: "coder = JSON::Coder.new", code: code["coder.generate(#{hash})"]
      table.contender "Hash + Oj.dump strict", :hand, peer: "oj", quick: false, before: "options = {mode: :strict}", code: code["Oj.dump(#{hash}, options)"]
      # indent: -1 is Oj's way to leave out a newline at the end.
      table.contender "Oj::StringWriter, reset", :hand, peer: "oj", before: "writer = Oj::StringWriter.new(mode: :strict, indent: -1)",
                                                        code: code["writer.reset\n#{write}"]
      table.contender "Oj::StringWriter, new", :hand, peer: "oj", quick: false, before: "options = {mode: :strict, indent: -1}",
                                                      code: code["writer = Oj::StringWriter.new(options)\n#{write}"]
    end
  end
end
