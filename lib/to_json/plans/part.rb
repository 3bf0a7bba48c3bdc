# frozen_string_literal: true

# Layer: plans. The class Part; ext/to_json/plans/part.c has its struct.

module ToJson
  # What stands in the place of a value for which neither key nor value are written.
  # @api private
  SKIP = Object.new.tap { |skip| skip.define_singleton_method(:inspect) { "ToJson::SKIP" } }.freeze

  # What one native call writes of an object: encoded keys as static bytes, and slots between them.
  # Frozen, and shareable between Ractors.
  # @api private
  class Part
  end
end
