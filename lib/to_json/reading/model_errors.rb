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
          names = Names.new(error.serializer, error.views, error.root)
          error.problems.each do |problem|
            name, declared = names.of(problem.pointer)
            code = model.nil? || name == :base || (declared && model.respond_to?(name))
            add(errors, name, problem, code)
          end
          errors
        end

        private

        # If an error has a code, ActiveModel calls the model's method of that name to make the
        # message. So a name that only the client has chosen, such as `destroy`, gets none.
        def add(errors, name, problem, code)
          message = problem.message.chomp(".")
          code ? errors.add(name, problem.code, message: message) : errors.add(name, message)
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

      # Finds the names of the attributes that JSON Pointers lead to.
      class Names
        MEMBERS = %w[data attributes relationships _embedded].freeze
        private_constant :MEMBERS

        def initialize(serializer, views, root)
          @root = root
          @definition = serializer&.definition
          @fields = @definition ? @definition.fields(@definition.resolve_views(views)) : []
        end

        # @return [Array(Symbol, Boolean)] a name, such as `:title`, `:"comments[3].body"` or
        #   `:base`, and whether a writable field declares it
        def of(pointer)
          parts = pointer.split("/").drop(1).map { |one| one.gsub("~1", "/").gsub("~0", "~") }
          parts.shift while parts.any? && around?(parts.first)
          return [:base, false] if parts.empty?

          first, *rest = parts
          field = @fields.find { |one| key(one) == first }
          name = rest.inject(+name(field, first)) { |all, one| all << part(one) }
          [name.to_sym, rest.empty? && !field&.writable.nil?]
        end

        private

        def around?(part)
          (MEMBERS.include?(part) || roots.include?(part) || part.match?(/\A\d+\z/)) &&
            !key?(part)
        end

        def roots = [*@definition&.root&.map(&:name), *@root]
        def key?(part) = @fields.any? { |field| key(field) == part }
        def key(field) = KeyCase.apply(@definition.key_case, field.name.name)

        def name(field, part)
          field ? (field.writable&.fetch(:name, nil) || field.source || field.name).name : part
        end

        def part(one) = one.match?(/\A\d+\z/) ? "[#{one}]" : ".#{one}"
      end
      private_constant :Bare, :Names
    end
  end
end
