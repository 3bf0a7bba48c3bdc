# frozen_string_literal: true

# Layer: rails. Writes the documents that controllers render. Those of JSON:API and HAL are in
# envelope.rb.

module ToJson
  module Rendering
    # A serializer class, what it serializes, and the keywords of `json!`. Its heirs are the other
    # documents. {#write} and {#stream} are where every document is written; {#prepare} is called
    # before, to make the records ready.
    # @api private
    class Document
      # @return [Class, nil] a subclass of {Serializer}; nil where there are several
      attr_reader :serializer_type
      # @return [Object] the record, Array or relation
      attr_reader :object
      # @return [Hash] the keywords of `json!`
      attr_reader :keywords

      # What active_model_serializers asks each value for that is rendered: it must not write this.
      # @return [nil]
      def serializer_class = nil

      # @param call [RenderCall]
      def initialize(call, serializer_type, object, keywords)
        @call, @serializer_type, @object = call, serializer_type, object
        @keywords = with_context(chosen(keywords))
      end

      # @return [ActionController::Metal]
      def controller = @call.controller

      # @return [Finder]
      def finder = @call.finder

      # What Rails' renderer calls: it knows which characters are to be escaped.
      # @param options [Hash] of `render`
      # @return [String]
      def to_json(options = nil)
        options = { **options, escape: true } if options && options[:callback].present?
        Interop.escaped(write, options)
      end

      # @return [String] the document
      def write
        Rendering.with_controller(controller) do
          prepare
          Events.writing(self) { loading_missing { generate } }
        end
      end

      # @return [String] for the log
      def name = serializer_type ? serializer_type.to_s : Lookup.class_of(object).to_s

      # @param read [Integer, nil] how many rows it was written from
      # @return [Integer, nil] how many records it has; nil if nobody knows without reading them
      def count(read = nil)
        return 0 if object.nil?
        return 1 if keywords[:collection] == false
        if object.is_a?(Array) || (object.respond_to?(:loaded?) && object.loaded?)
          return object.size
        end

        object.respond_to?(:each) || object.respond_to?(:to_ary) ? read : 1
      end

      # @param format [Symbol] :json or :ndjson
      # @param options [Hash] of {Streams#stream}
      # @return [Body] which writes the document when it is read
      def stream(format, **options)
        around = Surroundings.new(controller, model)
        @object = Batches.of(object) unless rows?(options)
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

      # Whether rows are read in batches, so that no records are.
      def rows?(options)
        serializer_type && !options[:on_error].respond_to?(:call) && defined?(Rows.batches?) &&
          Rows.batches?(object, serializer_type, keywords)
      end

      # Loads what the serializer will read.
      def prepare
        @object = preloaded(@object, serializer_type, keywords)
      end

      def generate = serializer_type.json!(object, **keywords)

      def open_stream(format, options)
        serializer_type.stream(object, format: format, **keywords, **options)
      end

      # @return [Class, nil] of ActiveRecord, which lends a connection
      def model = object.respond_to?(:klass) ? object.klass : nil

      # What a client chose is checked before anything is read.
      def chosen(keywords)
        return keywords unless serializer_type

        ClientFields.checked(serializer_type, keywords, Models.of(object))
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

      # The same of records of several classes, for the serializer of each.
      def preloaded_by_class(records, keywords)
        return records unless preloads?

        chosen = ->(found, type) { selection(chosen_of(found, type, keywords)) }
        Preloading.preload_by(records, chosen) do |record|
          finder.of(Lookup.class_of(record))
        end
      end

      # @param _type [Class] of the records that a serializer writes, among others
      def chosen_of(_found, _type, keywords) = keywords

      def preloads? = @call.settings[:preload] == :auto && !defined?(Preloading).nil?
      def loading_missing(&) = preloads? ? Preloading.load_missing(&) : yield

      def selection(keywords)
        { **keywords.slice(:view, :only, :except, :context), leave_cached: true }
      end
    end

    # A serializer that was made by the action: `render json: PostSerializer.new(post)`.
    # @api private
    class SerializerDocument < Document
      def initialize(call, serializer, keywords)
        @serializer = serializer
        @given, *@arguments = serializer.__send__(:__to_json_arguments)
        super(call, serializer.class, @arguments.first, keywords)
      end

      private

      # What was given to `new`, where `render` says nothing.
      def chosen(keywords)
        @asked = keywords.any?
        return keywords unless serializer_type < Serializer

        super({ **@given.to_h.slice(:view, :only, :except), **keywords })
      end

      # The context of `new` comes before that of the controller.
      def with_context(keywords) = @given&.key?(:context) ? keywords : super

      def prepare
        return if @arguments.size != 1 || !declared?

        @object = preloaded(object, serializer_type, { **@given.to_h, **keywords })
        @arguments = [@object]
      end

      def declared? = serializer_type < Serializer && serializer_type.declared?

      def generate
        kept = @serializer.__send__(:encoded_json)
        kept && !@asked ? kept : @serializer.json!(*@arguments, **keywords)
      end

      def open_stream(format, options)
        serializer_type.stream(*@arguments, format: format, **@given.to_h, **keywords, **options)
      end
    end

    # Records of several classes, records that are read one by one, or what each has a document of
    # its own. Each is written by its own serializer.
    # @api private
    class List < Document
      # @param classes [Array<Class>] the serializers, as far as they are known
      def initialize(call, values, classes, keywords)
        @classes = classes
        @one = classes.first if classes.size == 1
        super(call, @one, values, keywords)
        @known = Array === values || finder.relation?(values)
        @of_classes = {}.compare_by_identity
        known_types.each { |type, found| of_class(found, type) }
      end

      private

      def prepare
        @object = preloaded_by_class(object, keywords) if @known && !@one
      end

      def generate
        root = root_key
        ToJson.json(**outer) { |j| root ? write_root(j, root) : j.value(each_one(object)) }
      end

      def write_root(json, root)
        json.put(root, each_one(object))
        json.put(:meta, keywords[:meta]) if keywords[:meta]
      end

      def open_stream(format, options)
        return open_records(format, options) unless format == :json

        root = root_key
        ToJson.stream(**outer, **options) do |j|
          root ? write_root(j, root) : j.value(each_one(object))
        end
      end

      # A record stands alone in its line, with the root of the call only.
      def open_records(format, options)
        root = { root: keywords.fetch(:root, false) }
        ToJson.stream(each_one(object, root), format: format, **outer, **options) do |j, one|
          j.value(one)
        end
      end

      def outer = keywords.slice(:context, :rules, :max_depth)
      def inner = keywords.except(:context, :rules, :max_depth, :root, :meta, :collection)

      def each_one(values, root = {})
        keywords = inner
        declared = { **keywords, **root }
        values.each_entry.lazy.map { |one| serializer_of(one, declared, keywords) }
      end

      def serializer_of(one, declared, keywords)
        return one unless @one ? !one.nil? : finder.record?(one)

        type = Lookup.class_of(one)
        found = @one || finder.of!(type)
        return found.new(one, **keywords) unless found.declared?

        found.new(one, **declared, **of_class(found, type))
      end

      def chosen_of(found, type, keywords) = { **keywords, **of_class(found, type) }

      # What a client chose, for one of several classes.
      def of_class(found, type)
        @of_classes[found] ||=
          ClientFields.checked(found, keywords.slice(:view, :only, :except), type)
      end

      # The classes that rows can have, so that their selections are checked before any is read.
      def known_types
        return {} if @one || !finder.relation?(object)

        model = object.klass
        found = [model, *model.descendants].to_h { |type| [type, finder.of(type)] }.compact
        finder.of!(model) if found.empty? # before a status is sent
        found.select { |_, serializer_class| serializer_class.declared? }
      end

      # The key around the data: the given one, or that on which all serializers agree.
      def root_key
        given = keywords.fetch(:root, nil)
        return given.to_sym if given.is_a?(Symbol) || given.is_a?(String)

        declared = @classes.map { |found| found.declared? ? found.definition.root&.last : nil }.uniq
        key = declared.first if given != false && declared.size == 1
        if given == true && !key
          raise ArgumentError,
                "render: root: true: the serializers declare no root, or several. Pass the key " \
                "as root:."
        end
        if keywords[:meta] && !key
          raise ArgumentError,
                "render: meta: stands beside the data, which needs a root: pass root:."
        end

        key
      end
    end

    # A Hash or an Array with serializers or records in it.
    # @api private
    class Tree < Document
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
          if finder.relation?(value) then serializer(finder.of!(value.klass), value)
          elsif finder.record?(value) then serializer(finder.of!(Lookup.class_of(value)), value)
          else value
          end
        end
      end

      def serializer(found, value)
        found.new(preloaded(value, found, {}), **keywords.slice(:rows))
      end
    end

    # A stream that the action made: `render json: PostSerializer.stream(posts)`.
    # @api private
    class GivenStream < Document
      def initialize(call, stream)
        @stream = stream
        super(call, nil, nil, {})
      end

      def name = "a stream"
      def count(_read = nil) = nil

      def stream(_format, **)
        body = @stream
        around = Surroundings.new(controller, nil)
        format = Stream::TYPES.key(body.content_type)
        Body.new(format) do |sink|
          around.call { Events.sending(self, sink) { |counted| body.__send__(:produce, counted) } }
        end
      end
    end
  end
end
