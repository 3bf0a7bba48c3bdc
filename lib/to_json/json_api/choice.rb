# frozen_string_literal: true

# Layer: json_api. What a call chooses: the paths of `include:`, the fieldsets of `fields:`, views.

module ToJson
  module JsonApi
    # The `view:`, `include:` and `fields:` of a call, parsed and checked. The class keeps it for
    # later calls that give the same.
    # @api private
    class Choice
      # A relationship in a path of `include`: its resources are included. `bit`: a bit that no
      # other Node of the Choice has. `inside`: {name => Node}. `resource`: nil if only a value
      # tells its serializer.
      Node = Struct.new(:bit, :inside, :resource)
      # How to write the resources of a serializer that were met at certain Nodes. `links`: a
      # {Linking::Link} for each relationship whose data is written. `read`: the bits of these, as
      # {Reader} takes them.
      Form = Struct.new(:plan, :mask, :links, :read)
      # The most Choices that a class keeps. To keep one more, it drops all others. A Choice with a
      # longer text is not kept.
      MOST_KEPT = 100
      LONGEST = 1_000
      # The most Forms of a resource that a Choice keeps. There may be one for each set of its
      # Nodes.
      MOST_FORMS = 100
      PLAIN = [NilClass, Symbol, String, Array, Hash].freeze
      private_constant :MOST_KEPT, :LONGEST, :MOST_FORMS, :PLAIN

      MEMORY = :@to_json_choices
      NOTHING = {}.freeze
      private_constant :MEMORY, :NOTHING

      class << self
        # @param serializer_class [Class]
        # @return [Choice]
        # @raise [ParameterError, UnknownViewError, ArgumentError]
        def of(serializer_class, view, include, fields)
          key = key(view, include, fields) or
            return made(serializer_class, view, include, fields)

          epoch = PlanCache.epoch # first, because another thread may change the class meanwhile
          kept = ClassMemory.recall(serializer_class, MEMORY, epoch) || NOTHING
          found = kept[key] and return found

          given = copy([view, include, fields])
          made(serializer_class, *given).tap do |choice|
            key = key(*given)
            keep(serializer_class, epoch, { **room(kept), key => choice }) if key
          end
        end

        private

        # Nobody else has the copy. So its text is that of what is read, also if another thread
        # changes what the call gave.
        def copy(given)
          case given
          when Array then given.map { |one| copy(one) }
          when Hash then given.to_h { |name, one| [copy(name), copy(one)] }
          when String then given.dup
          else given
          end
        end

        # The text under which a Choice is kept. nil if it is too long, or if there are objects of
        # other classes, whose `inspect` may return anything.
        def key(view, include, fields)
          return "" if view.nil? && include.nil? && fields.nil?
          return unless plain?(view) && plain?(include) && plain?(fields)

          key = "#{view.inspect} #{include.inspect} #{fields.inspect}"
          key if key.size <= LONGEST
        end

        # Whether it has only objects of PLAIN classes, and is not nested too deep. So an Array that
        # contains itself is not plain.
        def plain?(given, room = JsonApi.max_include_depth)
          return false if room.negative? || !PLAIN.include?(given.class)

          case given
          when Array then given.size <= 100 && given.all? { |one| plain?(one, room - 1) }
          when Hash
            given.size <= 100 && !given.compare_by_identity? &&
              given.all? { |name, one| plain?(name, room - 1) && plain?(one, room - 1) }
          when String then given.size <= LONGEST
          else true
          end
        end

        def made(serializer_class, view, include, fields)
          new(Resource.of(serializer_class, view, declared: false), Include.parse(include),
              Fields.parse(fields))
        end

        def room(kept) = kept.size >= MOST_KEPT ? NOTHING : kept

        def keep(serializer_class, epoch, choices)
          return unless epoch == PlanCache.epoch

          ClassMemory.keep(serializer_class, MEMORY, epoch, choices.freeze)
        end
      end

      # @return [Resource] that of the primary data
      attr_reader :resource
      # @return [Node]
      attr_reader :root
      # @return [Hash{String => Array<String>}] the fieldsets, by type
      attr_reader :fields

      # @param paths [Hash{String => Hash}] a tree
      # @param fields [Hash{String => Array<String>}]
      def initialize(resource, paths, fields)
        @resource, @fields, @forms = resource, fields, {}.compare_by_identity
        @nodes, @open = [], false
        @root = node(paths, resource, [])
        check_fields
        @root_form = made(resource, root_bits, @root.bit)
      end

      # Whether anything is included.
      def compound? = !@root.inside.empty?

      # @return [Form] that of the primary data
      attr_reader :root_form

      # @param bits [Integer] those of the Nodes at which a resource was met
      # @return [Form]
      def form(resource, bits)
        of_resource = @forms[resource] || NOTHING
        of_resource[bits] || made(resource, bits, bits).tap do |form|
          if of_resource.size < MOST_FORMS
            @forms = @forms.merge(resource => { **of_resource, bits => form }.freeze)
          end
        end
      end

      private

      # @param path [Array<String>] the names that lead to the Node
      def node(paths, resource, path)
        made = Node.new(1 << @nodes.size, {}, resource)
        @nodes << made
        @open = true if resource.nil?
        named(paths, resource, path).each do |name, (relationship, inside, here)|
          made.inside[name] = node(inside, relationship && resource.inner(relationship), here)
        end
        made
      end

      # The relationships of a tree by their declared names: one may be there under two names.
      # @return [Hash{String => Array(Relationship or nil, Hash, Array<String>)}]
      def named(paths, resource, path)
        paths.each_with_object({}) do |(given, inside), found|
          here = [*path, given]
          relationship = relationship(resource, given, here)
          name = relationship&.name || given
          inside = merged(found[name][1], inside) if found.key?(name)
          found[name] = [relationship, inside, here]
        end
      end

      def merged(tree, other) = tree.merge(other) { |_, one, two| merged(one, two) }

      def relationship(resource, name, path)
        return if resource.nil? # only values tell it

        resource.relationship_named(name) or
          raise ParameterError.new(
            "include: #{Suggestion.shown(path.join("."))}: #{resource}: " \
            "#{Suggestion.unknown("relationship", name, resource.relationship_names)}", "include"
          )
      end

      # Refuses fieldsets of types to which no path could lead, as far as declarations tell. A type
      # need not be included.
      def check_fields
        return if @fields.empty?

        known = reachable(@nodes.filter_map(&:resource).uniq)
        @fields.each_key do |type|
          of_type = known.select { |resource| resource.type == type }
          of_type.each { |resource| fieldset(resource) }
          next if of_type.any? || @open

          unknown = Suggestion.unknown("type", type, known.map(&:type).uniq)
          raise ParameterError.new("fields: #{unknown}", "fields[#{type}]")
        end
      end

      # @return [Array<Resource>]
      def reachable(resources)
        found = resources.dup
        found.each do |resource| # and those that are added meanwhile
          resource.relationships.each do |one|
            inner = resource.inner(one)
            @open = true if inner.nil?
            found << inner if inner && !found.include?(inner)
          end
        end
      end

      # The bits of all Nodes at which primary data may be met. If a path leads back to primary
      # data, those resources may be written already. So they are written with the data of all
      # relationships that go on from there.
      def root_bits
        same = @nodes.select { |node| node.resource.nil? || node.resource.equal?(@resource) }
        same.sum(&:bit)
      end

      # @return [Array(Integer, Integer)] bits of attributes and relationships
      def fieldset(resource)
        names = @fields[resource.type]
        return [resource.all_attributes, resource.all_relationships] unless names

        resource.bits(names) do |name|
          raise ParameterError.new(
            "fields[#{resource.type}]: #{resource}: " \
            "#{Suggestion.unknown("field", name, resource.member_names)}",
            "fields[#{resource.type}]"
          )
        end
      end

      def made(resource, bits, including)
        attributes, relationships = fieldset(resource)
        links, read, linked, by_ids = [], 0, 0, 0
        resource.relationships.each do |one|
          node, asked = child(one, bits, including)
          next unless asked || one.field.linkage

          by_id = node.zero? && one.field.linkage.is_a?(Symbol)
          read |= 1 << (by_id ? one.index + resource.relationships.size : one.index)
          bit = relationships[one.index] << one.index # 0: the fieldset leaves it out
          by_id ? by_ids |= bit : linked |= bit
          links << Linking::Link.new(resource, one, node, by_id, resource.inner(one))
        end
        plan, mask = resource.plan(attributes, relationships, linked, by_ids)
        Form.new(plan, mask, links.freeze, read).freeze
      end

      # @return [Array(Integer, Boolean)] the bits of the Nodes that the relationship leads to;
      #   whether its data is written
      def child(relationship, bits, including)
        inside = 0
        asked = false
        @nodes.each do |node|
          next unless bits.anybits?(node.bit)

          names = node.resource ? [relationship.name] : [relationship.name, relationship.key].uniq
          node.inside.values_at(*names).compact.each do |found|
            asked = true
            inside |= found.bit if including.anybits?(node.bit)
          end
        end
        [inside, asked]
      end
    end

    # Reads `include:`. Its text may come from a client: no Symbol is made of it.
    # @api private
    module Include
      # The most relationships in all paths, because the cost of a document grows with their number.
      MOST = 100
      private_constant :MOST

      class << self
        # @param given [String, Symbol, Array, Hash, nil]
        # @return [Hash{String => Hash}] a tree of names
        def parse(given)
          {}.tap do |tree|
            collect(given, tree, 1)
            refuse("the paths lead through more than #{MOST} relationships") if size(tree) > MOST
          end
        end

        # @param parameter [String] the parameter that has the text, for messages
        # @return [String] the same in UTF-8
        def text(given, parameter)
          utf8 =
            if given.encoding == Encoding::BINARY then given.dup.force_encoding(Encoding::UTF_8)
            else given.encode(Encoding::UTF_8)
            end
          utf8.valid_encoding? ? utf8 : refuse_encoding(parameter)
        rescue ::EncodingError
          refuse_encoding(parameter)
        end

        # @param parameter [String] the parameter that has the Array, for messages
        # @return [Array] without Arrays inside, but with their elements
        def flat(given, parameter)
          given.flatten
        rescue ::ArgumentError # from flatten: it contains itself
          raise ArgumentError, "#{parameter}: the Array contains itself."
        end

        private

        def refuse_encoding(parameter)
          raise ParameterError.new("#{Suggestion.cut(parameter)}: it is not valid UTF-8.",
                                   parameter)
        end

        def collect(given, tree, depth)
          check_depth(depth)
          case given
          when nil, "" then nil
          when Symbol, String
            text = Include.text(given.to_s, "include")
            text.split(",", -1).each { |path| add(path, tree, depth) }
          when Array then flat(given, "include").each { |one| collect(one, tree, depth) }
          when Hash
            given.each { |path, inside| collect(inside, add(path.to_s, tree, depth), depth + 1) }
          else
            raise ArgumentError,
                  "include: takes a String such as \"author,comments.author\", a Symbol, an " \
                  "Array or a Hash; got #{given.class}"
          end
        end

        def add(path, tree, depth)
          names = Include.text(path, "include").split(".", -1)
          check_depth(depth + names.size - 1)
          names = names.map(&:strip)
          refuse("#{Suggestion.shown(path)}: a name is missing") if names.any?(&:empty?) ||
                                                                   names.empty?
          names.inject(tree) { |inside, name| inside[name] ||= {} }
        end

        def check_depth(depth)
          most = JsonApi.max_include_depth
          refuse("a path leads through more than #{most} relationships") if depth > most
        end

        def size(tree) = tree.size + tree.each_value.sum { |inside| size(inside) }

        def refuse(why)
          raise ParameterError.new("include: #{why}.", "include")
        end
      end
    end

    # Reads `fields:`.
    # @api private
    module Fields
      class << self
        # @param given [Hash, nil] {type => names}
        # @return [Hash{String => Array<String>}]
        def parse(given)
          return {} if given.nil?

          unless given.is_a?(Hash)
            raise ArgumentError,
                  "fields: takes a Hash such as {posts: \"title,author\"}; got #{given.class}"
          end
          given.each_with_object({}) do |(type, names), found|
            type = Include.text(type.to_s, "fields")
            found[type] = [*found[type], *names(type, names)]
          end
        end

        private

        def names(type, given)
          case given
          when nil then []
          when String
            names = Include.text(given, "fields[#{type}]").split(",").map(&:strip)
            names.reject(&:empty?)
          when Symbol then [given.name]
          when Array
            Include.flat(given, "fields: #{type}").flat_map { |one| names(type, one) }
          else
            raise ArgumentError,
                  "fields: the fields of #{Suggestion.cut(type)} are a String, or an Array of " \
                  "names; got #{given.class}"
          end
        end
      end
    end
  end
end
