# frozen_string_literal: true

# Fuzz. Steps that are no words of the DSL: blocks, ways to leave them, rescue, catch, Fibers; and
# how steps are printed.

require_relative "model"
require_relative "../kit/shrinker"

module Fuzz
  # Where a step is printed: the receiver of the words ("j." or nothing) and the indentation.
  Page = Struct.new(:receiver, :level) do
    def indent = "  " * level
    def deeper(own = receiver) = Page.new(own, level + 1)
  end

  # A block of the DSL: none, one (item) or two (item, index) parameters, x7 and i7 for block number
  # 7.
  class Block
    attr_reader :number, :parameters, :steps

    def initialize(number, parameters, steps)
      @number = number
      @parameters = parameters
      @steps = steps
    end

    def bind(spec, index)
      @parameters.zero? ? {} : { "x#{@number}" => spec, "i#{@number}" => Plain.new(index) }
    end

    def source(page)
      names = ["x#{@number}", "i#{@number}"].first(@parameters)
      " do#{" |#{names.join(", ")}|" if names.any?}\n" \
      "#{Steps.source(@steps, page.deeper)}#{page.indent}end"
    end

    def simpler = Steps.simpler(@steps).map { |steps| Block.new(@number, @parameters, steps) }
  end

  # Lists of steps.
  module Steps
    module_function

    # What stands behind a leave is never reached: Ruby would warn.
    def source(steps, page)
      last = steps.index { |step| step.is_a?(Leave) } || -1
      steps[0..last].map { |step| "#{page.indent}#{step.source(page)}\n" }.join
    end

    def simpler(steps)
      hoisted = steps.each_with_index.filter_map do |step, index|
        steps[0...index] + step.inner + steps[(index + 1)..] if step.inner.any?
      end
      hoisted + Shrinker.sublists(steps).to_a + Shrinker.one_simpler(steps, &:simpler).to_a
    end
  end

  # Something a script does.
  class Step
    # Steps within, which may stand in its place.
    def inner = []
    def simpler = []
  end

  # next, break, return, raise, throw.
  class Leave < Step
    SOURCES = { next: "next", break: "break", return: "return", raise: "raise Fuzz::Boom",
                throw: "throw :out" }.freeze

    def initialize(how)
      super()
      @how = how
    end

    def source(_page) = SOURCES.fetch(@how)

    def run(model)
      model.reached(@how.to_s) unless @how == :throw
      case @how
      when :raise then raise(Boom, nil, [])
      when :throw then model.throwing
      when :return then model.returning
      else @how
      end
    end
  end

  # begin … rescue … end around steps.
  class Rescue < Step
    attr_reader :inner

    def initialize(inner)
      super()
      @inner = inner
    end

    def source(page)
      "begin\n#{Steps.source(@inner, page.deeper)}#{page.indent}rescue " \
      "StandardError\n#{page.indent}end"
    end
    def run(model) = model.rescuing { model.run(@inner) }
    def simpler = Steps.simpler(@inner).map { |steps| self.class.new(steps) }
  end

  # catch(:out) around steps.
  class Catch < Rescue
    def source(page) = "catch(:out) do\n#{Steps.source(@inner, page.deeper)}#{page.indent}end"
    def run(model) = model.catching { model.run(@inner) }
  end

  # The same words from inside a Fiber, which ends before the next step.
  class InFiber < Rescue
    def source(page) = "Fiber.new do\n#{Steps.source(@inner, page.deeper)}#{page.indent}end.resume"

    def run(model)
      model.reached("from a Fiber")
      model.in_fiber { model.run(@inner) }
      nil
    end
  end

  # A block's item or index as a value.
  class Item < Spec
    def initialize(name)
      super()
      @name = name
    end

    def source(_page = nil) = @name
    def tree(model, depth) = model.item(@name).tree(model, depth)
  end

  # A serializer as a value: its steps run in place, on a receiver of its own.
  class PartSpec < Spec
    def initialize(number, steps)
      super()
      @number = number
      @steps = steps
    end

    def source(page)
      "Fuzz::Part.new do " \
      "|j#{@number}|\n#{Steps.source(@steps, page.deeper("j#{@number}."))}#{page.indent}end"
    end
    def tree(model, depth) = model.part(@steps, depth)
    def simpler = super + Steps.simpler(@steps).map { |steps| PartSpec.new(@number, steps) }
  end

  # An object whose as_json calls the DSL.
  class IntruderSpec < Spec
    def initialize(step)
      super()
      @step = step
    end

    def source(page) = "Fuzz::Intruder.new { #{@step.source(page)} }"

    def tree(model, _depth)
      model.reached("error: a call while a value is due")
      Refused.now("GrammarError")
    end
  end

  # Another document's text as a value: {"x": the given value}.
  class DocumentSpec < Spec
    def initialize(given)
      super()
      @given = given
    end

    def source(_page = nil) = "ToJson.json { |inner| inner.put(:x, #{@given.source}) }"

    def tree(model, _depth)
      model.reached("a document within a document")
      Text.of(Pairs.new([["x", @given.tree(Surroundings.new, 1)]]))
    end
  end

  # A key whose text is an error.
  class BadKey < Spec
    def initialize(source, error)
      super()
      @source = source
      @error = error
    end

    def source(_page = nil) = @source

    def key_text(model)
      model.reached("a key without a text")
      @error == "Boom" ? raise(Boom, nil, []) : Refused.now(@error)
    end
  end
end
