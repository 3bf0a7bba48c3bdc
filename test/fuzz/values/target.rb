# frozen_string_literal: true

# Fuzz. Random value trees: what ToJson.generate writes is the model's text, reads back equal by two
# parsers, equals JSON.generate where the rules agree, and holds nothing that html_safe forbids.

require_relative "generator"
require_relative "../kit/rows"
require_relative "../kit/ways_out"

module Fuzz
  # The target "values".
  class ValuesTarget
    FORBIDDEN = /[<>&\u2028\u2029]/

    def name = "values"
    def rows = ValueGenerator::ROWS

    def generate(dice) = ValueGenerator.new(dice, depth: dice.between(0, 5)).value
    def simpler(spec) = spec.simpler
    def source(spec) = "puts ToJson.generate(#{spec.source})"

    # @return [String, nil] what is wrong
    def check(spec, rows = nil)
      expected, refused = modelled(spec, rows)
      results = run(spec)
      results.each do |way, result|
        problem = difference(expected, refused, result)
        return "#{way}: #{problem}" if problem
      end
      return nil if refused

      text = results.fetch("String").text
      parsers(expected, text) || peer(spec, text) || html(spec, text)
    end

    private

    def modelled(spec, rows)
      [spec.tree(Surroundings.new(rows: rows), 0), nil]
    rescue Refused => refused
      [nil, refused]
    end

    def run(spec)
      {
        "String" => WaysOut.plain { ToJson.generate(spec.build) },
        "tiny buffers" => WaysOut.tiny { ToJson.generate(spec.build) },
        "one byte a time" => WaysOut.one_byte { |io| ToJson.generate(spec.build, into: io) },
        "appended" => WaysOut.appended { |target| ToJson.generate(spec.build, into: target) },
        "a body" => WaysOut.plain { ToJson.stream(spec.build).each.to_a.join },
        "a record" => WaysOut.tiny { record(spec) }
      }
    end

    # Between others, that every few bytes are delivered. What a Fragment has of line breaks are
    # blanks in a line.
    def record(spec)
      value = spec.build
      lines = ToJson.ndjson([0, value, [1]].each, into: [],
                            on_error: ->(error, *) { raise error }).join
      before, line, behind = lines.lines(chomp: true)
      unless before == "0" && behind == "[1]" && lines.count("\n") == 3
        raise "the records around it are #{lines.inspect}"
      end

      line
    end

    def difference(expected, refused, result)
      if refused
        unless refused.names.include?(result.error.class.name.split("::").last)
          return "#{refused} is due, got #{result}"
        end
        if result.partial && Text.parsed(result.partial) != :invalid
          return "part of a failed document parses: #{result.partial}"
        end
      else
        due = Text.of(expected)
        unless result.text == due && result.text.valid_encoding?
          return "due #{due.inspect}, got #{result}"
        end
      end
      nil
    end

    def parsers(expected, text)
      unless Text.same?(Text.parsed(Text.of(expected)), Text.parsed(text))
        return "json reads another value in #{text.inspect}"
      end

      unless ToJson::Tree.parse(text) == Text.plain(expected)
        "ToJson::Tree reads another value in #{text.inspect}"
      end
    end

    # Only nil, true, false, Integers, Floats, Strings, Symbols, Arrays and Hashes: there the rules
    # agree.
    def peer(spec, text)
      value = spec.build
      return unless plain?(value)

      theirs = JSON.generate(value)
      unless theirs == text || Text.same?(Text.parsed(theirs), Text.parsed(text))
        "JSON.generate: #{theirs.inspect}"
      end
    end

    def plain?(value)
      case value
      when Array then value.instance_of?(Array) && value.all? { |element| plain?(element) }
      when Hash
        value.all? { |key, element| (key.is_a?(String) || key.is_a?(Symbol)) && plain?(element) } &&
                     value.keys.uniq(&:to_s).size == value.size
      when String then value.encoding == Encoding::UTF_8
      when nil, true, false, Integer, Float, Symbol then true
      else false
      end
    end

    def html(spec, text)
      safe = ToJson.generate(spec.build, html_safe: true)
      return "html_safe left #{safe[FORBIDDEN].inspect}" if safe.match?(FORBIDDEN)

      unless Text.same?(Text.parsed(safe), Text.parsed(text))
        "html_safe reads differently: #{safe.inspect}"
      end
    end
  end
end
