# frozen_string_literal: true

# Layer: rails. `render json: ToJson::Serializer.json! do … end`: Ruby gives the block to `render`,
# which passes it on.

module ToJson
  module Rendering
    # What `ToJson::Serializer.json!` without a block gives inside an action, until `render` finds
    # the block. Any other use raises the error that `json!` raises elsewhere.
    # @api private
    class Pending
      # Makes them; {Serializer} is extended by it.
      module Maker
        private

        def __to_json_without_block(*arguments, **keywords)
          Rendering.controller ? Pending.new(arguments, keywords) : super
        end
      end

      # @param arguments [Array] of `render`
      # @return [Array] the same with the document in the place of a Pending
      def self.fill(arguments, block)
        options = arguments.last
        pending = ->(name) { Hash === options && Pending === options[name] }
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
