# frozen_string_literal: true

# Layer: envelope. The entry points for a bare value; their native part is ext/to_json/classes/generate.c.

module ToJson
  class << self
    # @!method self.generate(value, into: nil, chunk: nil, flush: nil, rules: nil, **options)
    #   The JSON of any value that the Rules know, serializers and Fragments inside included.
    #
    #   @example
    #     ToJson.generate({ id: 1, tags: %w[a b] }) # => "{\"id\":1,\"tags\":[\"a\",\"b\"]}"
    #
    #   @example An option of the Rules
    #     ToJson.generate({ ratio: 0.0 / 0 }, nan: :null) # => {"ratio":null}
    #   @param value [Object]
    #   @param into [String, Buffer, #write, #<<, nil] appended to, or written to in chunks of about 64 KiB
    #   @param chunk [Integer, nil] bytes of a chunk; less memory or fewer calls of `write`
    #   @param flush [:record, Numeric, nil] what is delivered before a chunk is full: each element of the outermost array when it
    #     ends; or whatever there is when an element or a block ends and so many seconds have passed. `flush` of the Sink is called too.
    #     docs/sinks.md
    #   @param rules [Rules, Hash, Symbol, nil] instead of {ToJson.default_rules}
    #   @param options the options of {Rules.new}, over `rules`
    #   @return [String, Object] UTF-8, or `into`
    #   @raise [Error] see the subclasses; with `into:` a String or Buffer it is then as it was

    # @!method self.pretty_generate(value, into: nil, chunk: nil, flush: nil, rules: nil, **options)
    #   The same with line breaks and indentation by two spaces. Fragments stay as they are.
    #
    #   @example
    #     ToJson.pretty_generate({ id: 1, tags: [] })
    #     # => {
    #     #      "id": 1,
    #     #      "tags": []
    #     #    }
    #
    #   @param value [Object]
    #   @param into [String, Buffer, #write, #<<, nil] as for {generate}
    #   @param chunk [Integer, nil] as for {generate}
    #   @param flush [:record, Numeric, nil] as for {generate}
    #   @param rules [Rules, Hash, Symbol, nil] as for {generate}
    #   @param options the options of {Rules.new}, over `rules`
    #   @return [String, Object]
    #   @raise [Error] as {generate}

    # @!method self.generate_under(rules, value)
    #   For hooks: {generate} with Rules and nothing else.
    #   @api private

    # @!method self.json(into: nil, chunk: nil, flush: nil, rules: nil, context: {}, max_depth: nil)
    #   The DSL with an explicit receiver: the block keeps its self.
    #
    #   @example
    #     ToJson.json { |j| j.put :name, "Fred" } # => "{\"name\":\"Fred\"}"
    #
    #   @param into [String, Buffer, #write, #<<, nil] as for {generate}
    #   @param chunk [Integer, nil] as for {generate}
    #   @param flush [:record, Numeric, nil] as for {generate}
    #   @param rules [Rules, Hash, Symbol, nil] instead of {ToJson.default_rules}
    #   @param context [Object] what `j.context` gives, and serializers in place get
    #   @param max_depth [Integer, nil] containers open at once, instead of the Rules'
    #   @yieldparam j [Serializer] valid until the block ends
    #   @return [String, Object] UTF-8, or `into`
    #   @raise [Error] see the subclasses
  end
end
