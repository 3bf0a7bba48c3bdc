# frozen_string_literal: true

require "yaml"
require_relative "shape"

module Bench
  # Serializers of each gem for a Shape's fields, as text: the styles of gems.yml, RABL and
  # Jbuilder.
  module Gems
    STYLES = YAML.safe_load_file(File.expand_path("gems.yml", __dir__)).freeze
    # --quick has those that were fastest so far.
    QUICK = ["to_json, json!", "oj_serializers", "Panko"].freeze

    class << self
      # Adds the contenders that serialize a Shape by a library: ours, and each gem. `many` is the
      # name of one where `v` is a list of such objects; `read`: Ruby before that; `only`: names of
      # the gems; `objects`: how many a call of ours allocates.
      def add(table, shape, many: nil, read: nil, only: nil, objects: nil)
        inner = shape.fields.reject { |_, field| field.nil? || field.is_a?(String) }.keys
        add = lambda do |name, peer, code, differs, maps = nil|
          next if peer && only && !only.include?(name)

          table.contender name, peer ? :gem : :ours, peer: peer, code: [*read, code].join("\n"),
                                                     maps: maps, differs: differs,
                                                     quick: QUICK.include?(name),
                                                     objects: (objects unless peer)
        end
        STYLES.each do |style, spec|
          table.setup spec["peer"]&.first || :ours, classes(style, "Document", shape.fields)
          maps = method(:without_json_api) if style == "JsonApi"
          spec["contenders"].each do |name, (one, list, differs)|
            code = format(many ? list : one, "#{style}Document").sub("INNER", inner.inspect)
            add[name, spec["peer"], code, differs, maps]
          end
        end

        table.setup "rabl", "RABL_DOCUMENT = #{rabl(shape.fields).inspect}"
        reorders = inner.any? && shape.fields.values.any?(String)
        in_order = ->(document) { document.slice(*shape.fields.keys.map(&:to_s)) } if reorders
        add["RABL", "rabl", "Rabl::Renderer.json(v, RABL_DOCUMENT)",
            ("children before computed fields" if reorders), in_order]
        words = many ? shape.extracting_many("v", many) : shape.extracting
        add["Jbuilder", "jbuilder", "Jbuilder.encode do |json|\n#{words}\nend", nil]
      end

      # Classes of that style, named STYLE + `name`; those of associations come first.
      def classes(style, name, fields)
        spec, type = STYLES.fetch(style), "#{style}#{name}"
        inner = fields.reject { |_, field| field.nil? || field.is_a?(String) }
        first = inner.map { |key, field| classes(style, "#{name}#{key.capitalize}", one(field)) }
        runs = fields.chunk_while { |(left, _), (right, _)| (inner.keys & [left, right]).empty? }
        lines = runs.flat_map do |run|
          key, field = run.first
          next [*getters(spec, run), *computed(spec, run)] unless inner.key?(key)

          kind = spec[field.is_a?(Array) ? "many" : "one"]
          format(kind, key: key, type: "#{type}#{key.capitalize}")
        end
        head = spec["head"].sub("%<type>s", name.downcase)
        "#{first.join}class #{type}#{spec["suffix"]}#{head}\n  #{lines.join("\n  ")}\nend\n\n"
      end

      # RABL's template, as text that is not looked up in files.
      def rabl(fields)
        fields.map do |key, field|
          case field
          when nil then "attributes :#{key}\n"
          when String then "node(:#{key}) { |object| #{field.gsub(/\bo\./, "object.")} }\n"
          else "child :#{key} => :#{key} do\n#{rabl(one(field))}end\n"
          end
        end.join
      end

      # What the data of a JSON:API document (https://jsonapi.org/format) is without it: each
      # resource an object of id, attributes and relationships.
      def without_json_api(document)
        key = ->(resource) { resource.values_at("type", "id") }
        resolve(document.fetch("data"), document.fetch("included", []).to_h { |r| [key[r], r] })
      end

      private

      def resolve(data, included)
        return data.map { |resource| resolve(resource, included) } if data.is_a?(Array)

        data = included.fetch(data.values_at("type", "id")) unless data.key?("attributes")
        related = data.fetch("relationships", {}).transform_values do |relationship|
          resolve(relationship.fetch("data"), included)
        end
        {"id" => Integer(data.fetch("id")), **data.fetch("attributes"), **related}
      end

      def one(field) = field.is_a?(Array) ? field.first : field

      def getters(spec, run)
        keys = run.select { |_, field| field.nil? || spec["listed"] }.map(&:first)
        names = (keys.map(&:to_s) - spec.fetch("hidden", [])).map { |key| key.to_sym.inspect }
        (spec["each"] ? names : [names.join(", ")]).map { |text| format(spec["plain"], text) }
      end

      def computed(spec, run)
        run.select(&:last).map do |key, text|
          text = text.gsub(/\bo\./, spec.fetch("object", "object."))
          format(spec["computed"], key: key, text: text)
        end
      end
    end
  end
end
