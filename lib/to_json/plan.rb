# frozen_string_literal: true

# Layer: compiler. The class stands here, its inside in ext/to_json/glue/plan.c.

module ToJson
  # A list of fields compiled ahead of time: their encoded names as static bytes, and slots between them.
  # Frozen, and shareable between Ractors.
  # @api private
  class Plan
  end
end
