# frozen_string_literal: true

# Layer: base. The module ToJson::JsonApi: its settings, and the error for clients. The other
# files are in lib/to_json/json_api, and are loaded together when one of them is first needed.

module ToJson
  # Documents of JSON:API 1.1, written by the serializers that write plain JSON. docs/json_api.md is
  # the guide.
  module JsonApi
    %i[
      MemberName Problem Validator ObjectRules Errors Pointers Names Resource
      ResourceDefinition Reader Choice Linking Document Call MediaType Negotiation Middleware
      Pagination Parameters Query PreloadSelection
    ].each { |name| autoload name, "#{__dir__}/json_api/load" }
    # Documents of HAL use it, too.
    autoload :DocumentSerializer, "#{__dir__}/json_api/document_serializer"

    # The media type of the documents.
    MEDIA_TYPE = "application/vnd.api+json"
    # The version of the specification that they follow.
    VERSION = "1.1"

    # Raised if a parameter of a request, such as `include` or `fields[posts]`, names something that
    # does not exist. The message lists the names that exist. The response to it has the status 400.
    #
    # @example
    #   error = ToJson::JsonApi::ParameterError.new("unknown type", "fields[cats]")
    #   error.source # => {parameter: "fields[cats]"}
    class ParameterError < Error
      # @return [String] the name of the parameter, such as `"include"` or `"fields[posts]"`. A long
      #   name is cut, because the response repeats this text of the client
      attr_reader :parameter

      # @param message [String]
      # @param parameter [String]
      def initialize(message, parameter)
        super(message)
        @parameter = Suggestion.cut(parameter)
      end

      # @return [Hash{Symbol => String}] the member `source` of an error object
      def source = { parameter: parameter }
    end

    @max_include_depth = 10
    @conflicts = :ignore
    class << self
      # @return [Symbol] what happens if two objects of a document have the same type and id, but
      #   other attributes: `:ignore`, until another one is set. The first object is written
      attr_reader :conflicts

      # Caveats: `:warn` and `:raise` keep all objects of a document, and write each that is met
      # again once more, to compare. They are for development and tests; Rails' development has
      # `:warn`.
      #
      # @example
      #   ToJson::JsonApi.conflicts = :ignore # => :ignore
      # @param given [Symbol] `:ignore`, `:warn` or `:raise`
      # @raise [ArgumentError]
      def conflicts=(given)
        unless %i[ignore warn raise].include?(given)
          raise ArgumentError, "conflicts takes :ignore, :warn or :raise; got #{given.inspect}"
        end

        @conflicts = given
      end

      # @return [Integer] how many relationships a path of `include` may lead through: 10, until
      #   another number is set. A deeper path is a {ParameterError}
      attr_reader :max_include_depth

      # @example
      #   ToJson::JsonApi.max_include_depth = 10 # => 10
      # @param most [Integer]
      # @raise [ArgumentError]
      def max_include_depth=(most)
        unless most.is_a?(Integer) && most.between?(1, 100)
          raise ArgumentError, "max_include_depth takes an Integer from 1 to 100; got " \
                               "#{most.inspect}"
        end

        @max_include_depth = most
      end

      # Checks a document against the specification: members and their names, resource objects,
      # identifiers, relationships, links, errors, unique identities and full linkage.
      #
      # Members that begin with `@` are ignored. Members of extensions, such as `version:id`, are
      # not looked into.
      #
      # Caveats: it reads the document alone. What a server answers to which request is not checked.
      #
      # @example
      #   document = { data: { type: "posts", id: 1, attributes: { title: "Hi" } } }
      #   ToJson::JsonApi.validate(document).map(&:to_s) # => ["/data/id: must be a String, got 1."]
      #   ToJson::JsonApi.validate('{"data":null}') # => []
      # @param document [String, Hash] JSON text, or what {ToJson.generate} writes
      # @param kind [Symbol] `:response`, or what a client sends: `:create` (a resource, which needs
      #   no `id`), `:update` (a resource), `:relationship` (resource identifiers)
      # @param full_linkage [Boolean] false: included resources may be linked from nowhere, as they
      #   are if sparse fieldsets leave out relationships
      # @param links [Symbol, nil] `:absolute` refuses relative links, as version 1.0 does
      # @param extensions [Array<String>, nil] the namespaces of extensions that are in use; nil:
      #   any, if the document itself names extensions in `jsonapi.ext`, else none
      # @return [Array<Problem>] empty if it is valid
      # @raise [ArgumentError] for a kind that is none of these
      def validate(document, kind: :response, full_linkage: true, links: nil, extensions: nil)
        FirstUse.of(:Validator, self)
        Validator.new(kind: kind, full_linkage: full_linkage, links: links, extensions: extensions)
                 .problems(document)
      end

      # @example
      #   ToJson::JsonApi.valid?('{"data":{"type":"posts"}}')                # => false
      #   ToJson::JsonApi.valid?('{"data":{"type":"posts"}}', kind: :create) # => true
      # @param document [String, Hash]
      # @param options as for {validate}
      # @return [Boolean] whether {validate} finds nothing
      def valid?(document, **options) = validate(document, **options).empty?

      # Writes a document of error objects. {Errors} says what they are made of, and knows the
      # status of the response.
      #
      # @example
      #   ToJson::JsonApi.errors!({ code: "late", source: "/data/attributes/at" }, status: 409)
      #   # => {"errors":[{"status":"409","code":"late","title":"Conflict",…
      # @param errors [#errors, #full_messages, Error, Hash, Array]
      # @param into [String, IO, nil] see {ToJson.generate}
      # @param options as for {Errors#initialize}
      # @return [String, Object] the document, or `into`
      def errors!(errors, into: nil, **options)
        FirstUse.of(:Errors, self)
        Errors.new(errors, **options).json!(into: into)
      end
    end
  end
end
