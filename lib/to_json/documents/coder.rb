# frozen_string_literal: true

# Layer: envelope. Rules and a block for what has no JSON form, kept together: the shape of JSON::Coder.

module ToJson
  # Writes documents under one set of Rules; the block says what to write instead of a value that they have no form for.
  # Without another `dialect:` it writes what JSON::Coder of the json gem writes, byte for byte.
  #
  # Caveats: it does not parse, so it takes none of JSON::Coder's options for that.
  #
  # @example
  #   coder = ToJson::Coder.new { |value| value.is_a?(Time) ? value.to_i : value.to_s }
  #   coder.dump({ at: Time.at(5), ok: true }) # => {"at":5,"ok":true}
  #
  # @example Under another dialect
  #   ToJson::Coder.new(dialect: :standard, time: :unix) { |value| value.class.name }.dump([Time.at(5), Object.new]) # => [5,"Object"]
  class Coder
    # @return [Rules]
    attr_reader :rules

    # @param rules [Hash] the options of {Rules.new}; `dialect: :json` and, where the dialect has it, `strict: true` unless
    #   they say otherwise
    # @yieldparam value [Object] that has no form; under `:json` also NaN and Strings that are no text
    # @yieldparam key [Boolean] true when it is a key of a Hash (`:json` and `:json2` only)
    # @yieldreturn [Object] what to write instead; under `:json` a value of JSON's own types
    # @raise [ArgumentError] as {Rules.new}, and for `strict: false`, which 2.x overlooks
    def initialize(**rules, &as_json)
      dialect = rules.fetch(:dialect, :json)
      if Dialects::LIMITED.fetch(:strict).include?(dialect)
        strict = rules.fetch(:strict, true) || dialect == :json2
        raise ArgumentError, "strict: false is not possible: a Coder is always strict, because its block converts all other types" unless strict

        rules = { dialect: dialect, **rules, strict: true }
      end
      rules = { **rules, as_json: as_json } if as_json
      @rules = Rules.new(**rules)
      freeze
    end

    # @example
    #   coder = ToJson::Coder.new(space: " ", script_safe: true)
    #   coder.dump({ unit: "m/s" }, into: +"") # => {"unit": "m\/s"}
    # @param value [Object]
    # @param io [String, #write, #<<, nil] `into:` at the place where JSON::Coder has it
    # @param into [String, #write, #<<, nil] as for {ToJson.generate}
    # @param chunk [Integer, nil] as for {ToJson.generate}
    # @param flush [:record, Numeric, nil] as for {ToJson.generate}
    # @return [String, Object] UTF-8, or the Sink
    # @raise [Error] or what the dialect's library raises
    def dump(value, io = nil, into: io, chunk: nil, flush: nil)
      return ToJson.generate(value, rules: @rules, into: into) if chunk.nil? && flush.nil?

      ToJson.generate(value, rules: @rules, into: into, chunk: chunk, flush: flush)
    end
    alias generate dump

    # @return [String]
    def inspect = "#<ToJson::Coder #{@rules.inspect}>"
  end
end
