# frozen_string_literal: true

# Layer: rows. The objects that a Plan gets instead of models: a List, and a Row that shows one row
# after the other.

module ToJson
  # Relations that are written from the rows of their queries, without models:
  # docs/internals/rows.md.
  # @api private
  module Rows
    # Shows a row as a model would show it. {RowClass} makes subclasses with a getter for each field
    # that is read. One object shows all rows of a level in turn, so only a Plan may have it.
    class Row
      # The value of a has_many without rows.
      NONE = [].freeze
      private_constant :NONE

      # @param model [Class]
      # @param types [Array<ActiveModel::Type::Value>] of the columns
      # @param columns [Hash{Symbol => Array}] see {RowClass}
      def initialize(model, types, columns)
        @class = model
        @t = types
        @columns = columns
        @none = NONE
      end

      # @return [Cell] of a column. It is for one document, since it keeps the time zone
      def __to_json_cell(kind, place) = Cell.new(kind, @t[place])

      # @return [Class] the model, by which serializers are looked up
      attr_reader :class

      # @param row [Array] to show from now on
      # @return [self]
      def __to_json_at(row) = (@r = row; self)
    end

    # Rows as a collection of objects. Generated code reads it by index, like an Array. It has at
    # least one row. The class is created in ext/to_json/values/collection.c.
    class List
      # @param row [Row] which shows the rows
      # @param rows [Array<Array>]
      # @param batches [RowBatches, Cursor, nil] reads the rows that follow; nil: there are none
      def initialize(row, rows = nil, batches = nil)
        @row = row
        @rows = rows
        @batches = batches
      end

      # @return [List, Array, nil] the objects to write after all of these
      def following = @batches&.following

      # Called when nothing more will be written: at the end, or if an exception ends the document.
      def leave = @batches&.leave

      # @param rows [Array<Array>] to show from now on
      # @return [self]
      def fill(rows) = (@rows = rows; self)

      # @return [Integer]
      def size = @rows.size

      # @return [false] because it has at least one row
      def empty? = false

      # @return [Row] the same object each time
      def [](index) = @row.__to_json_at(@rows[index])

      # @yieldparam row [Row] the same object each time
      def each
        i = -1
        yield @row.__to_json_at(@rows[i]) while (i += 1) < @rows.size
        self
      end
    end
    private_constant :Row, :List
  end
end
