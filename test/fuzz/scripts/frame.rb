# frozen_string_literal: true

# Fuzz. What the model of the DSL is writing into: a slot (many pairs or one value) or a list
# (elements of either kind). Written from docs/dsl.md, not from the C code: containers are plain
# Arrays, attached to their parent when they end.

require_relative "../values/spec"

module Fuzz
  # One level of a document on its way.
  class Frame
    # @param kind [Symbol] :slot or :list
    # @param depth [Integer] containers open around it
    # @param surroundings [Surroundings] who checks the depth
    # @param attach [#call] gets the finished frame; nil for the root
    def initialize(kind, depth, surroundings, root: false, &attach)
      @kind = kind
      @surroundings = surroundings
      @depth = list? ? surroundings.inside(depth) : depth
      @root = root
      @attach = attach
      @state = nil
      @content = list? ? [] : nil
    end

    attr_reader :content

    def list? = @kind == :list

    # A slot in which nothing was written; a list is never empty in this sense: it is [].
    def empty? = !list? && @state.nil?

    # A pair begins. @return [Integer] the depth of its value
    def begin_pair
      refuse("a key where a value is due") if @state == :values
      @state == :pairs ? @depth + 1 : @surroundings.inside(@depth)
    end

    # A value begins. @return [Integer] its depth
    def begin_value
      if @state == :pairs then refuse("a value where a key is expected")
      elsif @state == :values && !list?
        refuse(@root ? "two roots" : "a second value in a slot")
      end
      @depth
    end

    def add_pair(key, tree)
      object = @state == :pairs ? open_object : begin_object
      object << [key, tree]
    end

    def add_value(tree)
      @state = :values
      list? ? @content << tree : @content = tree
    end

    # The list's current element ends.
    def end_element = @state = nil

    # The frame ends and goes where it belongs.
    def finish = @attach&.call(self)

    private

    def begin_object
      @state = :pairs
      Pairs.new.tap { |object| list? ? @content << object : @content = object }
    end

    def open_object = list? ? @content.last : @content

    def refuse(row)
      @surroundings.reached("error: #{row}")
      Refused.now("GrammarError")
    end
  end
end
