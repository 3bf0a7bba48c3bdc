# frozen_string_literal: true

# Fuzz. The ActiveSupport of this process, for the dialect :rails: its own encoder beside ours,
# options and settings at random.

require "json"
require "active_support/all"
require "to_json"
require "to_json/active_support"
require "dialects/json_outcome"

ToJson::ActiveSupportEncoder.uninstall

module Fuzz
  # See DialectTarget. `options`: {options: of as_json, settings: of ActiveSupport}.
  class RailsPeer
    ENCODING = ActiveSupport::JSON::Encoding
    THEIRS =
      if ENCODING.const_defined?(:JSONGemCoderEncoder)
        ENCODING::JSONGemCoderEncoder
      else
        ENCODING::JSONGemEncoder
      end
    NAMES = [:a, "a", :b, "b", "id", 1, nil, "x"].freeze
    SETTINGS = { escape_html_entities_in_json: [true, false],
                 use_standard_json_time_format: [true, false], time_precision: [0, 3, 6, 9] }.freeze

    def name = "rails"

    def options(dice)
      options = dice.once_in(2) ? { prefixes: ["posts"], template: "index" } : {}
      options[:only] = Array.new(dice.between(0, 4)) { dice.pick(NAMES) } if dice.once_in(6)
      options[:except] = dice.pick(NAMES) if dice.once_in(6)
      settings = dice.once_in(3) ? SETTINGS.transform_values { |values| dice.pick(values) } : {}
      { options: options, settings: settings }
    end

    def theirs(paper, options) = under(options) { |given| THEIRS.new(given).encode(paper.build) }
    def ours(paper, options)
      under(options) { |given| ToJson::ActiveSupportEncoder.new(given).encode(paper.build) }
    end

    # What is given up before all of it was asked may have met another of two errors first.
    def same?(due, got) = due.same?(got) || (!due.error.nil? && !got.error.nil?)

    def source(options, value)
      settings = options.fetch(:settings, {}).map { |name, given| "#{name} = #{given.inspect}" }
      <<~RUBY
        require "active_support/all" # #{ActiveSupport.version}, json #{JSON::VERSION}
        #{settings.map { |setting| "ActiveSupport::JSON::Encoding.#{setting}" }.join("; ")}
        options = #{options.fetch(:options, {}).inspect}
        value = -> { #{value} }
        theirs = ActiveSupport::JSON.encode(value.call, options)
        require "to_json/active_support"
        p ActiveSupport::JSON.encode(value.call, options), theirs
      RUBY
    end

    private

    def under(options)
      settings = options.fetch(:settings, {})
      before = settings.to_h { |name, _| [name, ENCODING.public_send(name)] }
      settings.each { |name, value| ENCODING.public_send("#{name}=", value) }
      JsonOutcome.of { yield options.fetch(:options, {}) }
    ensure
      before.each { |name, value| ENCODING.public_send("#{name}=", value) }
    end
  end
end
