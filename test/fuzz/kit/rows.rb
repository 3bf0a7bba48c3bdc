# frozen_string_literal: true

# Fuzz kit. Which rows of the contract a run reached: a row that was never reached was never tested.

module Fuzz
  # Counters for a fixed list of rows.
  class Rows
    attr_reader :counts

    # @param names [Array<String>]
    def initialize(names)
      @counts = names.to_h { |name| [name, 0] }
    end

    # Counts one; a name that is not in the list is a mistake of the generator.
    def reached(name)
      @counts[name] = @counts.fetch(name) + 1
    end

    def add(counts)
      counts.each { |name, count| @counts[name] = @counts.fetch(name) + count }
    end

    def missed = @counts.select { |_, count| count.zero? }.keys

    # A line for each row, aligned.
    def table
      width = @counts.keys.map(&:size).max
      @counts.map { |name, count| format("  %-#{width}s %d", name, count) }
    end
  end
end
