# frozen_string_literal: true

# Layer: rows. Reads a relation by a cursor of the database, some rows at a time.

require "securerandom"

module ToJson
  module Rows
    # Reads the rows of a document that leaves in chunks, if the call says `rows: :cursor`. One
    # query returns them, in any order, and its whole result is never in memory. Has the methods of
    # {RowBatches}.
    # @api private
    class Cursor
      # As many as {RowBatches} reads at once.
      SIZE = 1000

      # A cursor that SQL declares. It ends with its transaction, so a document that fails need not
      # close it: https://www.postgresql.org/docs/current/sql-declare.html
      class Declared
        def initialize(relation)
          @model = relation.klass
          @name = "to_json_#{SecureRandom.hex(8)}"
          execute("DECLARE #{@name} NO SCROLL CURSOR FOR #{relation.to_sql}")
        end

        # @return [ActiveRecord::Result]
        def read(count)
          @model.uncached do
            @model.with_connection do |connection|
              connection.select_all("FETCH #{count} FROM #{@name}", "#{@model.name} Load")
            end
          end
        end

        def close = execute("CLOSE #{@name}")

        def drop = nil

        private

        def execute(sql) = @model.with_connection { |connection| connection.execute(sql) }
      end

      # A statement of SQLite. Each step returns a row: https://sqlite.org/c3ref/step.html
      class Stepped
        Result = Struct.new(:columns, :rows)
        private_constant :Result

        def initialize(relation)
          @model, @sql = relation.klass, relation.to_sql
          @statement = asking { |connection| connection.raw_connection.prepare(@sql) }
        end

        # @return [Result]
        def read(count)
          rows = []
          asking do
            while rows.size < count && (row = @statement.step)
              rows << row
            end
          end
          Result.new(@statement.columns, rows)
        end

        def close
          @statement.close unless @statement.closed?
        end

        alias drop close

        private

        # Yields the connection. Raises what ActiveRecord raises instead of the driver's exceptions.
        def asking(&block)
          @model.with_connection(&block)
        rescue ::SQLite3::Exception => e
          busy = ::SQLite3::BusyException === e
          kind = busy ? ::ActiveRecord::StatementTimeout : ::ActiveRecord::StatementInvalid
          raise kind.new("#{e.class}: #{e.message}",
                         sql: @sql, connection_pool: @model.connection_pool)
        end
      end

      # The class for each adapter of ActiveRecord, by the adapter's name.
      KINDS = { "PostgreSQL" => Declared, "PostGIS" => Declared, "SQLite" => Stepped }.freeze
      private_constant :Declared, :Stepped, :KINDS

      # @param relation [ActiveRecord::Relation]
      # @raise [Error] if the database has no cursors, or no transaction is open
      def initialize(relation)
        @relation = relation
        @kind = kind
        @more = false
        @batch = 0
      end

      # @param query [Query]
      # @return [List, Array, Refusal] of the first rows
      def list(query)
        @query = query
        @source = @kind.new(@relation)
        found = read
        more = found.is_a?(List)
        found
      ensure
        leave unless more
      end

      # Called when all rows before were written.
      # @return [List, nil]
      # @raise [Error] if these rows need models
      def following
        return @source.close && nil unless @more

        found = read
        refuse("the rows after the first #{SIZE * (@batch + 1)}: #{found}") if
          found.is_a?(Refusal)
        return @source.close && nil if found.empty?

        Rows.notify(@relation, found, @batch += 1)
        found
      end

      # Called by {Query} with the result that it has read.
      # @param result [#rows]
      def note_result(result)
        @more = result.rows.size == SIZE
      end

      # Called when the document has ended, also by an exception.
      def leave = @source&.drop

      # @raise [Error]
      def refuse(reason)
        raise Error, "#{@relation.klass}: rows: :cursor cannot be used, because #{reason}."
      end

      private

      # `note_result` sets @more again, but is not called if there are no rows.
      def read
        @more = false
        @query.shown(@source.read(SIZE), self)
      end

      def kind
        @relation.klass.with_connection do |connection|
          name = connection.adapter_name
          found = KINDS.fetch(name) { refuse("#{name} has no cursors. Order by the key instead") }
          next found if connection.transaction_open?

          refuse("no transaction is open. Write the document within " \
                 "#{@relation.klass}.transaction { … }")
        end
      end
    end
    private_constant :Cursor
  end
end
