# frozen_string_literal: true

# Fuzz. The json gem of this process, for the dialect :json or :json2.

require "json"
require "to_json"
require "dialects/json_outcome"
require "dialects/json_table"

module Fuzz
  # See DialectTarget.
  class JsonPeer
    REVERSED = ->(hash) { hash.to_a.reverse.to_h }
    CHOICES = {
      indent: ["  ", "\t"], space: [" "], space_before: [" "], object_nl: ["\n"], array_nl: ["\n"],
      allow_nan: [true], ascii_only: [true], script_safe: [true],
      strict: [true], allow_duplicate_key: [true], max_nesting: [2, 5], depth: [1],
      sort_keys: [true, REVERSED]
    }.freeze
    CALLABLES = { REVERSED => "Fuzz::JsonPeer::REVERSED",
                  JsonTable::AS_JSON => "JsonTable::AS_JSON" }.freeze
    # Of 3.x alone, and of 2.x alone.
    NEW = { rfc8785: [true] }.freeze
    OLD = { escape_slash: [true] }.freeze

    # @return [Hash{Symbol => Array}] options with what they may be
    def self.choices(dialect) = dialect == :json ? CHOICES.merge(NEW) : CHOICES.merge(OLD)

    attr_reader :name

    def initialize(dialect)
      @dialect = dialect
      @name = dialect.to_s
      @choices = JsonPeer.choices(dialect)
    end

    def options(dice)
      return {} if dice.once_in(2)

      Array.new(dice.between(1, 3)) { dice.pick(@choices.keys) }.uniq.to_h do |option|
        [option, dice.pick(@choices[option])]
      end
           .then do |options|
             if options[:strict] && dice.once_in(2)
               options.merge(as_json: JsonTable::AS_JSON)
             else
               options
             end
           end
    end

    def theirs(paper, options) = JsonOutcome.of { JSON.generate(paper.build, options) }
    def ours(paper, options)
      JsonOutcome.of { ToJson.generate(paper.build, dialect: @dialect, **options) }
    end

    def same?(due, got)
      due.same?(got) ||
        (due.error.is_a?(NoMethodError) &&
           (@dialect == :json2 ? of_warning?(due) : of_collision?(due, got)))
    end

    def source(options, value)
      named = options.map { |name, given| "#{name}: #{CALLABLES.fetch(given) { given.inspect }}" }
      callable = options.values.intersect?(CALLABLES.keys)
      <<~RUBY
        require "json" # #{JSON::VERSION}
        #{"require \"fuzz/dialects/json_peer\"\n" if callable}options = { #{named.join(", ")} }
        value = -> { #{value} }
        p ToJson.generate(value.call, dialect: #{@dialect.inspect}, **options),
          JSON.generate(value.call, options)
      RUBY
    end

    private

    # 2.x inspects a Hash whose keys collide for its warning, and fails in a BasicObject there; we
    # do not warn.
    def of_warning?(due) = due.error.message.match?(/[`']inspect'/)

    # 3.1 asks an as_json that is not there, of keys that collide under rfc8785.
    def of_collision?(due, got)
      due.error.message.match?(/[`']call' for (?:nil|false)/) &&
        got.error.is_a?(JSON::GeneratorError) && got.error.message.include?("duplicate key")
    end
  end
end
