# frozen_string_literal: true

# Layer: testing. What is tested: a serializer, or a finished document.

module ToJson
  module Testing
    # @api private
    module Subject
      class << self
        # @param given [Class, Serialize, String, #body, Hash, Array] a serializer class with
        #   arguments, a serializer, JSON text, a response, or what a parser made of one of these
        # @return [Hash, Array, String, Numeric, true, false, nil] the document, parsed
        # @raise [FragmentError] for text that is not JSON
        # @raise [ArgumentError]
        def document(given, arguments = [], keywords = {})
          return Tree.parse(written(given, arguments, keywords)) if serializer?(given)
          unless arguments.empty? && keywords.empty?
            raise ArgumentError,
                  "arguments and keywords belong to a serializer; got #{Lookup.class_of(given)}"
          end

          case given
          when String then parsed(given)
          when Hash, Array, nil then Tree.parse(ToJson.generate(given))
          else of_response(given)
          end
        end

        # @param given [String, #body, Hash] as of {document}
        # @return [String, nil] what {JsonApi.validate} says, a line for each problem
        def json_api_problem(given, options)
          problems = JsonApi.validate(document(given), **options)
          problems.join("\n") if problems.any?
        end

        # @raise [ArgumentError]
        def check_class(given)
          return if given.is_a?(Class) && given < Serializer

          raise ArgumentError, "takes a subclass of ToJson::Serializer; got #{given.inspect}"
        end

        private

        def serializer?(given) = Serialize === given || (given.is_a?(Class) && given < Serialize)

        def written(given, arguments, keywords)
          raise ArgumentError, "into: has no place in such a test" if keywords.key?(:into)

          given.json!(*arguments, **keywords)
        end

        def parsed(text)
          Fragment.new(text) # raises if it is not one JSON value
          Tree.parse(text)
        end

        def of_response(given)
          return parsed(given.body) if given.respond_to?(:body) && given.body.is_a?(String)

          raise ArgumentError, "takes a serializer, JSON text, a response, a Hash or an Array; " \
                               "got #{Lookup.class_of(given)}"
        end
      end
    end
    private_constant :Subject
  end
end
