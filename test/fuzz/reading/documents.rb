# frozen_string_literal: true

# Reading. Documents that nobody would write: what was written, with parts replaced by others.

require "json"

module Fuzz
  module Reading
    # Text of a document that a client may send.
    class Hostile
      HUGE = "\u0001huge\u0001"
      JUNK = [nil, true, false, 0, -1, 10**40, 1.5, "", "x", "2026-13-40", "2026-11-20T10:00:00Z",
              "\u0000", "y" * 3000, [], {}, [[]], [nil], { "type" => "x" }, { "id" => {} },
              { "_destroy" => true }, { "data" => nil }, { "0" => { "a" => 1 } }, HUGE,
              { "data" => { "type" => "things1", "lid" => "a" } }].freeze
      KEYS = ["", "type", "id", "lid", "data", "attributes", "relationships", "included", "_links",
              "_embedded", "_destroy", "__send__", "a/b", "~", "title=", "instance_eval",
              "k" * 500].freeze
      BYTES = ["{", "}", "[", "]", ",", ":", "\"", "\\", "\\ud800", "\xFF", "1", "-", "e", "/*",
               "NaN", "null", " ", "\u{FEFF}", "\x00"].map { |text| text.b.freeze }.freeze
      private_constant :HUGE, :JUNK, :KEYS, :BYTES

      def initialize(dice)
        @dice = dice
      end

      # @param text [String] of a document
      # @return [String]
      def of(text)
        return junk.to_s if @dice.once_in(50)

        tree = JSON.parse(text)
        @dice.between(1, 4).times { tree = changed(tree) }
        found = JSON.generate(tree, max_nesting: 0).gsub("\"\\u0001huge\\u0001\"") do
          @dice.pick(%w[1e400 -1e999 1E+400])
        end
        return found.sub(/("[^"]*":)/, "\\1 0,\\1") if @dice.once_in(20)

        @dice.once_in(4) ? bytes(found) : found
      end

      private

      # A copy in which one part is something else.
      def changed(tree)
        return junk if @dice.once_in(5)

        case tree
        when Hash then object(tree)
        when Array then array(tree)
        else junk
        end
      end

      def object(tree)
        case @dice.below(5)
        when 0 then { **tree, @dice.pick(KEYS) => junk }
        when 1 then tree.empty? ? tree : tree.except(@dice.pick(tree.keys))
        else
          return tree if tree.empty?

          key = @dice.pick(tree.keys)
          { **tree, key => changed(tree[key]) }
        end
      end

      def array(tree)
        return [*tree, junk] if tree.empty? || @dice.once_in(3)

        index = @dice.below(tree.size)
        tree.dup.tap { |copy| copy[index] = changed(tree[index]) }
      end

      def junk
        return deep if @dice.once_in(30)

        @dice.pick(JUNK)
      end

      def deep
        depth = @dice.pick([3, 99, 101, 2000])
        depth.times.inject(1) { |inside, level| level.odd? ? [inside] : { "a" => inside } }
      end

      def bytes(text)
        text = text.b
        at = @dice.below(text.bytesize + 1)
        case @dice.below(4)
        when 0 then text.insert(at, @dice.pick(BYTES))
        when 1 then text.slice!(at, @dice.between(1, 5))
        when 2 then text.insert(at, text[@dice.below(text.bytesize), @dice.below(40)].to_s)
        else text = text[0, at]
        end
        text
      end
    end
  end
end
