# frozen_string_literal: true

# Fuzz. Two documents of what the oracle reads: put together from the texts of its values, and
# written with the imperative DSL.

require_relative "oracle"

module Fuzz
  module Definitions
    # Only ToJson.generate for single values and keys.
    class Tree < Oracle
      # @return [String]
      def text(klass, given, rules: {}, **call)
        @rules = rules
        root, data, meta = document(klass, given, **call)
        return write(data) unless root

        "{#{key(root)}#{write(data)}#{",#{key("meta")}#{value_text(meta)}" if meta}}"
      end

      private

      def write(child)
        case child
        when Leaf then value_text(child.value)
        when List then "[#{child.children.map { |item| write(item) }.join(",")}]"
        else
          pairs = []
          each_pair(child) { |name, part| pairs << "#{key(name)}#{write(part)}" }
          reached("an object without pairs") if pairs.empty?
          "{#{pairs.join(",")}}"
        end
      end

      def key(name) = "#{ToJson.generate(name.to_s, **@rules)}:"
      def value_text(value)
        ToJson.generate(value.is_a?(Raw) ? ToJson::Fragment.new(value.text) : value, **@rules)
      end
    end

    # put, array and value.
    class Imperative < Oracle
      # @return [String, Object]
      def text(klass, given, rules: {}, max_depth: nil, **call)
        root, data, meta = document(klass, given, **call)
        ToJson.json(rules: rules, max_depth: max_depth) do |j|
          next element(j, data) unless root

          pair(j, root, data)
          j.put :meta, meta if meta
        end
      end

      private

      # A serializer in place, where there are pairs: `put k do … end` without any leaves no key.
      def object(node)
        pairs = enum_for(:each_pair, node).to_a
        pairs.empty? ? {} : Part.new { |part| pairs.each { |name, child| pair(part, name, child) } }
      end

      def pair(word, name, child)
        case child
        when Leaf then word.put(name, value_of(child))
        when List
          word.put(name, child.children, collection: true) { |item| element(word, item) }
        else word.put(name, object(child))
        end
      end

      def element(word, child)
        case child
        when Leaf then word.value(value_of(child))
        when List then word.array(child.children, collection: true) { |item| element(word, item) }
        else word.value(object(child))
        end
      end

      def value_of(leaf)
        leaf.value.is_a?(Raw) ? ToJson::Fragment.new(leaf.value.text) : leaf.value
      end
    end
  end
end
