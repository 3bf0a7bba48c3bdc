# frozen_string_literal: true

# Fuzz. The model of the DSL: runs a script on paper and gives the tree that is due, or the error.
#
# Its rules, from docs/dsl.md: a block's content is built apart and attached when the block ends, so
# a call that fails has done nothing; break and return end blocks in good order; `close` ends what
# this block opened.

require_relative "frame"

module Fuzz
  # Runs Steps. Each answers with nil, or with :next, :break or :return where it leaves its block.
  class Model < Surroundings
    # A throw on its way.
    Thrown = Class.new(StandardError)
    # A return that leaves a value while it is being written.
    Returning = Class.new(StandardError)
    # Both of two outcomes are right: no case.
    Undecided = Class.new(StandardError)

    # @return [Boolean] whether something was taken back and the document went on: where its bytes
    #   had been delivered already, PoisonedError is due instead
    attr_reader :recovered

    def initialize(max_depth: 100, rows: nil)
      super
      @stack = []
      @floor = 0
      @catches = 0
      @fiber = false
      @items = {}
      @recovered = false
    end

    # @return [Object] the tree of the whole document; raises Refused
    def document(steps)
      @stack = [Frame.new(:slot, 0, self, root: true)]
      @floor = 1
      run_at_root(steps)
      if @stack.size > 1
        reached("error: unclosed")
        Refused.now("GrammarError")
      end
      reached("a root that writes nothing") if @stack.first.empty?
      @stack.first.empty? ? Pairs.new : @stack.first.content
    end

    def top = @stack.last

    def run(steps)
      steps.each do |step|
        signal = step.run(self)
        return signal if signal
      end
      nil
    end

    # All or nothing: what a word does is undone where anything but its end leaves it. A return out
    # of a value being written ends here and goes on as one.
    def word
      height = @stack.size
      floor = @floor
      yield
    rescue Returning
      undo(height, floor)
      @recovered = true
      :return
    rescue Refused, Boom, Thrown
      undo(height, floor)
      raise
    end

    # The content of a DSL block in a frame of its own.
    # @return [Symbol, nil] :return where that is on its way
    def block(frame, steps, items = {})
      in_frame(frame) { run_closed(frame, steps, items) }
    end

    # A block run for each item in a list.
    def each_in(frame, specs, block)
      in_frame(frame) do
        signal = nil
        specs.each_with_index do |spec, index|
          signal = run_closed(frame, block.steps, block.bind(spec, index))
          break if %i[break return].include?(signal)

          frame.end_element
        end
        signal
      end
    end

    def open(kind, depth, &attach)
      frame = Frame.new(kind, depth, self, &attach)
      @stack.push(frame)
      nil
    end

    def close
      if @stack.size <= @floor
        reached("error: nothing open")
        Refused.now("GrammarError")
      end
      @stack.pop.finish
      nil
    end

    # A serializer as a value.
    def part(steps, depth)
      tree = nothing = nil
      frame = Frame.new(:slot, depth, self) do |slot|
        tree = (nothing = slot.empty?) ? Pairs.new : slot.content
      end
      reached("a serializer in place")
      signal = block(frame, steps)
      raise Returning, nil, [] if signal == :return

      if nothing
        reached("a serializer that writes nothing")
        inside(depth) # {} is a container too
      end
      tree
    end

    # What a block's parameter stands for.
    def item(name) = @items.fetch(name)

    def resolve(spec) = spec.is_a?(Item) ? resolve(item(spec.source)) : spec

    def rescuing
      yield
    rescue Refused, Boom
      @recovered = true
      reached("raise, rescued inside")
      nil
    end

    def catching
      @catches += 1
      signal = yield
      signal == :return ? signal : nil
    rescue Thrown
      @recovered = true
      reached("throw, caught inside")
      nil
    ensure
      @catches -= 1
    end

    def throwing
      reached("throw")
      @catches.positive? ? raise(Thrown, nil, []) : Refused.now("UncaughtThrowError")
    end

    # No throw and no return leaves a Fiber.
    def in_fiber
      catches = @catches
      fiber = @fiber
      @catches = 0
      @fiber = true
      yield
    ensure
      @catches = catches
      @fiber = fiber
    end

    def returning = @fiber ? Refused.now("LocalJumpError") : :return

    private

    def run_at_root(steps)
      run(steps)
    rescue Boom
      Refused.now("Boom")
    end

    def undo(height, floor)
      @stack.slice!(height..)
      @floor = floor
    end

    def in_frame(frame)
      height = @stack.size
      floor = @floor
      @stack.push(frame)
      @floor = @stack.size
      signal = yield
      @stack.pop.finish while @stack.size > height
      @floor = floor
      signal == :return ? :return : nil
    rescue Refused, Boom, Thrown, Returning
      undo(height, floor)
      raise
    end

    # A block that ends must have closed what it opened; one that is left closes it on the way.
    def run_closed(frame, steps, items)
      before = @items
      @items = @items.merge(items) unless items.empty?
      signal = run(steps)
      return signal if %i[break return].include?(signal)

      unless @stack.last.equal?(frame)
        reached("error: unclosed")
        Refused.now("GrammarError")
      end
      signal
    ensure
      @items = before
    end
  end
end
