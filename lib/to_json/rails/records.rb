# frozen_string_literal: true

# Layer: rails. What a value given to `render json:` consists of.

module ToJson
  module Rendering
    # The records of a value: one record, an Array of them, or a relation.
    # @api private
    class Records
      class << self
        # @return [Records, nil] nil: the value has no records, so Rails writes it
        def of(value)
          if relation?(value) then new(value, true)
          elsif Array === value then new(value, true) if records?(value)
          elsif record?(value) then new(value, false)
          end
        end

        # An ActiveRecord::Relation, also with the extensions of Kaminari, Pagy or WillPaginate.
        def relation?(value) = value.respond_to?(:klass) && value.respond_to?(:to_ary) && Class === value.klass

        # What ActiveModel calls a model.
        def record?(value) = value.respond_to?(:to_model) && !(Class === value)

        private

        def records?(array)
          present = array.compact
          !present.empty? && present.all? { |one| record?(one) }
        end
      end

      # @return [Object] as it was given
      attr_reader :value

      def initialize(value, many)
        @value, @many = value, many
      end

      def many? = @many

      # @return [Array<Class>] the classes of the records. An empty relation has that of its model
      def classes
        return [Lookup.class_of(value)] unless many?
        return [value.klass] if Records.relation?(value) && !several?(value.klass)

        found = value.to_ary.compact.map { |record| Lookup.class_of(record) }.uniq
        found.empty? ? [value.klass] : found
      end

      private

      # Whether the rows of a table can have several classes (STI).
      def several?(model)
        model.respond_to?(:inheritance_column) && model.respond_to?(:has_attribute?) &&
          model.has_attribute?(model.inheritance_column) && model.subclasses.any?
      end
    end
  end
end
