# frozen_string_literal: true

# Layer: rails. Sends the document of a stream that the action made.

module ToJson
  module Rendering
    # A stream that the action made: `render json: PostSerializer.stream(posts)`.
    # @api private
    class StreamDocument < Document
      def initialize(call, stream)
        @stream = stream
        super(call, nil, nil, {})
      end

      def name = "a stream"
      def count(_read = nil) = nil

      def stream(_format, **)
        body = @stream
        around = Surroundings.new(controller, nil)
        format = Stream::TYPES.key(body.content_type)
        Body.new(format) do |sink|
          around.call { Events.sending(self, sink) { |counted| body.__send__(:produce, counted) } }
        end
      end
    end
  end
end
