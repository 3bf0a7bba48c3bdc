# frozen_string_literal: true

# Which compiled units of ext/to_json call which, and which of those calls lead down the order of
# the rooms. A unit is one .c file; `nm` tells what its object file defines and what it leaves
# undefined.

require "open3"

module Arrows
  # A symbol that the unit `from` uses and the unit `to` defines.
  Arrow = Struct.new(:from, :to, :symbol) do
    def to_s = "#{from} -> #{to}: #{symbol}"
  end

  class << self
    # @param objects [Array<String>] paths of object files
    # @return [Array<Arrow>]
    def of(objects)
      symbols = symbols_of(objects)
      homes = symbols.flat_map { |unit, (defined, _)| defined.map { |symbol| [symbol, unit] } }.to_h
      symbols.flat_map do |unit, (_, used)|
        used.filter_map do |symbol|
          Arrow.new(unit, homes[symbol], symbol) if homes[symbol] && homes[symbol] != unit
        end
      end
    end

    # @param order [Array<String>] units; each may use those before it
    # @param allowed [Array<String>] symbols that may be used from anywhere
    # @return [Array<Arrow>] those that lead to a unit further down
    def downward(arrows, order, allowed: [])
      place = order.each_with_index.to_h
      arrows.select do |arrow|
        place.fetch(arrow.to) > place.fetch(arrow.from) && !allowed.include?(arrow.symbol)
      end
    end

    private

    # Unit => [symbols that it defines, symbols that it uses]
    def symbols_of(objects)
      out, error, status = Open3.capture3("nm", "--print-file-name", *objects)
      raise error unless status.success?

      units = out.lines.group_by { |line| File.basename(line[/\A(.+?):/, 1], ".o") }
      units.transform_values do |lines|
        kinds = lines.map { |line| line.split.last(2) }
        undefined, defined = kinds.partition { |kind, _| kind == "U" }
        [defined.select { |kind, _| kind.match?(/[A-Z]/) }.map(&:last), undefined.map(&:last)]
      end
    end
  end
end
