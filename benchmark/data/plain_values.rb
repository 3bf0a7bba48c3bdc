# frozen_string_literal: true

require "date"

module Bench
  # The values of scenario 12: Arrays of one kind, by a method each; two of each that differ.
  module PlainValues
    COUNT, DAY = 1_000, 86_400
    ZONES = %w[+09:00 -03:30 +00:00 +02:00].freeze
    JAPANESE = "これは日本語の文章です。東京の天気は晴れ、気温は二十度。"
    PROSE = "It was the best of times, it was the worst of times; nothing is said twice, or else " \
            "it's said again, and again, for as long as it takes. \"Take salt & pepper,\" she " \
            "said, and went out of the door without a word. "
    MARKUP = "<p>It was the <em>best</em> of times &amp; the <a href=\"/worst\">worst</a> of it</p>"
    # Of the last years, to the millisecond.
    TIME = lambda { |n, i|
      Time.at(1_600_000_000 + (n * DAY / 7) + i, (n * 37) % 1000, :millisecond)
    }

    # By kind, how many values, and the `n`-th of them; `i` is 0 in one Array, 1 in the other.
    KINDS = {
      integers: [COUNT + 1, ->(n, i) { n + i }],
      # Identifiers of all sizes.
      large_integers: [COUNT + 1, lambda { |n, i|
        [n * 10_007, -n * 97, (n + i) << 40, 138_586_341 + n, n & 7][n % 5]
      }],
      floats: [COUNT, ->(n, i) { 1.0 / (n + i + 3) }],
      coordinates: [COUNT / 2, lambda { |n, i|
        [(-180 + (n * 0.720_013) + i).round(6), (90 - (n * 0.360_007)).round(6)]
      }],
      prices: [COUNT, ->(n, i) { ((n * 7.91) + i + 0.99).round(2) }],
      utc_times: [COUNT, ->(n, i) { TIME[n, i].utc }],
      zoned_times: [COUNT, ->(n, i) { TIME[n, i].getlocal(ZONES[n % 4]) }],
      dates: [COUNT, ->(n, i) { Date.new(1990, 1, 1) + (n * 11) + i }],
      decimals: [COUNT, ->(n, i) { BigDecimal("#{n * 13}.#{10 + ((n + i) % 90)}") }],
      uuids: [COUNT, lambda { |n, i|
        format("%08x-%04x-4%03x-a%03x-%012x", (n + i) * 2_654_435, n, n, i, (n + 1) * 40_503_123)
      }],
      # Long, so that making Ruby forget what it knows of them weighs nothing. Not frozen.
      japanese: [10, ->(n, i) { (JAPANESE * 120) + "第#{n + i}" }],
      escapes: [COUNT, ->(n, i) { "\"quoted\"\tand \\back\\\nline #{n + i}\r\n\"end\"\u0001" }],
      prose: [100, ->(n, i) { (PROSE * (1 + (n % 9))) + "(#{n + i})" }],
      markup: [100, ->(n, i) { (MARKUP * (1 + (n % 9))) + "(#{n + i})" }]
    }.freeze

    # Two Arrays of that kind.
    def self.[](kind)
      require "bigdecimal" # a gem from Ruby 3.4 on, which the harness itself does not have
      count, value = KINDS.fetch(kind)
      Array.new(2) { |i| Array.new(count) { |n| value.call(n, i) } }
    end
  end
end
