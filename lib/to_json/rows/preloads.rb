# frozen_string_literal: true

# Layer: rows. Looks at the associations that a relation preloads.

module ToJson
  module Rows
    # If rows are used, only the associations of the document are read. If models are used, those
    # that the relation preloads are loaded as well. That may fail, for example if the relation does
    # not select their key.
    # @api private
    module Preloads
      class << self
        # @param model [Class]
        # @param values [Hash] the clauses of a relation
        # @param level [Level] of its rows
        # @return [Refusal, nil] a Refusal if models may raise an error that rows do not
        def refused(model, values, level)
          return unless values[:preload] || values[:includes]

          names = values.values_at(:preload, :includes)
          name = doubtful(names.flatten(1), model, level, values.key?(:select))
          name && Refusal.new([], "the relation preloads #{name}")
        end

        private

        # @param names [Object] as `preload` takes them
        # @param level [Level, nil] nil: the document reads nothing there
        # @param few [Boolean] whether the result may have no key of an association
        # @return [String, nil] the first association that is not known to load
        def doubtful(names, model, level, few)
          pairs(names).each do |name, inside|
            return name.inspect unless name.is_a?(::Symbol) || name.is_a?(::String)

            link = level && level.links[name.to_sym]
            return name.to_s unless link || (!few && loads?(model, name))

            klass = model.reflect_on_association(name).klass
            found = doubtful(inside, klass, link&.level, false)
            return "#{name}.#{found}" if found
          end
          nil
        end

        # Takes names apart as ActiveRecord's preloader does.
        # @return [Array<Array>] each name with what is to be preloaded inside
        def pairs(names) = [names].flatten(1).flat_map { |one| Array(one).map { |pair| [*pair] } }

        def loads?(model, name)
          reflection = model.reflect_on_association(name)
          return false if reflection.nil? || Conditions.association(reflection, model)

          klass = reflection.klass
          Conditions.making(klass).nil? && Conditions.one_class(klass, klass.column_names).nil?
        rescue ::ActiveRecord::StatementInvalid
          false # it has no table
        end
      end
    end
    private_constant :Preloads
  end
end
