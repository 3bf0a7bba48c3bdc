# frozen_string_literal: true

# Layer: rails. Answers with status 400 if a client names fields or views that do not exist, or
# sends what cannot be read.

module ToJson
  module Rendering
    # Answers with the status that `config.action_dispatch.rescue_responses` has for the error, and
    # a JSON body that says what was wrong.
    # @api private
    module ClientErrors
      CLASSES = [UnknownFieldError, UnknownViewError, SelectionError, ReadError,
                 ToJson::JsonApi::ParameterError].freeze

      class << self
        # @param responses [Hash{String => Symbol}] `rescue_responses`
        def add_to(responses)
          CLASSES.each do |type|
            responses[type.name] = :bad_request unless responses.key?(type.name)
          end
        end

        # Raises instead of answering in two cases.
        # 1. Something was rendered or sent already: a second `render` would raise another error,
        #    and under ActionController::Live replace the stream that the server reads.
        # 2. The program raised an exception of its own, whose cause is this error: Rails then looks
        #    for a handler of the cause too.
        # @param controller [ActionController::Metal]
        # @param error [Error]
        def render(controller, error)
          raise $! if caused?($!, error)
          raise error if controller.performed?

          status = ::ActionDispatch::ExceptionWrapper.status_code_for_exception(error.class.name)
          if controller.respond_to?(:logger)
            controller.logger&.info { "#{error.class}: #{logged(error)}" }
          end
          if json_api?(controller, error)
            return controller.render(jsonapi_errors: error, status: status)
          end

          controller.render(json: ToJson.generate(body(status, error)), status: status)
        end

        private

        # Whether the exception that was raised is another one than `error`. (Rails wraps each
        # exception that leaves a template.)
        def caused?(raised, error)
          inner = raised
          inner = inner.cause while inner && wrapper?(inner)
          inner && !inner.equal?(error)
        end

        def wrapper?(raised)
          ::ActionDispatch::ExceptionWrapper.wrapper_exceptions.include?(raised.class.name)
        end

        # In one line, and without the values of a document, such as a password.
        def logged(error)
          text = error.message
          if ReadError === error
            text = error.problems.map { |one| "#{one.pointer} #{one.code}" }.join(", ")
          end
          text.scrub.gsub(/[[:cntrl:]]/) { |one| one.dump[1..-2] }
        end

        # Whether a document of JSON:API was to be rendered.
        def json_api?(controller, error)
          ToJson::JsonApi::ParameterError === error ||
            controller.headers["Content-Type"].to_s.start_with?(ToJson::JsonApi::MEDIA_TYPE)
        end

        def body(status, error)
          body = { status: status, error: ::Rack::Utils::HTTP_STATUS_CODES[status],
                   message: error.message }
          return body unless ReadError === error

          { **body, errors: error.problems.map do |one|
            { pointer: one.pointer, code: one.code, message: one.message }
          end }
        end
      end
    end
  end
end
