# frozen_string_literal: true

# Layer: rows. What is read at one level of a document.

module ToJson
  module Rows
    # A getter of a level. `column`: what it reads. `way`: `:value`, whose result only the Writer
    # sees; `:ruby`, a value that Ruby code may see; `:query`, whether a boolean is true.
    Read = Struct.new(:column, :way)

    # An association of a level: `own` and `others` are the columns that make its rows belong to
    # those of the level around.
    Link = Struct.new(:reflection, :level, :own, :others) do
      # Whether it has many rows for one.
      def many? = reflection.collection?

      # @param keys [Array] values of `own`
      # @return [ActiveRecord::Relation, Refusal]
      def relation(keys)
        all = scoped
        all.is_a?(Refusal) ? all : all.where(others => keys)
      end

      # The scope of an association may give something else each time.
      # @return [ActiveRecord::Relation, Refusal] of the rows of any keys
      def scoped
        all, scope = default, reflection.scope
        # ActiveRecord merges the two, and one condition may take the place of another.
        return refuse("it has a scope, and #{all.klass} a default one") if scope && narrow?(all)

        found = scope ? all.instance_exec(&scope) || all : all
        unless ::ActiveRecord::Relation === found && found.klass.equal?(all.klass)
          return refuse("its scope is no relation of #{all.klass}")
        end

        part = (found.values.keys - SCOPE).first
        part ? refuse("its scope has #{part}") : found
      end

      private

      # As ActiveRecord reads associations: a block of `unscoped` takes the default scope away.
      def default
        klass = reflection.klass
        narrow?(klass.all) ? klass.default_scoped : klass.unscoped
      end

      def narrow?(relation) = relation.values.any?
      def refuse(reason) = Refusal.new([reflection.name], reason)
    end

    # What the scope of an association may be made of: the rows of all records then are those of
    # each, in this order.
    SCOPE = %i[where order].freeze

    # Why models are needed. `path`: of the field, as Symbols.
    Refusal = Struct.new(:path, :reason) do
      def to_s = path.empty? ? reason : "#{path.join(".")}: #{reason}"
    end

    # What the fields of a serializer read from the rows of a model. The Plan reads a row through
    # the getters of {#reads} and {#links}, and through nothing else.
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

      # @param model [Class]
      def initialize(model)
        @model, @reads, @links = model, {}, {}
        @shape = nil
      end

      # @return [Array<String>] the columns that the result must have
      def columns
        @columns ||= [*@reads.each_value.map(&:column), *@links.each_value.map(&:own)].uniq.freeze
      end

      # @yieldparam level [Level] this one, and those of its links to any depth
      def each_level(&)
        yield self
        @links.each_value { |link| link.level.each_level(&) }
      end

      # @param names [Array<String>] the columns of a result
      # @param also [String, nil] another one that it must have
      # @return [Shape, Refusal] the Shape of the result before, if nothing has changed
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
        @places = names.each_with_index.to_h.freeze
        @types = names.map { |name| @model.type_for_attribute(name) }.freeze
        @row_class = RowClass.new(level, @places, @types)
        freeze
      end

      # Whether it is that of a result with these columns, now.
      def good?(names)
        return false unless @names == names

        i = -1
        while (i += 1) < names.size
          return false unless @types[i].equal?(@model.type_for_attribute(names[i]))
        end
        true
      end

      # @return [Row] a new one
      def row = @row_class.new

      # @return [Array(Integer, ActiveModel::Type::Value, Class)] where a column is, its type, and
      #   of which class a raw value is a value
      def at(column)
        type = @types[@places.fetch(column)]
        [@places.fetch(column), type, RowClass.as_is(type)]
      end
    end
    private_constant :Read, :Link, :SCOPE, :Refusal, :Level, :Shape
  end
end
