# frozen_string_literal: true

# Fuzz kit. The model's documents: trees of plain values, their one text, and reading a text back
# with two parsers.

require "json"

module Fuzz
  # An object: its pairs in order, also those with one key.
  class Pairs < Array
    # So that JSON.parse(object_class: Pairs) keeps their order; an older json also keeps a key that
    # comes twice.
    def []=(key, value)
      key.is_a?(String) ? push([key, value]) : super
    end
  end

  # JSON text that stands for itself.
  Raw = Struct.new(:text)

  # Trees of nil, true, false, Integer, Float, String, Array, Pairs and Raw.
  module Text
    module_function

    # The compact text of a tree.
    def of(tree) = write(tree, +"")

    def write(tree, out)
      case tree
      when Pairs
        out << "{"
        tree.each_with_index do |(key, value), index|
          out << "," unless index.zero?
          out << JSON.generate(key) << ":"
          write(value, out)
        end
        out << "}"
      when Array
        out << "["
        tree.each_with_index do |element, index|
          out << "," unless index.zero?
          write(element, out)
        end
        out << "]"
      when String then out << JSON.generate(tree)
      when Raw then out << tree.text
      when nil then out << "null"
      else out << tree.to_s
      end
    end

    # What json's parser reads, pairs in order, or :invalid.
    def parsed(text)
      # which json 2.13 begins to ask for
      JSON.parse(text, object_class: Pairs, max_nesting: false, allow_duplicate_key: true)
    rescue JSON::ParserError
      :invalid
    end

    # Objects as Hashes, as a parser gives them.
    def plain(tree)
      case tree
      when Pairs then tree.to_h { |key, value| [key, plain(value)] }
      when Array then tree.map { |element| plain(element) }
      when Raw then JSON.parse(tree.text, allow_duplicate_key: true)
      else tree
      end
    end

    # Equal, telling 1 from 1.0 and 0.0 from -0.0.
    def same?(one, other)
      case one
      when Array
        other.instance_of?(one.class) && one.size == other.size && one.zip(other).all? do |a, b|
          same?(a, b)
        end
      when Float then other.is_a?(Float) && [one].pack("G") == [other].pack("G")
      else one.eql?(other)
      end
    end
  end
end
