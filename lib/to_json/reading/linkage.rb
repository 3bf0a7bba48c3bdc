# frozen_string_literal: true

# Layer: reading. The relationships of a resource of JSON:API: resource identifiers become ids.

module ToJson
  module Reading
    # The attributes that a relationship assigns, and how they are read. `id`: the attribute for one
    # id. `ids`: the attribute for many ids. `type`: the attribute for the type, if the relationship
    # is polymorphic; else nil. `name`: the attribute for the objects themselves, if the document
    # has them under local ids. `types`: type in documents => name of the class. `codes`: type =>
    # the code that reads such a resource. `many`: true, false, or nil if the value decides. `told`:
    # whether the declaration says that ids are read: by a name for the ids, or by `type`, which
    # only a class for JSON:API declares.
    # @api private
    Linkage = Struct.new(:id, :ids, :type, :name, :types, :codes, :many, :told)

    class Linkage
      IRREGULAR = { "people" => "person", "children" => "child", "men" => "man",
                    "women" => "woman", "mice" => "mouse", "data" => "datum" }.freeze
      MANY = { one: false, many: true }.freeze
      private_constant :IRREGULAR, :MANY

      class << self
        # @param field [Field]
        # @param unit [ReadUnit]
        # @param compilation [Compilation]
        # @return [Linkage] shareable
        def build(field, unit, compilation)
          FirstUse.of(:Resource, JsonApi)
          serializers = unit.serializers(field)
          types, codes = {}, {}
          serializers.each do |type, found|
            inner = unit.inner(field, found)
            resource = JsonApi::Resource.of(found, field.view)
            types[resource.type] = type&.name
            codes[resource.type] = compilation.code(inner) if inner.any?
          end
          Ractor.make_shareable(new(*names(field), (type_name(field) if types.values.any?),
                                    unit.target(field), types, codes, MANY[field.kind],
                                    told?(field, unit)))
        end

        # @return [Array<Symbol>] the attributes that a relationship may assign, besides the objects
        def targets(field) = [*names(field), type_name(field)].uniq

        # @return [String] the singular of an English noun. If the guess is wrong, `id:` names the
        #   attribute
        def singular(word)
          return word.singularize if word.respond_to?(:singularize)

          word.sub(/[^_]+\z/) { |last| IRREGULAR.fetch(last) { without_s(last) } }
        end

        private

        def type_name(field) = :"#{field.source}_type"

        def told?(field, unit)
          !named(field).nil? || unit.written.definition.resource.key?(:type)
        end

        def named(field) = field.writable[:id] || (field.linkage if field.linkage.is_a?(Symbol))

        def names(field)
          given = named(field)
          return [given, given] if given

          [:"#{field.source}_id", :"#{singular(field.source.name)}_ids"]
        end

        def without_s(word)
          case word
          when /[^aeiou]ies\z/ then "#{word.delete_suffix("ies")}y"
          when /(?:ss|x|z|ch|sh)es\z/ then word.delete_suffix("es")
          when /[^s]s\z/ then word.delete_suffix("s")
          else word
          end
        end
      end
    end

    # The part of a Session that reads relationships.
    # @api private
    module Links
      # Reads a relationship object. Its `data` is one identifier or null, or an array of
      # identifiers.
      def link(value, key, link, attributes)
        return wrong(key, takes("a relationship object", value), :type) unless Hash === value
        return unless value.key?("data") # links or meta alone say nothing about the data

        data = value["data"]
        return closed(value, key) unless
          link.told || @options.envelope || locals?(data)

        @path.push(key, "data")
        many = link.many.nil? ? Array === data : link.many
        many ? to_many(data, link, attributes) : to_one(data, link, attributes)
        @path.pop(2)
      end

      private

      # Refuses ids that the declarations of the class do not name. The client chooses the envelope,
      # so it could send ids to a class that is meant for plain documents and is read without
      # `envelope:`.
      def closed(value, key)
        return if @ignore
        return collect(key, value) if @unknown

        wrong(key, "is not writable by ids.", :not_writable)
      end

      def locals?(data)
        data = [data] unless Array === data
        !data.empty? && data.all? { |one| Hash === one && local?(one) }
      end

      def to_one(data, link, attributes)
        return wrong(nil, takes("a resource identifier or null", data), :type) unless
          nil == data || Hash === data

        attributes[link.type] = nil if link.type && nil == data
        return attributes[link.id] = nil if nil == data

        type = type_of(data, link)
        return if NOTHING.equal?(type)
        return attributes[link.name] = local(data, link, 1) if local?(data)

        attributes[link.type] = link.types[type] if link.type
        attributes[link.id] = id_of(data)
      end

      def to_many(data, link, attributes)
        return wrong(nil, takes("an array of resource identifiers", data), :type) unless
          Array === data

        ids, objects = [], []
        data.each_with_index do |one, index|
          @path.push(index)
          add(one, link, ids, objects)
          @path.pop
        end
        attributes[link.type ? link.name : link.ids] = ids if objects.empty? || ids.any?
        attributes[link.name] = objects if objects.any?
      end

      def add(one, link, ids, objects)
        return wrong(nil, takes("a resource identifier", one), :type) unless Hash === one

        type = type_of(one, link)
        return if NOTHING.equal?(type)
        return objects << local(one, link, 2) if local?(one)

        id = id_of(one)
        ids << (link.type ? { type: link.types[type], id: id } : id)
      end

      def type_of(identifier, link)
        type = identifier["type"]
        return type if link.types.key?(type)

        known = link.types.keys.map(&:inspect).join(" or ")
        wrong("type", takes(known, type), :choice)
      end

      def id_of(identifier)
        id = identifier["id"]
        String === id ? id : wrong("id", takes("text", id), :type)
      end

      # Whether the identifier names a resource of this document that has no id yet.
      def local?(identifier) = !identifier.key?("id") && String === identifier["lid"]

      # Reads the included resource that the identifier names. Only one identifier may name it:
      # otherwise a small document could ask for any number of objects.
      # @param levels [Integer] how many levels deeper the resource would be in a plain document: 1,
      #   or 2 in an array
      def local(identifier, link, levels)
        index = included[identifier.values_at("type", "lid")]
        return wrong("lid", "names no resource of this document.", :invalid) unless index

        code = link.codes[identifier["type"]]
        return wrong("type", "has no writable fields.", :not_writable) unless code
        return wrong("lid", "leads back to itself.", :depth) if @reading.include?(index)
        return wrong("lid", "is nested more than #{@options.max_depth} deep.", :depth) if
          @levels + levels > @options.max_depth
        return wrong("lid", "names a resource that another relationship has.", :duplicate) if
          @read.key?(index)

        @read[index] = true
        elsewhere(index, levels) { code.read(@document["included"][index], self, {}) }
      end

      # @return [Hash{Array => Integer}] type and lid of a resource => its index in `included`
      def included
        return @included if @included

        found = @document && @document["included"]
        @reading, @levels, @read, @included = [], 0, {}, {}
        return @included unless Array === found

        found.each_with_index do |one, index|
          @included[one.values_at("type", "lid")] ||= index if Hash === one
        end
        @included
      end

      # While the block runs, the path is that of the included resource, so problems name their
      # place there.
      def elsewhere(index, levels)
        path, @path = @path, ["included", index]
        @reading.push(index)
        @levels += levels
        found = yield
        @levels -= levels
        @reading.pop
        @path = path
        found
      end
    end
  end
end
