# frozen_string_literal: true

# Layer: json_api. The resources of a serializer: their type, their members and their Plans.

module ToJson
  module JsonApi
    # A serializer with its views. Nothing changes but the Plans that it keeps. The class keeps it
    # for one epoch.
    # @api private
    class Resource
      # The most Plans that a class compiles for choices of calls. Later choices are written with a
      # Mask. So a client that asks for more and more fieldsets does not make more and more code.
      MOST_COMPILED = 50
      # A relationship. `name`: the declared name. `key`: the key in documents. `ids`: whether its
      # identifiers consist of ids alone, because all have one type.
      Relationship = Struct.new(:name, :key, :field, :index, :members, :ids)
      private_constant :MOST_COMPILED

      class << self
        # @param serializer_class [Class]
        # @param view [Symbol, String, Array, nil]
        # @param declared [Boolean] whether a declaration names the view. If a call does, the number
        #   of compositions is not limited
        # @return [Resource]
        def of(serializer_class, view = nil, declared: true)
          epoch = PlanCache.epoch # first, because another thread may change the class meanwhile
          kept = ClassMemory.recall(serializer_class, MEMORY, epoch) || NOTHING
          kept[view] || made(serializer_class, view, kept, epoch, declared)
        end

        private

        MEMORY = :@to_json_resources
        NOTHING = {}.freeze
        private_constant :MEMORY, :NOTHING

        # Views are resolved before they are kept, so no text of a client is kept.
        def made(serializer_class, view, kept, epoch, declared)
          check(serializer_class)
          PlanCache.watch(serializer_class)
          views = serializer_class.definition.resolve_views(view)
          check_views(serializer_class, views) unless declared || kept.key?(views)
          found = kept[views] || new(serializer_class, views, epoch)
          kept = { **kept, views => found, (nil if view.nil?) => (found if view.nil?) }.compact
          ClassMemory.keep(serializer_class, MEMORY, epoch, kept.freeze)
          found
        end

        def check(serializer_class)
          declares = serializer_class.declared? || serializer_class.definition.resource.any?
          return if declares && !PlanCache.imperative?(serializer_class)

          raise DefinitionError,
                "#{serializer_class}: JSON:API works only with declared fields. Declare " \
                "attributes and associations, and remove serialize."
        end

        def check_views(serializer_class, views)
          return if views.size < 2 || views == serializer_class.definition.default_views

          raise ArgumentError,
                "#{serializer_class}: view: JSON:API takes one view; declare one that is from: " \
                "#{views.map(&:inspect).join(", ")}."
        end
      end

      # @return [Class]
      attr_reader :serializer_class
      # @return [String]
      attr_reader :type
      # @return [Array<Symbol>]
      attr_reader :views
      # @return [Array<Relationship>]
      attr_reader :relationships
      # @return [Array<ResourceDefinition::Attribute>]
      attr_reader :attributes
      # @return [Module] see {Reader}
      attr_reader :code

      # @return [Hash, Proc, nil] the `meta` that the class declares for documents
      attr_reader :meta
      # @return [Rules, nil] those of the class
      attr_reader :rules

      def initialize(serializer_class, views, epoch)
        @serializer_class, @views, @epoch = serializer_class, views, epoch
        definition = serializer_class.definition
        @type, @meta = definition.resource[:type] || type_by_name, definition.meta
        rules = PlanCache.rules(serializer_class)
        @rules = rules unless rules == true
        @made = ResourceDefinition.new(serializer_class, views, @type)
        @attributes = @made.attributes
        @relationships = @made.relationships.each_with_index.map { |*given| relationship(*given) }
                              .freeze
        @members = members.freeze
        @code = read_by(views).code
        @plans = {}.freeze
      end

      # @param name [String] from a client: the key in documents, or the declared name
      # @return [Relationship, nil]
      def relationship_named(name)
        found = @members[name]
        found if Relationship === found
      end

      # @return [Array<String>] the names of the relationships, for messages
      def relationship_names = @relationships.map(&:key)

      # @return [Array<String>] the names of the members, for messages
      def member_names = [*@attributes.map(&:key), *relationship_names]

      # @return [Integer] a bit for each attribute and relationship
      def all_attributes = (1 << @attributes.size) - 1
      def all_relationships = (1 << @relationships.size) - 1

      # @param names [Array<String>] a fieldset
      # @yieldparam name [String] a name that no member has
      # @return [Array(Integer, Integer)] bits of attributes and of relationships
      def bits(names)
        attributes = relationships = 0
        names.each do |name|
          case (found = @members[name])
          when Relationship then relationships |= 1 << found.index
          when nil then yield name
          else attributes |= 1 << @attributes.index(found)
          end
        end
        [attributes, relationships]
      end

      # @param linked [Integer] bits of the relationships with data that is read from the objects
      # @param by_ids [Integer] bits of the relationships whose data a `linkage:` method returns
      # @return [Array(Plan, Mask or nil)]
      def plan(attributes, relationships, linked, by_ids)
        key = [attributes, relationships, linked, by_ids]
        kept = @plans[key] and return kept

        unit = unit(selection(attributes, relationships, linked, by_ids))
        return Mask.over(PlanCache, unit) if @plans.size >= MOST_COMPILED

        plan = [PlanCache.handle(unit, nil, @epoch).plan, nil].freeze
        @plans = { **@plans, key => plan }.freeze
        plan
      end

      # The resources that an association leads to, if the declaration tells them.
      # @return [Resource, nil]
      def inner(relationship)
        field = relationship.field
        return unless [Class, String].include?(field.serializer.class)

        found = PlanCache.inner_class(unit(nil), field)
        Resource.of(found, field.view) if found
      end

      # @return [Compiler::Unit]
      def unit(selection)
        Compiler::Unit.new(@serializer_class, @made.definition, [],
                           selection ? [[selection, nil]] : [], :object)
      end

      # @return [String] for messages
      def to_s = @serializer_class.to_s

      private

      def type_by_name
        type = Names.of(@serializer_class)
        return type if type

        raise DefinitionError,
              "#{@serializer_class}: a class without a name of its own needs a type for " \
              "JSON:API. Declare type :posts."
      end

      # Publishes the code, so that the field can be found that a line of the code reads.
      def read_by(views)
        unit = Compiler::Unit.new(@serializer_class, @serializer_class.definition, views, [],
                                  :related)
        handle = Reader.build(unit, @made)
        current = @epoch == PlanCache.epoch
        PlanCache.publish(@serializer_class, @epoch, { unit => handle }) if current
        handle
      end

      def relationship(field, index)
        resource = @serializer_class.definition.resource
        members = resource.filter_map do |name, value|
          next unless value && name.is_a?(Array) && name[1] == field.name

          { relationship_link: "links", relationship_meta: "meta" }[name.first]
        end
        Relationship.new(field.name.name, @made.key(field), field, index, members.uniq.freeze,
                         !@made.type_of_ids(field).nil?)
      end

      # A client may use the name in the document, or the declared name, unless another field has it
      # in the document.
      def members
        all = [*@attributes, *@relationships]
        all.to_h { |one| [one.name, one] }.merge(all.to_h { |one| [one.key, one] })
      end

      def selection(attributes, relationships, linked, by_ids)
        known = @made.definition.base
        tree = ResourceDefinition::ALWAYS.select { |name| known.key?(name.to_sym) }
                                         .to_h { |name| [name, nil] }
        if attributes == all_attributes && @attributes.any? then tree["attributes"] = nil
        elsif attributes.positive?
          shown = @attributes.select.with_index { |_, index| attributes[index] == 1 }
          tree["attributes"] = shown.to_h { |one| [one.name, nil] }
        end
        related = related(relationships, linked, by_ids)
        tree["relationships"] = related if related.any?
        Selection.parse(tree)
      end

      def related(relationships, linked, by_ids)
        @relationships.each_with_object({}) do |one, tree|
          next unless relationships[one.index] == 1

          members = [*one.members, *("data" if linked[one.index] == 1),
                     *("linkage" if by_ids[one.index] == 1)]
          tree[one.name] = members.to_h { |name| [name, nil] } if members.any?
        end
      end
    end
  end
end
