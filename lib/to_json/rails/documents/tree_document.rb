# frozen_string_literal: true

# Layer: rails. Writes a Hash or an Array that has records or serializers in it.

module ToJson
  module Rendering
    # A Hash or an Array with serializers or records in it.
    # @api private
    class TreeDocument < Document
      class << self
        # @return [Boolean] whether anything in the value has a serializer
        def holds?(value, finder)
          case value
          when Hash then value.each_value.any? { |one| holds?(one, finder) }
          when Array then value.any? { |one| holds?(one, finder) }
          when Serialize, Fragment then true
          else finder.relation?(value) || finder.record?(value)
          end
        end
      end

      def initialize(call, value, keywords)
        unused = keywords.keys - %i[context rules max_depth rows]
        if unused.any?
          raise ArgumentError,
                "render: #{unused.first}: would be ignored, since #{value.class} has no " \
                "serializer of its own."
        end

        super(call, nil, value, keywords)
        @object = converted(value)
      end

      def name = Lookup.class_of(object).to_s
      def count(_read = nil) = nil

      private

      def prepare = nil
      def generate = ToJson.json(**outer) { |j| j.value(object) }
      def open_stream(_format, options)
        ToJson.stream(**outer, **options) { |j| j.value(object) }
      end

      def outer = keywords.except(:rows)

      def converted(value)
        case value
        when Hash then value.transform_values { |one| converted(one) }
        when Array then preloaded_by_class(value, keywords).map { |one| converted(one) }
        when Serialize then value
        else
          if finder.relation?(value) then of_relation(value)
          elsif finder.record?(value) then serializer(finder.of!(Lookup.class_of(value)), value)
          else value
          end
        end
      end

      # If the rows can have several classes, each row is written by the serializer of its class, as
      # in `render json: relation`.
      def of_relation(relation)
        model = relation.klass
        return converted(relation.to_ary) if Models.share_table?(model)

        serializer(finder.of!(model), relation)
      end

      def serializer(found, value)
        found.new(preloaded(value, found, {}), **keywords.slice(:rows))
      end
    end
  end
end
