# frozen_string_literal: true

# Layer: rows. Where documents ask whether a relation can be written from its rows.

module ToJson
  module Rows
    class << self
      # @return [Boolean, #call, nil] what the application says; nil: true
      attr_accessor :setting

      # C asks this for each relation that a Plan is to write: ext/to_json/documents/declared.c.
      # @param objects [Object]
      # @param view [Object] of the call
      # @param mask [Mask, nil]
      # @param given [Boolean, nil] `rows:` of the call
      # @return [List, Array, nil] nil: its models are to be written
      def of(objects, serializer_class, view, mask, given)
        return unless ::ActiveRecord::Relation === objects && wanted?(serializer_class, given)

        found = read(objects, unit(serializer_class, view, mask))
        found unless found.is_a?(Refusal)
      end

      # @return [List, Array, Refusal]
      def read(objects, unit)
        level = level(objects, unit)
        return level if level.is_a?(Refusal)

        Query.new(level).list(objects)
      end

      # @return [Level, Refusal] of a relation and its serializer, before the database is asked
      def level(objects, unit)
        refused = Conditions.relation(objects)
        refused ||= Conditions.one_class(objects.klass, names(objects))
        return Refusal.new([], refused) if refused

        level = Analysis.of(unit, objects.klass)
        level.is_a?(Level) && strict(level, objects) || level
      end

      private

      # A model that is strict would refuse to load an association.
      def strict(level, relation)
        strict = relation.values.fetch(:strict_loading) { relation.klass.strict_loading_by_default }
        Refusal.new([], "the relation is strict about loading") if strict && level.links.any?
      end

      def names(relation)
        relation.values.key?(:select) ? [] : relation.klass.column_names
      end

      def wanted?(_serializer_class, given)
        return given unless given.nil?

        true
      end

      def unit(serializer_class, view, mask)
        return mask.unit if mask

        definition = serializer_class.definition
        views = definition.resolve_views(view)
        Compiler::Unit.new(serializer_class, definition, views, [], :object)
      end
    end
  end
end
