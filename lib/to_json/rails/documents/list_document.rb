# frozen_string_literal: true

# Layer: rails. Writes records of several classes, each by the serializer of its class.

module ToJson
  module Rendering
    # Records of several classes, records that are read one by one, or objects whose serializer
    # declares no fields. Each is written by a serializer of its own.
    # @api private
    class ListDocument < Document
      # @param classes [Array<Class>] the serializers, as far as they are known
      def initialize(call, values, classes, keywords)
        @classes = classes
        @one = classes.first if classes.size == 1
        super(call, @one, values, keywords)
        @known = Array === values || finder.relation?(values)
        @of_classes = {}.compare_by_identity
        types = known_types
        types.each { |type, found| of_class(found, type) }
        @classes = types.values if classes.empty?
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

      # Each line has one record, with a root only if the call has one.
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
        return unchanged(one) unless @one ? !one.nil? : finder.record?(one)

        type = finder.type_of(one)
        found = @one || finder.of!(type)
        return found.new(one, **keywords) unless found.declared?

        found.new(one, **declared, **of_class(found, type))
      end

      # A serializer has options of its own, and other values have none.
      def unchanged(one)
        unused = inner.keys
        return one if one.nil? || unused.empty?

        raise ArgumentError,
              "render: #{unused.first}: would be ignored, since an element is an instance of " \
              "#{Lookup.class_of(one)}. Give the option to a serializer of this element."
      end

      def chosen_of(found, type, keywords) = { **keywords, **of_class(found, type) }

      # The checked choice of a client, for one of several classes.
      def of_class(found, type)
        @of_classes[found] ||=
          ClientFields.checked(found, keywords.slice(:view, :only, :except), type) { @call.of_rows }
      end

      # The classes that the rows of a relation can have. Their selections are checked before any
      # row is read. If none of them has a serializer, the first row may load a class that has one.
      def known_types
        return {} if @one || !finder.relation?(object)

        found = finder.of_rows(object.klass)
        if found.empty? && (row = object.first)
          type = Lookup.class_of(row)
          found = { type => finder.of!(type) } # raises before a status is sent
        end
        found.select { |_, serializer_class| serializer_class.declared? }
      end

      # The key around the data: that of the call, or the one that all serializers declare.
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
                "render: meta: is written beside the data, so it needs a root: pass root:."
        end

        key
      end
    end
  end
end
