# frozen_string_literal: true

# Layer: rows. The columns and associations that are read at one level of a document.

module ToJson
  module Rows
    # A getter of a level, which reads `column`. Its `way` is `:value` if only the Writer sees the
    # result, `:ruby` if Ruby code may see it, and `:query` if it asks whether a boolean is true.
    Read = Struct.new(:column, :way)

    # An association of a level: from `column` of its rows to `inner_column` of the rows of the
    # inner `level`. Two rows belong together if the values of these columns are equal.
    Link = Struct.new(:reflection, :level, :column, :inner_column) do
      # Whether several inner rows may belong to one row.
      def many? = reflection.collection?

      # Whether `column` is the foreign key.
      def belongs_to? = reflection.macro == :belongs_to

      # @param keys [Array] values of `column`
      # @return [ActiveRecord::Relation, Refusal]
      def relation(keys)
        all = for_all_queries || scoped
        all.is_a?(Refusal) ? all : all.where(inner_column => keys)
      end

      # Within a block of `scoping(all_queries: true)`, the getter of a record merges that scope,
      # but preloading does not. An Analysis does not ask this, because its result is kept and the
      # block ends.
      # @return [Refusal, nil]
      def for_all_queries
        klass = reflection.klass
        klass.unscoped.scoping(all_queries: false) { nil }
      rescue ::ArgumentError # within it, `all_queries: false` is refused
        refuse("#{klass} has a scope for all queries")
      end

      # Calls the scope each time, because it may return something else.
      # @return [ActiveRecord::Relation, Refusal] of the rows for all keys
      def scoped
        all, scope = default, reflection.scope
        return all if all.is_a?(Refusal)
        # ActiveRecord merges the two, and one condition may take the place of another.
        return refuse("it and #{all.klass} have a scope") if scope && narrow?(all)

        found = scope ? all.instance_exec(&scope) || all : all
        unless ::ActiveRecord::Relation === found && found.klass.equal?(all.klass)
          return refuse("its scope is no relation of #{all.klass}")
        end

        part, = found.values.find { |name, value| !SCOPE.include?(name) && !none?(value) }
        part ? refuse("its scope has #{part}") : found
      end

      private

      # Reads the default scope as ActiveRecord does for associations: within a block of `unscoped`
      # there is none, and a block of `scoping` changes nothing.
      # @return [ActiveRecord::Relation, Refusal]
      def default
        klass = reflection.klass
        return klass.unscoped unless narrow?(klass.all)

        all = klass.default_scoped
        return all unless replaced?(all)

        refuse("the default scope of #{klass} has a condition on #{inner_column}")
      end

      # Whether the scope has a condition on the key. The getter of a record replaces such a
      # condition by its own, so that `where.not(id: 2)` does not hide the record 2. Preloading
      # keeps both conditions.
      def replaced?(relation)
        where = relation.values[:where]
        where && where != relation.unscope(where: inner_column).values[:where]
      end

      # `or` leaves clauses with nothing in them.
      def none?(clause) = clause.respond_to?(:empty?) && clause.empty?

      def narrow?(relation) = relation.values.any?
      def refuse(reason) = Refusal.new([reflection.name], reason)
    end

    # The clauses that the scope of an association may have. With these, one query for all records
    # returns the same rows, in the same order, as one query for each.
    SCOPE = %i[where order].freeze

    # Why models are needed. `path`: of the field, as Symbols.
    Refusal = Struct.new(:path, :reason) do
      def to_s = path.empty? ? reason : "#{path.join(".")}: #{reason}"
    end

    # The getters that the fields of a serializer call on the rows of a model. The Plan calls the
    # getters of {#reads} and {#links}, and no other method.
    class Level
      # @return [Link] whose level is not known yet
      def self.link(reflection)
        key, other = reflection.foreign_key, reflection.active_record_primary_key
        return Link.new(reflection, nil, other, key) unless reflection.macro == :belongs_to

        Link.new(reflection, nil, key, reflection.association_primary_key(reflection.klass))
      end

      # @return [Class]
      attr_reader :model
      # @return [Hash{Symbol => Read}]
      attr_reader :reads
      # @return [Hash{Symbol => Link}]
      attr_reader :links
      # @return [Class, nil] the subclass of {Record} for this level
      attr_accessor :record_class

      # @param model [Class]
      def initialize(model)
        @model, @reads, @links = model, {}, {}
        @shape = @record_class = nil
      end

      # @return [Array<String>] the columns that the result must have
      def columns
        @columns ||= [*@reads.each_value, *@links.each_value].map(&:column).uniq.freeze
      end

      # @yieldparam level [Level] this one, and those of its links to any depth
      def each_level(&)
        yield self
        @links.each_value { |link| link.level.each_level(&) }
      end

      # @param names [Array<String>] the columns of a result
      # @param also [String, nil] another column that the result must have
      # @return [Shape, Refusal] the Shape of the last result, if it is good for this one
      def shape(names, also = nil)
        kept = @shape
        return kept if kept&.good?(names)

        refused = Conditions.columns(names, also ? [*columns, also] : columns) ||
                  Conditions.one_class(@model, names)
        refused ? Refusal.new([], refused) : @shape = Shape.new(self, names)
      end
    end

    # How the columns of a result become the values of a level's getters.
    class Shape
      # @param level [Level]
      # @param names [Array<String>]
      def initialize(level, names)
        @model, @names = level.model, names
        @inheritance_column = @model.inheritance_column
        @places = names.each_with_index.to_h.freeze
        @types = names.map { |name| @model.type_for_attribute(name) }.freeze
        @row_class = RowClass.new(level, @places, @types)
        freeze
      end

      # Whether it fits a result with these columns. The types of the model may have changed, and
      # the column that tells the class of a row.
      def good?(names)
        return false unless @names == names && @inheritance_column == @model.inheritance_column

        i = -1
        while (i += 1) < names.size
          return false unless @types[i].equal?(@model.type_for_attribute(names[i]))
        end
        true
      end

      # @return [Row] a new one
      def row = @row_class.new

      # @return [Array(Integer, ActiveModel::Type::Value, Class)] the index of a column, its type,
      #   and the class of raw values that need no `deserialize`
      def at(column)
        type = @types[@places.fetch(column)]
        [@places.fetch(column), type, RowClass.as_is(type)]
      end
    end
    private_constant :Read, :Link, :SCOPE, :Refusal, :Level, :Shape
  end
end
