# frozen_string_literal: true

# Layer: json_api. The class methods of serializers that write JSON:API.

module ToJson
  module JsonApi
    # Checks the keywords of a call, and makes its document.
    # @api private
    module Call
      # The keywords of `json_api!`.
      KEYWORDS = [*%i[include fields view links meta jsonapi collection],
                  *Envelope::DELIVERY].freeze
      OF_LINES = [*%i[fields view on_error], *Envelope::DELIVERY].freeze
      private_constant :OF_LINES

      class << self
        # @return [String, Object]
        def json(serializer_class, objects, keywords)
          document, delivery = document(serializer_class, objects, keywords)
          DocumentSerializer.json!(document, **delivery, collection: false)
        end

        # @return [Stream]
        def stream(serializer_class, objects, keywords)
          Records.refuse_into(keywords)
          document, delivery = document(serializer_class, objects, keywords)
          Stream.new(:json_api) do |sink|
            DocumentSerializer.json!(document, **delivery, into: sink, collection: false)
          end
        end

        # @return [String, Object]
        def ndjson(serializer_class, objects, keywords)
          check(serializer_class, keywords, OF_LINES)
          choice = Choice.of(serializer_class, keywords[:view], nil, keywords[:fields])
          linking = Linking.new(choice)
          lines = Enumerator.new do |all|
            objects.each do |object|
              line = DocumentSerializer::Line.new(choice, linking, object) unless nil == object
              all << line
            end
          end
          DocumentSerializer.ndjson(lines, **delivery(choice, keywords), **policy(keywords))
        end

        private

        # `on_error:` receives the program's objects, and not the lines.
        def policy(keywords)
          given = keywords[:on_error]
          return keywords.slice(:on_error) unless given.respond_to?(:call)

          { on_error: ->(error, line, index) { given.call(error, line&.object, index) } }
        end

        def document(serializer_class, objects, keywords)
          check(serializer_class, keywords, KEYWORDS)
          choice = Choice.of(serializer_class, keywords[:view], keywords[:include],
                             keywords[:fields])
          [Document.new(choice, objects, keywords), delivery(choice, keywords)]
        end

        def check(serializer_class, keywords, known)
          keywords.each_key do |name|
            next if known.include?(name)

            raise ArgumentError,
                  "#{serializer_class}: #{Suggestion.unknown("keyword", name, known)}"
          end
        end

        def delivery(choice, keywords)
          given = keywords.empty? ? {} : keywords.slice(*Envelope::DELIVERY)
          rules = choice.resource.rules
          given[:rules] = rules if rules && !given[:rules]
          given
        end
      end
    end
  end
end
