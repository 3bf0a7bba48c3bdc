# frozen_string_literal: true

# Layer: rails. Writes the records of one serializer class for a controller. The other files of
# this directory have its subclasses.

module ToJson
  module Rendering
    # The methods that Rails' renderer of JSON calls. A class that includes this module has a method
    # `write`, which returns the text of the document.
    # @api private
    module Written
      # active_model_serializers calls this on each value that is rendered. nil: it leaves the value
      # to us.
      # @return [nil]
      def serializer_class = nil

      # @param options [Hash] of `render`; Rails' renderer has set which characters are escaped
      # @return [String]
      def to_json(options = nil)
        options = { **options, escape: true } if options && options[:callback].present?
        Interop.escaped(write, options)
      end
    end

    # A serializer class, the object that it serializes, and the keywords of `json!`. Every document
    # of a controller is written by {#write} or {#stream}. Both call `prepare` first, which loads
    # associations, and then `generate` or `open_stream`. Subclasses replace these three.
    # @api private
    class Document
      include Written

      # @return [Class, nil] a subclass of {Serializer}; nil if there are several
      attr_reader :serializer_type
      # @return [Object] the record, Array or relation
      attr_reader :object
      # @return [Hash] the keywords of `json!`
      attr_reader :keywords

      # @param call [RenderCall]
      def initialize(call, serializer_type, object, keywords)
        @call, @serializer_type, @object = call, serializer_type, object
        @keywords = with_context(chosen(keywords))
      end

      # @return [ActionController::Metal]
      def controller = @call.controller

      # @return [Finder]
      def finder = @call.finder

      # @return [String] the document
      def write
        Rendering.with_controller(controller) do
          prepare
          Events.writing(self) { loading_missing { generate } }
        end
      end

      # @return [String] the document for an ETag. It is not sent, so no event tells of it
      def digestible
        Rendering.with_controller(controller) do
          prepare
          loading_missing { generate }
        end
      end

      # @return [String] for the log
      def name = serializer_type ? serializer_type.to_s : Lookup.class_of(object).to_s

      # @param read [Integer, nil] how many rows it was written from
      # @return [Integer, nil] how many records it has; nil if nobody knows without reading them
      def count(read = nil)
        return 0 if object.nil?
        return 1 if keywords[:collection] == false
        return object.size if object.is_a?(Array) || loaded_relation?

        object.respond_to?(:each) || object.respond_to?(:to_ary) ? read : 1
      end

      # @param format [Symbol] :json or :ndjson
      # @param options [Hash] of {Streams#stream}
      # @return [Body] which writes the document when it is read
      def stream(format, **options)
        around = Surroundings.new(controller, model)
        @object = FindEach.of(object) unless rows?(options)
        prepare
        body = open_stream(format, options)
        Body.new(format) do |sink|
          around.call do
            Events.sending(self, sink) do |counted|
              loading_missing { body.__send__(:produce, counted) }
            end
          end
        end
      end

      private

      # Whether rows are read in batches, so that no records need to be.
      def rows?(options)
        serializer_type && !options[:on_error].respond_to?(:call) && defined?(Rows.batches?) &&
          Rows.batches?(object, serializer_type, keywords)
      end

      # Loads what the serializer will read.
      def prepare
        @object = from_rows || preloaded(object, serializer_type, keywords)
      end

      # @return [Rows::Record, nil] a record, with its associations from rows
      def from_rows
        Rows.record(object, serializer_type, **keywords) if serializer_type && preloads?
      end

      def generate = serializer_type.json!(object, **keywords)

      def open_stream(format, options)
        serializer_type.stream(object, format: format, **keywords, **options)
      end

      def loaded_relation?
        Models.relation?(object) && object.respond_to?(:loaded?) && object.loaded?
      end

      # @return [Class, nil] the model whose connection is used
      def model = (object.klass if Models.relation?(object))

      # Checks what a client chose, before any record is read.
      def chosen(keywords)
        return keywords unless serializer_type

        ClientFields.checked(serializer_type, keywords, Models.of(object)) { @call.of_rows }
      end

      def with_context(keywords)
        keywords.key?(:context) ? keywords
                                : { **keywords, context: controller.send(:serialization_context) }
      end

      def preloaded(object, serializer_class, keywords)
        return object unless serializer_class && preloads?
        return object if Rows.collection?(object, serializer_class, keywords)

        Preloading.preload(object, serializer_class, **selection(keywords))
      end

      # Loads for records of several classes what the serializer of each will read.
      def preloaded_by_class(records, keywords)
        return records unless preloads?

        chosen = lambda do |found, record|
          selection(chosen_of(found, finder.type_of(record), keywords))
        end
        Preloading.preload_by(records, chosen) { |record| finder.of(finder.type_of(record)) }
      end

      # @param _type [Class] of the records that a serializer writes, among others
      def chosen_of(_found, _type, keywords) = keywords

      def preloads? = @call.settings[:preload] == :auto && !defined?(Preloading).nil?
      def loading_missing(&) = preloads? ? Preloading.load_missing(&) : yield

      def selection(keywords)
        { **keywords.slice(:view, :only, :except, :context), leave_cached: true }
      end
    end
  end
end
