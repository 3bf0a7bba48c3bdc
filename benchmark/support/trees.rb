# frozen_string_literal: true

# Layer: none below it. The Hashes of scenario 11: few keys; three levels with a very long String; a thousand keys ten levels deep.

module Bench
  # Each is a period of eight that differ in their values.
  module Trees
    PERIOD = 8
    LONG = 100_000 # characters of hash2's String
    KEYS = 1_000
    LEVELS = 10

    class << self
      def hash1 = Array.new(PERIOD) { |i| few(i) }

      def hash2
        text = "A very long text, which is said over and over: \"it's 5 < 6\" & so on.\n" * (LONG / 70)
        Array.new(PERIOD) do |i|
          rows = Array.new(100) { |row| {"id" => (i * 1000) + row, "title" => "row #{row}", "tags" => %w[one two], "owner" => few(i + row)} }
          {"name" => "hash2 #{i}", "text" => text + i.to_s, "rows" => rows, "first" => {"second" => {"third" => [few(i), few(i + 1)]}}}
        end
      end

      def hash3
        Array.new(PERIOD) do |i|
          keys = (0...KEYS).to_h { |key| ["key#{key}", key % 10 == 0 ? few(i + key) : [key + i, "value #{key}", key / 8.0, nil, true][key % 5]] }
          keys.merge("deep" => (0...LEVELS).inject(few(i)) { |inner, level| {"level" => level, "rows" => [few(level), few(i)], "inner" => inner} })
        end
      end

      private

      def few(number)
        {"id" => number, "name" => "name #{number}", "ratio" => (number + 1) / 8.0, "active" => number.even?, "parent" => nil, "city" => "Zürich",
"count" => number * 1001}
      end
    end
  end
end
