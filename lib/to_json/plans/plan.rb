# frozen_string_literal: true

# Layer: plans. The class Plan; ext/to_json/plans/plan.c has its struct.

module ToJson
  # An association whose serializer is found for each value, by its class or by a lambda. Generated
  # code passes it to the Writer. Frozen, and shareable between Ractors.
  # ext/to_json/documents/value_site.c implements it.
  # @api private
  class ValueSite
  end

  # A Definition compiled for one composition of views: generated Ruby that reads fields, and the
  # {Part}s that write them. Frozen. Shareable between Ractors if the blocks of the Definition are.
  # @api private
  class Plan
    # @return [String, nil] the path of the field that generated code was reading when the error was
    #   raised
    def field_at(error) = (Compiler::FieldLines.of(code, error) if declares?)
  end
end
