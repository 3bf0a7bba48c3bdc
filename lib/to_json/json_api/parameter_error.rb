# frozen_string_literal: true

# Layer: json_api. The error of a client's parameter.

module ToJson
  module JsonApi
    # A parameter of a request names what does not exist: `include`, `fields[posts]`. The message
    # lists what exists. An answer to it has the status 400.
    #
    # @example
    #   error = ToJson::JsonApi::ParameterError.new("unknown type", "fields[cats]")
    #   error.source # => {parameter: "fields[cats]"}
    class ParameterError < Error
      # @return [String] the name of the parameter, such as `"include"` or `"fields[posts]"`. Of a
      #   long one only the beginning: it is a client's text, which the answer repeats
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
