# frozen_string_literal: true

# Layer: rails. In `render json: ToJson::Serializer.json! do … end`, Ruby passes the block to
# `render`. This file passes it on to `json!`.

module ToJson
  module Rendering
    # Inside an action, `ToJson::Serializer.json!` without a block returns this, and `render` gives
    # it the block. Any other use raises the error that `json!` without a block raises elsewhere.
    # @api private
    class PendingBlock
      # Extends {Serializer}, so that its `json!` makes them.
      module Maker
        private

        def __to_json_without_block(*arguments, **keywords)
          Rendering.controller ? PendingBlock.new(arguments, keywords) : super
        end
      end

      # @param arguments [Array] of `render`
      # @return [Array] the same arguments, with the document in place of the PendingBlock
      def self.fill(arguments, block)
        options = arguments.last
        pending = ->(name) { Hash === options && PendingBlock === options[name] }
        format = RenderOptions::FORMATS.find(&pending) or return arguments

        [*arguments[..-2], { **options, format => options[format].document(block) }]
      end

      def initialize(arguments, keywords)
        @arguments, @keywords = arguments, keywords
      end

      # @return [String]
      def document(block) = Serializer.json!(*@arguments, **@keywords, &block)

      # @raise [Error]
      def to_json(*) = Serializer.__send__(:__to_json_refuse_no_block)
      alias to_s to_json
      alias as_json to_json
      alias to_str to_json
    end
  end
end
