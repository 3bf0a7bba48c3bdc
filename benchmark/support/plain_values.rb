# frozen_string_literal: true

# Layer: none below it. The values of scenario 12: Arrays of one kind, two of each that differ.

require "bigdecimal"
require "date"

module Bench
  # {kind => two Arrays}, by a method each.
  module PlainValues
    COUNT = 1_000
    DAY = 86_400
    JAPANESE = "これは日本語の文章です。東京の天気は晴れ、気温は二十度。"
    PROSE = "It was the best of times, it was the worst of times; nothing is said twice, or else it's said again, and again, for as long as it takes. " \
            "\"Take salt & pepper,\" she said, and went out of the door without a word. "
    MARKUP = "<p>It was the <em>best</em> of times &amp; the <a href=\"/worst\">worst</a> of times.</p>"

    class << self
      def integers = twice { |i| Array.new(COUNT + 1) { |n| n + i } }

      # Identifiers of all sizes.
      def large_integers = twice { |i| Array.new(COUNT + 1) { |n| [n * 10_007, -n * 97, (n + i) << 40, 138_586_341 + n, n & 7][n % 5] } }

      def floats = twice { |i| Array.new(COUNT) { |n| 1.0 / (n + i + 3) } }

      def coordinates = twice { |i| Array.new(COUNT / 2) { |n| [(-180 + (n * 0.720_013) + i).round(6), (90 - (n * 0.360_007)).round(6)] } }

      def prices = twice { |i| Array.new(COUNT) { |n| ((n * 7.91) + i + 0.99).round(2) } }

      # Of the last years, to the millisecond.
      def utc_times = twice { |i| Array.new(COUNT) { |n| time(n, i).utc } }

      def zoned_times = twice { |i| Array.new(COUNT) { |n| time(n, i).getlocal(%w[+09:00 -03:30 +00:00 +02:00][n % 4]) } }

      def dates = twice { |i| Array.new(COUNT) { |n| Date.new(1990, 1, 1) + (n * 11) + i } }

      def decimals = twice { |i| Array.new(COUNT) { |n| BigDecimal("#{n * 13}.#{10 + ((n + i) % 90)}") } }

      def uuids = twice { |i| Array.new(COUNT) { |n| format("%08x-%04x-4%03x-a%03x-%012x", (n + i) * 2_654_435, n, n, i, (n + 1) * 40_503_123) } }

      # Long Strings, so that making Ruby forget what it knows of them weighs nothing. They are not frozen.
      def japanese = twice { |i| Array.new(10) { |n| (JAPANESE * 120) + "第#{n + i}" } }

      def escapes = twice { |i| Array.new(COUNT) { |n| "\"quoted\"\tand \\back\\\nline #{n + i}\r\n\"end\"\u0001" } }

      def prose = twice { |i| Array.new(100) { |n| (PROSE * (1 + (n % 9))) + "(#{n + i})" } }

      def markup = twice { |i| Array.new(100) { |n| (MARKUP * (1 + (n % 9))) + "(#{n + i})" } }

      private

      def twice(&block) = Array.new(2, &block)

      def time(number, period) = Time.at(1_600_000_000 + (number * DAY / 7) + period, (number * 37) % 1000, :millisecond)
    end
  end
end
