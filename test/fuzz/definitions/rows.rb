# frozen_string_literal: true

# Fuzz. The objects of random Definitions on paper.

require_relative "paper"
require_relative "../values/generator"

module Fuzz
  module Definitions
    # One object. values: key => Spec, Row, Rows, Struck; kind: of Things.
    class Row < Spec
      attr_reader :kind, :values

      def initialize(kind, values)
        super()
        @kind = kind
        @values = values
      end

      def build(world)
        world.things.make(@kind, @values.transform_values { |value| Rows.made(value, world) })
      end
      def source(page = nil)
        "things.make(#{@kind.inspect}, " \
        "{#{@values.map { |key, value| "#{key.inspect} => #{value.source(page)}" }.join(", ")}})"
      end

      # Itself where they are what it has.
      def with(values)
        if @values.size == values.size && @values.all? { |key, value| value.equal?(values[key]) }
          self
        else
          Row.new(@kind, values)
        end
      end

      def simpler
        plainer = @kind == :plain ? [] : [Row.new(:plain, @values)]
        plainer << Row.new(:symbols, @values) unless %i[plain symbols].include?(@kind)
        plainer + Shrinker.one_simpler(@values.to_a) do |key, value|
          value.simpler.map { |simple| [key, simple] }
        end.map do |pairs|
          with(pairs.to_h)
        end
      end
    end

    # Many objects. elements: Rows' Row or Plain nil.
    class Rows < Spec
      attr_reader :kind, :elements

      def initialize(kind, elements)
        super()
        @kind = kind
        @elements = elements
      end

      def build(world)
        world.things.many(@kind, @elements.map { |element| Rows.made(element, world) })
      end
      def source(page = nil)
        "things.many(#{@kind.inspect}, " \
        "[#{@elements.map { |element| element.source(page) }.join(", ")}])"
      end

      def simpler
        plainer = @kind == :array ? [] : [Rows.new(:array, @elements)]
        plainer +
          (Shrinker.sublists(@elements).to_a + Shrinker.one_simpler(@elements, &:simpler).to_a)
            .map do |list|
          Rows.new(@kind, list)
        end
      end

      # Itself where they are what it has.
      def with(elements)
        if @elements.size == elements.size && @elements.zip(elements).all? do |one, other|
             one.equal?(other)
           end
          self
        else
          Rows.new(@kind, elements)
        end
      end

      def self.made(value, world)
        case value
        when Row, Rows, Struck then value.build(world)
        else value.build
        end
      end
    end

    # A value in whose place a Fault stands while it is armed.
    class Struck < Spec
      attr_reader :kind, :value

      def initialize(kind, value)
        super()
        @kind = kind
        @value = value
      end

      def build(world) = Fault.new(@kind, @value.build).tap { |fault| world.faults << fault }
      def source(page = nil) = "Fuzz::Fault.new(#{@kind.inspect}, #{@value.source(page)})"
      def simpler = [@value] + @value.simpler.map { |simple| Struck.new(@kind, simple) }
    end
  end
end
