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
          error.problems.each { |problem| add(errors, names.of(problem), problem, model) }
          errors
        end

        private

        # If an error has a code, ActiveModel calls the model's method of that name to make the
        # message. So only names of writable fields get one. I18n replaces `%{…}` in the message,
        # also what a client wrote.
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

      # Finds the names of the attributes that problems are about. A name never has parts that only
      # the client has chosen: I18n keeps each name that it ever met, and replaces `%{…}` in it.
      class Names
        MEMBERS = %w[data attributes relationships _embedded].freeze
        # These problems may be found anywhere in a document, also where it is not read.
        ANYWHERE = %i[duplicate depth encoding].freeze
        PART = /\A[\w-]+\z/
        # `name`: such as `:title`, `:"comments[3].body"` or `:base`. `writable`: whether a writable
        # field has it. `cut`: whether the message must have the pointer, since the name does not
        # lead to the place.
        Found = Struct.new(:name, :writable, :cut)
        private_constant :MEMBERS, :ANYWHERE, :PART, :Found

        def initialize(serializer, views, root)
          @root = root
          @definition = serializer&.definition
          @fields = @definition ? @definition.fields(@definition.resolve_views(views)) : []
        end

        # @param problem [ReadError::Problem]
        # @return [Found]
        def of(problem)
          parts = problem.pointer.split("/").drop(1)
          parts.map! { |one| one.gsub("~1", "/").gsub("~0", "~") }
          parts.shift while parts.any? && around?(parts.first)
          parts.pop if problem.code == :unknown # the message has it
          field = @fields.find { |one| key(one) == parts.first }
          chosen = chosen(parts, field, problem.code)
          return Found.new(:base, false, chosen.size < parts.size) if chosen.empty?

          first, *rest = chosen
          name = rest.inject(+name(field, first)) { |all, one| all << part(one) }
          Found.new(name.to_sym, rest.empty? && !field&.writable.nil?, chosen.size < parts.size)
        end

        private

        def around?(part)
          (MEMBERS.include?(part) || roots.include?(part) || part.match?(/\A\d+\z/)) &&
            !key?(part)
        end

        def roots = [*@definition&.root&.map(&:name), *@root]
        def key?(part) = @fields.any? { |field| key(field) == part }
        def key(field) = KeyCase.apply(@definition.key_case, field.name.name)

        # The parts that declarations have chosen. Below an attribute stands what the client wrote.
        def chosen(parts, field, code)
          if ANYWHERE.include?(code) then field ? parts.first(1) : []
          elsif field&.kind == :attribute && !serializer?(field.as) then parts.first(1)
          else parts.take_while { |one| PART.match?(one) }
          end
        end

        def serializer?(as) = Class === as && as < Serializer

        def name(field, part)
          field ? (field.writable&.fetch(:name, nil) || field.source || field.name).name : part
        end

        def part(one) = one.match?(/\A\d+\z/) ? "[#{one}]" : ".#{one}"
      end
      private_constant :Bare, :Names
    end
  end
end
