# frozen_string_literal: true

# Layer: json_api. Which resources a document has met: their identities, and those that are still to
# be included.

module ToJson
  module JsonApi
    # The state of one document. The document's helper keeps it, where generated code finds it.
    # @api private
    class Linking
      # A resource that was met. `type` and `id` are what stands in identifiers; the object is
      # dropped when it is written. `bits`: of the Nodes that led to it; `read`: of those whose
      # relationships were followed. `primary`: it is primary data, and not included.
      Entry = Struct.new(:type, :id, :object, :resource, :s, :bits, :read, :values, :primary)

      # A relationship whose data is written. `inside`: bits of the Nodes that it leads to, 0: only
      # identifiers are wanted. `by_id`: its value is an id, or many.
      Link = Struct.new(:resource, :relationship, :inside, :by_id) do
        def index = relationship.index
        def field = relationship.field

        # @return [Resource, nil] where the declaration tells it
        def static = @static ||= resource.inner(relationship)

        # The method that runs a lambda of `serializer:`.
        def chooser
          return unless field.serializer.is_a?(Proc)

          @chooser ||= Compiler::Blocks.called_for(resource.serializer_class, field.serializer)
        end
      end

      class << self
        # @param w [Writer]
        # @return [Linking] of the document
        def of(w) = w.helper(Serializer, nil, nil).instance_variable_get(:@to_json_linking)

        def begin(w, linking)
          w.helper(Serializer, nil, nil).instance_variable_set(:@to_json_linking, linking)
        end
      end

      # @return [Array] identifiers of the resource that is written, by the index of the
      #   relationship
      attr_accessor :values

      # @param choice [Choice]
      def initialize(choice)
        @choice, @seen, @queue, @helpers, @found = choice, {}, [], {}, {}
        @again = []
        @values = nil
      end

      # @param s [Serializer] of the call
      # @return [Serializer] that lends its methods to a resource
      def helper(w, s, resource)
        @helpers[resource.serializer_class] ||= w.helper(resource.serializer_class, s)
      end

      # Whether primary data is met for the first time as such. Then it is not included later.
      def primary?(w, s, object, resource, bits)
        id = text(resource.code.id(w, s, object)) or return true
        known = (@seen[resource.type] ||= {})
        entry = known[id]
        return entry.primary ? false : entry.primary = true if entry

        known[id] = Entry.new(resource.type, id, nil, resource, s, bits, bits, nil, true)
        true
      end

      # @return [Array] the identifiers of all relationships that the form shows
      def read(w, s, object, resource, form)
        values = Array.new(resource.relationships.size)
        resource.code.related(w, s, object, values, form.read)
        form.links.each { |link| values[link.index] = identifiers(w, s, link, values[link.index]) }
        values
      end

      # Follows the relationships of what is to be included, until nothing new is met.
      def close(w)
        index = 0
        while index < @queue.size || @again.any?
          entry = @again.shift || @queue[index].tap { index += 1 }
          follow(w, entry)
        end
        @queue
      end

      private

      def follow(w, entry)
        return if entry.read == entry.bits

        entry.read = entry.bits
        form = @choice.form(entry.resource, entry.bits)
        return if form.read.zero?

        entry.values = read(w, entry.s, entry.object, entry.resource, form)
      end

      def identifiers(w, s, link, value)
        return value if SKIP.equal?(value)

        kind = link.field.kind
        return (kind == :many ? [] : nil) if nil == value
        return one(w, s, link, value) unless kind == :many || (kind == :any && w.many?(value))

        list = []
        each(value) { |object| list << one(w, s, link, object) unless nil == object }
        list
      end

      def each(values, &)
        return values.each(&) if Array === values

        values.respond_to?(:each) ? values.each(&) : values.to_ary.each(&)
      end

      def one(w, s, link, object)
        return Entry.new(link.static.type, text(object)) if link.by_id

        resource = link.static || told(s, link, object)
        lent = helper(w, s, resource)
        type, id = resource.type, text(resource.code.id(w, lent, object))
        return Entry.new(type, id) if link.inside.zero?

        known = (@seen[type] ||= {})
        entry = known[id]
        return meet(entry, link.inside, object) if entry

        known[id] = entry = Entry.new(type, id, object, resource, lent, link.inside, 0, nil, false)
        @queue << entry
        entry
      end

      # What is met at another Node may lead to more. Primary data too, which shows that already.
      def meet(entry, bits, object)
        return entry if entry.bits.allbits?(bits)

        entry.bits |= bits
        if entry.object.equal?(nil)
          entry.object = object
          @queue << entry
        elsif entry.read != 0
          @again << entry
        end
        entry
      end

      def told(s, link, object)
        chosen = Compiler::Blocks.call(s, link.chooser, object) if link.chooser
        type = Lookup.class_of(object)
        (@found[link] ||= {}.compare_by_identity)[chosen || type] ||= begin
          owner = link.resource.serializer_class
          found = Lookup.serializer_for(owner, chosen || link.field.serializer, object)
          Resource.of(found, link.field.view)
        end
      end

      def text(id)
        id.is_a?(String) || nil == id ? id : id.to_s
      end
    end
  end
end
