# frozen_string_literal: true

# Layer: envelope. The root keys of a call.

module ToJson
  # @api private
  module Envelope
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
