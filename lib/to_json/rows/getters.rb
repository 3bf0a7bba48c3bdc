# frozen_string_literal: true

# Layer: rows. Tells which getters of a model are ActiveRecord's own.

module ToJson
  module Rows
    # Asks by reflection alone: nothing here calls a getter.
    # @api private
    module Getters
      # A getter as it was when it was asked, for {Preloading::AnalysisMemory}.
      Same = Struct.new(:model, :name, :method) do
        def same?(_conditions)
          model.public_method_defined?(name) && model.instance_method(name) == method
        end
      end

      class << self
        # @return [Same] the getter as it is now
        def kept(model, name) = Same.new(model, name, model.instance_method(name))

        # Whether `id` is the getter of a single key.
        def key?(model)
          model.primary_key.is_a?(String) && model.public_method_defined?(:id) &&
            model.instance_method(:id).owner.equal?(::ActiveRecord::AttributeMethods::PrimaryKey)
        end

        # Whether ActiveRecord generated the getter: one of a column, or one with `?` of a boolean,
        # which calls the one without.
        # When ActiveRecord makes the first object of a class, it generates all methods of a column
        # in one module. That module is an instance of a subclass of Module, and no module of the
        # user is.
        def of_column?(model, name)
          model.instantiate({}) unless model.method_defined?(name)
          return false unless model.public_method_defined?(name)

          owner = model.instance_method(name).owner
          column = name.to_s.delete_suffix("?")
          return false if owner.instance_of?(::Module) || owner.instance_of?(::Class)
          return false unless model.method_defined?(:"#{column}_in_database")

          owner.equal?(model.instance_method(:"#{column}_in_database").owner) &&
            column?(model, name, column)
        end

        # Whether ActiveRecord generated the getter of an association.
        def of_association?(model, name)
          return false unless model.public_method_defined?(name)

          file, = model.instance_method(name).source_location
          !file.nil? && file.start_with?(associations)
        end

        # @return [String] the column that a getter reads, or asks whether it is true
        def column(model, name)
          return model.primary_key if name == :id

          name = name.to_s.delete_suffix("?")
          model.attribute_alias?(name) ? model.attribute_alias(name) : name
        end

        private

        # Where ActiveRecord has the code of its associations' getters.
        def associations
          @associations ||= "#{::ActiveRecord::Base.method(:has_many).source_location.first
                                .delete_suffix(".rb")}/".freeze
        end

        def column?(model, name, column)
          return false unless model.has_attribute?(column)

          if model.attribute_alias?(column)
            return false unless of_column?(model, model.attribute_alias(column).to_sym)
          end
          !name.end_with?("?") || (of_column?(model, column.to_sym) &&
            model.type_for_attribute(column).instance_of?(::ActiveModel::Type::Boolean))
        end
      end
    end
    private_constant :Getters
  end
end
