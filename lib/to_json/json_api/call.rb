# frozen_string_literal: true

# Layer: json_api. The class methods of serializers that write JSON:API.

module ToJson
  module JsonApi
    # Checks the keywords of a call, and makes its document.
    # @api private
    module Call
      # Keywords about the delivery of the document, which `json!` takes too.
      DELIVERY = %i[context into chunk flush rules max_depth].freeze
      OF_DOCUMENT = %i[include fields view links meta jsonapi collection].freeze
      OF_LINES = %i[fields view on_error].freeze
      private_constant :DELIVERY, :OF_DOCUMENT, :OF_LINES

      class << self
        # @return [String, Object]
        def json(serializer_class, objects, keywords)
          document, delivery = document(serializer_class, objects, keywords)
          Envelope.json!(document, **delivery, collection: false)
        end

        # @return [Stream]
        def stream(serializer_class, objects, keywords)
          Records.refuse_into(keywords)
          document, delivery = document(serializer_class, objects, keywords)
          Stream.new(:json_api) do |sink|
            Envelope.json!(document, **delivery, into: sink, collection: false)
          end
        end

        # @return [String, Object]
        def ndjson(serializer_class, objects, keywords)
          check(serializer_class, keywords, OF_LINES)
          choice = Choice.of(serializer_class, keywords[:view], nil, keywords[:fields])
          linking = Linking.new(choice)
          lines = Enumerator.new do |all|
            objects.each do |object|
              all << (nil == object ? nil : Envelope::Line.new(choice, linking, object))
            end
          end
          Envelope.ndjson(lines, **delivery(choice, keywords),
                          **keywords.slice(:on_error))
        end

        private

        def document(serializer_class, objects, keywords)
          check(serializer_class, keywords, OF_DOCUMENT)
          choice = Choice.of(serializer_class, keywords[:view], keywords[:include],
                             keywords[:fields])
          [Document.new(choice, objects, keywords), delivery(choice, keywords)]
        end

        def check(serializer_class, keywords, known)
          keywords.each_key do |name|
            next if known.include?(name) || DELIVERY.include?(name)

            raise ArgumentError,
                  "#{serializer_class}: #{Suggestion.unknown("keyword", name, known + DELIVERY)}"
          end
        end

        def delivery(choice, keywords)
          given = keywords.empty? ? {} : keywords.slice(*DELIVERY)
          rules = choice.resource.rules
          given[:rules] = rules if rules && !given[:rules]
          given
        end
      end
    end
  end
end
