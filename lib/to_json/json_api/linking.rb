# frozen_string_literal: true

# Layer: json_api. Keeps the resources that a document has met, and knows which of them must still
# be included.

module ToJson
  module JsonApi
    # The state of one document. The document's helper keeps it, where generated code finds it.
    # @api private
    class Linking
      # @param choice [Choice]
      def initialize(choice)
        @choice, @queue, @follow, @again = choice, [], [], []
        @groups, @found, @known = {}.compare_by_identity, {}.compare_by_identity, {}
        @conflicts = JsonApi.conflicts unless JsonApi.conflicts == :ignore
        @primary = choice.root.bit
      end

      # @param s [Serializer] that of the document
      # @return [ResourceGroup]
      def group(w, s, resource)
        @groups[resource] ||= ResourceGroup.new(
          resource, w.helper(resource.serializer_class, s), @known[resource.type] ||= {}
        )
      end

      # Whether a resource is met for the first time as primary data. It will not be included, then.
      def primary?(w, group, object)
        key = group.code.id(w, group.s, object)
        key = group.key(w, key, object) unless Integer === key
        return true if nil == key

        entry = group.known[key]
        if nil == entry
          group.known[key] = @conflicts ? primary(group, key, object) : true
          return true
        end
        return false if true == entry

        compare(entry, object) if @conflicts
        entry = split(entry, key) if Batch === entry
        entry.primary ? false : entry.primary = true
      rescue StandardError => error
        place(w, error, field(group, error))
        raise
      end

      # @return [Array] the identifiers of all relationships that the form shows
      def read(w, group, object, form)
        values = Array.new(group.resource.relationships.size)
        related(w, group, object, values, form.read)
        links, at = form.links, 0
        while (link = links[at])
          at += 1
          index = link.index
          values[index] = identifiers(w, group.s, link, values[index])
        end
        values
      end

      # Follows the relationships of the resources that must be included, until no new ones are met.
      # @return [Array<Entry, Batch>] what must be included, and primary data that was met again
      def close(w)
        index = 0
        group = bits = form = nil # those of the previous entry, which often has the same form
        while index < @follow.size || !@again.empty?
          entry = @again.shift
          if entry.nil?
            entry = @follow[index]
            index += 1
          end
          unless entry.group.equal?(group) && entry.bits == bits
            group, bits = entry.group, entry.bits
            form = @choice.form(group.resource, bits)
          end
          follow(w, entry, form) if entry.read != bits
        end
        @followed = nil
        @split ? entries : @queue
      end

      private

      def follow(w, entry, form)
        entry.read = entry.bits
        @followed = entry
        entry.values = read(w, entry.group, entry.object, form) unless form.read.zero?
      end

      def related(w, group, object, values, which)
        group.code.related(w, group.s, object, values, which)
      rescue StandardError => error
        name = field(group, error)
        one = group.resource.relationships.find { |relationship| relationship.name == name }
        place(w, error, one && "relationships.#{one.key}.data")
        raise
      end

      def identifiers(w, s, link, value)
        return value if SKIP.equal?(value)

        kind = link.kind
        return (kind == :many ? [] : nil) if nil == value

        static = link.static
        group = @groups[static] || group(w, s, static) if static
        if kind == :many || (kind == :any && w.many?(value)) then many(w, s, link, group, value)
        elsif link.ids then id(w, link, group, value)
        else one(w, s, link, group, value, nil)
        end
      rescue StandardError => error
        place(w, error, link.place)
        raise
      end

      def many(w, s, link, group, values)
        values = listed(w, values)
        return ids(w, link, group, values) if link.ids

        list, index = [], 0
        while index < values.size
          object = values[index]
          index += 1
          list << one(w, s, link, group, object, list.size) unless nil == object
        end
        list
      end

      # @return [Array] an Array that nothing else changes
      def listed(w, values)
        return values.dup if Array === values

        unless w.many?(values)
          raise UnsupportedTypeError,
                "#{Lookup.class_of(values)} where a collection is due. Give an Array, a " \
                "relation or another Enumerable, or declare has_one."
        end
        values = values.to_ary if values.respond_to?(:to_ary)
        return values.dup if Array === values

        refuse_endless(values) if Range === values
        values.each_entry.to_a # without a block, its `each` may give no Enumerator
      end

      def refuse_endless(range)
        last = range.end
        return unless nil == last || (Float === last && last.infinite?)

        raise UnsupportedTypeError,
              "an endless Range never ends. Use (range).first(n), or give it an end."
      end

      # The key of an object, if all have one type without local ids. If the object is not included,
      # its id is returned as it is.
      # @return [Integer, String, Object]
      def id(w, link, group, object)
        by_id, inside = link.by_id, link.inside
        key = by_id ? object : group.code.id(w, group.s, object)
        return key if Integer === key ? inside.zero? : inside.zero? && String === key

        key = known_by(w, group, key, object) unless Integer === key
        return key if inside.zero?

        entry = group.known[key]
        if nil == entry then add(group, key, object, inside, nil)
        elsif true == entry || @conflicts || entry.bits & inside != inside
          meet_again(group, key, entry, inside, object)
        end
        key
      rescue StandardError => error
        place(w, error, element(link, nil), field(group, error))
        raise
      end

      # The keys of many objects.
      # @return [Array<Integer, String>]
      def ids(w, link, group, objects)
        keys, at = [], nil
        link.by_id ? keys.concat(objects) : group.code.ids(w, group.s, objects, keys)
        unless keys.all?(Integer)
          keys, objects = without_nil(keys, objects) if objects.any?(nil)
          at = 0
          while at < keys.size
            keys[at] = known_by(w, group, keys[at], objects[at]) unless Integer === keys[at]
            at += 1
          end
        end
        meet(link, group, keys, objects) if link.inside.positive?
        keys
      rescue StandardError => error
        written = keys.first(at || keys.size).compact.size
        place(w, error, element(link, written), field(group, error))
        raise
      end

      def without_nil(keys, objects)
        keys.zip(objects).reject { |_, object| nil == object }.transpose.then do |lists|
          lists.empty? ? [[], []] : lists
        end
      end

      def meet(link, group, keys, objects)
        return meet_each(link, group, keys, objects) if @conflicts || !link.leaf?(@choice)

        known, inside, at = group.known, link.inside, 0
        batch, old = Batch.new(group, inside), nil
        while (key = keys[at])
          if (entry = known[key])
            meet_again(group, key, entry, inside, objects[at]) unless entry.equal?(batch)
            (old ||= {})[at] = true
          else
            known[key] = batch
          end
          at += 1
        end
        new = old ? new_ones(keys, old) : keys
        return if new.empty?

        batch.hold(new, old ? new_ones(objects, old) : objects)
        @queue << batch
      end

      def new_ones(list, old) = list.reject.with_index { |_, at| old.key?(at) }

      def meet_each(link, group, keys, objects)
        known, inside = group.known, link.inside
        read = inside if link.leaf?(@choice)
        keys.each_with_index do |key, at|
          if (entry = known[key]) then meet_again(group, key, entry, inside, objects[at])
          else add(group, key, objects[at], inside, read)
          end
        end
      end

      # @param index [Integer, nil] the index among many objects
      def one(w, s, link, group, object, index)
        return Identifier.new(group.type, object) if link.by_id

        group ||= group(w, s, told(s, link, object))
        id = group.code.id(w, group.s, object)
        return identifier(w, group, id, object) if link.inside.zero?

        key = Integer === id ? id : known_by(w, group, id, object)
        entry = group.known[key]
        entry ? meet_again(group, key, entry, link.inside, object)
              : add(group, key, object, link.inside, nil)
      rescue StandardError => error
        place(w, error, element(link, index), group && field(group, error))
        raise
      end

      def identifier(w, group, id, object)
        return Identifier.new(group.type, id) unless nil == id

        identity(group, known_by(w, group, id, object))
      end

      def identity(group, key) = Identifier.new(group.type, *(Array === key ? [nil, *key] : key))

      # @param read [Integer, nil] the same as `inside` if there is nothing to follow; else nil
      def add(group, key, object, inside, read)
        group.known[key] = entry = Entry.new(group, key, object, inside, read)
        entry.first = object if @conflicts
        @follow << entry unless read
        @queue << entry
        entry
      end

      def primary(group, key, object)
        Entry.new(group, key, nil, @primary, @primary).tap do |entry|
          entry.primary = true
          entry.first = object
        end
      end

      # Called for a resource that was met before. If it is met at another Node, it may lead to
      # further resources. This is also true for primary data, which already has the data of these
      # relationships.
      def meet_again(group, key, entry, bits, object)
        if true == entry
          return identity(group, key) if @primary.allbits?(bits)

          entry = group.known[key] = primary(group, key, nil)
        end
        compare(entry, object) if @conflicts
        return entry if entry.bits.allbits?(bits)

        entry = split(entry, key) if Batch === entry
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

      def split(batch, key)
        @split = true
        batch.split
        batch.group.known[key]
      end

      # @return [Array<Entry, Batch>] with the Entries of split Batches in the place of these
      def entries
        @queue.flat_map { |one| (one.entries if Batch === one) || [one] }
      end

      # Compares two objects with one identity by their documents, unless they are the same object.
      def compare(entry, object)
        return if entry.first.equal?(object)

        group = entry.group
        one, other = [entry.first, object].map do |each|
          group.resource.serializer_class.json_api!(each, view: group.resource.views, meta: false,
                                                        collection: false, context: group.s.context)
        end
        return if one == other

        message = "#{group.resource}: two objects are #{group.type} #{entry.id}, and differ. The " \
                  "first is written: #{one}, not #{other}"
        @conflicts == :raise ? raise(Error, message) : warn("to_json: #{message}")
      end

      # The Resource that only the value tells. If a lambda returns nil, the class of the object
      # decides.
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

      # The key of an object that an identifier must name. Raises if it has none.
      def known_by(w, group, id, object)
        group.key(w, id, object) or
          raise UnsupportedTypeError,
                "#{Lookup.class_of(object)} has no id, so no resource identifier can name it. " \
                "Save it first, or declare lid in #{group.resource}."
      end

      # @return [String, nil] the field of the object that was being read when the exception was
      #   raised
      def field(group, error) = Compiler::FieldLines.of(group.code, error)

      def element(link, index) = index ? "#{link.place}[#{index}]" : link.place

      # Gives an exception its place. Only the first place that it is given counts.
      def place(w, error, *below)
        below.unshift("included[#{number(@followed)}]") if @followed
        w.locate(error, below.compact.join(".")) if below.any?
      end

      # The index that a resource will have in `included`.
      def number(entry)
        before = entries.take_while { |one| !one.equal?(entry) }
        before.sum { |one| one.primary ? 0 : one.size }
      end
    end
  end
end
