# frozen_string_literal: true

# Layer: json_api. Content negotiation for any Rack application.

module ToJson
  module JsonApi
    # A Rack middleware. It answers requests whose media types JSON:API refuses with status 415 or
    # 406, gives responses of JSON:API the header `Vary: Accept` and the extensions and profiles in
    # their content type, and makes a {ParameterError} that leaves the application a response with
    # status 400. Requests and responses of other media types pass through it unchanged.
    #
    # @example
    #   app = ->(env) { [200, { "content-type" => "application/vnd.api+json" }, ['{"data":[]}']] }
    #   app = ToJson::JsonApi::Middleware.new(app)
    #   app.call({ "HTTP_ACCEPT" => "application/vnd.api+json" })[1]
    #   # => {"content-type"=>"application/vnd.api+json", "vary"=>"Accept"}
    #   app.call({ "HTTP_ACCEPT" => "application/vnd.api+json; charset=utf-8" }).first # => 406
    class Middleware
      # @param app [#call] the next application
      # @param ext [Array<String>] the URIs of the extensions that the application supports
      # @param profile [Array<String>] the URIs of its profiles
      def initialize(app, ext: [], profile: [])
        @app = app
        @negotiation = Negotiation.new(ext: ext, profile: profile)
        freeze
      end

      # @param env [Hash] of a request
      # @return [Array(Integer, Hash, #each)]
      def call(env)
        accept = env["HTTP_ACCEPT"]
        error = @negotiation.error(content_type: env["CONTENT_TYPE"], accept: accept)
        return refusal(env, error) if error

        status, headers, body = application(env)
        name, type = headers.find { |key, _| key.casecmp?("content-type") }
        return [status, headers, body] unless json_api?(type)

        type = @negotiation.content_type(accept) if type == MEDIA_TYPE
        [status, vary({ **headers, name => type }), body]
      end

      private

      def application(env)
        @app.call(env)
      rescue ParameterError => error
        refusal(env, error)
      end

      def json_api?(type) = type && type[/\A[^;\s]*/].casecmp?(MEDIA_TYPE)

      def refusal(env, error)
        errors = Errors.new(error)
        body = env["REQUEST_METHOD"] == "HEAD" ? [] : [errors.json!]
        [errors.status, { "content-type" => MEDIA_TYPE, "vary" => "Accept" }, body]
      end

      def vary(headers)
        name, value = headers.find { |key, _| key.casecmp?("vary") }
        return { **headers, "vary" => "Accept" } if value.nil? || value.empty?
        return headers if value.split(/\s*,\s*/).any? { |one| one.casecmp?("accept") || one == "*" }

        { **headers, name => "#{value}, Accept" }
      end
    end
  end
end
