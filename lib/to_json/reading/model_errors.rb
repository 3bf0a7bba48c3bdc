# frozen_string_literal: true

# Layer: reading. Makes errors of ActiveModel from problems.

module ToJson
  module Reading
    # @api private
    module ModelErrors
      class << self
        # @param error [ReadError]
        # @param model [Object, nil]
        # @return [ActiveModel::Errors]
        def of(error, model)
          unless defined?(::ActiveModel::Errors)
            raise Error, "model_errors: ActiveModel is not loaded. Use problems."
          end

          errors = model ? model.errors : ::ActiveModel::Errors.new(Bare.new)
          names = AttributeNames.new(error.serializer, error.views, error.root)
          error.problems.each { |problem| add(errors, names.of(problem), problem, model) }
          errors
        end

        private

        # For an error with a code, ActiveModel calls the model's method that is named like the
        # attribute. So if there is a model, only `:base` and writable fields get a code. I18n would
        # replace a `%{…}` that a client wrote, so `%` is doubled.
        def add(errors, found, problem, model)
          message = problem.message.chomp(".")
          message = "#{problem.pointer} #{message}" if found.cut
          name = found.name
          if model.nil? || name == :base || (found.writable && model.respond_to?(name))
            errors.add(name, problem.code, message: message.gsub("%", "%%"))
          else errors.add(name, message)
          end
        end
      end

      # The object that has the errors if no model is given.
      class Bare
        class << self
          def model_name = @model_name ||= ::ActiveModel::Name.new(self, nil, "Document")
          def human_attribute_name(name, *) = name.to_s.tr("_", " ").capitalize
          def lookup_ancestors = [self]
          def i18n_scope = :activemodel
        end

        def model_name = self.class.model_name
        def read_attribute_for_validation(_name) = nil
      end
      private_constant :Bare
    end
  end
end
