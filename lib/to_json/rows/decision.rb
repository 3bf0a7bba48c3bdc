# frozen_string_literal: true

# Layer: rows. Decides whether a relation is written from its rows. Documents ask this.

module ToJson
  module Rows
    class << self
      # @return [Boolean, #call, nil] what the application says; nil: true
      attr_accessor :setting

      # C asks this for each relation that a Plan is to write: ext/to_json/documents/declared.c.
      # @param objects [Object]
      # @param view [Object] of the call
      # @param mask [Mask, nil]
      # @param given [Boolean, Symbol, nil] `rows:` of the call
      # @param chunks [Boolean] whether the document leaves in chunks
      # @return [List, Array, nil] nil: its models are to be written
      # @raise [Error] if the call asks for a cursor, and there can be none
      def of(objects, serializer_class, view, mask, given, chunks)
        return unless ::ActiveRecord::Relation === objects && wanted?(serializer_class, given)

        cursor = Cursor.new(objects) if given == :cursor && chunks
        found = read(objects, unit(serializer_class, view, mask), chunks, cursor)
        return found unless found.is_a?(Refusal)

        return if Conditions::EMPTY.include?(found.reason)

        cursor&.refuse("models are needed: #{found}")
      end

      # @param cursor [Cursor, nil] nil: {RowBatches}, if it leaves in chunks
      # @return [List, Array, Refusal]
      def read(objects, unit, chunks, cursor = nil)
        level = level(objects, unit)
        return level if level.is_a?(Refusal)

        objects = objects.scope if collection_proxy?(objects)
        batches = cursor || (RowBatches.of(objects) if chunks)
        query = Query.new(level)
        list = batches ? batches.list(query) : query.list(objects)
        notify(objects, list) unless list.is_a?(Refusal)
        list
      end

      # Sends the event `rows.to_json`, as ActiveRecord sends `instantiation.active_record` for
      # models.
      # @param list [List, Array]
      # @param batch [Integer] how many were told of before
      # @return [void]
      def notify(relation, list, batch = 0)
        payload = { relation: relation, class_name: relation.klass.name, record_count: list.size,
                    batch: batch }
        ::ActiveSupport::Notifications.instrument("rows.to_json", payload)
      end

      # @return [Level, Refusal] of a relation and its serializer, before the database is asked
      def level(objects, unit)
        values = objects.values
        refused = Conditions.relation(objects, values)
        refused ||= Conditions.one_class(objects.klass, names(objects, values))
        return Refusal.new([], refused) if refused

        level = Analysis.of(unit, objects.klass)
        return level if level.is_a?(Refusal)

        Preloads.refused(objects.klass, values, level) ||
          (refuse_links(objects, values, level) unless level.links.empty?) || level
      end

      # Whether rows may be used. `rows:` of the call decides, else `rows` of the class, else the
      # setting of the application.
      # @param given [Boolean, nil] `rows:` of the call
      def wanted?(serializer_class, given)
        given = serializer_class.definition.rows if given.nil?
        given.nil? ? ToJson.rows : given
      end

      # Whether a relation, if its document leaves in chunks, is written from batches of rows. The
      # answer is given before the database is asked.
      # @param options [Hash] of `json!`
      def batches?(objects, serializer_class, options)
        written?(objects, serializer_class, **options) && !RowBatches.of(objects).nil?
      end

      # Whether `objects` is the collection of a record, and is written without its records.
      # @param options [Hash] of `json!`
      def collection?(objects, serializer_class, options)
        collection_proxy?(objects) && !objects.loaded? && !objects.values.key?(:select) &&
          written?(objects, serializer_class, **options)
      end

      # Prepares a record that is in memory, so that its associations are written from rows. The
      # keywords are those of `json!`.
      # @return [Record, nil] nil: the record itself must be written
      def record(object, serializer_class, view: nil, only: nil, except: nil, rows: nil,
                 collection: nil, **)
        return unless Preloading::Records.record?(object) && wanted?(serializer_class, rows)
        return if collection.nil? ? many?(object) : collection

        unit = Preloading.unit(serializer_class, view, only, except)
        return if unit.nil? || unit.definition.meta.is_a?(::Proc) ||
                  PlanCache.imperative?(serializer_class)

        Record.of(object, unit)
      end

      # @return [String] see {Declarations#explain_rows}
      def explain(relation, serializer_class, unit)
        Explanation.new(relation, serializer_class, unit).to_s
      end

      private

      # Whether a document would write the record as a collection.
      def many?(record) = record.respond_to?(:to_ary) || ::Enumerable === record

      def collection_proxy?(objects) = ::ActiveRecord::Associations::CollectionProxy === objects

      def written?(objects, serializer_class, view: nil, only: nil, except: nil, rows: nil, **)
        return false unless ::ActiveRecord::Relation === objects

        unit = Preloading.unit(serializer_class, view, only, except)
        !unit.nil? && wanted?(serializer_class, rows) && !unit.definition.meta.is_a?(::Proc) &&
          !PlanCache.imperative?(serializer_class) && level(objects, unit).is_a?(Level)
      end

      # Refuses relations whose records may find an association without the database, or must not
      # load it.
      # @return [Refusal, nil]
      def refuse_links(relation, values, level)
        strict = values.fetch(:strict_loading) { relation.klass.strict_loading_by_default }
        return Refusal.new([], "the relation is strict about loading") if strict
        return unless relation.respond_to?(:proxy_association)

        association = relation.proxy_association
        return Refusal.new([], "its owner is strict") if association.owner.strict_loading?

        back = association.reflection.inverse_of
        return unless level.links.each_value.any? { |link| link.reflection.equal?(back) }

        Refusal.new([], "the owner of the relation may be read from its records")
      end

      def names(relation, values) = values.key?(:select) ? [] : relation.klass.column_names

      def unit(serializer_class, view, mask)
        return mask.unit if mask

        definition = serializer_class.definition
        views = definition.resolve_views(view)
        Compiler::Unit.new(serializer_class, definition, views, [], :object)
      end
    end
  end

  # @return [Boolean] whether relations may be written from their rows
  def self.rows
    setting = Rows.setting
    setting = setting.call if setting.respond_to?(:call)
    setting.nil? ? true : setting
  end

  # Says whether relations of ActiveRecord may be written from their rows, without models, where the
  # document is the same. For programs without Rails; in Rails use `config.to_json.rows`. `rows` of
  # a class and `rows:` of a call come before it. Defined where `to_json/active_record` is loaded.
  # Call this in the main Ractor.
  #
  # @param given [Boolean] true is the default
  # @return [Boolean]
  # @raise [ArgumentError] for another value
  def self.rows=(given)
    unless [true, false].include?(given)
      raise ArgumentError, "rows takes true or false; got #{given.inspect}"
    end

    Rows.setting = given
  end
end
