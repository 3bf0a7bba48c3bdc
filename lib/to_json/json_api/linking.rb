# frozen_string_literal: true

# Layer: json_api. Which resources a document has met: their identities, and those that are still to
# be included.

module ToJson
  module JsonApi
    # The state of one document. The document's helper keeps it, where generated code finds it.
    # @api private
    class Linking
      # The resources of one serializer in this document: `s` lends its methods, `known` has those
      # of its type, by their ids; `code` reads them.
      class Met
        attr_reader :resource, :s, :known, :code, :type

        def initialize(resource, s, known)
          @resource, @s, @known, @code, @type = resource, s, known, resource.code, resource.type
        end

        # @param id [Object] as a field gives it
        # @return [Integer, String, Array, nil] what tells the object from others of its type: the
        #   id, or in an Array the local one; nil: it has neither
        def key(w, id, object)
          return text(id) unless nil == id

          lid = @code.lid(w, @s, object)
          [text(lid).to_s] unless nil == lid
        end

        private

        DIGITS = /\A(?:0|-?[1-9]\d{0,17})\z/
        private_constant :DIGITS

        # Ids of one text are one: 5 and "5". An Integer needs no text of its own.
        def text(id)
          case id
          when Integer then id
          when String then id.ascii_only? && DIGITS.match?(id) ? id.to_i : id
          else text(id.to_s)
          end
        end
      end

      # A resource that was met, also as an identifier. The object is dropped when it is written.
      class Entry
        # `bits`: of the Nodes that led to it; `read`: of those whose relationships were followed;
        # `primary`: it is primary data, and not included.
        # `first`: the object, kept to be compared, see {JsonApi.conflicts}.
        attr_accessor :object, :bits, :read, :values, :primary, :first
        attr_reader :type, :id, :lid, :met

        # @param key [Integer, String, Array] see {Met#key}
        def initialize(met, key, object, bits)
          @type, @met, @object, @bits = met.type, met, object, bits
          Array === key ? @lid = key.first : @id = key
        end
      end

      # An identifier, of what is not included.
      Identifier = Struct.new(:type, :id, :lid)

      # A relationship whose data is written. `inside`: bits of the Nodes that it leads to, 0: only
      # identifiers are wanted. `by_id`: its value is an id, or many. `static`: where the
      # declaration tells the resource.
      Link = Struct.new(:resource, :relationship, :inside, :by_id, :static) do
        def index = relationship.index
        def place = "relationships.#{relationship.key}.data"
        def field = relationship.field

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
        @choice, @queue, @again, @found = choice, [], [], {}
        @met, @known = {}.compare_by_identity, {}
        @conflicts = JsonApi.conflicts unless JsonApi.conflicts == :ignore
        @values = nil
      end

      # @param s [Serializer] of the document
      # @return [Met]
      def met(w, s, resource)
        @met[resource] ||= Met.new(resource, w.helper(resource.serializer_class, s),
                                   @known[resource.type] ||= {})
      end

      # Whether primary data is met for the first time as such. Then it is not included later.
      def primary?(w, met, object, bits)
        key = met.key(w, met.code.id(w, met.s, object), object)
        return true if nil == key

        entry = met.known[key]
        compare(entry, object) if entry && @conflicts
        return entry.primary ? false : entry.primary = true if entry

        met.known[key] = entry = Entry.new(met, key, nil, bits)
        entry.read = bits
        entry.primary = true
        entry.first = object if @conflicts
        true
      rescue StandardError => error
        place(w, error, field(met, error))
        raise
      end

      # @return [Array] the identifiers of all relationships that the form shows
      def read(w, met, object, form)
        values = Array.new(met.resource.relationships.size)
        related(w, met, object, values, form.read)
        form.links.each do |link|
          values[link.index] = identifiers(w, met.s, link, values[link.index])
        end
        values
      end

      # Follows the relationships of what is to be included, until nothing new is met.
      # @return [Array<Entry>]
      def close(w)
        index = 0
        met = bits = form = nil # of the entry before, which is often of the same form
        while index < @queue.size || !@again.empty?
          entry = @again.shift
          if entry.nil?
            entry = @queue[index]
            index += 1
          end
          unless entry.met.equal?(met) && entry.bits == bits
            met, bits = entry.met, entry.bits
            form = @choice.form(met.resource, bits)
          end
          follow(w, entry, form) if entry.read != bits
        end
        @followed = nil
        @queue
      end

      private

      def follow(w, entry, form)
        entry.read = entry.bits
        @followed = entry
        entry.values = read(w, entry.met, entry.object, form) unless form.read.zero?
      end

      def related(w, met, object, values, which)
        met.code.related(w, met.s, object, values, which)
      rescue StandardError => error
        name = field(met, error)
        one = met.resource.relationships.find { |relationship| relationship.name == name }
        place(w, error, one && "relationships.#{one.key}.data")
        raise
      end

      def identifiers(w, s, link, value)
        return value if SKIP.equal?(value)

        kind = link.field.kind
        return (kind == :many ? [] : nil) if nil == value

        met = met(w, s, link.static) if link.static
        unless kind == :many || (kind == :any && w.many?(value))
          return one(w, s, link, met, value, nil)
        end

        many(w, s, link, met, value)
      rescue StandardError => error
        place(w, error, link.place)
        raise
      end

      def many(w, s, link, met, values)
        list = []
        values = values.to_ary unless Array === values || !values.respond_to?(:to_ary)
        if Array === values
          return all(w, link, met, values, list) if met && link.inside.positive?

          index = 0
          while index < values.size
            object = values[index]
            index += 1
            list << one(w, s, link, met, object, list.size) unless nil == object
          end
        else
          refuse_many(values) unless w.many?(values)
          values.each do |object|
            list << one(w, s, link, met, object, list.size) unless nil == object
          end
        end
        list
      end

      def refuse_many(value)
        raise UnsupportedTypeError,
              "#{Lookup.class_of(value)} where many are due. Give an Array, a relation or " \
              "another Enumerable, or declare has_one."
      end

      # Of an Array, where the declaration tells the serializer.
      def all(w, link, met, values, list)
        code, s, known, inside, index = met.code, met.s, met.known, link.inside, 0
        while index < values.size
          object = values[index]
          index += 1
          next if nil == object

          key = code.id(w, s, object)
          key = known_by(w, met, key, object) unless Integer === key
          entry = known[key]
          list << (entry ? again(entry, inside, object) : first(met, key, object, inside))
        end
        list
      rescue StandardError => error
        place(w, error, element(link, list.size), field(met, error))
        raise
      end

      # @param index [Integer, nil] among many
      def one(w, s, link, met, object, index)
        return Identifier.new(met.type, object) if link.by_id

        met ||= met(w, s, told(s, link, object))
        id = met.code.id(w, met.s, object)
        return identifier(w, met, id, object) if link.inside.zero?

        key = known_by(w, met, id, object)
        entry = met.known[key]
        entry ? again(entry, link.inside, object) : first(met, key, object, link.inside)
      rescue StandardError => error
        place(w, error, element(link, index), met && field(met, error))
        raise
      end

      def identifier(w, met, id, object)
        return Identifier.new(met.type, id) unless nil == id

        Identifier.new(met.type, nil, *known_by(w, met, id, object))
      end

      def first(met, key, object, inside)
        met.known[key] = entry = Entry.new(met, key, object, inside)
        entry.first = object if @conflicts
        @queue << entry
        entry
      end

      # What is met at another Node may lead to more. Primary data too, which shows that already.
      def again(entry, bits, object)
        compare(entry, object) if @conflicts
        return entry if entry.bits.allbits?(bits)

        entry.bits |= bits
        if entry.object.equal?(nil)
          entry.object = object
          @queue << entry
        elsif entry.read
          @again << entry
        end
        entry
      end

      # Both as documents of their own, if they are not the same object.
      def compare(entry, object)
        return if entry.first.equal?(object)

        met = entry.met
        one, other = [entry.first, object].map do |each|
          met.resource.serializer_class.json_api!(each, view: met.resource.views, meta: false,
                                                        collection: false, context: met.s.context)
        end
        return if one == other

        message = "#{met.resource}: two objects are #{met.type} #{entry.id}, and differ. The " \
                  "first is written: #{one}, not #{other}"
        @conflicts == :raise ? raise(Error, message) : warn("to_json: #{message}")
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

      # The key of what is to be linked.
      def known_by(w, met, id, object)
        met.key(w, id, object) or
          raise UnsupportedTypeError,
                "#{Lookup.class_of(object)} has no id, so no resource identifier can name it. " \
                "Save it first, or declare lid in #{met.resource}."
      end

      # @return [String, nil] what was read of the object when the exception was raised
      def field(met, error) = Compiler::FieldLines.of(met.code, error)

      def element(link, index) = index ? "#{link.place}[#{index}]" : link.place

      # The first place that an exception is given is the one that counts.
      def place(w, error, *below)
        below.unshift("included[#{number(@followed)}]") if @followed
        w.locate(error, below.compact.join(".")) if below.any?
      end

      # Where a resource will be among those that are included.
      def number(entry)
        @queue.take_while { |one| !one.equal?(entry) }.count { |one| !one.primary }
      end
    end
  end
end
