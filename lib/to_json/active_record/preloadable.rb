# frozen_string_literal: true

# Layer: active_record. Finds the associations that can be preloaded without a change of what they
# return.

module ToJson
  module Preloading
    # ActiveRecord preloads an association with one query for all records. A `limit` in the scope
    # of the association would then limit all records together, and a scope that takes the record
    # would cost a query for each.
    # @api private
    module Preloadable
      # Answers for associations; a class that is loaded again has others.
      @known = ObjectSpace::WeakMap.new
      @scoped = ObjectSpace::WeakMap.new

      class << self
        # @param reflection [ActiveRecord::Reflection::AssociationReflection]
        def preloadable?(reflection)
          return @known[reflection] if @known.key?(reflection)

          @known[reflection] =
            parts(reflection).all? { |part| preloadable?(part) } && scope?(reflection)
        rescue NameError, ::ActiveRecord::ActiveRecordError
          false # a class that is not there: reading the association says so
        end

        # Whether it goes through another association and has an order or a condition.
        # ActiveRecord's preloader forgets these where the records on the way are loaded already.
        def scoped_through?(reflection)
          return false unless reflection.options[:through]
          return @scoped[reflection] if @scoped.key?(reflection)

          @scoped[reflection] =
            !reflection.scope.nil? || !reflection.source_reflection.scope.nil? ||
            reflection.klass.all.values.any?
        end

        # Whether records of the class may be of subclasses, which have associations of their own.
        def subclasses?(model) = model.columns_hash.key?(model.inheritance_column.to_s)

        private

        def parts(reflection)
          if reflection.options[:through]
            [reflection.through_reflection, reflection.source_reflection].compact
          else
            []
          end
        end

        def scope?(reflection)
          scope = reflection.scope
          return scope.nil? if reflection.polymorphic?
          return false if scope && !scope.arity.zero?

          all = reflection.klass.all
          all = all.instance_exec(&scope) || all if scope
          all.limit_value.nil? && all.offset_value.nil? && all.group_values.empty? &&
            all.having_clause.empty? && key?(reflection, all.select_values)
        end

        # A scope with a select must have the column that tells to which record a row belongs.
        def key?(reflection, selected)
          return true if selected.empty?
          return false if reflection.options[:through]

          keys = Array(reflection.join_primary_key).map(&:to_s)
          (keys - selected.map { |one| one.to_s.split(".").last.to_s.delete("\"`") }).empty?
        end
      end
    end
    private_constant :Preloadable
  end
end
