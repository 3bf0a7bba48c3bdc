# frozen_string_literal: true

require "yaml"

require_relative "../harness/definition"

module Bench
  # Contenders that stand in tables of YAML beside this file or the scenario's: who writes, and how.
  module Listed
    class << self
      # The tables of a file: {name => what Listed.add takes}.
      def tables(path) = YAML.safe_load_file("#{path}.yml", aliases: true)

      # Adds what `spec` has: {group => {contender => its keywords}}, {"setup" => {whose => text}},
      # {"reach" or "limit" => [keywords]}. In texts a word in capitals stands for that of `texts`.
      def add(table, spec, texts = {}, **more)
        spec = fill(spec, texts)
        spec.fetch("setup", {}).each { |whose, text| table.setup(*whose.split(" / "), text) }
        spec.slice(*GROUPS).each do |group, contenders|
          contenders.each do |name, one|
            table.contender(name, group, **one.transform_keys(&:to_sym), **more)
          end
        end
        spec.slice("reach", "limit").each do |kind, figures|
          figures.each do |subject, one|
            table.public_send(kind, subject, **one.transform_keys(&:to_sym))
          end
        end
      end

      # Those who write by hand, for `v`, an object of this shape, or with `many` a list of such.
      # `read` is Ruby before that; `only`: names of them. --quick has those that were fastest.
      def hand(table, shape, many: nil, read: nil, only: nil, quick: /Coder|reset/)
        texts = {"READ" => read.to_s,
                 "HASH" => many ? "v.map { |#{many}| #{shape.hash("#{many}.")} }" : shape.hash,
                 "WRITE" => many ? shape.writer_of_many("v", many) : shape.writer}
        all = tables(File.join(__dir__, "hand")).fetch("hand")
        all.slice(*only || all.keys).each do |name, one|
          add(table, {"hand" => {name => one}}, texts, quick: name.match?(quick))
        end
      end

      # Ours, and whoever turns any tree into text. With `floats` some may write Floats otherwise:
      # not always the shortest form.
      def generators(table, floats: false)
        spec = tables(File.join(__dir__, "generators"))
        spec["gem"].each_value do |one|
          one["differs"] ||= "Floats in digits of its own" if one.delete("floats") && floats
        end
        add(table, spec)
      end

      private

      def fill(value, texts)
        case value
        when Hash then value.transform_values { |one| fill(one, texts) }
        when Array then value.map { |one| fill(one, texts) }
        when String then value.gsub(/\b[A-Z]{4,}\b/) { |word| texts.fetch(word, word) }
        else value
        end
      end
    end
  end
end
