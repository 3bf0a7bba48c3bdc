# frozen_string_literal: true

# Layer: plans. The class Part; ext/to_json/plans/part.c has its struct.

module ToJson
  # Takes the place of a value. Then neither the key nor a value is written.
  # @api private
  SKIP = Object.new.tap { |skip| skip.define_singleton_method(:inspect) { "ToJson::SKIP" } }.freeze

  # The part of an object that one native call writes: static bytes with encoded keys, and places
  # for values between them. Frozen, and shareable between Ractors.
  # @api private
  class Part
  end
end
