# frozen_string_literal: true

# Layer: rails. One document that a controller renders. The one place where it is written.

module ToJson
  module Rendering
    # A serializer class, what it serializes, and the keywords of `json!`.
    #
    # {#write} is where the document is written. {#prepare} is where the records are made ready
    # before that.
    # @api private
    class Document
      class << self
        # @param controller [ActionController::Metal]
        # @param options [Hash] of `render`
        # @return [Document, nil] nil: Rails writes the value
        # @raise [SerializerNotFound]
        def of(controller, options)
          return unless options.key?(:json)

          value = options[:json]
          return if String === value || Serialize === value

          given = options[:serializer]
          records = Records.of(value) unless given
          serializer_class = given || (records && find(controller, records, options)) or return
          new(controller, serializer_class, value, options)
        end

        private

        def find(controller, records, options)
          settings = settings_of(controller)
          namespace = options[:namespace] || settings[:namespace] || controller.class.module_parent
          found = records.classes.map { |type| Lookup.in_namespace(namespace, type) }.uniq
          return found.first unless found.include?(nil)
          return if settings[:missing_serializer] == :as_json

          type = records.classes[found.index(nil)]
          raise SerializerNotFound, not_found(type, Lookup.names_in(namespace, type))
        end

        def not_found(type, names)
          "no serializer for #{type}: tried #{names.join(", ")}. Create one with " \
            "bin/rails generate serializer #{names.first.delete_suffix("Serializer")}, or pass serializer:, or " \
            "declare missing_serializer :as_json in the controller for Rails' own way."
        end

        def settings_of(controller) = controller.class.to_json_settings || Railtie.settings
      end

      # @return [ActionController::Metal]
      attr_reader :controller
      # @return [Class] a subclass of {Serializer}
      attr_reader :serializer_class
      # @return [Object] the record, Array or relation
      attr_reader :object
      # @return [Hash] the keywords of `json!`
      attr_reader :keywords

      # @param options [Hash] of `render`
      def initialize(controller, serializer_class, object, options)
        @controller, @serializer_class, @object = controller, serializer_class, object
        @settings = controller.class.to_json_settings || Railtie.settings
        @settings = Settings.new(@settings, preload: options[:preload]) if options.key?(:preload)
        keywords = options.slice(*RenderOptions::OF_DOCUMENT)
        context = keywords.fetch(:context) { controller.send(:serialization_context) }
        @keywords = { **keywords, context: context }
      end

      # @return [String] the document
      def write
        prepare
        serializer_class.json!(object, **keywords)
      end

      # Loads what the serializer will read.
      def prepare
        return unless @settings[:preload] == :auto && defined?(Preloading)

        chosen = keywords.slice(:view, :only, :except, :context)
        @object = Preloading.preload(object, serializer_class, **chosen)
      end
    end
  end
end
