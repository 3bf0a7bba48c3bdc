# frozen_string_literal: true

module Bench
  # Hashes and Arrays: scenario 11's (few keys; three levels with a very long String; a thousand
  # keys ten levels deep), each a period of eight, and what scenario 17 gives to dialects, two of
  # each.
  module Trees
    PERIOD, KEYS, LEVELS, ROWS = 8, 1_000, 10, 100
    LONG = "A very long text, which is said over and over: \"it's 5 < 6\" & so on.\n" * 1428

    class << self
      def hash1 = Array.new(PERIOD) { |i| few(i) }

      def hash2
        Array.new(PERIOD) do |i|
          rows = Array.new(ROWS) do |row|
            {"id" => (i * 1000) + row, "title" => "row #{row}", "tags" => %w[one two],
             "owner" => few(i + row)}
          end
          {"name" => "hash2 #{i}", "text" => LONG + i.to_s, "rows" => rows,
           "first" => {"second" => {"third" => [few(i), few(i + 1)]}}}
        end
      end

      def hash3
        Array.new(PERIOD) do |i|
          keys = (0...KEYS).to_h do |key|
            plain = [key + i, "value #{key}", key / 8.0, nil, true][key % 5]
            ["key#{key}", (key % 10).zero? ? few(i + key) : plain]
          end
          deep = (0...LEVELS).inject(few(i)) do |inner, level|
            {"level" => level, "rows" => [few(level), few(i)], "inner" => inner}
          end
          keys.merge("deep" => deep)
        end
      end

      def small
        Array.new(2) do |i|
          {"id" => 10_065 + i, "name" => "New York", "ratio" => 1.5, "ok" => i.even?, "note" => nil}
        end
      end

      def rows = symbol_rows.map { |list| list.map { |row| row.transform_keys(&:to_s) } }

      def symbol_rows
        Array.new(2) do |i|
          Array.new(ROWS) do |n|
            {id: n + i, name: "row #{n + i}", price: ((n + i) * 7.91).round(2),
             tags: %w[one two], active: (n + i).even?, parent: nil}
          end
        end
      end

      private

      def few(number)
        {"id" => number, "name" => "name #{number}", "ratio" => (number + 1) / 8.0,
         "active" => number.even?, "parent" => nil, "city" => "Zürich", "count" => number * 1001}
      end
    end
  end
end
