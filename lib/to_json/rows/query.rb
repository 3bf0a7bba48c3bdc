# frozen_string_literal: true

# Layer: rows. Asks the database: one query for a relation, one for each association.

module ToJson
  module Rows
    # Reads the rows of one document, and makes the objects that show them.
    # @api private
    class Query
      # A result without rows may have no columns either.
      NONE = [].freeze
      private_constant :NONE

      # @param level [Level]
      def initialize(level) = @level = level

      # @param relation [ActiveRecord::Relation]
      # @param batches [RowBatches, Cursor, nil] reads the rows after these; nil: these are all
      # @return [List, Array, Refusal] an empty Array if there are no rows
      def list(relation, batches = nil)
        result = result(relation)
      rescue ::ActiveRecord::StatementInvalid
        # Models make no query where a condition allows no value, so they do not raise what the
        # database says of another one. Conditions.relation sees only the last of each column.
        raise unless relation.to_sql.include?(Conditions::NEVER)

        Refusal.new([], Conditions::NO_VALUE)
      else
        shown(result, batches)
      end

      # @param result [ActiveRecord::Result, #columns] of the relation
      # @return [List, Array, Refusal] an empty Array if there are no rows
      def shown(result, batches = nil)
        return NONE if result.rows.empty?

        row = row(@level, result, nil)
        return row if row.is_a?(Refusal)

        batches&.note_result(result)
        List.new(row, result.rows, batches)
      end

      # @param record [ActiveRecord::Base]
      # @return [Array<Row, List, Array, nil>, Refusal] what the getter of each link returns
      def associated(record)
        @level.links.each_value.map do |link|
          key = record.read_attribute(link.column)
          groups, target = rows_of(link) { { key => true } }
          return target if target.is_a?(Refusal)

          rows = groups[key]
          next(link.many? ? NONE : nil) unless rows

          link.many? ? target.fill(rows) : target.__to_json_at(rows)
        end
      end

      private

      # Asks the database as loading the relation does: on the same connection, with the same binds,
      # and through the query cache.
      def result(relation)
        model = relation.klass
        model.with_connection { |connection| connection.select_all(relation, "#{model.name} Load") }
      end

      # @return [Row, Refusal] the Row that shows the rows of the result
      def row(level, result, key)
        shape = level.shape(result.columns, key)
        return shape if shape.is_a?(Refusal)

        row = shape.row
        index = -1
        level.links.each_value do |link|
          groups, target = rows_of(link) { keys(result.rows, shape, link.column) }
          return target if target.is_a?(Refusal)

          row.__send__(:"__to_json_link#{index += 1}", groups, target)
        end
        row
      end

      # If the query of the association fails, models are used. With them the same error is raised
      # at another place of the document.
      # @yieldreturn [Hash{Object => true}] the keys
      # @return [Array(Hash, Object)] the rows by their keys, and the Row or List that shows them
      def rows_of(link)
        grouped(link, yield)
      rescue ::StandardError => error
        # After an error, PostgreSQL refuses all other queries of the transaction.
        raise if link.reflection.klass.with_connection(&:transaction_open?)
        raise if FromOutside.raised?(error) { grouped(link, yield) }

        [nil, refuse(link, "its query raises #{error.class}")]
      end

      def refuse(link, reason) = Refusal.new([link.reflection.name], reason)

      def grouped(link, keys)
        return [nil, refuse(link, "a record has no key")] if unkeyed?(link, keys)
        return [{}, nil] if keys.empty?

        relation = link.relation(keys.keys)
        return [nil, relation] if relation.is_a?(Refusal)

        result = result(relation)
        return [{}, nil] if result.rows.empty?

        row = row(link.level, result, link.inner_column)
        return [nil, row] if row.is_a?(Refusal)

        shape = link.level.shape(result.columns, link.inner_column)
        groups = link.many? ? all(result.rows, shape, link) : first(result.rows, shape, link)
        if Keys.alike?(shape.at(link.inner_column)[1], keys, groups)
          return [nil, refuse(link, "the database may find two of its keys equal")]
        end

        [groups, link.many? ? List.new(row) : row]
      end

      # Whether a record has no key. For such a record the getter of a `has_many` with a scope finds
      # the rows without a key, and preloading does not. The getter of a `belongs_to` also takes
      # false for no key, and preloading does not.
      def unkeyed?(link, keys)
        none = keys.delete(nil)
        (none && !link.belongs_to?) || keys.key?(false)
      end

      # @return [Hash{Object => true}] the values of a column, also nil
      def keys(rows, shape, column)
        place, type, as_is = shape.at(column)
        found = {}
        rows.each do |row|
          key = row[place]
          key = type.deserialize(key) unless as_is === key
          found[key] = true
        end
        found
      end

      # @return [Hash{Object => Array<Array>}] all rows of each key
      def all(rows, shape, link)
        place, type, as_is = shape.at(link.inner_column)
        rows.group_by do |row|
          key = row[place]
          as_is === key ? key : type.deserialize(key)
        end
      end

      # @return [Hash{Object => Array}] the first row of each key
      def first(rows, shape, link)
        place, type, as_is = shape.at(link.inner_column)
        rows.reverse_each.to_h do |row|
          key = row[place]
          [as_is === key ? key : type.deserialize(key), row]
        end
      end
    end
    private_constant :Query
  end
end
