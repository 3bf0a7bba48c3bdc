# frozen_string_literal: true

# Layer: json_api. The error for a wrong parameter of a client.

module ToJson
  module JsonApi
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
  end
end
