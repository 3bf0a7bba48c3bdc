# frozen_string_literal: true

# Layer: envelope. The entry points for a bare value; their native part is ext/to_json/classes/generate.c.

module ToJson
  class << self
    # @!method generate(value, into: nil, rules: nil, **options)
    #   The JSON of any value that the Rules know, serializers and Fragments inside included.
    #
    #   @example
    #     ToJson.generate({ id: 1, tags: %w[a b] }) # => "{\"id\":1,\"tags\":[\"a\",\"b\"]}"
    #
    #   @param value [Object]
    #   @param into [String, #write, #<<, nil] appended to, or written to in chunks of about 64 KiB
    #   @param rules [Rules, Hash, Symbol, nil]
    #   @param options the options of {Rules.new}
    #   @return [String, Object] UTF-8, or `into`
    #   @raise [Error] see the subclasses; with `into: string` the String is then as it was

    # @!method pretty_generate(value, into: nil, rules: nil, **options)
    #   The same with line breaks and indentation by two spaces.
    #
    #   @example
    #     ToJson.pretty_generate({ id: 1 }) # => "{\n  \"id\": 1\n}"
    #
    #   @return [String, Object]

    # @!method json(into: nil, rules: nil, context: {}, max_depth: nil)
    #   The DSL with an explicit receiver: the block keeps its self.
    #
    #   @example
    #     ToJson.json { |j| j.put :name, "Fred" } # => "{\"name\":\"Fred\"}"
    #
    #   @yieldparam j [Serializer] valid until the block ends
    #   @return [String, Object] UTF-8, or `into`
  end
end
