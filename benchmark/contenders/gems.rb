# frozen_string_literal: true

require "yaml"
require_relative "shape"

module Bench
  # Serializers of each gem for a Shape's fields, as text: the styles of gems.yml.
  module Gems
    STYLES = YAML.safe_load_file(File.expand_path("gems.yml", __dir__)).freeze

    class << self
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

      private

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
