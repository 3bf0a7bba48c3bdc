# frozen_string_literal: true

# Layer: envelope. What a call says besides the data.

module ToJson
  # @api private
  module Envelope
    # Keywords that nobody takes: a misspelt `only:` must not give everything away.
    # @param count [Integer] of arguments beside them
    # @raise [ArgumentError]
    def self.refuse(serializer_class, keywords, count)
      raise ArgumentError, "#{serializer_class}: a Hash that is the object stands in braces: json!({ ... })" if count.zero?

      raise ArgumentError, "#{serializer_class}: #{Suggestion.unknown("keyword", keywords.keys.first, DSL::RESERVED_KEYWORDS)}"
    end

    # @param given [Boolean, Symbol, String] of `root:`
    # @return [Array(Symbol, Symbol), nil] the keys for one and for many
    # @raise [ArgumentError]
    def self.roots(serializer_class, given)
      case given
      when true
        serializer_class.definition.root or
          raise ArgumentError, "root: true: #{serializer_class} declares none. Declare root :post, :posts, or pass the key itself."
      when false then [nil, nil]
      when Symbol then [given, given]
      when String then [given.to_sym, given.to_sym]
      else raise ArgumentError, "root: takes true, false, a Symbol or a String; got #{given.class}"
      end
    end
  end
end
