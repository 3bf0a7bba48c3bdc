# frozen_string_literal: true

# Layer: json_api. Checks the media types that a client sends and accepts, in any Rack application.

require "strscan"

module ToJson
  module JsonApi
    # An element of the header `Accept`, or the header `Content-Type`.
    # @api private
    class MediaType
      TOKEN = /[^\s;,="]+/
      QUOTED = /"((?:[^"\\]|\\.)*)"?/m
      OWN = %w[ext profile].freeze
      private_constant :TOKEN, :QUOTED, :OWN

      # @param header [String, nil]
      # @return [Array<MediaType>] those of JSON:API
      def self.of_json_api(header)
        header = header.to_s.scrub
        return [] unless header.match?(/json/i) # most clients

        scanner = StringScanner.new(header)
        found = []
        until scanner.skip(/[\s,]*/) && scanner.eos?
          found << new(scanner)
          scanner.skip(/[^,]*,?/)
        end
        found.select(&:json_api?)
      end

      # @return [Hash{String => String}] parameters before `q`; a malformed one has the name ""
      attr_reader :parameters
      # @return [Float]
      def weight = @weight || 1.0

      # @param scanner [StringScanner] at its beginning
      def initialize(scanner)
        scanner.skip(/\s*/)
        @name = scanner.scan(TOKEN).to_s.downcase
        @parameters = {}
        read(scanner) while scanner.skip(/\s*;\s*/)
        @parameters[""] = "" unless scanner.match?(/\s*(?:,|\z)/)
      end

      # @return [Boolean]
      def json_api? = @name == MEDIA_TYPE

      # @return [String, nil] a parameter that JSON:API does not have
      def foreign = (@parameters.keys - OWN).first

      # @return [Array<String>] the URIs of a parameter
      def uris(name) = @parameters.fetch(name, "").split(" ")

      private

      def read(scanner)
        name = scanner.scan(TOKEN)&.downcase
        value = scanner.scan(TOKEN) || unquoted(scanner) if scanner.skip(/=/)
        return if name.nil? && value.nil? # an empty one
        return if @weight # what follows q is no parameter of the type
        return @weight = value.to_f if name == "q"

        @parameters[name && value ? name : ""] = value.to_s
      end

      def unquoted(scanner)
        scanner.scan(QUOTED) && scanner[1].gsub(/\\(.)/m, '\1')
      end
    end

    # Content negotiation as JSON:API defines it. {Middleware} does it for a Rack application.
    #
    # @example
    #   negotiation = ToJson::JsonApi::Negotiation.new(profile: ["https://example.com/times"])
    #   wrong = "application/vnd.api+json; charset=utf-8"
    #   negotiation.error(content_type: wrong)[:status] # => 415
    #   negotiation.error(content_type: "application/json") # => nil
    #   negotiation.content_type('application/vnd.api+json;profile="https://example.com/times"')
    #   # => application/vnd.api+json; profile="https://example.com/times"
    class Negotiation
      # @param ext [Array<String>] the URIs of the extensions that the server supports
      # @param profile [Array<String>] the URIs of its profiles
      def initialize(ext: [], profile: [])
        @ext, @profile = ext.dup.freeze, profile.dup.freeze
        freeze
      end

      # Ignores headers that do not name the media type of JSON:API.
      #
      # @param content_type [String, nil] the header `Content-Type` of a request
      # @param accept [String, nil] the header `Accept` of a request
      # @return [Hash, nil] an error object with status 415 or 406, as {Errors} takes it; nil: the
      #   request can be answered
      def error(content_type: nil, accept: nil)
        sent = MediaType.of_json_api(content_type)
        why = sent.filter_map { |type| fault(type) }.first
        return refusal(415, "Content-Type", why) if why

        taken = MediaType.of_json_api(accept)
        why = taken.map { |type| type.weight.zero? ? "q is 0" : fault(type) }
        refusal(406, "Accept", why.first) if why.any? && why.all?
      end

      # @param accept [String, nil] the header `Accept` of the request
      # @return [String] the header `Content-Type` of the response, with the extensions and profiles
      #   that the client asked for and the server has
      def content_type(accept)
        best = MediaType.of_json_api(accept).reject { |type| type.weight.zero? || fault(type) }
                        .max_by(&:weight)
        parts = [MEDIA_TYPE, applied("ext", best, @ext), applied("profile", best, @profile)]
        parts.compact.join("; ")
      end

      private

      def fault(type)
        return "it has the parameter #{Suggestion.shown(type.foreign)}" if type.foreign

        other = (type.uris("ext") - @ext).first
        "it has the extension #{Suggestion.shown(other)}" if other
      end

      def refusal(status, header, why)
        { status: status, source: { header: header },
          detail: "#{MEDIA_TYPE} takes the parameters ext and profile, with the extensions that " \
                  "this server has; #{why}." }
      end

      def applied(name, type, known)
        uris = type ? type.uris(name) & known : []
        %(#{name}="#{uris.join(" ")}") unless uris.empty?
      end
    end

    # A Rack middleware. If JSON:API refuses the media types of a request, the middleware answers
    # with status 415 or 406. It adds to responses of JSON:API the header `Vary: Accept`, and the
    # extensions and profiles in their content type. If the application raises a {ParameterError},
    # it answers with status 400. Requests and responses of other media types pass through it
    # unchanged.
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

      # @param env [Hash] that of a request
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
