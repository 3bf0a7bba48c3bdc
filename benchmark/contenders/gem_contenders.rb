# frozen_string_literal: true

require_relative "gems"
require_relative "json_api"

module Bench
  # The contenders that serialize a Shape by a library: ours, and each gem of gems.yml, RABL and
  # Jbuilder. --quick has those that were fastest so far.
  module GemContenders
    QUICK = ["to_json, json!", "oj_serializers", "Panko"].freeze

    # `name` is that of the serializers; `many`: `v` is a list of such objects; `read`: Ruby before
    # that; `only`: names of the gems.
    def self.add(table, shape, many: nil, read: nil, only: nil)
      inner = shape.fields.reject { |_, field| field.nil? || field.is_a?(String) }.keys
      add = lambda do |name, peer, code, differs, maps = nil|
        group = peer ? :gem : :ours
        next if peer && only && !only.include?(name)

        table.contender name, group, peer: peer, code: [*read, code].join("\n"), maps: maps,
                                     differs: differs, quick: QUICK.include?(name)
      end

      Gems::STYLES.each do |style, spec|
        table.setup spec["peer"]&.first || :ours, Gems.classes(style, "Document", shape.fields)
        maps = JsonApi.method(:plain) if style == "JsonApi"
        spec["contenders"].each do |name, (one, list, differs)|
          code = format(many ? list : one, "#{style}Document").sub("INNER", inner.inspect)
          add[name, spec["peer"], code, differs, maps]
        end
      end

      table.setup "rabl", "RABL_DOCUMENT = #{Gems.rabl(shape.fields).inspect}"
      reorders = inner.any? && shape.fields.values.any?(String)
      in_order = ->(document) { document.slice(*shape.fields.keys.map(&:to_s)) } if reorders
      add["RABL", "rabl", "Rabl::Renderer.json(v, RABL_DOCUMENT)",
          ("children before computed fields" if reorders), in_order]
      words = many ? shape.extracting_many("v", many) : shape.extracting
      add["Jbuilder", "jbuilder", "Jbuilder.encode do |json|\n#{words}\nend", nil]
    end
  end
end
