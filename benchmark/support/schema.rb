# frozen_string_literal: true

# Layer: metrics. What results.json must look like, checked before it is written and by a test. The
# page in words is in benchmark/README.md.

require_relative "metrics"

module Bench
  # A value fits a shape: a Class, an exact value, an Array of one shape, a Hash of shapes by key (no
  # other keys allowed; a key may be left out where its shape is OPTIONAL), MAP of a shape (any String keys), or ANY of several shapes.
  module Schema
    VERSION = 4
    MAP = Struct.new(:shape)
    ANY = Struct.new(:shapes)
    OPTIONAL = Struct.new(:shape)
    BOOLEAN = ANY.new([true, false])
    def self.maybe(*shapes) = ANY.new([nil, *shapes])

    METRIC = {"unit" => String, "better" => ANY.new(%w[lower higher]), "best_third" => Numeric, "median" => Numeric, "samples" => [Numeric],
              "disturbed" => [Integer], "whole" => OPTIONAL.new({"best_third" => Numeric, "median" => Numeric})}.freeze

    ROW = {"contender" => String, "group" => ANY.new(%w[ours hand gem other control]), "peers" => [String], "at" => maybe(Numeric, String),
           "status" => ANY.new(%w[measured missing failed different equal skipped]), "error" => maybe(String), "differs" => maybe(String),
           "document_bytes" => maybe(Numeric), "metrics" => MAP.new(METRIC)}.freeze

    CLAIM = {"claim" => String, "kind" => ANY.new(%w[reach limit]), "metric" => String, "at" => maybe(Numeric, String), "subject" => maybe(String),
             "over" => maybe(String), "value" => maybe(Numeric), "value_of_median" => maybe(Numeric), "required" => maybe(Numeric),
             "status" => ANY.new(["met", "missed", "not judged", "not measured"])}.freeze

    TABLE = {"name" => String, "setup" => String, "measure" => String, "options" => MAP.new(Object), "parsers" => [String], "rows" => [ROW],
             "claims" => [CLAIM]}.freeze

    CODE = {"contenders" => MAP.new(MAP.new({"code" => String, "defined" => [String]})), "definitions" => MAP.new(String)}.freeze

    RESULTS = {
      "schema" => VERSION, "generated_at" => String, "seconds" => Numeric,
      "commit" => {"id" => maybe(String), "changed" => maybe(BOOLEAN)},
      "machine" => {"cpu" => String, "cores" => Integer, "memory_bytes" => maybe(Integer), "system" => String, "compiler" => maybe(String),
                    "load_before" => maybe(Numeric)},
      "settings" => {"quick" => BOOLEAN, "only_equality" => BOOLEAN, "passes" => Integer, "rounds" => Integer, "sample_seconds" => Numeric,
                     "seed" => Integer, "lanes" => Integer, "minutes" => Numeric},
      "setups" => [{"id" => String, "ruby" => String, "yjit" => BOOLEAN, "judged_as" => maybe("interpreter", "yjit"), "versions" => MAP.new(String),
                    "missing" => MAP.new(String), "disturbed" => Integer}],
      "peers" => MAP.new({"about" => String, "docs" => maybe(String), "used" => maybe(String)}),
      "scenarios" => [{"number" => Integer, "name" => String, "title" => String, "code" => CODE, "tables" => [TABLE]}]
    }.freeze

    # Every place where the value does not fit, as lines "$.a[1].b: …". Empty when it fits.
    def self.problems(value, shape = RESULTS, path = "$")
      case shape
      when MAP
        return ["#{path}: #{value.class} instead of a map"] unless value.is_a?(Hash) && value.keys.all?(String)

        value.flat_map { |key, element| problems(element, shape.shape, "#{path}.#{key}") }
      when ANY
        shape.shapes.any? { |option| problems(value, option, path).empty? } ? [] : ["#{path}: #{value.inspect} is none of what is allowed"]
      when Array
        return ["#{path}: #{value.class} instead of an array"] unless value.is_a?(Array)

        value.each_with_index.flat_map { |element, index| problems(element, shape.first, "#{path}[#{index}]") }
      when Hash then object_problems(value, shape, path)
      when Class then value.is_a?(shape) ? [] : ["#{path}: #{value.class} instead of #{shape}"]
      else value == shape ? [] : ["#{path}: #{value.inspect} instead of #{shape.inspect}"]
      end
    end

    def self.object_problems(value, shape, path)
      return ["#{path}: #{value.class} instead of an object"] unless value.is_a?(Hash)

      unknown = (value.keys - shape.keys).map { |key| "#{path}.#{key}: not in the schema" }
      unknown + shape.flat_map do |key, inner|
        if value.key?(key) then problems(value[key], inner.is_a?(OPTIONAL) ? inner.shape : inner, "#{path}.#{key}")
        else inner.is_a?(OPTIONAL) ? [] : ["#{path}.#{key}: missing"]
        end
      end
    end

    private_class_method :object_problems
  end
end
