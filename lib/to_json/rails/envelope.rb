# frozen_string_literal: true

# Layer: rails. `render jsonapi:`, `render jsonapi_errors:` and `render hal:`: options, headers, and
# what becomes of the value. The documents are in documents/envelope_documents.rb.

module ToJson
  module Rendering
    # What the formats with an envelope do: their options, and the headers of the response.
    # @api private
    module EnvelopeResponse
      FORMATS = %i[jsonapi jsonapi_errors hal].freeze
      # What `json_api!` takes.
      OF_DOCUMENT = %i[view include fields links meta context rules collection max_depth].freeze
      # What {ToJson::JsonApi::Errors} takes.
      OF_ERRORS = %i[at links meta].freeze
      # `jsonapi:` is the value to render.
      OURS = %i[serializer namespace preload jsonapi_object includable pagination stream chunk
                flush].freeze
      # What `hal!` takes, and we.
      OF_HAL = %i[view only except links meta as context rules collection max_depth].freeze
      OURS_IN_HAL = %i[serializer namespace preload].freeze
      ALL = (OF_DOCUMENT + OURS + OF_ERRORS + OF_HAL).uniq.freeze
      private_constant :OF_DOCUMENT, :OF_ERRORS, :OURS, :OURS_IN_HAL, :ALL

      class << self
        # @param controller [ActionController::Metal]
        # @param options [Hash] of `render`
        # @param format [Symbol] one of FORMATS
        # @return [Array(Object, Hash)] the document (text, or a body) and the options for Rails
        def render(controller, options, format)
          rest = options.except(format, *ALL)
          return hal(controller, options, rest) if format == :hal

          set_headers(controller, rest.delete(:content_type))
          return errors(controller, options, rest) if format == :jsonapi_errors

          check(options, format, OF_DOCUMENT + OURS)
          [JsonApiCall.new(controller, options).body, rest]
        end

        # @param known [Array<Symbol>]
        # @return [Hash] the keywords of `json_api!`, or of Errors, that were given
        def keywords(options, known = OF_DOCUMENT)
          given = options.slice(*known)
          options.key?(:jsonapi_object) ? { **given, jsonapi: options[:jsonapi_object] } : given
        end

        private

        # Rails would add a charset to any media type, which JSON:API refuses.
        def set_headers(controller, given)
          accept = controller.request.headers["Accept"]
          negotiation = controller.class.to_json_negotiation || ToJson::JsonApi::Negotiation.new
          controller.headers["Content-Type"] = given&.to_s || negotiation.content_type(accept)
          vary = controller.headers["Vary"].to_s.split(/\s*,\s*/)
          return if vary.any? { |name| name.casecmp?("accept") || name == "*" }

          controller.headers["Vary"] = [*vary, "Accept"].join(", ")
        end

        def check(options, format, known)
          name = (options.keys - [format, *known, *RenderOptions::OF_RAILS]).first or return
          raise ArgumentError,
                "render #{format}: #{Suggestion.unknown("option", name, known)}"
        end

        def hal(controller, options, rest)
          check(options, :hal, OF_HAL + OURS_IN_HAL)
          if controller.media_type.nil? && rest[:content_type].nil?
            controller.content_type = ToJson::Hal::MEDIA_TYPE
          end
          [HalCall.new(controller, options).body, rest]
        end

        def errors(controller, options, rest)
          check(options, :jsonapi_errors, [*OF_ERRORS, :serializer, :namespace, :jsonapi_object])
          given = options[:jsonapi_errors]
          status = options[:status] && ::Rack::Utils.status_code(options[:status])
          errors = ToJson::JsonApi::Errors.new(
            given, serializer: options[:serializer] || serializer(controller, options, given),
                   status: status, **keywords(options, OF_ERRORS)
          )
          [errors.json!, { status: errors.status, **rest }]
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

    # Finds the serializer of what is given, as for `render json:`. A document has one serializer.
    # @api private
    class EnvelopeCall < RenderCall
      # @return [String, Stream]
      def body
        return @value if String === @value

        document = choose
        return document if String === document
        return document.to_json unless @options[:stream] || StreamDocument === document

        document.stream(:json_api, **@options.slice(:chunk, :flush))
      end

      private

      def stream? = @options[:stream]

      # The keywords of `new` come after those of `render`.
      def of_serializer
        given, *arguments = @value.__send__(:__to_json_arguments)
        unless @value.class < Serializer && arguments.size == 1
          refuse("takes a serializer of one object; got #{@value.class}")
        end
        @options = { **given.to_h, **@options }
        of_records(@value.class, arguments.first, nil)
      end

      def of_tree = refuse("takes records; got #{Lookup.class_of(@value)}")

      def list(values, _classes = [])
        refuse("takes records of one serializer: pass serializer:; got #{Lookup.class_of(values)}")
      end

      def dumped?(_value) = true
    end

    # What is given to `render jsonapi:`.
    # @api private
    class JsonApiCall < EnvelopeCall
      # @param controller [ActionController::Metal]
      # @param options [Hash] of `render`
      def initialize(controller, options)
        super(controller, options, :jsonapi)
      end

      # @return [String, Stream]
      def body = @value.nil? && !@options[:serializer] ? bare(nil) : super

      private

      # A document of no serializer.
      def bare(data)
        given = EnvelopeResponse.keywords(@options).slice(:jsonapi, :links, :meta)
        given[:jsonapi] = ToJson::JsonApi::Document::VERSION if given[:jsonapi] == true
        given = given.transform_values { |one| one.respond_to?(:call) ? one.call(data) : one }
        ToJson.generate({ data: data, **given.select { |_, one| one } })
      end

      def of_records(serializer_class, value, _many)
        asked = query(serializer_class).to_h
        asked = { **EnvelopeResponse.keywords(@options), **asked }
        asked[:links] = links(value, asked[:links]) if pages(value)
        JsonApiDocument.new(self, serializer_class, value, asked)
      end

      # What the client asks for comes before what the action says.
      def query(serializer_class)
        include = @options.fetch(:includable, @options[:include] != false)
        @options = @options.except(:include) if @options[:include] == false
        ToJson::JsonApi::Query.new(
          controller.request.query_parameters.slice("include", "fields"),
          serializer: serializer_class, view: @options[:view], include: include
        )
      end

      def pages(value)
        return @options[:pagination] if @options.key?(:pagination)

        value if (@finder.relation?(value) || value.respond_to?(:to_ary)) &&
                 ToJson::JsonApi::Pagination.page?(value)
      end

      def links(value, given)
        request = controller.request
        links = ToJson::JsonApi::Pagination.links(pages(value),
                                                  url: "#{request.base_url}#{request.path}",
                                                  params: request.query_parameters)
        given = given.call(value) if given.respond_to?(:call)
        { **links, **given.to_h }
      end

      def of_empty(array)
        found = of_name
        found ? of_records(found, array, true) : bare([])
      end
    end

    # What is given to `render hal:`.
    # @api private
    class HalCall < EnvelopeCall
      # @param controller [ActionController::Metal]
      # @param options [Hash] of `render`
      def initialize(controller, options)
        super(controller, options, :hal)
      end

      private

      def of_records(serializer_class, value, _many)
        HalDocument.new(self, serializer_class, value, @options.slice(*EnvelopeResponse::OF_HAL))
      end

      def of_empty(array)
        found = of_name or refuse("an Array without records needs serializer:")
        of_records(found, array, true)
      end
    end
  end
end
