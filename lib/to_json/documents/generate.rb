# frozen_string_literal: true

# Layer: documents. The methods that write a plain value, with their documentation.
# ext/to_json/classes/generate.c defines them.

module ToJson
  class << self
    # @!method self.generate(value, into: nil, chunk: nil, flush: nil, rules: nil, **options)
    #   Writes any value that the Rules know, with serializers and Fragments in it.
    #
    #   @example
    #     ToJson.generate({ id: 1, tags: %w[a b] }) # => "{\"id\":1,\"tags\":[\"a\",\"b\"]}"
    #
    #   @example An option of the Rules
    #     ToJson.generate({ ratio: 0.0 / 0 }, nan: :null) # => {"ratio":null}
    #   @param value [Object]
    #   @param into [String, Buffer, #write, #<<, nil] a String or Buffer is appended to; any other
    #     object receives chunks of about 64 KiB
    #   @param chunk [Integer, nil] how many bytes a chunk has: less takes less memory, more takes
    #     fewer calls of `write`
    #   @param flush [:record, Numeric, nil] `:record` delivers each element of the outermost array
    #     when it ends; a number of seconds delivers the text so far when an element or a block
    #     ends, if the last delivery was that long ago. Both also call `flush` of the Sink. See
    #     docs/sinks.md
    #   @param rules [Rules, Hash, Symbol, nil] instead of {ToJson.default_rules}
    #   @param options the options of {Rules.new}, which change `rules`
    #   @return [String, Object] a String in UTF-8, or `into`
    #   @raise [Error] one of its subclasses; a String or Buffer in `into:` is then restored

    # @!method self.pretty_generate(value, into: nil, chunk: nil, flush: nil, rules: nil, **options)
    #   Like {generate}, with line breaks, and two spaces of indentation for each level. Fragments
    #   are not changed.
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
    #   @param options the options of {Rules.new}, which change `rules`
    #   @return [String, Object]
    #   @raise [Error] like {generate}

    # @!method self.generate_under(rules, value)
    #   For hooks: {generate} with Rules and nothing else.
    #   @api private

    # @!method self.json(into: nil, chunk: nil, flush: nil, rules: nil, context: {}, max_depth: nil)
    #   Runs the DSL with an explicit receiver. The block keeps its `self`.
    #
    #   @example
    #     ToJson.json { |j| j.put :name, "Fred" } # => "{\"name\":\"Fred\"}"
    #
    #   @param into [String, Buffer, #write, #<<, nil] as for {generate}
    #   @param chunk [Integer, nil] as for {generate}
    #   @param flush [:record, Numeric, nil] as for {generate}
    #   @param rules [Rules, Hash, Symbol, nil] instead of {ToJson.default_rules}
    #   @param context [Object] what `j.context` returns; serializers in place get it too
    #   @param max_depth [Integer, nil] how many containers may be open at once, instead of the
    #     limit of the Rules
    #   @yieldparam j [Serializer] valid until the block ends
    #   @return [String, Object] a String in UTF-8, or `into`
    #   @raise [Error] one of its subclasses
  end
end
