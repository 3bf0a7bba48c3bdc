# frozen_string_literal: true

# Layer: rails. Tells which options of `render` belong to this gem and which to Rails.

module ToJson
  module Rendering
    # An option that neither takes raises an error: a misspelt `only:` would send all fields.
    # @api private
    module RenderOptions
      # The formats that are options of `render`, and those of {Stream}.
      FORMATS = %i[json ndjson].freeze
      # What `json!` takes.
      OF_DOCUMENT = %i[view only except root meta context rules collection max_depth rows].freeze
      # The options that only this gem takes: `only`, `except` and `root` are options of Rails'
      # `as_json` too.
      OURS = %i[serializer namespace preload view meta context rules collection max_depth rows
                stream on_error chunk flush].freeze
      # Of these, what only a controller can do with records.
      OF_LOOKUP = %i[serializer namespace preload].freeze
      # Of these, what {Streams#stream} takes.
      OF_STREAM = %i[on_error chunk flush].freeze
      ALL = (OF_DOCUMENT | OURS).freeze
      # What Rails takes beside `json:`, or adds.
      OF_RAILS = %i[status location content_type callback layout formats handlers variants variant
                    prefixes template action partial assigns locals].freeze
      # Options of other libraries, and the options of this gem that do the same.
      ADVICE = {
        each_serializer: "It is serializer: here",
        include: "Declare has_one and has_many, and choose with view: or only:",
        methods: "Declare attribute", scope: "It is context: here",
        adapter: "Declare root for a key around the data", fields: "It is only: here",
        into: "render writes the response", params: "It is context: here"
      }.freeze
      private_constant :ADVICE

      class << self
        # @param options [Hash] of `render`
        # @return [Hash] the keywords of `json!`
        # @raise [ArgumentError] for an option that would be ignored
        def keywords(options, serializer_class, format)
          other = options.except(format, *OF_DOCUMENT, *OURS, *OF_RAILS)
          unless other.empty? || passes?(serializer_class, other)
            refuse_unknown(other.keys.first, serializer_class)
          end
          refuse_misplaced(options, format)
          keywords = options.slice(*OF_DOCUMENT)
          other.empty? ? keywords : keywords.merge(other)
        end

        # @raise [ArgumentError] where the value is left to Rails, which does not know our options
        def refuse_ours(options, value)
          unused = options.keys & (String === value ? ALL : OURS)
          return if unused.empty?

          what = String === value ? "a String is JSON already"
                                  : "#{Lookup.class_of(value)} has no serializer"
          raise ArgumentError, "render json: #{unused.first}: would be ignored, since #{what}."
        end

        private

        # A `serialize` of the class's own may take keywords.
        def passes?(serializer_class, other)
          serializer_class && PlanCache.imperative?(serializer_class) && !other.key?(:into)
        end

        def refuse_unknown(name, serializer_class)
          advice = ADVICE[name]
          problem =
            advice ? "unknown option #{name}:. #{advice}." : Suggestion.unknown("option", name, ALL)
          raise ArgumentError, "render: #{"#{serializer_class}: " if serializer_class}#{problem}"
        end

        def refuse_misplaced(options, format)
          streamed = options[:stream] || format == :ndjson
          if options.key?(:on_error) && format != :ndjson
            raise ArgumentError, "render: on_error: works only with ndjson:"
          end
          if !streamed && (misplaced = (options.keys & OF_STREAM).first)
            raise ArgumentError, "render: #{misplaced}: works only with stream: true or ndjson:"
          end
          if format == :ndjson && options.key?(:meta)
            raise ArgumentError,
                  "render: meta: does not work with ndjson:. Write meta as a record of its own"
          end
          return unless streamed && options[:callback].present?

          raise ArgumentError, "render: callback: does not work with a stream. Remove one of them"
        end
      end
    end
  end
end
