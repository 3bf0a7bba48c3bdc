# frozen_string_literal: true

# Layer: json_api. Which texts are names of members, or types.

module ToJson
  module JsonApi
    # The names of attributes, relationships and other members, and the types of resources.
    # @api private
    module MemberName
      # What may stand at both ends: letters, digits, and what ASCII does not have.
      ENDS = "a-zA-Z0-9\u{80}-\u{10FFFF}"
      NAME = /[#{ENDS}](?:[#{ENDS} _-]*[#{ENDS}])?/
      PATTERN = /\A#{NAME}\z/
      # Ignored wherever they stand.
      AT_MEMBER = /\A@/
      OF_EXTENSION = /\A([a-zA-Z0-9]+):#{NAME}\z/
      # What neither attributes nor relationships may be called.
      RESERVED = %w[type id].freeze
      ADVICE = "Names consist of letters, digits, \"-\" and \"_\", and begin and end with a " \
               "letter or digit"
      private_constant :ENDS, :NAME

      # @param name [String]
      # @return [Boolean]
      def self.valid?(name) = PATTERN.match?(name)
    end
  end
end
