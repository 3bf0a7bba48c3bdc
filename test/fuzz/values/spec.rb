# frozen_string_literal: true

# Fuzz. Values on paper: each can be built, printed as Ruby, turned into the model's tree, and made
# simpler.

require_relative "../actors"
require_relative "../kit/text"

module Fuzz
  # The model refuses: the named error is due. Several names where the order of two failures is
  # open.
  class Refused < StandardError
    attr_reader :names

    def initialize(*names)
      @names = names.map(&:to_s)
      super(names.join(" or "))
    end

    # Without a backtrace, which costs more than the whole case.
    def self.now(*names) = raise(new(*names), nil, [])
  end

  # Keeps count of the containers around a value, and of the rows reached.
  class Surroundings
    attr_reader :max_depth

    def initialize(max_depth: 100, rows: nil)
      @max_depth = max_depth
      @rows = rows
    end

    def reached(row) = @rows&.reached(row)

    # One container more at `depth`: its content's depth.
    def inside(depth)
      Refused.now("NestingError") if depth >= @max_depth
      depth + 1
    end
  end

  # A value on paper.
  class Spec
    # @return [Object] the Ruby value
    def build = eval(source) # rubocop:disable Security/Eval

    # @return [String] a Ruby expression
    def source(_receiver = nil) = raise(NotImplementedError)

    # @return [Object] the model's tree; raises Refused
    def tree(_surroundings, _depth) = raise(NotImplementedError)

    # @return [Array<Spec>] the boldest first
    def simpler = [Plain.new(nil)]

    # docs/dsl.md's "many": what blocks run over.
    def many? = false
  end

  # nil, true, false, numbers that JSON has, valid text, Symbols.
  class Plain < Spec
    attr_reader :value

    def initialize(value)
      super()
      @value = value
    end

    def build = @value.is_a?(String) ? @value.dup : @value

    def source(_receiver = nil)
      if @value.is_a?(String)
        @value.dump + (@value.ascii_only? ? "" : ".encode('UTF-8')")
      else
        @value.inspect
      end
    end

    def tree(surroundings, _depth)
      surroundings.reached(row)
      @value.is_a?(Symbol) ? @value.to_s : @value
    end

    # As a key.
    def key_text(_surroundings) = @value.to_s

    def row
      case @value
      when Integer then "Integer"
      when Float then "Float"
      when String then "String"
      when Symbol then "Symbol"
      else "nil, true, false"
      end
    end

    def simpler
      case @value
      when nil then []
      when 1 then [Plain.new(nil)]
      when String, Symbol
        text = @value.to_s
        [Plain.new(1)] +
          (text.empty? ? [] : [Plain.new(text[0, text.size / 2]), Plain.new(text[1..])])
      else [Plain.new(nil), Plain.new(1)]
      end
    end
  end

  # A row of the table in specials.rb: any Ruby, and what it must give.
  class Special < Spec
    def initialize(row, source, expected)
      super()
      @row = row
      @source = source
      @expected = expected
    end

    def source(_receiver = nil) = @source

    def build
      @builder ||= eval("-> { #{@source} }") # rubocop:disable Security/Eval
      @builder.call
    end

    def tree(surroundings, depth)
      surroundings.reached(@row)
      Refused.now(*@expected) if @expected.is_a?(Symbol)
      check_depth(@expected, surroundings, depth)
      @expected
    end

    private

    def check_depth(tree, surroundings, depth)
      return unless tree.is_a?(Array)

      inner = surroundings.inside(depth)
      tree.each do |element|
        check_depth(tree.is_a?(Pairs) ? element.last : element, surroundings, inner)
      end
    end
  end

  # A Range of Integers, endless without a last.
  class Span < Special
    def initialize(row, source, elements)
      super(row, source, elements || :UnsupportedTypeError)
      @elements = elements
    end

    def many? = true
    def items
      if @elements
        @elements.map { |element| Plain.new(element) }
      else
        Refused.now("UnsupportedTypeError")
      end
    end

    def tree(surroundings, depth)
      surroundings.inside(depth)
      super
    end
  end

  # Collections: how each is written in Ruby, and its row.
  class List < Spec
    KINDS = {
      "Array" => ->(elements) { elements }, "Set" => ->(elements) { Set.new(elements) },
      "Enumerator" =>
        ->(elements) { elements.each }, "lazy Enumerator" => ->(elements) { elements.lazy },
      "Enumerable" => ->(elements) { Each.new(elements) }, "own to_ary" => ->(elements) do
        ToAry.new(elements)
      end
    }.freeze
    SOURCES = { "Array" =>
                  "%s", "Set" => "Set.new(%s)", "Enumerator" => "%s.each",
                  "lazy Enumerator" => "%s.lazy",
                "Enumerable" => "Fuzz::Each.new(%s)", "own to_ary" => "Fuzz::ToAry.new(%s)" }.freeze

    attr_reader :kind, :elements

    def initialize(kind, elements)
      super()
      @kind = kind
      @elements = elements
    end

    def build = KINDS.fetch(@kind).call(@elements.map(&:build))

    def source(receiver = nil)
      format(SOURCES.fetch(@kind), "[#{@elements.map { |e| e.source(receiver) }.join(", ")}]")
    end

    def tree(surroundings, depth)
      surroundings.reached(@kind)
      inner = surroundings.inside(depth)
      items.map { |element| element.tree(surroundings, inner) }
    end

    def many? = true

    # As iteration gives them.
    def items = @kind == "Set" ? @elements.uniq(&:value) : @elements

    def simpler
      plainer = @kind == "Array" ? [Plain.new(nil)] : [Plain.new(nil), List.new("Array", @elements)]
      plainer + Shrinker.sublists(@elements).map { |list| List.new(@kind, list) } +
        Shrinker.one_simpler(@elements, &:simpler).map { |list| List.new(@kind, list) }
    end
  end

  # A Hash: pairs of a key on paper (no two the same) and a value on paper.
  class Table < Spec
    attr_reader :pairs

    def initialize(pairs)
      super()
      @pairs = pairs
    end

    def build = @pairs.to_h { |key, value| [key.build, value.build] }

    def source(receiver = nil)
      "{#{@pairs.map { |key, value| "#{key.source} => #{value.source(receiver)}" }.join(", ")}}"
    end

    def tree(surroundings, depth)
      surroundings.reached("Hash")
      inner = surroundings.inside(depth)
      tree = @pairs.each_with_object(Pairs.new) do |(key, value), pairs|
        unless key.value.is_a?(Symbol) || key.value.is_a?(String)
          surroundings.reached("Hash keys by to_s")
        end
        pairs << [key.value.to_s, value.tree(surroundings, inner)]
      end
      surroundings.reached("Hash keys that collide") if tree.map(&:first).uniq.size < tree.size
      tree
    end

    # With collection: true, as Hash#each gives them.
    def items = @pairs.map { |key, value| List.new("Array", [key, value]) }

    def simpler
      [Plain.new(nil)] + Shrinker.sublists(@pairs).map { |pairs| Table.new(pairs) } +
        Shrinker.one_simpler(@pairs) do |key, value|
          value.simpler.map { |simple| [key, simple] }
        end.map do |pairs|
          Table.new(pairs)
        end
    end
  end

  # An object with a method of its own that gives another value.
  class OwnMethod < Spec
    CLASSES = {
      "own as_json" =>
        AsJson, "own as_json with options" => AsJsonWithOptions, "own to_hash" => ToHash,
        "own to_h" => ToH,
      "own to_s" => ToS, "own to_json" => ToJsonText
    }.freeze

    def initialize(kind, given)
      super()
      @kind = kind
      @given = given
    end

    def build = CLASSES.fetch(@kind).new(given)

    def source(receiver = nil)
      inner = @kind == "own to_json" ? given.inspect : @given.source(receiver)
      "#{CLASSES.fetch(@kind)}.new(#{inner})"
    end

    def tree(surroundings, depth)
      surroundings.reached(@kind)
      return Raw.new(given) if @kind == "own to_json"

      @given.tree(surroundings, depth)
    end

    def simpler
      [Plain.new(nil), @given] + @given.simpler.filter_map do |simple|
        OwnMethod.new(@kind, simple) if fits?(simple)
      end
    end

    private

    def given = @kind == "own to_json" ? Text.of(@given.tree(Surroundings.new, 0)) : @given.build

    def fits?(simple)
      case @kind
      when "own to_hash", "own to_h" then simple.is_a?(Table)
      when "own to_s" then simple.is_a?(Plain) && simple.value.is_a?(String)
      else true
      end
    end
  end
end
