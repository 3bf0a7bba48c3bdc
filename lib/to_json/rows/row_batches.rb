# frozen_string_literal: true

# Layer: rows. Reads a relation in batches of rows, each by a query of its own.

module ToJson
  module Rows
    # Reads the rows of a document that leaves in chunks, so that memory does not grow with their
    # number. The queries ask for rows in the order of the primary key. A relation that has few
    # rows, or another order, is read by one query.
    # @api private
    class RowBatches
      # As many as ActiveRecord's `find_each` reads at once.
      SIZE = 1000

      # The clauses that a relation may have. With these each row has a key of its own.
      PARTS = %i[where order limit readonly references annotate optimizer_hints preload includes
                 create_with strict_loading].freeze

      # Kinds of {Casts} whose values a database orders in the same way by `ORDER BY` and by `key >
      # …`.
      KEYS = %i[integer string uuid].freeze
      private_constant :SIZE, :PARTS, :KEYS

      # @param relation [ActiveRecord::Relation]
      # @return [RowBatches, nil] nil: it must be read by one query
      def self.of(relation)
        values, model = relation.values, relation.klass
        key = model.primary_key
        return unless (values.keys - PARTS).empty? && key.is_a?(String) && key?(model, key)

        direction = direction(relation, key) if values.key?(:order)
        return if values.key?(:order) && !direction

        limit = values[:limit]
        return if limit && (direction.nil? || !limit.is_a?(Integer) || limit <= SIZE)

        new(relation, key, direction, limit)
      end

      def self.key?(model, key)
        model.column_names.include?(key) && !model.attribute_alias?(key) &&
          KEYS.include?(Casts.of(model.type_for_attribute(key)))
      end

      # @return [Symbol, nil] of the relation's own order, if that is the order of the key
      def self.direction(relation, key)
        %i[asc desc].find do |direction|
          relation.values[:order] == relation.reorder(key => direction).values[:order]
        end
      end
      private_class_method :key?, :direction

      # @param relation [ActiveRecord::Relation]
      # @param key [String] of the model
      # @param direction [Symbol, nil] nil: the relation has no order
      # @param limit [Integer, nil]
      def initialize(relation, key, direction, limit)
        @relation, @key, @direction, @left = relation, key, direction, limit
        @last = nil
        @batch = 0
      end

      # @param query [Query]
      # @return [List, Array, Refusal] of the first rows
      def list(query)
        @query = query
        found = read(@relation.limit(SIZE + 1))
        return found if found.is_a?(Refusal)
        return whole(found) if found.size <= SIZE
        return whole(query.list(@relation)) unless divisible?

        @direction ? found : read(sorted)
      end

      # Called when all rows before were written.
      # @return [List, Array<ActiveRecord::Base>, nil] records if these rows need models
      def following
        return if @last.nil? || @left == 0

        relation = after(@last)
        @last = nil
        found = read(relation)
        return records(relation) if found.is_a?(Refusal)

        Rows.notify(relation, found, @batch += 1)
        found unless found.empty?
      end

      # The document has ended: nothing is open.
      def leave = nil

      # Called by {Query} with the result that it has read.
      # @param result [ActiveRecord::Result]
      def note_result(result)
        raw = result.rows.last.fetch(result.columns.index(@key))
        pass(model.type_for_attribute(@key).deserialize(raw), result.rows.size)
      end

      private

      def model = @relation.klass

      # A batch in the query cache would be kept there.
      def read(relation) = model.uncached { @query.list(relation, self) }

      def records(relation)
        found = model.uncached { relation.to_a }
        pass(found.last.id, found.size) if found.any?
        found
      end

      def pass(last, count)
        @last = (last if count >= SIZE)
        @left -= count if @left
      end

      # @return [List, Array] `found`, which has all rows
      def whole(found)
        @last = nil
        found
      end

      # Whether no two rows have the same key. The model alone cannot tell: it may name any column.
      def divisible?
        model.with_connection { |connection| connection.primary_key(model.table_name) } == @key
      end

      def sorted = @relation.reorder(@key => @direction ||= :asc).limit([SIZE, *@left].min)

      def after(last)
        sorted.where.not(@key => @direction == :asc ? (..last) : (last..))
      end
    end
    private_constant :RowBatches
  end
end
