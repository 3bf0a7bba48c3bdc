# frozen_string_literal: true

# Layer: rails. Writes the documents of JSON:API and HAL for a controller.

module ToJson
  module Rendering
    # A document of JSON:API without records: errors, or the data `null` or `[]` for which no
    # serializer is known.
    # @api private
    class WrittenText
      include Written

      # @return [String]
      attr_reader :write

      # @param text [String] the document
      def initialize(text)
        @write = text
      end
    end

    # A document of JSON:API, with what a client has chosen by `include` and `fields`.
    # @api private
    class JsonApiDocument < Document
      def initialize(*)
        super
        @model = Models.of(object)
      end

      private

      # {ToJson::JsonApi::Query} has checked the keywords already.
      def chosen(keywords) = keywords

      # Loads the relationships that are included, and no others.
      def prepare
        return unless preloads?

        read = Preloading.resources(serializer_type, @model,
                                    keywords.values_at(:view, :include, :fields))
        @object = Preloading.preload(object, serializer_type, only: read,
                                                              **keywords.slice(:view, :context))
      end

      def generate = serializer_type.json_api!(object, **keywords)

      def open_stream(_format, options)
        serializer_type.json_api_stream(object, **keywords, **options)
      end
    end

    # A document of HAL.
    # @api private
    class HalDocument < Document
      private

      # The blocks of its links take the record.
      def from_rows = nil

      def generate = serializer_type.hal!(object, **keywords)
    end
  end
end
