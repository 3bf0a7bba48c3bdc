# frozen_string_literal: true

module ToJson
  module Generators
    # Tells which columns look secret, so that no generated serializer writes them.
    # @api private
    class Secrets
      # Anywhere in the name.
      ANYWHERE = /passw|passphrase|passcode|secret(?!ar)|credential|encrypt|ciphertext|
                  (?:\A|_)(?:ssn|cvv|cvc)(?:\z|_)/ix
      # At the end of the name: `api_token` is secret, `token_count` is not.
      AT_END = /(?:\A|_)(?:tokens?|digests?|salts?|t?otp|pin|bidx|jwt|
                (?:api|access|private|auth|signing|crypt)_?keys?|
                (?:backup|recovery|otp|auth|pin|reset|security)_?codes?)\z/ix
      # What `rails new` puts into `config.filter_parameters`. It matches parts of words (`otp` in
      # "hotpot"), so only what an application adds to it counts.
      RAILS_OWN = %i[passw email secret token _key crypt salt certificate otp ssn cvv cvc].freeze
      private_constant :ANYWHERE, :AT_END, :RAILS_OWN

      # @param model [Class, nil] whose encrypted attributes and `filter_attributes` count too
      # @param filters [Array] those of `config.filter_parameters`
      def initialize(model = nil, filters = [])
        @encrypted = of(model, :encrypted_attributes).map(&:to_s)
        filters = (filters | of(model, :filter_attributes)) - RAILS_OWN - RAILS_OWN.map(&:to_s)
        @filter = ActiveSupport::ParameterFilter.new(filters, mask: nil)
      end

      # @param name [String, Symbol] of a column
      # @param type [Symbol, nil] of a field of the command line
      def secret?(name, type = nil)
        name = name.to_s
        return true if %i[digest token].include?(type) || @encrypted.include?(name)

        name.match?(ANYWHERE) || name.match?(AT_END) || @filter.filter_param(name, "seen") != "seen"
      end

      private

      def of(model, list) = model.respond_to?(list) ? Array(model.public_send(list)) : []
    end
  end
end
