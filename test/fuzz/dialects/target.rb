# frozen_string_literal: true

# Fuzz. A dialect against the live library, in the library's process: the same bytes, or errors of
# the same class.

require_relative "generator"
require_relative "../kit/rows"

module Fuzz
  # `peer` knows the library: name, options(dice), theirs(value, options), ours(value, options),
  # same?(due, got), source(options, value).
  class DialectTarget
    Case = Struct.new(:paper, :options)

    def initialize(peer) = @peer = peer

    def name = @peer.name
    def rows = PaperGenerator::ROWS
    def generate(dice)
      Case.new(PaperGenerator.new(dice, depth: dice.between(0, 5)).value, @peer.options(dice))
    end

    def check(found, rows = nil)
      found.paper.each_row { |row| rows&.reached(row) if row != "key" }
      due, got = @peer.theirs(found.paper, found.options), @peer.ours(found.paper, found.options)
      "due #{due.inspect}, got #{got.inspect}" unless @peer.same?(due, got)
    end

    def simpler(found)
      less = found.options.keys.map { |option| Case.new(found.paper, found.options.except(option)) }
      less + found.paper.simpler.map { |paper| Case.new(paper, found.options) }
    end

    # Runs under the Gemfile that has the library.
    def source(found)
      "require \"dialects/json_table\"\n#{@peer.source(found.options, found.paper.source)}"
    end
  end
end
