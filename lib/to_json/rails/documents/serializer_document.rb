# frozen_string_literal: true

# Layer: rails. Writes a serializer that the action made.

module ToJson
  module Rendering
    # A serializer that was made by the action: `render json: PostSerializer.new(post)`.
    # @api private
    class SerializerDocument < Document
      def initialize(call, serializer, keywords)
        @serializer = serializer
        @given, *@arguments = serializer.__send__(:__to_json_arguments)
        super(call, serializer.class, @arguments.first, keywords)
      end

      private

      # The keywords of `new` count unless `render` has the same ones.
      def chosen(keywords)
        @asked = keywords.any?
        return keywords unless serializer_type < Serializer

        super({ **@given.to_h.slice(:view, :only, :except), **keywords })
      end

      # The context of `new` comes before that of the controller.
      def with_context(keywords) = @given&.key?(:context) ? keywords : super

      def prepare
        return if @arguments.size != 1 || !declared?

        @object = preloaded(object, serializer_type, { **@given.to_h, **keywords })
        @arguments = [@object]
      end

      def declared? = serializer_type < Serializer && serializer_type.declared?

      def generate
        kept = @serializer.__send__(:encoded_json)
        kept && !@asked ? kept : @serializer.json!(*@arguments, **keywords)
      end

      def open_stream(format, options)
        serializer_type.stream(*@arguments, format: format, **@given.to_h, **keywords, **options)
      end
    end
  end
end
