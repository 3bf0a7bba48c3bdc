# frozen_string_literal: true

require "json"

module Bench
  # Do contenders make the same documents? Nothing is timed before this says so.
  class Equality
    # Both strict parsers, as far as they are there: {name => callable}.
    def self.parsers
      parsers = {"json #{JSON::VERSION}" => ->(text) { JSON.parse(text, max_nesting: false) }}
      require "oj"
      parsers.merge("oj #{Oj::VERSION}" => ->(text) { Oj.load(text, mode: :strict) })
    rescue LoadError
      parsers
    end

    attr_reader :parsers

    # Each of the parsers must accept every document.
    def initialize(parsers = self.class.parsers)
      @parsers = parsers
    end

    # nil, or what is wrong with these documents by themselves.
    def invalid(documents)
      documents.each_with_index do |document, index|
        why = complaint(document)
        return "document #{index} is #{why}" if why
      end
      nil
    end

    # nil, or the first difference of `documents` from `reference`. Without `same_bytes` only what
    # they parse to must be the same, the order of keys included. `maps` makes of what a document
    # parses to what the reference parses to.
    def difference(reference, documents, same_bytes:, maps: nil)
      unless reference.size == documents.size
        return "#{documents.size} documents instead of #{reference.size}"
      end

      problem = invalid(documents) and return problem
      reference.zip(documents).each_with_index do |(expected, actual), index|
        what = if ordered(expected) != ordered(actual, maps) then "values"
               elsif same_bytes && expected.b != actual.b then "bytes"
               end
        return "document #{index} has other #{what}: #{excerpt(expected, actual)}" if what
      end
      nil
    end

    private

    def utf8(document) = document.dup.force_encoding(Encoding::UTF_8)

    def complaint(document)
      return "a #{document.class}, not a String" unless document.is_a?(String)

      text = utf8(document)
      return "not UTF-8" unless text.valid_encoding?

      @parsers.each do |name, parser|
        parser.call(text)
      rescue StandardError => error
        return "refused by #{name}: #{error.message.lines.first.to_s.strip}"
      end
      nil
    end

    def ordered(document, maps = nil)
      value = @parsers.values.first.call(utf8(document))
      pairs(maps ? maps.call(value) : value)
    end

    # Hashes as lists of pairs: two Hashes of another order are equal to Ruby.
    def pairs(value)
      case value
      when Hash then [:object, value.map { |key, element| [key, pairs(element)] }]
      when Array then value.map { |element| pairs(element) }
      else value
      end
    end

    # Both texts from a little before where they part.
    def excerpt(expected, actual)
      pairs = expected.each_char.zip(actual.each_char)
      index = pairs.index { |left, right| left != right } || expected.size
      from = [index - 20, 0].max
      "expected …#{expected[from, 60]}…, got …#{actual[from, 60]}…"
    end
  end
end
