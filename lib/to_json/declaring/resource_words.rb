# frozen_string_literal: true

# Layer: declaring. The words of a class body that only JSON:API and HAL read: type, id, links and
# meta of a resource.

module ToJson
  # What a class says about its objects as resources. Plain documents ignore it.
  module Declarations
    # Sets the type of the resources in JSON:API. By default it is the name of the class without its
    # namespace and `Serializer`, in snake case and plural: `BlogPostSerializer` has `blog_posts`.
    #
    # @example
    #   class FlatSerializer < ToJson::Serializer
    #     type :apartments
    #     attributes :rooms
    #   end
    #   FlatSerializer.json_api!({ id: 1, rooms: 3 })
    #   # => {"data":{"type":"apartments","id":"1","attributes":{"rooms":3}}}
    # @param name [Symbol, String]
    # @return [nil]
    # @raise [DefinitionError] if JSON:API does not allow such a name
    def type(name)
      name = FieldOptions.name_of("#{self}: type", name).name
      unless ResourceWords::MEMBER.match?(name)
        raise DefinitionError,
              "#{self}: type: #{name.inspect} is not a valid member name of JSON:API. Use " \
              "letters, digits, - and _."
      end

      __resource(:type, name)
    end

    # Says what the id of a resource is read from: `id` by default. In JSON:API it is a string,
    # and no attribute. Declared with a block, the block gives it.
    #
    # @example
    #   class LandSerializer < ToJson::Serializer
    #     id :code
    #     attributes :name
    #   end
    #   LandSerializer.json_api!({ code: "ie", name: "Ireland" })
    #   # => {"data":{"type":"lands","id":"ie","attributes":{"name":"Ireland"}}}
    # @param source [Symbol, String, nil] the field of the object
    # @yield [object]
    # @return [nil]
    # @raise [DefinitionError]
    def id(source = nil, &block)
      __resource(:id, ResourceWords.identity(self, "id", source, block, "id"))
    end

    # The same for `lid`, the local id of a resource that has no id yet. It is left out if it is
    # nil.
    #
    # @example
    #   class DraftSerializer < ToJson::Serializer
    #     lid :key
    #     attributes :text
    #   end
    #   DraftSerializer.json_api!({ key: "a", text: "Hm" })
    #   # => {"data":{"type":"drafts","lid":"a","attributes":{"text":"Hm"}}}
    # @param source [Symbol, String, nil]
    # @yield [object]
    # @return [nil]
    # @raise [DefinitionError]
    def lid(source = nil, &block)
      __resource(:lid, ResourceWords.identity(self, "lid", source, block, "lid"))
    end

    # Declares a link of the resource. A block gives a String, a Hash (a link object), or nil. A
    # Symbol names a method of the serializer or the object.
    #
    # Caveats: JSON:API has one link of a resource, `self`. Others, such as `about`, are written,
    # but {JsonApi.validate} reports them. HAL has any.
    #
    # @example
    #   require "json"
    #   class TownSerializer < ToJson::Serializer
    #     attributes :name
    #     link(:self) { |town| { href: "/towns/#{town[:id]}", hreflang: %w[en ga] } }
    #   end
    #   JSON.parse(TownSerializer.json_api!({ id: 1, name: "Cork" })).dig("data", "links")
    #   # => {"self" => {"href" => "/towns/1", "hreflang" => ["en", "ga"]}}
    # @param name [Symbol, String] `:self`; in HAL any
    # @param target [String, Symbol, Array, false, nil] a URL, the name of a method, or for HAL an
    #   Array of links; false: not this link, even if a superclass has it
    # @param options `if:`, `unless:`; `href:`, `title:`, `rel:`, `describedby:`, `hreflang:`,
    #   `type:` and `meta:` of a link object; `templated:` for HAL
    # @yield [object]
    # @return [nil]
    # @raise [DefinitionError]
    def link(name, target = nil, **options, &block)
      __resource([:link, FieldOptions.name_of("#{self}: link", name)],
                 ResourceWords.link(self, "link", name, target, options, block))
    end

    # Declares a link of a relationship. The block receives the object that has the relationship.
    #
    # @example
    #   require "json"
    #   class HouseSerializer < ToJson::Serializer
    #     has_many :rooms, serializer: "RoomSerializer"
    #     relationship_link(:rooms, :related) { |house| "/houses/#{house[:id]}/rooms" }
    #   end
    #   JSON.parse(HouseSerializer.json_api!({ id: 1 })).dig("data", "relationships")
    #   # => {"rooms" => {"links" => {"related" => "/houses/1/rooms"}}}
    # @param relationship [Symbol, String] the name of the association
    # @param name [Symbol, String] `:self`, `:related` …
    # @param target as for {#link}
    # @param options as for {#link}
    # @yield [object]
    # @return [nil]
    # @raise [DefinitionError]
    def relationship_link(relationship, name, target = nil, **options, &block)
      relationship = FieldOptions.name_of("#{self}: relationship_link", relationship)
      __resource([:relationship_link, relationship,
                  FieldOptions.name_of("#{self}: relationship_link", name)],
                 ResourceWords.link(self, "relationship_link", name, target, options, block))
    end

    # Sets the member `meta` of each resource. (`meta` without `resource_` is that of the
    # document.) A block may return nil: then there is none.
    #
    # @example
    #   class ShipSerializer < ToJson::Serializer
    #     attributes :name
    #     resource_meta { |ship| { tons: ship[:tons] } }
    #   end
    #   ShipSerializer.json_api!({ id: 1, name: "Asgard", tons: 28 })
    #   # => {"data":{"type":"ships","id":"1","attributes":{"name":"Asgard"},"meta":{"tons":28}}}
    # @param none [false, Hash, nil] false: none, even if a superclass has one
    # @yield [object]
    # @return [nil]
    # @raise [DefinitionError]
    def resource_meta(none = nil, **pairs, &block)
      __resource(:meta, ResourceWords.meta(self, "resource_meta", none, pairs, block))
    end

    # Sets the member `meta` of a relationship.
    #
    # @example
    #   class ClubSerializer < ToJson::Serializer
    #     has_many :members, serializer: "MemberSerializer"
    #     relationship_meta(:members) { |club| { count: club[:members].size } }
    #   end
    #   ClubSerializer.json_api!({ id: 1, members: [{ id: 5 }] })
    #   # => {"data":{"type":"clubs","id":"1","relationships":{"members":{"meta":{"count":1}}}}}
    # @param relationship [Symbol, String] the name of the association
    # @param none as for {#resource_meta}
    # @yield [object]
    # @return [nil]
    # @raise [DefinitionError]
    def relationship_meta(relationship, none = nil, **pairs, &block)
      relationship = FieldOptions.name_of("#{self}: relationship_meta", relationship)
      __resource([:relationship_meta, relationship],
                 ResourceWords.meta(self, "relationship_meta #{relationship.inspect}", none, pairs,
                                    block))
    end

    private

    def __resource(name, value)
      own = __declared.settings.fetch(:resource, ResourceWords::NONE)
      __keep(__declared.with_setting(:resource, { **own, name => value }.freeze))
    end
  end

  # Checks the arguments of these words, and makes Fields of them.
  # @api private
  module ResourceWords
    # A member name, as JSON:API allows it.
    MEMBER = /\A[a-zA-Z0-9\u0080-\u{10FFFF}](?:[\w\- \u0080-\u{10FFFF}]*(?<![\-_ ]))?\z/
    # Of a link object; `templated` is HAL's.
    OF_LINKS = %i[href title rel describedby hreflang type meta templated].freeze
    CONDITIONS = %i[if unless].freeze
    NONE = {}.freeze

    class << self
      # @return [Field]
      def identity(place, word, source, block, key)
        field = FieldOptions.new(place, word, word, {}, []).attribute(source || word.to_sym, nil)
        Field.new(:attribute, word.to_sym, (field.source unless block),
                  { as: :string, skip: :nil, key: key }.freeze,
                  reader: block && FieldOptions.new(place, word, word, {}, [])
                                               .attribute(nil, block).reader,
                  declared_at: field.declared_at)
      end

      # @return [Field, nil] nil: no such link
      def link(place, word, name, target, options, block)
        return if target == false && block.nil? && options.empty?

        members = options.slice(*OF_LINKS)
        field = FieldOptions.new(place, word, name, options.except(*OF_LINKS), CONDITIONS)
        check_link(field, target, members, block)
        fixed = target.is_a?(String) || target.is_a?(Array) || members.any?
        return field.attribute(target, block) unless fixed

        made = field.attribute(nil, nil)
        constant = target.nil? ? members : target
        constant = Ractor.make_shareable(Marshal.load(Marshal.dump(constant)))
        Field.new(:attribute, made.name, nil, { **made.options, constant: constant },
                  declared_at: made.declared_at)
      end

      # @return [Field, nil] nil: none
      def meta(place, word, none, pairs, block)
        given = [none, (pairs unless pairs.empty?), block].compact
        unless given.size == 1 && (none.nil? || none == false || none.is_a?(Hash))
          raise DefinitionError,
                "#{place}: #{word} takes pairs, a block that returns a Hash, or false; got " \
                "#{given.empty? ? "nothing" : given.map(&:inspect).join(" and ")}"
        end
        return if none == false

        options = { skip: :nil, key: "meta" }
        options[:constant] = given.first.dup.freeze unless block
        reader = FieldOptions.new(place, word, :meta, {}, []).attribute(nil, block).reader if block
        Field.new(:attribute, :meta, nil, options, reader: reader)
      end

      private

      def check_link(field, target, members, block)
        given = [target, (members unless members.empty?), block].compact
        unless given.size == 1 && [NilClass, String, Symbol, Array].include?(target.class)
          field.refuse("takes a URL, the name of a method, the members of a link object, or a " \
                       "block; got #{given.empty? ? "nothing" : given.map(&:inspect).join(", ")}")
        end
        return if members.empty? || members.key?(:href)

        field.refuse("a link object needs href:.")
      end
    end
  end
end
