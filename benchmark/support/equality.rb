# frozen_string_literal: true

# Layer: none below it. Do contenders make the same documents? Nothing is timed before this says so.

module Bench
  # Compares documents. `parsers` are {name => callable}; each must accept every document.
  class Equality
    def initialize(parsers)
      @parsers = parsers
    end

    # nil, or what is wrong with these documents by themselves.
    def invalid(documents)
      documents.each_with_index do |document, index|
        return "document #{index} is a #{document.class}, not a String" unless document.is_a?(String)

        text = document.dup.force_encoding(Encoding::UTF_8)
        return "document #{index} is not UTF-8" unless text.valid_encoding?

        @parsers.each do |name, parser|
          parser.call(text)
        rescue StandardError => error
          return "document #{index} is refused by #{name}: #{error.message.lines.first.to_s.strip}"
        end
      end
      nil
    end

    # nil, or the first difference of `documents` from `reference`. With `same_bytes` false only what
    # they parse to must be the same, the order of keys included. `maps` is called with what they parse to and gives what the
    # reference should parse to.
    def difference(reference, documents, same_bytes:, maps: nil)
      return "#{documents.size} documents instead of #{reference.size}" unless reference.size == documents.size

      (problem = invalid(documents)) and return problem
      reference.zip(documents).each_with_index do |(expected, actual), index|
        if ordered(expected) != ordered(actual, maps)
          return "document #{index} has other values: #{excerpt(expected, actual)}"
        elsif same_bytes && expected.b != actual.b
          return "document #{index} has other bytes: #{excerpt(expected, actual)}"
        end
      end
      nil
    end

    private

    # Hashes as arrays of pairs: two Hashes of another order are equal to Ruby.
    def ordered(document, maps = nil)
      value = @parsers.values.first.call(document.dup.force_encoding(Encoding::UTF_8))
      pairs(maps ? maps.call(value) : value)
    end

    def pairs(value)
      case value
      when Hash then [:object, value.map { |key, element| [key, pairs(element)] }]
      when Array then value.map { |element| pairs(element) }
      else value
      end
    end

    # Both texts from a little before where they part.
    def excerpt(expected, actual)
      index = expected.each_char.zip(actual.each_char).index { |left, right| left != right } || expected.size
      from = [index - 20, 0].max
      "expected …#{expected[from, 60]}…, got …#{actual[from, 60]}…"
    end
  end
end
