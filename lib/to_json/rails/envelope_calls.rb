# frozen_string_literal: true

# Layer: rails. Decides how the value of `render jsonapi:` or `render hal:` is written.
# documents/envelope_documents.rb writes it.

module ToJson
  module Rendering
    # Finds the serializer of the value, as for `render json:`. A document has one serializer.
    # @api private
    class EnvelopeCall < RenderCall
      # @return [String, Written, Body] Rails' renderer takes a String or a Written
      def body
        return @value if String === @value

        document = choose
        return document unless @options[:stream] || StreamDocument === document
        return document if WrittenText === document

        document.stream(:json_api, **@options.slice(:chunk, :flush))
      end

      private

      def stream? = @options[:stream]

      # The keywords of `new` come after those of `render`.
      def of_serializer
        given, *arguments = @value.__send__(:__to_json_arguments)
        unless @value.class < Serializer && arguments.size == 1
          refuse("takes a serializer of one object; got #{@value.class}")
        end
        @options = { **given.to_h, **@options }
        of_records(@value.class, arguments.first, nil)
      end

      def of_tree = refuse("takes records; got #{Lookup.class_of(@value)}")

      def list(values, _classes = [])
        refuse("takes records of one serializer: pass serializer:; got #{Lookup.class_of(values)}")
      end

      def dumped?(_value) = true
    end

    # What is given to `render jsonapi:`.
    # @api private
    class JsonApiCall < EnvelopeCall
      # @param controller [ActionController::Metal]
      # @param options [Hash] of `render`
      def initialize(controller, options)
        super(controller, options, :jsonapi)
      end

      # @return [String, Written, Body]
      def body = nil == @value && !@options[:serializer] ? bare(nil) : super

      private

      # A document without a serializer.
      def bare(data)
        given = EnvelopeResponse.keywords(@options, :jsonapi).slice(:jsonapi, :links, :meta)
        given[:jsonapi] = ToJson::JsonApi::Document::VERSION if given[:jsonapi] == true
        given = given.transform_values { |one| one.respond_to?(:call) ? one.call(data) : one }
        WrittenText.new(ToJson.generate({ data: data, **given.select { |_, one| one } }))
      end

      def of_records(serializer_class, value, _many)
        asked = query(serializer_class).to_h
        asked = { **EnvelopeResponse.keywords(@options, :jsonapi), **asked }
        asked[:links] = links(value, asked[:links]) if pages(value)
        JsonApiDocument.new(self, serializer_class, value, asked)
      end

      # The client's choice comes before that of the action.
      def query(serializer_class)
        include = @options.fetch(:includable, @options[:include] != false)
        @options = @options.except(:include) if @options[:include] == false
        ToJson::JsonApi::Query.new(
          controller.request.query_parameters.slice("include", "fields"),
          serializer: serializer_class, view: @options[:view], include: include
        )
      end

      def pages(value)
        return @options[:pagination] if @options.key?(:pagination)

        value if (@finder.relation?(value) || value.respond_to?(:to_ary)) &&
                 ToJson::JsonApi::Pagination.page?(value)
      end

      def links(value, given)
        request = controller.request
        links = ToJson::JsonApi::Pagination.links(pages(value),
                                                  url: "#{request.base_url}#{request.path}",
                                                  params: request.query_parameters)
        given = given.call(value) if given.respond_to?(:call)
        { **links, **given.to_h }
      end

      def of_empty(array)
        found = of_name
        found ? of_records(found, array, true) : of_none
      end

      def of_none = bare([])
    end

    # What is given to `render hal:`.
    # @api private
    class HalCall < EnvelopeCall
      # @param controller [ActionController::Metal]
      # @param options [Hash] of `render`
      def initialize(controller, options)
        super(controller, options, :hal)
      end

      private

      def of_records(serializer_class, value, _many)
        HalDocument.new(self, serializer_class, value, EnvelopeResponse.keywords(@options, :hal))
      end

      def of_empty(array)
        found = of_name or refuse("an Array without records needs serializer:")
        of_records(found, array, true)
      end
    end
  end
end
