# frozen_string_literal: true

# Layer: hal. Makes link objects from the values that links return.

module ToJson
  module Hal
    # A String is the `href` of a link object. Hashes are link objects already, and an Array has
    # many links.
    # @api private
    module Links
      class << self
        # @param value [String, Hash, Array, Object] not nil
        # @return [Object]
        def call(value)
          case value
          when Hash then value
          when Array then value.compact.map { |one| call(one) }
          else { href: value }
          end
        end

        # @param given [Hash]
        # @return [Hash] link objects, without the links that are nil
        def all(given) = given.compact.transform_values { |value| call(value) }
      end
    end
  end
end
