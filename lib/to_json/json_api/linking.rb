# frozen_string_literal: true

# Layer: json_api. Which resources a document has met: their identities, and those that are still to
# be included.

module ToJson
  module JsonApi
    # The state of one document. The document's helper keeps it, where generated code finds it.
    # @api private
    class Linking
      # The resources of one serializer in this document: `s` lends its methods, `known` has those
      # of its type, by their ids, or true for primary data that was met as such alone; `code` reads
      # them.
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
        attr_reader :met

        # @param key [Integer, String, Array] see {Met#key}
        # @param read [Integer, nil] see above
        def initialize(met, key, object, bits, read)
          @met = met
          @key = key
          @object = object
          @bits = bits
          @read = read
        end

        def type = @met.type
        def id = Array === @key ? nil : @key
        def lid = Array === @key ? @key.first : nil
      end

      # An identifier, of what is not included.
      Identifier = Struct.new(:type, :id, :lid)

      # A relationship whose data is written. `inside`: bits of the Nodes that it leads to, 0: only
      # identifiers are wanted. `by_id`: its value is an id, or many. `static`: where the
      # declaration tells the resource. `ids`: its identifiers are ids alone.
      class Link
        attr_reader :resource, :relationship, :inside, :by_id, :static, :index, :kind, :ids, :field

        def initialize(resource, relationship, inside, by_id, static)
          @resource, @relationship, @inside, @by_id = resource, relationship, inside, by_id
          @static, @index, @ids = static, relationship.index, relationship.ids
          @field, @kind = relationship.field, relationship.field.kind
          @leaf = nil
        end

        def place = "relationships.#{relationship.key}.data"

        # Whether nothing is read of static resources that are met here alone.
        def leaf?(choice)
          @leaf = choice.form(static, inside).read.zero? if @leaf.nil?
          @leaf
        end

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
        @choice, @queue, @follow, @again = choice, [], [], []
        @met, @found, @known = {}.compare_by_identity, {}.compare_by_identity, {}
        @conflicts = JsonApi.conflicts unless JsonApi.conflicts == :ignore
        @values, @primary = nil, choice.root.bit
      end

      # @param s [Serializer] of the document
      # @return [Met]
      def met(w, s, resource)
        @met[resource] ||= Met.new(resource, w.helper(resource.serializer_class, s),
                                   @known[resource.type] ||= {})
      end

      # Whether primary data is met for the first time as such. Then it is not included later.
      def primary?(w, met, object)
        key = met.code.id(w, met.s, object)
        key = met.key(w, key, object) unless Integer === key
        return true if nil == key

        entry = met.known[key]
        if nil == entry
          met.known[key] = @conflicts ? primary(met, key, object) : true
          return true
        end
        return false if true == entry

        compare(entry, object) if @conflicts
        entry.primary ? false : entry.primary = true
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
        while index < @follow.size || !@again.empty?
          entry = @again.shift
          if entry.nil?
            entry = @follow[index]
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

        kind = link.kind
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
        values = listed(w, values)
        return ids(w, link, met, values) if link.ids

        list, index = [], 0
        while index < values.size
          object = values[index]
          index += 1
          list << one(w, s, link, met, object, list.size) unless nil == object
        end
        list
      end

      # @return [Array] which changes no more
      def listed(w, values)
        return values.dup if Array === values

        unless w.many?(values)
          raise UnsupportedTypeError,
                "#{Lookup.class_of(values)} where many are due. Give an Array, a relation or " \
                "another Enumerable, or declare has_one."
        end
        values = values.to_ary if values.respond_to?(:to_ary)
        Array === values ? values.dup : values.each.to_a
      end

      # Of one type, which has no local ids.
      # @return [Array<Integer, String>]
      def ids(w, link, met, objects)
        index, list = nil, []
        link.by_id ? list.concat(objects) : met.code.ids(w, met.s, objects, list)
        index, known, inside = 0, met.known, link.inside
        queue, conflicts = @queue, @conflicts
        followed = inside if inside.zero? || link.leaf?(@choice)
        while index < list.size
          key = list[index]
          unless Integer === key
            if nil == objects[index]
              index += 1
              next
            end
            list[index] = key = known_by(w, met, key, objects[index])
          end
          if inside > 0
            if (entry = known[key]) then again(met, key, entry, inside, objects[index])
            elsif followed && !conflicts
              queue << (known[key] = Entry.new(met, key, objects[index], inside, followed))
            else first(met, key, objects[index], inside, followed)
            end
          end
          index += 1
        end
        list.compact! || list
      rescue StandardError => error
        index = (index ? list.first(index) : list).compact.size
        place(w, error, element(link, index), field(met, error))
        raise
      end

      # @param index [Integer, nil] among many
      def one(w, s, link, met, object, index)
        return Identifier.new(met.type, object) if link.by_id

        met ||= met(w, s, told(s, link, object))
        id = met.code.id(w, met.s, object)
        return identifier(w, met, id, object) if link.inside.zero?

        key = Integer === id ? id : known_by(w, met, id, object)
        entry = met.known[key]
        entry ? again(met, key, entry, link.inside, object)
              : first(met, key, object, link.inside, nil)
      rescue StandardError => error
        place(w, error, element(link, index), met && field(met, error))
        raise
      end

      def identifier(w, met, id, object)
        return Identifier.new(met.type, id) unless nil == id

        identity(met, known_by(w, met, id, object))
      end

      def identity(met, key) = Identifier.new(met.type, *(Array === key ? [nil, *key] : key))

      # @param read [Integer, nil] `inside`, where there is nothing to follow
      def first(met, key, object, inside, read)
        met.known[key] = entry = Entry.new(met, key, object, inside, read)
        entry.first = object if @conflicts
        @follow << entry unless read
        @queue << entry
        entry
      end

      def primary(met, key, object)
        Entry.new(met, key, nil, @primary, @primary).tap do |entry|
          entry.primary = true
          entry.first = object
        end
      end

      # What is met at another Node may lead to more. Primary data too, which shows that already.
      def again(met, key, entry, bits, object)
        if true == entry
          return identity(met, key) if @primary.allbits?(bits)

          entry = met.known[key] = primary(met, key, nil)
        end
        compare(entry, object) if @conflicts
        return entry if entry.bits.allbits?(bits)

        entry.bits |= bits
        if entry.object.equal?(nil)
          entry.object = object
          @queue << entry
          @follow << entry
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

      # A lambda that returns nil leaves it to the class of the object.
      def told(s, link, object)
        given = link.field.serializer
        given = Compiler::Blocks.call(s, link.chooser, object) if link.chooser
        key = given if link.chooser
        key = -key if String === key # the same String each time
        key = Lookup.class_of(object) if nil == key
        (@found[link] ||= {}.compare_by_identity)[key] ||= begin
          found = Lookup.serializer_for(link.resource.serializer_class, given, object)
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
