# frozen_string_literal: true

# Layer: plans. The class Plan; ext/to_json/plans/plan.c has its struct.

module ToJson
  # A Definition compiled for one composition of views: generated Ruby that reads fields, and the
  # {Part}s that it hands them to. Frozen, and shareable between Ractors where the blocks of the
  # Definition are.
  # @api private
  class Plan
    # @return [String, nil] the path of the field that generated code was reading when it was left
    def field_at(error) = (Compiler::FieldLines.of(self, error) if declares?)
  end
end
