# frozen_string_literal: true

# Layer: rails. The options of `render jsonapi:`, `render jsonapi_errors:` and `render hal:`, and
# the headers of the response.

module ToJson
  module Rendering
    # What the formats with an envelope do.
    # @api private
    module EnvelopeResponse
      # The options of each format besides the keywords of its document.
      OURS = {
        jsonapi: %i[serializer namespace preload jsonapi_object includable pagination stream chunk
                    flush],
        jsonapi_errors: %i[serializer namespace jsonapi_object],
        hal: %i[serializer namespace preload]
      }.freeze
      FORMATS = OURS.keys.freeze
      # Keywords of documents that are no options here: the response is the Sink, and `jsonapi:` is
      # the value to render.
      NOT_OURS = %i[into chunk flush jsonapi].freeze
      # What {ToJson::JsonApi::Errors} takes.
      OF_ERRORS = %i[at links meta].freeze
      private_constant :OURS, :NOT_OURS, :OF_ERRORS

      class << self
        # @param controller [ActionController::Metal]
        # @param options [Hash] of `render`
        # @param format [Symbol] one of FORMATS
        # @return [Array(Object, Hash)] what {EnvelopeCall#body} returns, and the options for Rails
        def render(controller, options, format)
          format == :hal ? FirstUse.of(:Document, Hal) : FirstUse.of(:Document, JsonApi)
          check(options, format)
          rest = options.slice(*RenderOptions::OF_RAILS)
          return hal(controller, options, rest) if format == :hal

          set_headers(controller, rest.delete(:content_type))
          return errors(controller, options, rest) if format == :jsonapi_errors

          [JsonApiCall.new(controller, options).body, rest]
        end

        # @return [Hash] the keywords for the document of the format that were given
        def keywords(options, format)
          given = options.slice(*of_document(format))
          options.key?(:jsonapi_object) ? { **given, jsonapi: options[:jsonapi_object] } : given
        end

        private

        def of_document(format)
          case format
          when :jsonapi then ToJson::JsonApi::Call::KEYWORDS - NOT_OURS
          when :hal then ToJson::Hal::Document::KEYWORDS - NOT_OURS
          else OF_ERRORS
          end
        end

        def check(options, format)
          known = of_document(format) + OURS.fetch(format)
          name = (options.keys - [format, *known, *RenderOptions::OF_RAILS]).first or return
          raise ArgumentError,
                "render #{format}: #{Suggestion.unknown("option", name, known)}"
        end

        # Rails would add a charset to any media type, which JSON:API refuses.
        def set_headers(controller, given)
          accept = controller.request.headers["Accept"]
          negotiation = controller.class.to_json_negotiation || ToJson::JsonApi::Negotiation.new
          controller.headers["Content-Type"] = given&.to_s || negotiation.content_type(accept)
          vary = controller.headers["Vary"].to_s.split(/\s*,\s*/)
          return if vary.any? { |name| name.casecmp?("accept") || name == "*" }

          controller.headers["Vary"] = [*vary, "Accept"].join(", ")
        end

        def hal(controller, options, rest)
          if controller.media_type.nil? && rest[:content_type].nil?
            controller.content_type = ToJson::Hal::MEDIA_TYPE
          end
          [HalCall.new(controller, options).body, rest]
        end

        def errors(controller, options, rest)
          given = options[:jsonapi_errors]
          status = options[:status] && ::Rack::Utils.status_code(options[:status])
          errors = ToJson::JsonApi::Errors.new(
            given, serializer: options[:serializer] || serializer(controller, options, given),
                   status: status, **keywords(options, :jsonapi_errors)
          )
          [WrittenText.new(errors.json!), { status: errors.status, **rest }]
        end

        # Of the model whose errors these are.
        def serializer(controller, options, given)
          given = given.errors if given.respond_to?(:errors) && !given.respond_to?(:full_messages)
          return unless given.respond_to?(:full_messages) && (first = given.first)

          settings = Rendering.settings_of(controller)
          namespace = options[:namespace] || settings[:namespace] || controller.class.module_parent
          Finder.new(namespace).of(first.base.class)
        end
      end
    end
  end
end
