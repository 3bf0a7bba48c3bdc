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
      # These instance variables of an association's reflection keep the answers. A class that is
      # loaded again has new reflections. An ObjectSpace::WeakMap for the answers would crash Ruby
      # 3.1: see docs/internals/vm.md, "Where Ruby itself ends the process".
      PRELOADABLE = :@to_json_preloadable
      SCOPED = :@to_json_scoped_through
      private_constant :PRELOADABLE, :SCOPED

      class << self
        # @param reflection [ActiveRecord::Reflection::AssociationReflection]
        def preloadable?(reflection)
          return false if reflection.options[:disable_joins] # the preloader gives a record twice

          kept(reflection, PRELOADABLE) do
            parts(reflection).all? { |part| preloadable?(part) } && scope?(reflection)
          end
        rescue NameError, ::ActiveRecord::ActiveRecordError
          false # a class that is not there: reading the association says so
        end

        # Whether it goes through another association and has an order, a condition, or a type of
        # its source. ActiveRecord's preloader forgets these where the records on the way are loaded
        # already.
        def scoped_through?(reflection)
          return false unless reflection.options[:through]

          kept(reflection, SCOPED) do
            !reflection.options[:source_type].nil? ||
              !reflection.scope.nil? || !reflection.source_reflection.scope.nil? ||
              reflection.klass.all.values.any?
          end
        end

        # Whether records of the class may be of subclasses, which have associations of their own.
        def subclasses?(model) = model.columns_hash.key?(model.inheritance_column.to_s)

        private

        # Calls the block once for each reflection.
        # @return [Boolean] what the block returned
        def kept(reflection, name)
          answer = reflection.instance_variable_get(name)
          return answer unless answer.nil?

          yield.tap do |found|
            reflection.instance_variable_set(name, found) unless reflection.frozen?
          end
        end

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
