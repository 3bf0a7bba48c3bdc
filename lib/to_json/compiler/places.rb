# frozen_string_literal: true

# Layer: compiler. Which field generated code was reading when an exception left it.

module ToJson
  class Compiler
    # The lines of generated code. Found from the code of the document's Plan, so that nothing outlives that.
    module Places
      Place = Struct.new(:label, :fields, :codes)

      class << self
        # @param fields [Hash{Integer => String}] line => path of a field
        def keep(code, label, fields, constants)
          codes = constants.values.grep(Module).reject { |value| value.is_a?(Class) }
          code.instance_variable_set(:@to_json_place, Ractor.make_shareable(Place.new(label, fields, codes)))
        end

        # @param plan [Plan] of the document
        # @return [String, nil] the path of the field, below the object at hand
        def of(plan, error)
          location = error.backtrace_locations&.find { |frame| frame.path.start_with?("(to_json ") } or return
          place = find(plan.code, location.path, {}.compare_by_identity)
          place&.fields&.[](location.lineno)
        end

        private

        def find(code, label, seen)
          return if seen[code]

          seen[code] = true
          place = code.instance_variable_get(:@to_json_place) or return
          return place if place.label == label

          place.codes.each { |inner| found = find(inner, label, seen) and return found }
          nil
        end
      end
    end
  end
end
