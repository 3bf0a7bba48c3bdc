# frozen_string_literal: true

# Fuzz. The oracle's `as:` and `transform_keys`, in as few words as can be.

require_relative "../kit/text"

module Fuzz
  module Definitions
    module Conversions
      module_function

      # @return [Object] the value, or Raw text; never called with nil
      def as(as, value, format)
        case as
        when :string then value.is_a?(BigDecimal) ? value.to_s("F") : value.to_s
        when :integer then value.is_a?(String) ? Integer(value, 10) : value.to_i
        when :float then value.is_a?(String) ? Float(value) : value.to_f
        when :boolean then value ? true : false
        when :date
          value.is_a?(String) ? Date.iso8601(value).iso8601 : value.to_date.strftime("%Y-%m-%d")
        # as the Rules at hand write it
        when :time then format ? Raw.new(ToJson.generate(value, time: format)) : value
        when :fragment then fragment(value)
        else as.respond_to?(:encode) ? as.encode(value) : as.call(value)
        end
      end

      def fragment(value)
        return value if value.is_a?(ToJson::Fragment)

        value.empty? ? nil : Raw.new(value)
      end

      # Of the names that CASES lets pass.
      def key(name, key_case)
        words = name.sub(/\A_+/, "").split("_")
        case key_case
        when nil then name
        when :camel then words.map(&:capitalize).join
        when :camel_lower then words[0] + words[1..].map(&:capitalize).join
        when :dash then name.tr("_", "-")
        when :snake then name.gsub(/[A-Z]/) { |letter| "_#{letter.downcase}" }
        else key_case.call(name).to_s
        end
      end
    end
  end
end
