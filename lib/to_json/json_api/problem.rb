# frozen_string_literal: true

# Layer: json_api. What is wrong with a document.

module ToJson
  module JsonApi
    # Something that the specification does not allow, and where it stands.
    #
    # @example
    #   problem = ToJson::JsonApi.validate({ data: nil, links: [] }).first
    #   problem.pointer # => "/links"
    #   problem.message # => "must be an object, got []"
    class Problem
      # @return [String] a JSON pointer (RFC 6901); `""` is the whole document
      attr_reader :pointer
      # @return [String]
      attr_reader :message

      # @param pointer [String]
      # @param message [String]
      def initialize(pointer, message)
        @pointer, @message = -pointer, -message
        freeze
      end

      # @return [String] both in one line
      def to_s = "#{pointer.empty? ? "the document" : pointer}: #{message}."
    end
  end
end
