# frozen_string_literal: true

# Layer: rails. Decides how the value of `render json:` or `render ndjson:` is written.

module ToJson
  module Rendering
    # Makes the document of one call of `render`.
    # @api private
    class RenderCall
      # @param controller [ActionController::Metal]
      # @param options [Hash] of `render`
      # @param format [Symbol] one of {RenderOptions::FORMATS}
      def initialize(controller, options, format)
        @controller, @options, @format = controller, options, format
        @value = options[format]
        @settings = Rendering.settings_of(controller)
        @settings = Settings.new(@settings, preload: options[:preload]) if options.key?(:preload)
        @finder =
          Finder.new(options[:namespace] || @settings[:namespace] || controller.class.module_parent)
      end

      # @return [ActionController::Metal]
      attr_reader :controller
      # @return [Settings] of this call
      attr_reader :settings
      # @return [Finder]
      attr_reader :finder
      # @return [Object] the value that Rails writes if {#document} is nil
      attr_reader :value

      # @return [Document, nil] nil: Rails writes the value
      # @raise [ArgumentError] for an option that would be ignored
      # @raise [SerializerNotFound]
      def document
        document = choose
        RenderOptions.refuse_ours(@options, @value) unless document
        document
      end

      # @return [Hash{Class => Class}] the serializers that rows of the relation can have, by the
      #   classes of the rows. Empty if there is no relation, or one serializer for all rows
      def of_rows
        several = !@options[:serializer] && @finder.relation?(@value) &&
                  Models.share_table?(@value.klass)
        several ? @finder.of_rows(@value.klass) : {}
      end

      private

      def choose
        return of_stream if Stream === @value
        return of_class if @options[:serializer]

        case @value
        when PendingBlock then @value.to_json # raises: there is no block
        when Serialize then of_serializer
        when String then nil
        else found
        end
      end

      def found
        return of_value unless as_json?

        # An Enumerator that is read while the document is written would fail too late.
        @value = @value.to_a if Enumerator === @value
        begin
          of_value
        rescue SerializerNotFound
          of_some
        end
      end

      # Whether Rails writes what has no serializer.
      def as_json?
        @settings[:missing_serializer] == :as_json && @format == :json && !@options[:stream]
      end

      # What has serializers in a Hash, a list or a relation is written by them, and all else as
      # Rails writes it.
      def of_some
        @value = @value.to_ary if @finder.relation?(@value)
        case @value
        when Hash, Array, Set
          @finder = @finder.lenient
          @value, held = TreeDocument.read(@value, @finder) { nil }
          tree(@value) if held
        end
      end

      def of_class
        given = @options[:serializer]
        if Serialize === @value || PendingBlock === @value
          refuse("serializer: would be ignored, since the value is a serializer. Remove it")
        end
        if @options[:namespace] && !given.is_a?(String)
          refuse("namespace: would be ignored beside serializer:. Remove one")
        end
        given = @finder.named(given) if given.is_a?(String)
        unless given.is_a?(Class) && given < Serializer
          refuse("serializer: takes a subclass of ToJson::Serializer, or its name; got " \
                 "#{given.inspect}")
        end

        of_records(given, @value,
                   @finder.relation?(@value) || Array === @value || Enumerator === @value)
      end

      def of_serializer
        if @options[:namespace]
          refuse("namespace: would be ignored, since the value is a serializer. Remove it")
        end
        SerializerDocument.new(self, @value, keywords(@value.class))
      end

      def of_stream
        unused = @options.keys & RenderOptions::ALL - [:stream]
        if unused.any?
          refuse("#{unused.first}: would be ignored, since the value is a stream already. " \
                 "#{instead_of_stream(unused.first)}")
        end
        StreamDocument.new(self, @value)
      end

      def instead_of_stream(option)
        if RenderOptions::OF_LOOKUP.include?(option)
          "Render the records: by ndjson:, or with stream: true"
        else
          "Give it to the call that makes the stream"
        end
      end

      # The order is important, because relations and records of some gems are Arrays or Hashes too.
      # Rails writes all other values: `params`, `post.errors`, numbers.
      def of_value
        if @finder.relation?(@value) then of_relation
        elsif Array === @value then of_array(@value)
        elsif Enumerator === @value then list(@value) # lazy ones too: they are read once
        elsif Hash === @value then of_tree
        elsif @finder.record?(@value) then of_records(@finder.for!(@value), @value, false)
        elsif Set === @value then of_array(@value.to_a)
        elsif dumped?(@value) then @finder.of!(Lookup.class_of(@value))
        elsif stream? then of_tree
        end
      end

      def of_relation
        model = @value.klass
        return of_records(@finder.of!(model), @value, true) unless Models.share_table?(model)
        return list(@value) if stream? # a stream must not load all rows

        of_classes(@value.to_ary, model)
      end

      def of_array(array)
        present = array.compact
        return of_empty(array) if present.empty?
        return of_tree unless present.all? { |one| @finder.record?(one) }

        of_classes(array, nil)
      end

      # @param model [Class, nil] of a relation that may be empty
      def of_classes(records, model)
        types = records.compact.map { |record| @finder.type_of(record) }.uniq
        found = types.map { |type| @finder.of!(type) }.uniq
        found = known_serializers(model) if types.empty?
        return of_none if found.empty?

        found.size == 1 ? of_records(found.first, @value, true) : list(@value, found)
      end

      # @param model [Class] of a relation without rows
      # @return [Array<Class>] the serializers that its rows could have. Empty if neither the model
      #   nor a loaded subclass has one: subclasses that are not loaded yet may have some
      def known_serializers(model)
        found = @finder.of_rows(model)
        found.key?(model) ? [found[model]] : found.values.uniq
      end

      # @return [Object] the document of a relation without rows for which no serializer is known
      def of_none = list(@value)

      # An Array without records does not tell its class: the controller's name may.
      def of_empty(array)
        found = of_name if array.empty?
        return of_records(found, array, true) if found

        list(array) if stream? || @options.keys.intersect?(RenderOptions::ALL)
      end

      def of_name
        Lookup.named_in_namespace(@options[:namespace] || @controller.class.module_parent,
                                  "#{@controller.controller_name.classify}Serializer")
      end

      # A serializer that declares nothing writes one document for each record.
      def of_records(serializer_class, value, many)
        if many && !serializer_class.declared? && !@value.nil?
          return list(value, [serializer_class])
        end

        refuse("takes a collection; got #{Lookup.class_of(value)}") if @format == :ndjson && !many
        Document.new(self, serializer_class, value, keywords(serializer_class))
      end

      def of_tree
        return list(@value) unless @format == :json
        return of_some if as_json?

        if stream?
          TreeDocument.refuse_endless(@value)
          return tree(@value)
        end

        dumped = {}.compare_by_identity # class => whether ActiveSupport writes variables of objects
        @value, held = TreeDocument.read(@value, @finder) do |one|
          type = Lookup.class_of(one)
          dumped[type] = dumped?(one) unless dumped.key?(type)
          @finder.of!(type) if dumped[type]
        end
        tree(@value) if held
      end

      def tree(value) = TreeDocument.new(self, value, keywords(nil))

      def list(values, classes = [])
        if Hash === values || !values.respond_to?(:each_entry)
          refuse("takes a collection; got #{Lookup.class_of(values)}")
        end
        ListDocument.new(self, values, classes, keywords(classes.first))
      end

      def keywords(serializer_class) = RenderOptions.keywords(@options, serializer_class, @format)

      def stream? = @options[:stream] || @format != :json

      # Whether ActiveSupport would write its instance variables.
      def dumped?(value)
        return false unless Object === value && !value.respond_to?(:to_hash)

        general = [::Object, ::ActiveSupport::ToJsonWithActiveSupportEncoder]
        Reflection.owner_of(value, :as_json) == ::Object &&
          general.include?(Reflection.owner_of(value, :to_json))
      end

      def refuse(problem) = raise(ArgumentError, "render #{@format}: #{problem}.")
    end
  end
end
