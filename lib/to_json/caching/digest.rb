# frozen_string_literal: true

# Layer: caching. Makes one short text of all that a class declares. It is the same in every
# process, so it can stand in ETags and in keys of other caches.

module ToJson
  class Compiler
    # The digest of a serializer class: all of its views, what stands around its data, its Rules,
    # and the serializers inside, as {Signature} tells them. In the main Ractor only.
    class Digest
      # @param serializer_class [Class]
      # @param rules [Rules] under which it writes values
      # @return [String] 32 hexadecimal digits
      # @raise [DefinitionError, SerializerNotFound, UnknownViewError] for declarations that refer
      #   to what is not there
      def self.of(serializer_class, rules)
        CacheKey.digest(CacheKey.tree(new(serializer_class).tree(rules)))
      end

      # @param serializer_class [Class]
      def initialize(serializer_class)
        @class, @definition = serializer_class, serializer_class.definition
        @place = "#{@definition.label}: digest"
        @signature = Signature.new(@place, PlanCache)
        @content = Content.new(@place, {}.compare_by_identity,
                               opaque: ->(held) { Identity.of(held) })
      end

      # @param rules [Rules]
      # @return [Array] for {CacheKey.tree}
      def tree(rules)
        [CacheKey::FORM, VERSION, @definition.root, @content.of(@definition.meta, elsewhere: true),
         of_rules(rules), @definition.default_views, views, units]
      end

      private

      # Which views a composition is made of, and in which order.
      def views
        @definition.views.map { |name, view| [name, view.from, view.fields.keys, view.removed] }
      end

      def units
        [[], *@definition.view_names.map { |name| [name] }].map do |names|
          @signature.of_unit(Unit.new(@class, @definition, names, [], :object))
        end
      end

      def of_rules(rules)
        [rules.to_h[:dialect], rules.own.map { |name, value| [name, meaning_of(value)] },
         Dialects::Rails.live(rules)]
      end

      def meaning_of(value)
        return value.map { |type, call| [meaning_of(type), meaning_of(call)] } if value.is_a?(Hash)

        value.respond_to?(:call) ? @content.of_callable(value) : @content.of(value)
      end
    end
  end
end
