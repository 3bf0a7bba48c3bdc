# frozen_string_literal: true

# Layer: rows. Makes the text of explain_rows.

module ToJson
  module Rows
    # Says in words whether a relation is written from its rows, and what they must have.
    # @api private
    class Explanation
      # @param relation [ActiveRecord::Relation]
      # @param serializer_class [Class]
      # @param unit [Compiler::Unit, nil] nil: the class declares nothing
      def initialize(relation, serializer_class, unit)
        @relation, @serializer_class, @unit = relation, serializer_class, unit
      end

      # @return [String]
      def to_s
        refused = obstacle and return "#{@relation.klass}: models, because #{refused}\n"

        lines(Rows.level(@relation, @unit), "", 0).join("")
      end

      private

      def obstacle
        return "#{@serializer_class} declares no fields" unless @unit
        return "rows is false" unless Rows.wanted?(@serializer_class, nil)
        if PlanCache.imperative?(@serializer_class)
          return "#{@serializer_class} has a serialize of its own"
        end
        return "a block gives its meta" if @unit.definition.meta.is_a?(Proc)

        level = Rows.level(@relation, @unit)
        level.is_a?(Refusal) ? level : for_all_queries(level, [])
      end

      def for_all_queries(level, path)
        level.links.each do |name, link|
          refused = link.for_all_queries
          return Refusal.new([*path, name], refused.reason) if refused

          inside = for_all_queries(link.level, [*path, name])
          return inside if inside
        end
        nil
      end

      def lines(level, name, depth)
        columns = level.columns.join(", ")
        inner = level.links.map { |link, inside| lines(inside.level, "#{link}: ", depth + 1) }
        ["#{"  " * depth}#{name}#{level.model}: rows with #{columns}\n", *inner]
      end
    end
    private_constant :Explanation
  end

  # The declarations of a serializer class.
  module Declarations
    # Says whether a relation is written from its rows, without models: which columns are read at
    # each level, or which field needs models, and why. It asks nothing of the database. Each of the
    # columns must be in the result once; a relation with another `select` is written from models.
    # Defined where `to_json/active_record` is loaded, as it is in Rails.
    #
    # @param relation [ActiveRecord::Relation]
    # @param view [Symbol, String, Array<Symbol, String>, nil]
    # @param only [Object, nil] as for `json!`
    # @param except [Object, nil]
    # @return [String]
    # @raise [UnknownViewError, UnknownFieldError, SelectionError]
    # @raise [ArgumentError] for what is no relation
    def explain_rows(relation, view: nil, only: nil, except: nil)
      unless ::ActiveRecord::Relation === relation
        raise ArgumentError, "explain_rows takes a relation; got #{Lookup.class_of(relation)}"
      end

      unit = Preloading.unit(self, view, only, except)
      Rows.explain(relation, self, unit)
    end
  end
end
