# frozen_string_literal: true

# Layer: testing. Finds where a document differs from what was expected, and what a path leads to.

module ToJson
  module Testing
    # Compares what was expected with what a document has, in step.
    # @api private
    class Difference
      # So many are listed below the first one.
      MOST_LISTED = 9
      # Longer documents and values are cut in messages.
      LONGEST = 4_000
      LONGEST_VALUE = 200
      PLAIN_NAME = /\A[A-Za-z_][A-Za-z0-9_]*\z/
      private_constant :MOST_LISTED, :LONGEST, :LONGEST_VALUE, :PLAIN_NAME

      class << self
        # @return [String] the path of a key below another path, as errors write it
        def below(path, key)
          return "#{path}[#{key}]" if Integer === key

          PLAIN_NAME.match?(key) ? "#{path}.#{key}" : "#{path}[#{key.inspect}]"
        end

        # @return [String] a value as JSON, cut where it is long
        def shown(value, longest = LONGEST_VALUE)
          text = ToJson.generate(value)
          text.size > longest ? "#{text[0, longest]}…" : text
        end
      end

      # @param expected [Object] a Hash, an Array or a value; Modules, Regexps, Ranges, Procs and
      #   matchers of RSpec are asked whether they match
      # @param actual [Object] what a JSON parser makes of the document
      def initialize(expected, actual)
        @actual = actual
        @found = []
        compare("$", expected, actual)
      end

      # @return [String, nil] nil: there is none
      def message
        return if @found.empty?

        first, *more = @found
        [first, *listed(more), "The document: #{Difference.shown(@actual, LONGEST)}"].join("\n")
      end

      private

      def listed(more)
        return [] if more.empty?

        shown = more.first(MOST_LISTED)
        left = more.size - shown.size
        words = ["Further differences:", *shown.map { |text| "  #{text}" }]
        left.positive? ? [*words, "  and #{left} more"] : words
      end

      def compare(path, expected, actual)
        case expected
        when Hash then compare_objects(path, expected, actual)
        when Array then compare_lists(path, expected, actual)
        when Module, Regexp, Range, Proc then match(path, expected, expected === actual, actual)
        else compare_values(path, expected, actual)
        end
      end

      def compare_values(path, expected, actual)
        return match(path, expected, expected.matches?(actual), actual) if matcher?(expected)

        plain = Tree.parse(ToJson.generate(expected))
        return compare(path, plain, actual) if Hash === plain || Array === plain

        differ(path, Difference.shown(plain), actual) unless plain == actual
      end

      def compare_objects(path, expected, actual)
        return differ(path, "an object", actual) unless Hash === actual

        expected = expected.transform_keys(&:to_s)
        others = actual.keys - expected.keys
        expected.each do |key, value|
          inner = Difference.below(path, key)
          actual.key?(key) ? compare(inner, value, actual[key]) : missing(inner, key, value, others)
        end
        others.each do |key|
          inner = Difference.below(path, key)
          @found << "#{inner}: not expected, got #{Difference.shown(actual[key])}."
        end
      end

      def compare_lists(path, expected, actual)
        return differ(path, "an array", actual) unless Array === actual

        expected.first(actual.size).each_with_index do |value, index|
          compare(Difference.below(path, index), value, actual[index])
        end
        return if expected.size == actual.size

        due = "#{expected.size} element#{"s" if expected.size != 1}"
        @found << "#{path}: expected #{due}, got #{actual.size}."
      end

      def missing(path, key, value, others)
        near = Suggestion.near(key, others)
        near = " There is #{near.inspect}." if near
        @found << "#{path}: missing, expected #{words(value)}.#{near}"
      end

      def match(path, expected, matches, actual)
        differ(path, words(expected), actual) unless matches
      end

      def differ(path, words, actual)
        @found << "#{path}: expected #{words}, got #{Difference.shown(actual)}."
      end

      # @return [String] for a message
      def words(expected)
        case expected
        when Hash then "an object"
        when Array then "an array"
        when Module, Regexp, Range then expected.inspect
        when Proc then "what the block takes"
        else matcher?(expected) ? expected.description : Difference.shown(expected)
        end
      end

      def matcher?(expected) = expected.respond_to?(:matches?) && expected.respond_to?(:description)
    end
  end
end
