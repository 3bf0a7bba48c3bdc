# frozen_string_literal: true

# Layer: rails. Answers a client that names fields or views that do not exist.

module ToJson
  module Rendering
    # Answers with the status that `config.action_dispatch.rescue_responses` has for the error, and
    # a JSON body that says what was wrong.
    # @api private
    module ClientErrors
      CLASSES = [UnknownFieldError, UnknownViewError, SelectionError].freeze

      class << self
        # @param responses [Hash{String => Symbol}] `rescue_responses`
        def add_to(responses)
          CLASSES.each do |type|
            responses[type.name] = :bad_request unless responses.key?(type.name)
          end
        end

        # @param controller [ActionController::Metal]
        # @param error [Error]
        def render(controller, error)
          status = ::ActionDispatch::ExceptionWrapper.status_code_for_exception(error.class.name)
          if controller.respond_to?(:logger)
            controller.logger&.info { "#{error.class}: #{error.message}" }
          end
          controller.render(json: ToJson.generate(body(status, error)), status: status)
        end

        private

        def body(status, error)
          { status: status, error: ::Rack::Utils::HTTP_STATUS_CODES[status],
            message: error.message }
        end
      end
    end
  end
end
