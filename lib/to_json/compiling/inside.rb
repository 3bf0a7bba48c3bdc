# frozen_string_literal: true

# Layer: compiling. Finds out what Units have inside them.

module ToJson
  class Compiler
    # Tells for each Unit what it has itself, or what a Unit inside has. Looks at each Unit once,
    # however many Units lead to it: serializers may all name each other.
    class Inside
      # @param most [Numeric] the most Units that are looked at for one answer
      # @yield [unit] returns what the Unit itself has, or nil, and the Units directly inside. If
      #   it has something itself, the Units inside need not be told
      def initialize(most = ::Float::INFINITY, &look)
        @most, @look, @known = most, look, {}
      end

      # @return [Object, nil] nil: neither the Unit nor a Unit inside has anything
      def [](unit)
        @known.fetch(unit) do
          explore(unit)
          @known[unit]
        end
      end

      private

      # Goes through the Units without recursion, since there may be hundreds.
      def explore(unit)
        around, units = { unit => [] }, [unit] # around: each Unit, and the Units that lead to it
        units.each do |outer| # grows meanwhile
          own, inside = @look.call(outer)
          @known[outer] = own if own
          inside.each do |inner|
            next around[inner] << outer if around.key?(inner)
            next if around.size >= @most

            around[inner] = [outer]
            units << inner unless @known.key?(inner)
          end
        end
        spread(around)
        units.each { |one| @known[one] ||= nil }
      end

      # Gives what a Unit has to the Units that lead to it, and from these on outwards.
      def spread(around)
        having = around.keys.select { |one| @known[one] }
        having.each do |inner| # grows meanwhile
          around[inner].each do |outer|
            next if @known[outer]

            @known[outer] = @known[inner]
            having << outer
          end
        end
      end
    end
  end
end
