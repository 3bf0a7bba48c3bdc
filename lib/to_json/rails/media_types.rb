# frozen_string_literal: true

# Layer: rails. The media types that actions can respond to.

module ToJson
  module Rendering
    # @api private
    module MediaTypes
      NDJSON = ["application/x-ndjson", :ndjson, %w[application/ndjson application/jsonl]].freeze
      HAL = ["application/hal+json", :hal].freeze
      private_constant :NDJSON, :HAL

      class << self
        # @return [void]
        def register
          [NDJSON, HAL].each { |type| add(*type) }
        end

        # That of JSON:API is a synonym of JSON in Rails, so `format.json` stands for it until a
        # controller asks for it. Bodies of requests are read as before.
        # @return [void]
        def register_json_api
          add(ToJson::JsonApi::MEDIA_TYPE, :jsonapi)
          parsers = ::ActionDispatch::Request.parameter_parsers
          return if parsers.key?(:jsonapi)

          ::ActionDispatch::Request.parameter_parsers = { **parsers, jsonapi: parsers[:json] }
        end

        private

        def add(text, name, others = [])
          ::Mime::Type.register(text, name, others) unless ::Mime[name]
        end
      end
    end
  end
end
