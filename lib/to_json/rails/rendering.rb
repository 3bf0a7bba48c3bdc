# frozen_string_literal: true

# Layer: rails. The module ToJson::Rendering, which controllers include.

require "active_support/concern"
require "active_support/core_ext/class/subclasses"
require "active_support/core_ext/module/introspection"
require "active_support/core_ext/time/zones"
require "active_support/i18n"
require "active_support/isolated_execution_state"
%w[railtie finder render_options client_fields pending_block events log_subscriber streaming
   documents/document documents/serializer_document documents/list_document
   documents/tree_document documents/stream_document documents/envelope_documents
   render_call envelope_response envelope_calls media_types client_errors
   freshness].each { |name| require_relative name }

module ToJson
  # `render json:` with serializers. Include it in a controller class; subclasses inherit it. A
  # controller without it renders as before.
  #
  # - `render json: post` writes the document of the serializer that is found by the class of the
  #   record, first in the namespace of the controller, then outwards.
  # - The options of `json!` (`view:`, `only:`, `context:` …) stand beside those of `render`.
  # - `stream: true` and `render ndjson:` write record by record while the response is sent.
  # - An unknown field or view in a client's `only:` or `view:` is answered with status 400.
  #
  # docs/rails.md is the guide.
  module Rendering
    extend ActiveSupport::Concern

    # Where the controller at work is kept.
    CONTROLLER = :to_json_controller
    private_constant :CONTROLLER

    included do
      class_attribute :to_json_settings, instance_accessor: false, default: nil
      class_attribute :to_json_negotiation, instance_accessor: false, default: nil
      rescue_from(*ClientErrors::CLASSES) { |error| ClientErrors.render(self, error) }
      MediaTypes.register
      # For programs without an application; elsewhere the Railtie does it.
      ClientErrors.add_to(::ActionDispatch::ExceptionWrapper.rescue_responses)
      Serializer.extend(PendingBlock::Maker)
      Validator.add
      ::ActionController::Base.extend(Completed)
    end

    # The words of a controller's class body.
    module ClassMethods
      # Changes settings for this class and its subclasses.
      # @param settings see {Settings::DEFAULTS}
      # @return [nil]
      # @raise [ArgumentError] for an unknown name or value
      def serialization(**settings)
        self.to_json_settings = Settings.new(to_json_settings || Railtie.settings, **settings)
        Railtie.watch unless to_json_settings[:n_plus_one] == :off
        nil
      end

      # @param way [:raise, :as_json] what happens if a record has no serializer
      # @return [nil]
      def missing_serializer(way) = serialization(missing_serializer: way)

      # @api private
      # Overrides ActionController's: the block may return serializers.
      def etag(&block)
        super() { |options| Freshness.told(self, instance_exec(options, &block)) }
      end

      # Negotiates media types as JSON:API has it, before each action: a request with parameters
      # that the media type does not have is answered with status 415 or 406.
      # @param ext [Array<String>] the URIs of the extensions that the actions support
      # @param profile [Array<String>] the URIs of their profiles
      # @param actions [Hash] `only:`, `except:` and the like, as of `before_action`
      # @return [nil]
      def negotiate_json_api(ext: [], profile: [], **actions)
        FirstUse.of(:Negotiation, JsonApi)
        self.to_json_negotiation = ToJson::JsonApi::Negotiation.new(ext: ext, profile: profile)
        MediaTypes.register_json_api
        before_action(:negotiate_json_api, **actions)
        nil
      end
    end

    class << self
      # @api private
      # @return [ActionController::Metal, nil] the controller whose action runs, or whose body is
      #   read
      def controller = ActiveSupport::IsolatedExecutionState[CONTROLLER]

      # @api private
      def with_controller(controller)
        before = self.controller
        begin
          ActiveSupport::IsolatedExecutionState[CONTROLLER] = controller
          yield
        ensure
          ActiveSupport::IsolatedExecutionState[CONTROLLER] = before
        end
      end

      # @api private
      # Called at the end of a request or a job.
      # @return [void]
      def forget_controller = ActiveSupport::IsolatedExecutionState.delete(CONTROLLER)

      # @api private
      # @return [Settings]
      def settings_of(controller) = controller.class.to_json_settings || Railtie.settings
    end

    # Puts the path and the line of the declaration into the message of an exception that no action
    # rescued: Rails' page and log show that.
    # @api private
    module Placed
      # @param error [Exception]
      def self.show(error)
        return if error.is_a?(Error) || error.frozen? || ToJson.location(error).nil?

        error.extend(Placed)
      end

      # Its arguments are those of the class's own method.
      # @return [String]
      def message(...) = @__to_json_detailed ? super : "#{super}#{__to_json_place}"

      # Of a NameError, whose suggestions Rails lists apart.
      # @return [String]
      def original_message(...) = defined?(super) ? "#{super}#{__to_json_place}" : message

      # For the JSON that Rails answers to an API's client in development.
      # @return [String]
      def inspect(...)
        text, place = super, __to_json_place
        return text if text.include?(place)

        text.end_with?(">") ? "#{text.delete_suffix(">")}#{place}>" : "#{text}#{place}"
      end

      if Exception.method_defined?(:detailed_message)
        # The detailed message contains {#message}, and so has the path already.
        # @return [String]
        def detailed_message(...)
          @__to_json_detailed = true
          super
        ensure
          @__to_json_detailed = false
        end
      end

      private

      def __to_json_place
        line = ToJson.declaration(self)&.sub(/:in .*/, "")&.delete_prefix("#{::Rails.root}/")
        Located.words(self, line)
      end
    end

    # @api private
    # Overrides ActionController's: takes the block that Ruby passes to `render`.
    def render(*arguments, &block)
      super(*(block ? PendingBlock.fill(arguments, block) : arguments), &block)
    end

    # @api private
    # ActionController's.
    def render_to_string(*arguments, &block)
      super(*(block ? PendingBlock.fill(arguments, block) : arguments), &block)
    end

    # @api private
    # Overrides ActionController's: makes the body of the response. Rails' own renderer sets the
    # headers.
    def render_to_body(options = {})
      if (format = EnvelopeResponse::FORMATS.find { |name| options.key?(name) })
        body, rest = EnvelopeResponse.render(self, options, format)
        text = super(rest.merge(json: Body === body ? "" : body))
        return Body === body ? body : text
      end

      format = RenderOptions::FORMATS.find { |name| options.key?(name) } or return super
      call = RenderCall.new(self, options, format)
      document = call.document or return super(options.merge(format => call.value))
      rest = options.except(format, *RenderOptions::ALL)
      unless options[:stream] || format == :ndjson || document.is_a?(StreamDocument)
        return super(rest.merge(json: document))
      end

      body = document.stream(format, **options.slice(*RenderOptions::OF_STREAM))
      self.content_type = body.content_type if media_type.nil? && rest[:content_type].nil?
      super(rest.merge(json: "")) # for status, location and the like
      body
    end

    # Overrides ActionController's, which `stale?` calls too. The ETag of a serializer, also within
    # an Array, a Hash or a Set, is made of the versions of its records and of all else on which its
    # document depends. An object with serializers has no Last-Modified.
    #
    # @param object [Object]
    # @param options as those of ActionController's
    # @return [Object] as ActionController's
    def fresh_when(object = nil, **options)
      tags = options.slice(:etag, :weak_etag, :strong_etag)
      options = options.merge(tags.transform_values { |tag| Freshness.told(self, tag) })
      return super(object, **options) unless Freshness.serializers?(object)

      object = Freshness.told(self, object)
      super(nil, **options, etag: options.key?(:etag) ? [object, options[:etag]] : object)
    end

    # @api private
    # Overrides ActionController's. In a controller with ActionController::Live, `super` closes the
    # response, so nobody could read a Body later.
    def response_body=(body)
      return super unless Body === body

      if !ActionController.autoload?(:Live) && ActionController::Live === self
        raise ArgumentError,
              "render: stream: true and ndjson: do not work with ActionController::Live. Do not " \
              "include Live, or write to its stream: " \
              "PostSerializer.json!(posts, into: response.stream)."
      end
      body.unbuffered { super }
    end

    private

    def process_action(*)
      Rendering.with_controller(self) { super }
    rescue StandardError => error
      Placed.show(error)
      raise
    end

    # Overrides ActionController's: adds to the payload of process_action.action_controller.
    def append_info_to_payload(payload)
      super
      payload[:serialization_runtime] = @_serialization_runtime if @_serialization_runtime
    end

    def add_serialization_runtime(milliseconds)
      @_serialization_runtime = (@_serialization_runtime || 0) + milliseconds
    end

    # Returns what a client asks for in the query of the request, after checking it. Unknown names
    # are answered with status 400. {ToJson::JsonApi::Query} has the options.
    # @return [ToJson::JsonApi::Query]
    def json_api_query(serializer = nil, **options)
      FirstUse.of(:Query, JsonApi)
      ToJson::JsonApi::Query.new(request.query_parameters, serializer: serializer, **options)
    end

    def negotiate_json_api
      error = self.class.to_json_negotiation.error(content_type: request.headers["Content-Type"],
                                                   accept: request.headers["Accept"])
      render(jsonapi_errors: error) if error
    end

    # The context of documents whose `render` has no `context:`. Override it in the controller, or
    # in a concern that is included before or after this module.
    # @return [Object]
    def serialization_context = defined?(super) ? super : {}
  end
end
