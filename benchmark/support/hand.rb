# frozen_string_literal: true

# Layer: none below it. What a person writes without a serializer library: the five contenders that BENCHMARKS wants in every
# scenario of serializers.

module Bench
  # Adds contenders to a table.
  module Hand
    # `hash` is an expression, `write` what it is in calls of `writer`; `v` is the call's value, `read` sets locals for both.
    # --quick has the two that were fastest so far; `fastest`: so has the table.
    def self.add(table, hash:, write:, read: nil, fastest: false)
      write = "#{write.chomp}\nwriter.to_s"
      add = ->(name, peer, text, **more) { table.contender(name, :hand, peer: peer, code: [*read, text].join("\n"), **more) if !fastest || more[:quick] }
      add["Hash + JSON.generate", "json", "JSON.generate(#{hash})", quick: false]
      add["Hash + JSON::Coder", "json", "coder.generate(#{hash})", before: "coder = JSON::Coder.new", quick: true]
      add["Hash + Oj.dump strict", "oj", "Oj.dump(#{hash}, options)", before: "options = {mode: :strict}", quick: false]
      # indent: -1 is Oj's way to leave out a newline at the end.
      add["Oj::StringWriter, reset", "oj", "writer.reset\n#{write}", before: "writer = Oj::StringWriter.new(mode: :strict, indent: -1)", quick: true]
      add["Oj::StringWriter, new", "oj", "writer = Oj::StringWriter.new(options)\n#{write}", before: "options = {mode: :strict, indent: -1}", quick: false]
    end
  end
end
