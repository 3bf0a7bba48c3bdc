# frozen_string_literal: true

# Layer: compiler. Plans that write their first objects before they are compiled.

module ToJson
  # Most serializers of an application write no more than some objects in a process: in tests, in commands, in the first moments of a worker. Until a class has
  # written {PlanCache.early_objects}, or is to write an Array of objects, its fields are read by their names, in C: ext/to_json/glue/early.c.
  # That is for fields that are nothing but names; all others are compiled at once.
  # @api private
  module Early
    class << self
      # @return [Plan, nil] without code; nil for a class that is to be compiled
      def plan(serializer_class)
        return if PlanCache.early_objects.zero? || serializer_class.frozen? || PlanCache.imperative?(serializer_class)

        definition, epoch = serializer_class.definition, PlanCache.epoch
        return unless definition.plain? && definition.base.each_value.none? { |field| method?(serializer_class, field.source) }

        part = Part.of_fields(definition.base.each_value.map(&:source), definition.names) or return
        root = definition.root
        Plan.new(code: nil, row: part, root_one: root&.first, root_many: root&.last, meta: nil, serializer_class: serializer_class,
                 rules: PlanCache.rules(serializer_class), serializer: false, masked: false, imperative: false, early: true, epoch: epoch)
      end

      private

      # A method that may serve the field instead of the object. Some are Ruby's own, and do not: which, the compiler knows.
      def method?(serializer_class, name) = serializer_class.method_defined?(name) || serializer_class.private_method_defined?(name)
    end
  end
end
