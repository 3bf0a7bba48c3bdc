# frozen_string_literal: true

require_relative "shape"

module Bench
  # What a person writes without a serializer library: the five contenders that are in every
  # scenario of serializers.
  module Hand
    # Adds them for `v`, an object of this shape, or with `many` a list of such. `read` is Ruby
    # before that; `only`: names of them. --quick has those that were fastest so far.
    def self.add(table, shape, many: nil, read: nil, only: nil, quick: /Coder|reset/)
      hash = many ? "v.map { |#{many}| #{shape.hash("#{many}.")} }" : shape.hash
      write = many ? shape.writer_of_many("v", many) : shape.writer
      write = "#{write}\nwriter.to_s"
      strict = "{mode: :strict, indent: -1}" # -1 is Oj's way to leave out a newline at the end
      [["Hash + JSON.generate", "json", nil, "JSON.generate(#{hash})"],
       ["Hash + JSON::Coder", "json", "coder = JSON::Coder.new", "coder.generate(#{hash})"],
       ["Hash + Oj.dump strict", "oj", "options = {mode: :strict}", "Oj.dump(#{hash}, options)"],
       ["Oj::StringWriter, reset", "oj", "writer = Oj::StringWriter.new(#{strict})",
        "writer.reset\n#{write}"],
       ["Oj::StringWriter, new", "oj", "options = #{strict}",
        "writer = Oj::StringWriter.new(options)\n#{write}"]].each do |name, peer, before, code|
        next if only && !only.include?(name)

        table.contender name, :hand, peer: peer, before: before, code: [*read, code].join("\n"),
                                     quick: name.match?(quick)
      end
    end
  end
end
