# frozen_string_literal: true

# Runs the examples of documents and holds what they give against the comments beside them:
#
#   1 + 1                # => 2
#   [1, 2].join          # => 12              a String by its text, or as inspect writes it
#   Object.new           # => #<Object…       … stands for any rest
#   Integer("x")         # !> ArgumentError: invalid value for Integer(): "x"
#   ToJson.pretty_generate([1])
#   # => [
#   #      1
#   #    ]
#   Integer("x")
#   # !> ArgumentError: invalid value
#   #    for Integer(): "x"              a long line is broken at a blank, or between JSON values
#
# A statement may span lines; the comment stands behind its last one, or below it.

require "ripper"
require "stringio"

module Doctest
  # One block of code: where it stands and its text.
  Example = Struct.new(:path, :line, :code) do
    def place = "#{path}:#{line}"
  end

  # What one check expects: `kind` is "=>" or "!>"; `first` to `last` are the statement's lines,
  # from 0.
  Expectation = Struct.new(:kind, :text, :first, :last, :column)

  # The blocks of a Markdown text between a line that is `fence` and ```.
  def self.fenced(path, text, fence = "```ruby")
    examples = []
    open = nil
    text.each_line.with_index(1) do |line, number|
      if !line.start_with?("```") then open&.code&.concat(line)
      elsif open
        examples << open if open.code
        open = nil
      else open = Example.new(path, number + 1, line.strip == fence ? String.new : nil)
      end
    end
    examples
  end

  # The `@example`s of a Ruby file's comments: what stands deeper than the tag.
  def self.yard(path, text)
    examples = []
    lines = text.lines
    lines.each_with_index do |line, index|
      next unless (tag = line.match(/\A(\s*#\s*)@example\b/))

      deeper = /\A#{Regexp.escape(tag[1])}  (.*)/m
      code = lines.drop(index + 1).take_while do |below|
        below.match?(deeper) || below.match?(/\A\s*#\s*$/)
      end
                  .map { |below| below[deeper, 1] || "\n" }
      examples << Example.new(path, index + 2, code.join)
    end
    examples
  end

  # Runs examples one after the other in one place, so that later ones see what earlier ones
  # defined.
  class Session
    attr_reader :failures, :checked

    # @param name [String] a constant's name, unique among sessions
    def initialize(name)
      @context = Doctest.const_set(name, Module.new)
      @context.extend(@context) # what an example defines outside of a class, the next one can call
      @binding = @context.module_eval("binding", __FILE__, __LINE__)
      @failures = []
      @checked = 0
    end

    # @param example [Example]
    def run(example)
      @example = example
      @expectations = Doctest.expectations(example.code)
      @met = Array.new(@expectations.size, false)
      quietly { execute }
      @met.each_with_index { |met, index| fail_at(index, "was never reached") unless met }
    end

    # What a local variable of the examples holds; nil where there is none.
    def local(name)
      @binding.local_variable_defined?(name) ? @binding.local_variable_get(name) : nil
    end

    # Called by the code under test with what a statement gave.
    def value(index, value)
      @met[index] = true
      @checked += 1
      expected = @expectations[index].text
      fail_at(index, "gives #{shown(value)}") unless same?(expected, value)
      value
    end

    # Called by the code under test with a statement that is to raise.
    def raises(index)
      @met[index] = true
      @checked += 1
      given = yield
      fail_at(index, "raises nothing, gives #{shown(given)}")
    rescue StandardError => error
      seen = own_names("#{error.class}: #{error.message}")
      fail_at(index, "raises #{seen}") unless Doctest.matches?(@expectations[index].text, seen)
    end

    private

    def execute
      @binding.local_variable_set(:__doctest__, self)
      @binding.eval(Doctest.instrument(@example.code, @expectations), @example.path, @example.line)
    rescue ScriptError, StandardError => error
      at = error.backtrace_locations&.find { |location| location.path == @example.path }&.lineno
      @failures <<
        "#{@example.path}:#{at || @example.line}: #{own_names("#{error.class}: #{error.message}")}"
    end

    def quietly
      verbose, $VERBOSE, stdout, $stdout, rules = $VERBOSE, nil, $stdout, StringIO.new,
                                                  ToJson.default_rules
      yield
    ensure
      $VERBOSE = verbose
      $stdout = stdout
      ToJson.default_rules = rules
    end

    def same?(expected, value)
      return true if value.is_a?(String) && Doctest.matches?(expected, own_names(value))
      return true if Doctest.matches?(expected, own_names(value.inspect))

      !value.is_a?(String) && @binding.eval(expected) == value # Hash#inspect differs between Rubies
    rescue ScriptError, StandardError
      false
    end

    def shown(value) = own_names(value.is_a?(String) ? value : value.inspect)

    def own_names(text) = text.gsub("#{@context.name}::", "")

    def fail_at(index, what)
      expectation = @expectations[index]
      @failures <<
        "#{@example.path}:#{@example.line + expectation.last}: # #{expectation.kind} " \
        "#{expectation.text}\n  but it #{what}"
    end
  end

  class << self
    # @param expected [String] the text, or its beginning and …; a line break may stand for itself,
    #   for a blank, or for nothing
    def matches?(expected, text)
      ["\n", " ", ""].any? do |joint|
        wanted = expected.gsub("\n", joint)
        wanted.end_with?("…") ? text.start_with?(wanted.delete_suffix("…")) : text == wanted
      end
    end

    # The checks in a piece of code, in the order of their lines.
    def expectations(code)
      lines = code.lines
      comments = Ripper.lex(code).filter_map do |(line, column), type, text|
        [line - 1, column, text] if type == :on_comment && text.match?(/\A# [=!]>/)
      end
      comments.map do |line, bytes, text|
        column = lines[line].byteslice(0, bytes).size # Ripper counts bytes
        alone = lines[line][0...column].strip.empty?
        last =
          if alone
            (line - 1).downto(0).find { |index| !lines[index].match?(/\A\s*(#|$)/) } || 0
          else
            line
          end
        Expectation.new(text[2, 2], expected_text(lines, line, column, text),
                        first_line(lines, last), last, alone ? nil : column)
      end
    end

    # The code with each checked statement wrapped; lines stay where they are.
    def instrument(code, expectations)
      lines = code.lines.map(&:chomp)
      expectations.each_with_index do |expectation, index|
        first, last = expectation.first, expectation.last
        opening, closing =
          if expectation.kind == "=>"
            ["__doctest__.value(#{index}, (", "))"]
          else
            ["__doctest__.raises(#{index}) { ", " }"]
          end
        lines[last] = lines[last][0...expectation.column] if expectation.column
        lines[last] = "#{lines[last].rstrip}#{closing}"
        indent = lines[first][/\A\s*/]
        lines[first] = "#{indent}#{opening}#{lines[first][indent.size..]}"
      end
      "#{lines.join("\n")}\n"
    end

    private

    # `# => {` and the deeper comments below it.
    def expected_text(lines, line, column, text)
      below = lines.drop(line + 1).take_while do |following|
        following.match?(/\A\s{#{column}}#    /)
      end
      [text[5..].to_s.strip, *below.map { |following| following.chomp[(column + 5)..] }].join("\n")
    end

    # The nearest line from which on the text up to `last` is whole.
    def first_line(lines, last)
      last.downto(0).find { |first| Ripper.sexp(lines[first..last].join) } || last
    end
  end
end
