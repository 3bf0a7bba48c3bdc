# frozen_string_literal: true

# Layer: rails. Finds the serializer of a record in a namespace, once for each class.

require "delegate"

module ToJson
  module Rendering
    # Finds the serializers for one call of `render`, which makes a Finder of its own. So a class
    # that was reloaded, or a serializer that was defined nearer, is found by the next call.
    # @api private
    class Finder
      # What is no record, whatever it is called. Their names are not looked up.
      VALUES = [NilClass, TrueClass, FalseClass, String, Symbol, Numeric, Hash, Array, Time, Module,
                Proc].freeze
      private_constant :VALUES

      # @param namespace [Module, String, nil]
      # @param lenient [Boolean] true: a record or a relation without a serializer is a plain value,
      #   which Rails writes (missing_serializer :as_json)
      # @raise [ArgumentError] for a name that no Module has
      def initialize(namespace, lenient: false)
        check_there(namespace) unless namespace.nil? || namespace.is_a?(Module)
        @namespace = namespace unless namespace.equal?(Object)
        @lenient = lenient
        @found = {}.compare_by_identity
      end

      # @return [Finder] the same that is lenient
      def lenient = self.class.new(@namespace, lenient: true)

      # @return [Boolean]
      def lenient? = @lenient

      # @return [Class, nil] the serializer of a class
      def of(type) = @found.fetch(type) { @found[type] = Lookup.in_namespace(@namespace, type) }

      # @return [Class]
      # @raise [SerializerNotFound] with what was tried and what to do
      def of!(type) = of(type) || raise(SerializerNotFound, not_found(type))

      # @param model [Class] of a relation
      # @return [Hash{Class => Class}] the serializers that its rows can have, by the classes of the
      #   rows: the model and its loaded subclasses (STI)
      def of_rows(model) = [model, *model.descendants].to_h { |type| [type, of(type)] }.compact

      # @return [Class] the class whose serializer writes a value: its own class. For a
      #   SimpleDelegator or another Delegator whose class has no serializer, that of the object
      #   inside
      def type_of(value)
        type = Lookup.class_of(value)
        Delegator === value && !of(type) ? type_of(wrapped(value)) : type
      end

      # @return [Class] the serializer of a record
      # @raise [SerializerNotFound]
      def for!(record) = of!(type_of(record))

      # @return [Boolean] whether a value is a model, another object whose class has a serializer,
      #   or a Delegator around one of these
      def record?(value)
        if Delegator === value
          return !of(Lookup.class_of(value)).nil? || record?(wrapped(value))
        end
        return false unless Object === value # a BasicObject; ActiveSupport's Time asks it is_a?

        case value
        when *VALUES then false
        else (!@lenient && value.respond_to?(:to_model)) || !of(Lookup.class_of(value)).nil?
        end
      end

      def relation?(value)
        Models.relation?(value) && (!@lenient || of_rows(value.klass).any?)
      end

      # @param name [String] of a serializer, as of the option serializer:
      # @return [Class]
      # @raise [SerializerNotFound]
      def named(name)
        scope = @namespace.is_a?(Module) ? @namespace.name : @namespace
        names = [*scope.to_s.split("::").then { |outer|
          outer.size.downto(0).map { |depth| [*outer.first(depth), name].join("::") }
        }]
        found = Lookup.named_in_namespace(@namespace, name) and return found
        raise SerializerNotFound,
              "serializer: no class #{name}: tried #{names.join(", ")}. #{create(names.last)}."
      end

      private

      # @return [Object, nil] nil: a SimpleDelegator whose `initialize` did not call `super`
      def wrapped(delegator) = delegator.__getobj__ { nil }

      def check_there(name)
        unless name.is_a?(String)
          raise ArgumentError, "namespace: takes a Module, or the name of one; got #{name.inspect}"
        end
        return if there?(name)

        raise ArgumentError, "namespace: there is no Module #{name}. Define it, or correct its name"
      end

      def there?(name)
        Object.const_get(name).is_a?(Module)
      rescue NameError
        false # also for what is no name of a constant
      end

      def create(name) = format(Lookup.command, name.delete_suffix("Serializer"))

      def not_found(type)
        names = Lookup.names_in(@namespace, type)
        if names.empty?
          return "#{type} has no name, so no serializer can be found for it: pass serializer:."
        end

        "no serializer for #{type}: tried #{names.join(", ")}." \
        "#{foreign(names) || elsewhere(names)} " \
        "#{create(names.first)}, or pass serializer:, or declare missing_serializer :as_json in " \
        "the controller for Rails' own way."
      end

      # A class of one of these names that is not ours, such as a serializer of another library.
      def foreign(names)
        name = names.find { |one| there?(one) }
        " There is #{Object.const_get(name)}, which is no ToJson::Serializer." if name
      end

      # A serializer of that name, or of its plural, that stands in another place.
      def elsewhere(names)
        wanted = names.map { |name| name.split("::").last }
        wanted |= wanted.map { |name| "#{name.delete_suffix("Serializer").pluralize}Serializer" }
        other = PlanCache.descendants(Serializer).find do |heir|
          wanted.include?(heir.name.to_s.split("::").last)
        end
        return unless other

        same = names.any? { |name| name.split("::").last == other.name.split("::").last }
        " There is #{other}, #{same ? "in another namespace" : "which has another name"}."
      end
    end
  end
end
