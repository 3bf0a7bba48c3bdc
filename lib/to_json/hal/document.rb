# frozen_string_literal: true

# Layer: hal. Writes a document: a resource, or a collection of resources.

module ToJson
  module Hal
    # The document of one call of `hal!`. {JsonApi::DocumentSerializer} passes the Writer to
    # {#write}.
    # @api private
    class Document
      include Envelope::Held

      OF_COLLECTION = %i[links meta as].freeze
      # The keywords of `hal!`.
      KEYWORDS = [:view, :only, :except, *OF_COLLECTION, :collection, *Envelope::DELIVERY].freeze
      private_constant :OF_COLLECTION

      class << self
        # @return [String, Object]
        def json(serializer_class, objects, keywords)
          check(serializer_class, keywords)
          document = new(serializer_class, objects, keywords)
          given = keywords.slice(*Envelope::DELIVERY)
          rules = PlanCache.rules(serializer_class)
          given[:rules] = rules unless rules == true || given[:rules]
          JsonApi::DocumentSerializer.json!(document, **given, collection: false)
        end

        private

        def check(serializer_class, keywords)
          unknown = keywords.keys.find { |name| !KEYWORDS.include?(name) }
          if unknown
            raise ArgumentError,
                  "#{serializer_class}: #{Suggestion.unknown("keyword", unknown, KEYWORDS)}"
          end
          declares = serializer_class.declared? || serializer_class.definition.resource.any?
          return if declares && !PlanCache.imperative?(serializer_class)

          raise DefinitionError,
                "#{serializer_class}: HAL works only with declared fields. Declare attributes " \
                "and associations, or write _links and _embedded in your own serialize."
        end
      end

      def initialize(serializer_class, objects, keywords)
        @class, @objects, @keywords = serializer_class, objects, keywords
        @plan, @mask = plan
      end

      # @return [Object] what the program gave
      def scope = @objects

      # @param w [Writer]
      # @param s [JsonApi::DocumentSerializer] with the context
      def write(w, s)
        @s = w.helper(@class, s)
        return collection(w) if many?(w)

        if (extra = OF_COLLECTION.find { |name| @keywords.key?(name) })
          raise ArgumentError,
                "#{@class}: #{extra}: works only with a collection. Declare link :self for one " \
                "object."
        end
        nil == @objects ? w.item(EMPTY) : w.one(@plan, @s, @objects, @mask)
      end

      private

      def plan
        definition = @class.definition
        views = definition.resolve_views(@keywords[:view])
        unless views.size < 2 || views == definition.default_views
          raise ArgumentError, "#{@class}: hal! takes one view; declare one that is from: others."
        end

        restrictions = [%i[only except].map { |name| selection(@keywords[name]) }]
        unit = Compiler::Unit.new(@class, Resources.of(@class, views), [],
                                  restrictions.reject(&:none?), :object)
        return Mask.over(PlanCache, unit) if unit.restrictions.any?

        [PlanCache.handle(unit).plan, nil]
      end

      def selection(given) = given.nil? ? nil : Selection.parse(given)

      def many?(w)
        asked = @keywords[:collection]
        asked.nil? ? w.many?(@objects) : asked
      end

      def collection(w)
        pairs = { **links, **meta }
        w.item(head(pairs.keys), *pairs.values, true)
        objects = nil == @objects ? [] : @objects
        opened = w.item(list, objects) # nil: that was all, of an empty one
        unless opened.nil?
          w.iterate(@plan, @s, opened || objects, @mask)
          w.close
        end
        w.item(TAIL)
        w.close
        w.item(TAIL)
      end

      def list
        layout = Compiler::PartLayout.new(true, :first)
        layout.pair(:list, relation)
        layout.part(false)
      end

      # The name under which the resources are embedded.
      def relation
        definition = @class.definition
        given = @keywords[:as] || definition.root&.last || definition.resource[:type]
        return given.to_s if given

        name = Reflection.name_of(@class) or
          raise DefinitionError, "#{@class}: a class without a name needs as: or a root for hal!."
        FirstUse.of(:Names, JsonApi)
        JsonApi::Names.type(name)
      end

      def links
        given = given(:links)
        given.nil? ? {} : { _links: Links.all(given) }
      end

      def meta
        found = given(:meta) || {}
        taken = found.keys.find { |name| %w[_links _embedded].include?(name.to_s) }
        return found unless taken

        raise ArgumentError, "#{@class}: meta: the key #{taken.inspect} is reserved by HAL. " \
                             "Pass links: for _links; as: names what _embedded has."
      end

      # @return [Hash, nil] the value of the keyword, or what its callable returns
      def given(name)
        found = @keywords[name]
        found = found.call(@objects) if found.respond_to?(:call)
        return found if found.nil? || Hash === found

        raise ArgumentError, "#{@class}: #{name}: takes a Hash, or a callable that returns one; " \
                             "got #{Lookup.class_of(found)}"
      end

      def head(names)
        layout = Compiler::PartLayout.new(true, :first)
        names.each { |name| layout.pair(:value, name.to_s) }
        layout.pair(:slot, "_embedded")
        layout.part(false)
      end

      TAIL = Compiler::PartLayout.new(false, :some).part(true)
      EMPTY = Compiler::PartLayout.new(true, :first).part(true)
      private_constant :TAIL, :EMPTY
    end
  end
end
