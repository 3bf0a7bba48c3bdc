# frozen_string_literal: true

# Layer: none below it. What is given to JSON.generate, Oj.dump and ActiveSupport all over an application, beside the corpus: one small Hash, and rows.

module Bench
  # Two of each that differ in their values.
  module DropIn
    ROWS = 100

    class << self
      def small = twice { |i| { "id" => 10_065 + i, "name" => "New York", "ratio" => 1.5, "ok" => i.even?, "note" => nil } }

      def rows = twice { |i| Array.new(ROWS) { |n| row(n + i).transform_keys(&:to_s) } }

      def symbol_rows = twice { |i| Array.new(ROWS) { |n| row(n + i) } }

      private

      def twice(&block) = Array.new(2, &block)

      def row(number)
        { id: number, name: "row #{number}", price: (number * 7.91).round(2), tags: %w[one two], active: number.even?, parent: nil }
      end
    end
  end
end
