# frozen_string_literal: true

# Layer: rails. What a controller gets by `include ToJson::Rendering`.

require "active_support/concern"
require_relative "railtie"
require_relative "records"
require_relative "render_options"
require_relative "document"

module ToJson
  # `render json:` with serializers. Include it in a controller class; subclasses inherit it. A
  # controller without it renders as before.
  #
  # - `render json: post` writes the document of the serializer that is found by the class of the
  #   record, first in the namespace of the controller, then outwards.
  # - The options of `json!` (`view:`, `only:`, `context:` …) stand beside those of `render`.
  module Rendering
    extend ActiveSupport::Concern

    included do
      class_attribute :to_json_settings, instance_writer: false, default: nil
    end

    # The words of a controller's class body.
    module ClassMethods
      # Changes settings for this class and its subclasses.
      # @param settings see {Settings::DEFAULTS}
      # @return [nil]
      # @raise [ArgumentError] for an unknown name or value
      def serialization(**settings)
        self.to_json_settings = Settings.new(to_json_settings || Railtie.settings, **settings)
        nil
      end

      # @param way [:raise, :as_json] what happens if a record has no serializer
      # @return [nil]
      def missing_serializer(way) = serialization(missing_serializer: way)
    end

    # @api private
    # ActionController's: the body of the response.
    def render_to_body(options = {})
      document = Document.of(self, options)
      return super unless document

      super(options.except(*RenderOptions::OURS).merge(json: document.write))
    end

    private

    # The context of documents whose `render` has no `context:`. Override it.
    # @return [Object]
    def serialization_context = {}
  end
end
