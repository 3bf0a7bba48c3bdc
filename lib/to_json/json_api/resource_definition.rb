# frozen_string_literal: true

# Layer: json_api. Derives the Definition of resources from that of a serializer, so that the
# compiler can make a Plan of it.

module ToJson
  module JsonApi
    # `{"type", "id", "attributes": {…}, "relationships": {…}, "links", "meta"}` as declared fields.
    # A Selection of these fields says which of them are written.
    # @api private
    class ResourceDefinition
      # An attribute that a fieldset may name, also one inside a flatten. `name`: the declared name.
      # `key`: the key in documents.
      Attribute = Struct.new(:name, :key, :field)
      # Members of a resource, and names that JSON:API reserves. A field must not have such a key.
      TAKEN = %w[type id lid].freeze
      RESERVED = %w[relationships links].freeze
      ALWAYS = %w[type id lid links meta].freeze
      ID = Field.new(:attribute, :id, :id, { as: :string, skip: :nil, key: "id" }.freeze)
      private_constant :TAKEN, :RESERVED, :ID

      # @return [Definition]
      attr_reader :definition
      # @return [Array<Attribute>]
      attr_reader :attributes
      # @return [Array<Field>] those that become relationships
      attr_reader :relationships
      # @return [Field] the field that reads the id
      attr_reader :id
      # @return [Field, nil] the field that reads the local id
      attr_reader :lid

      # @param serializer_class [Class]
      # @param views [Array<Symbol>]
      # @param type [String]
      def initialize(serializer_class, views, type)
        @class, @type, @source = serializer_class, type, serializer_class.definition
        @unit = Compiler::Unit.new(@class, @source, views, [], :object)
        fields = @source.fields(views)
        @relationships, @values = fields.partition { |field| relationship?(field) }
        @id = identity(@values.find { |field| field.name == :id })
        @lid = @source.resource[:lid]
        @values = @values.reject { |field| field.name == :id }
        @attributes = @values.flat_map { |field| attributes_of(field) }.freeze
        check_names
        check_links
        check_linkage
        @definition = made(base, settings: @source.settings.slice(:cache))
        freeze
      end

      # @return [String] the key of a field in documents
      def key(field) = KeyCase.apply(@source.key_case, field.name.name)

      # @return [String, nil] the type of the identifiers, if they consist of ids alone: the
      #   declaration tells the serializer, and it has no local ids
      def type_of_ids(field)
        return unless (found = inside(field))

        resource = found.definition.resource
        (resource[:type] || Names.of(found)) unless resource[:lid]
      end

      # Whether the field is a relationship. Its objects have a serializer, and so a type. An inline
      # block has none, so it makes an attribute.
      def relationship?(field)
        %i[one many any].include?(field.kind) && field.definition.nil?
      end

      private

      def identity(declared)
        given = @source.resource[:id]
        return given if given
        return ID unless declared

        Field.new(:attribute, :id, declared.source,
                  { **declared.options.slice(:default), as: text(declared.as), skip: :nil,
                    key: "id" }.freeze,
                  reader: declared.reader, declared_at: declared.declared_at)
      end

      # The conversion of an id, which is text whatever the declaration makes of it.
      def text(as)
        return :string if as.nil? || as.is_a?(Symbol)

        as.is_a?(Class) && as <= Serializer ? as : Conversion::ToText.new(as)
      end

      def base
        fields = [Field.new(:attribute, :type, nil, { constant: @type, key: "type" }.freeze), @id,
                  @lid]
        fields << nested(:attributes, @values) if @values.any?
        if @relationships.any?
          fields << nested(:relationships, @relationships.each_with_index.map do |field, index|
            relationship(field, index)
          end)
        end
        fields << links(:link) << @source.resource[:meta]
        fields.compact.to_h { |field| [field.name, field] }
      end

      def relationship(field, index)
        inside = [links(:relationship_link, field.name), *data(field, index),
                  @source.resource[[:relationship_meta, field.name]]].compact
        Field.new(:nested, field.name, nil, { conditions: field.conditions }.freeze,
                  definition: definition_of(inside), declared_at: field.declared_at)
      end

      # The fields for the member `data`, whose resource identifiers a {Linking} collects. The field
      # `data` writes the identifiers of the objects, `linkage` those that `linkage: :author_id`
      # reads. A resource shows one of the two. They may differ, as when the author was deleted, so
      # a cache needs a key for each.
      # @return [Array<Field>]
      def data(field, index)
        options = { given: index, key: "data", relates: [@unit, field].freeze }
        type = type_of_ids(field)
        options[:identifies] = type if type
        [:data, *(:linkage if field.linkage.is_a?(Symbol))].map do |name|
          next Field.new(:attribute, name, nil, options.freeze) if type

          Field.new(field.kind, name, nil, options.freeze, definition: identifier)
        end
      end

      # The Definition of an identifier. Its objects are not those of the serializer (`elsewhere`),
      # so methods of the serializer, such as `id`, do not replace its fields.
      def identifier
        definition_of([attribute("type"), attribute("id", as: :string, skip: :nil),
                       attribute("lid", as: :string, skip: :nil)], elsewhere: true)
      end

      # @return [Class, nil] the serializer, if the declaration tells it
      def inside(field, unit = @unit)
        found = PlanCache.inner_class(unit, field)
        PlanCache.watch(found) if found
        found
      rescue SerializerNotFound
        nil # the document will raise it, if it needs the class
      end

      def attribute(name, **options)
        Field.new(:attribute, name.to_sym, name.to_sym, { key: name, **options }.freeze)
      end

      def links(word, *around)
        fields = @source.resource.filter_map do |name, field|
          next unless name.is_a?(Array) && name[0..-2] == [word, *around] && field && !hal?(field)

          Field.new(:attribute, field.name, field.source, { **field.options, key: field.name.name },
                    reader: field.reader, declared_at: field.declared_at)
        end
        nested(:links, fields) if fields.any?
      end

      # Whether a link is only for HAL: many links of one name, or a URI template.
      def hal?(field)
        constant = field.constant
        constant.is_a?(Array) || (constant.is_a?(Hash) && constant.key?(:templated))
      end

      def nested(name, fields)
        Field.new(:nested, name, nil, { key: name.name }.freeze, definition: definition_of(fields))
      end

      def definition_of(fields, **options)
        made(fields.to_h { |field| [field.name, field] }, **options)
      end

      def made(base, **options)
        Definition.new(label: "#{@source.label} (JSON:API)", base: base, **options)
      end

      # The attributes of a field: for a flatten those inside, if the declaration tells them.
      def attributes_of(field, key_case = @source.key_case, around = [], unit = @unit)
        unless field.kind == :flatten
          return [Attribute.new(field.name.name, KeyCase.apply(key_case, field.name.name), field)]
        end

        return [] if around.include?(field)

        unit = flattened(field, unit) or return []
        own = field.definition ? key_case : unit.definition.key_case
        unit.fields.flat_map { |one| attributes_of(one, own, [*around, field], unit) }
      end

      # @return [Compiler::Unit, nil] of what a flatten writes, if the declaration tells it
      def flattened(field, unit)
        restrictions = [[field.only, field.except]]
        type, definition, views = unit.serializer_class, field.definition, []
        unless definition
          type = inside(field, unit) or return
          definition = type.definition
          views = definition.resolve_views(field.view)
        end
        Compiler::Unit.new(type, definition, views, restrictions, :pairs)
      end

      def check_names
        known = @attributes.to_h { |one| [one.key, one] }
        @attributes.each { |one| check_name(one) }
        @relationships.each do |field|
          check_name(one = Attribute.new(field.name.name, key(field)))
          other = known[one.key]
          refuse(one, "is that of the field #{other.name.inspect}") if other
          known[one.key] = one
        end
      end

      def check_name(one)
        if TAKEN.include?(one.key) then refuse(one, "is a member of every resource")
        elsif RESERVED.include?(one.key) then refuse(one, "is reserved by JSON:API")
        elsif !ResourceWords::MEMBER.match?(one.key)
          refuse(one, "is not a valid member name of JSON:API")
        end
      end

      def refuse(one, why)
        raise DefinitionError,
              "#{@source.label}: the key #{one.key.inspect} of the field #{one.name.inspect} " \
              "#{why}. Give the field another name, as in attribute :kind, :type, or leave it " \
              "out of a flatten by except:."
      end

      def check_linkage
        field = @relationships.find do |one|
          one.linkage.is_a?(Symbol) && ![Class, String].include?(one.serializer.class)
        end
        return unless field

        raise DefinitionError,
              "#{@source.label}: #{field.name.inspect}: linkage: #{field.linkage.inspect} needs " \
              "serializer: with a class, which tells the type."
      end

      # Whether a superclass declares the field. If this class has removed it, its links are removed
      # too.
      def removed?(name)
        @class.ancestors.any? do |one|
          one.respond_to?(:definition) && !one.equal?(@class) && one.definition.names.include?(name)
        end
      end

      def check_links
        known = @relationships.map(&:name)
        @source.resource.each_key do |word, name|
          next unless %i[relationship_link relationship_meta].include?(word)
          next if known.include?(name) || @source.names.include?(name) || removed?(name)

          raise DefinitionError,
                "#{@source.label}: #{word}: #{Suggestion.unknown("relationship", name, known)}"
        end
      end
    end
  end
end
