# frozen_string_literal: true

# Layer: declaring. Parses `only:` and `except:`. Their text may come from a client: the time is
# linear in its size, no Symbol is made of it, and its depth is limited.

require "strscan"

module ToJson
  # A tree of names. Frozen.
  # @api private
  class Selection
    # Names in names, counted from 1.
    DEEPEST = 100

    class << self
      # @example
      #   ToJson::Selection.parse("id, author(name,posts(id))")
      #   # => #<ToJson::Selection id,author(name,posts(id))>
      #   ToJson::Selection.parse([:id, { author: [:name] }])
      #   # => #<ToJson::Selection id,author(name)>
      # @param given [Symbol, String, Array, Hash, Selection] names; in a Hash with what is selected
      #   of each: names again, or true or nil for all of it. Of a name given twice the larger part
      #   is selected.
      # @return [Selection]
      # @raise [SelectionError] for anything else, and a String that is no list
      def parse(given)
        return given if given.is_a?(Selection)

        tree = {}
        collect(given, tree, 1)
        new(tree)
      end

      # @api private
      # @raise [SelectionError] in what is nested too deep
      def check_depth(depth)
        if depth > DEEPEST
          raise SelectionError, "a selection of fields is nested more than #{DEEPEST} levels deep."
        end
      end

      private :new

      private

      def collect(given, tree, depth)
        check_depth(depth)
        case given
        when Symbol then add(tree, text(given.name), nil)
        when String then read(text(given), tree, depth)
        when Array
          given.each { |item| collect(item, tree, item.is_a?(Array) ? depth + 1 : depth) }
        when Hash
          given.each { |name, part| add(tree, name_of(name), part_of(part, depth + 1)) }
        else
          raise SelectionError,
                "a selection of fields takes Symbols, Strings, and Arrays and Hashes of these; " \
                "got #{given.class}."
        end
      end

      def part_of(given, depth)
        return if given.nil? || given == true

        {}.tap { |tree| collect(given, tree, depth) }
      end

      def name_of(given)
        return text(given.to_s) if given.is_a?(Symbol) || given.is_a?(String)

        raise SelectionError,
              "in a selection of fields the keys of a Hash must be Symbols or Strings; got " \
              "#{given.class}."
      end

      def read(text, tree, depth)
        scanner = StringScanner.new(text)
        return if scanner.match?(/\s*+\z/)

        read_names(scanner, tree, depth)
        fail_at(scanner, "expected a comma") unless scanner.eos?
      end

      # `name`, `name(names)`, with commas between.
      def read_names(scanner, tree, depth)
        check_depth(depth)
        while true # not `loop`, which rescues a StopIteration, also one from another thread
          name = stripped(scanner.scan(/[^,()]*+/))
          fail_at(scanner, "expected a name") if name.empty?
          add(tree, name, scanner.match?(/\(/) ? read_part(scanner, depth + 1) : nil)
          break unless scanner.skip(/,/)
        end
      end

      # Without spaces around it. String#strip would remove a NUL too, which no name has.
      def stripped(name) = name.include?("\0") ? name : name.strip

      def read_part(scanner, depth)
        opened = scanner.pos
        scanner.skip(/\(\s*+/)
        part = {}
        read_names(scanner, part, depth) unless scanner.match?(/\)/)
        return part if scanner.skip(/\)\s*+/)

        if scanner.eos?
          fail_at(scanner, "\"(\" is not closed", opened)
        else
          fail_at(scanner, "expected a comma")
        end
      end

      def add(tree, name, part)
        if !tree.key?(name) then tree[name] = part
        elsif part.nil? || tree[name].nil? then tree[name] = nil
        else part.each { |inner, inner_part| add(tree[name], inner, inner_part) }
        end
      end

      def text(given)
        utf8 =
          if given.encoding == Encoding::BINARY
            given.dup.force_encoding(Encoding::UTF_8)
          else
            given.encode(Encoding::UTF_8)
          end
        return utf8 if utf8.valid_encoding?

        raise SelectionError,
              "a selection of fields has a name that is not valid #{given.encoding} text."
      rescue ::EncodingError
        raise SelectionError,
              "a selection of fields has a name that is not valid #{given.encoding} text."
      end

      # The offset is told in characters, which would have to be counted anew for each name.
      def fail_at(scanner, problem, byte = scanner.pos)
        offset = scanner.string.byteslice(0, byte).size
        raise SelectionError, "#{Suggestion.shown(scanner.string)}, offset #{offset}: #{problem}."
      end
    end

    # @return [Hash{String => Selection, nil}] nil: all of it
    attr_reader :tree

    def initialize(tree)
      @tree = tree.transform_values { |part| part && self.class.__send__(:new, part) }
                  .freeze
      freeze
    end

    # @param name [String]
    def key?(name) = tree.key?(name)

    # @param name [String]
    # @return [Selection, nil] what is selected of that name; nil: all of it, or nothing ({#key?}
    #   tells)
    def [](name) = tree[name]

    # @return [Array<String>]
    def names = tree.keys

    # Whether it alone tells what is read: `only:`, `except:` and `context:` of associations do not
    # count, as in JSON:API.
    def alone? = false

    def empty? = tree.empty?
    def ==(other) = other.instance_of?(self.class) && tree == other.tree
    alias eql? ==
    def hash = tree.hash

    # @return [String] as it would be written in a String
    def to_s = tree.map { |name, part| part ? "#{name}(#{part})" : name }.join(",")

    def inspect = "#<ToJson::Selection #{self}>"
  end
end
