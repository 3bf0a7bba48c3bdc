# frozen_string_literal: true

# Layer: plans. The class Plan; ext/to_json/plans/plan.c has its struct.

module ToJson
  # An association whose serializer each value tells, by its class or a lambda. What generated code
  # passes to the Writer. Frozen, and shareable between Ractors. Its inside is in
  # ext/to_json/documents/value_site.c.
  # @api private
  class ValueSite
  end

  # A Definition compiled for one composition of views: generated Ruby that reads fields, and the
  # {Part}s that it hands them to. Frozen, and shareable between Ractors where the blocks of the
  # Definition are.
  # @api private
  class Plan
    # @return [String, nil] the path of the field that generated code was reading when it was left
    def field_at(error) = (Compiler::FieldLines.of(code, error) if declares?)
  end
end
