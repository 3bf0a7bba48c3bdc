# frozen_string_literal: true

# Layer: documents. Rules together with a block for values that have no JSON form, like JSON::Coder.

module ToJson
  # Keeps Rules, and a block that converts values without a JSON form. Without another `dialect:` it
  # writes the same bytes as JSON::Coder of the json gem.
  #
  # Caveats: it does not parse, so it takes none of JSON::Coder's options for parsing.
  #
  # @example
  #   coder = ToJson::Coder.new { |value| value.is_a?(Time) ? value.to_i : value.to_s }
  #   coder.dump({ at: Time.at(5), ok: true }) # => {"at":5,"ok":true}
  #
  # @example Under another dialect
  #   coder = ToJson::Coder.new(dialect: :standard, time: :unix) { |value| value.class.name }
  #   coder.dump([Time.at(5), Object.new]) # => [5,"Object"]
  class Coder
    # @return [Rules]
    attr_reader :rules

    # @param rules [Hash] the options of {Rules.new}; the defaults are `dialect: :json` and, if the
    #   dialect has it, `strict: true`
    # @yieldparam value [Object] a value without a JSON form; under `:json` also NaN and invalid
    #   Strings
    # @yieldparam key [Boolean] true if it is a key of a Hash (only `:json` and `:json2`)
    # @yieldreturn [Object] what to write instead; under `:json` a value of the types of JSON
    # @raise [ArgumentError] like {Rules.new}, and for `strict: false`, which json 2.x ignores
    def initialize(**rules, &as_json)
      dialect = rules.fetch(:dialect, :json)
      if Dialects::LIMITED.fetch(:strict).include?(dialect)
        strict = rules.fetch(:strict, true) || dialect == :json2
        unless strict
          raise ArgumentError,
                "strict: false is not possible: a Coder is always strict, because its block " \
                "converts all other types"
        end

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
    # @param io [String, #write, #<<, nil] the same as `into:`, where JSON::Coder expects it
    # @param into [String, #write, #<<, nil] as for {ToJson.generate}
    # @param chunk [Integer, nil] as for {ToJson.generate}
    # @param flush [:record, Numeric, nil] as for {ToJson.generate}
    # @return [String, Object] a String in UTF-8, or the Sink
    # @raise [Error] or what the library of the dialect raises
    def dump(value, io = nil, into: io, chunk: nil, flush: nil)
      return ToJson.generate(value, rules: @rules, into: into) if chunk.nil? && flush.nil?

      ToJson.generate(value, rules: @rules, into: into, chunk: chunk, flush: flush)
    end
    alias generate dump

    # @return [String]
    def inspect = "#<ToJson::Coder #{@rules.inspect}>"
  end
end
