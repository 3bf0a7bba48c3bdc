# frozen_string_literal: true

# Fuzz. The Oj of this process, for the dialects :oj and :oj_strict.

require "json"
require "oj"
require "to_json"
require "dialects/json_outcome"

module Fuzz
  # See DialectTarget.
  class OjPeer
    attr_reader :name

    def initialize(dialect)
      @dialect = dialect
      @name = dialect.to_s
      @mode = dialect == :oj ? :compat : :strict
    end

    def options(_dice) = {}
    def theirs(paper, _options) = JsonOutcome.of { Oj.dump(paper.build, mode: @mode) }
    def ours(paper, _options) = JsonOutcome.of { ToJson.generate(paper.build, rules: @dialect) }
    def same?(due, got) = due.same?(got)

    def source(_options, value)
      <<~RUBY
        require "oj" # #{Oj::VERSION}
        value = -> { #{value} }
        p ToJson.generate(value.call, dialect: #{@dialect.inspect}),
          Oj.dump(value.call, mode: #{@mode.inspect})
      RUBY
    end
  end
end
