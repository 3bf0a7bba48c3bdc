# frozen_string_literal: true

# Layer: compiling. Finds the field that generated code was reading when an exception left it.

module ToJson
  class Compiler
    # Which line of generated code reads which field. This is kept in the generated module, and so
    # is collected with it. It is found from the module of the document's Plan.
    module FieldLines
      Place = Struct.new(:label, :fields, :codes)
      BEGINNING = "(to_json "
      FRAME = /\A(\(to_json .*? \d+\)):(\d+)/m
      private_constant :BEGINNING, :FRAME

      class << self
        # @param fields [Hash{Integer => String}] line => path of a field
        def keep(code, label, fields, constants)
          codes = constants.values.select { |value| value.is_a?(Module) && !value.is_a?(Class) }
          code.instance_variable_set(:@to_json_place,
                                     Ractor.make_shareable(Place.new(label, fields, codes)))
        end

        # @param code [Module] of the document's Plan
        # @return [String, nil] the path of the field, below the object at hand
        def of(code, error)
          label, line = position(error)
          place = find(code, label) if label
          place&.fields&.[](line)
        end

        # @param frame [Thread::Backtrace::Location] A method in C at the bottom of a Fiber or
        #   thread has no path (nil), for example below `Enumerator#next`
        # @return [Boolean] whether generated code stands there
        def generated?(frame) = frame.path&.start_with?(BEGINNING) || false

        # @return [String, nil] the path that the frames of that code have in a backtrace
        def label(code) = code.instance_variable_get(:@to_json_place)&.label

        # @return [Array(String or nil, Boolean)] the path of the field that a line of that code
        #   reads, and true; or the path of the field whose value the line writes, and false
        def at(code, line)
          fields = code.instance_variable_get(:@to_json_place).fields
          return [fields[line], true] if fields[line]

          [fields[fields.keys.select { |other| other < line }.max], false]
        end

        # @param frame [String] a line of a backtrace
        # @return [String, nil] if generated code reads a field there, the line in the class body
        #   that declares the field
        def declared(frame)
          label, line = frame.match(FRAME)&.captures
          field = label && field_read(label, Integer(line))
          return unless field&.declared_at

          quote = frame[/:in ([`'])/, 1] # ' since Ruby 3.4
          "#{field.declared_at}:in #{quote}#{field.name}'"
        end

        private

        # Goes through all classes, because this is seldom asked, and no table of labels is kept.
        def field_read(label, line)
          PlanCache.descendants(Serializer).each do |heir|
            PlanCache.published(heir, PlanCache.epoch).each_value do |handle|
              place = handle.code.instance_variable_get(:@to_json_place)
              next unless place && place.label == label

              path = place.fields[line]
              return path && inside(handle.unit, path, [])
            end
          end
          nil
        end

        # @param path [String] such as `author.name`
        def inside(unit, path, around)
          unit.fields.each do |field|
            return field if field.kind != :flatten && field.name.name == path

            rest = field.kind == :flatten ? path : path.delete_prefix("#{field.name}.")
            next if around.include?(field) || (field.kind != :flatten && rest == path)

            inner_class = PlanCache.inner_class(unit, field) or next
            form = field.kind == :flatten ? :pairs : :object
            found = inside(unit.inner(field, inner_class, form), rest, [*around, field])
            return found if found
          end
          nil
        end

        # If a backtrace was set by hand, Ruby has only its text.
        def position(error)
          locations = error.backtrace_locations
          if locations
            frame = locations.find { |location| generated?(location) }
            return frame && [frame.path, frame.lineno]
          end
          text = error.backtrace&.find { |frame| frame.start_with?(BEGINNING) } or return
          label, line = text.match(/\A(.*?\)):(\d+)/m)&.captures
          [label, line.to_i] if label
        end

        # Goes through the code inside without recursion, since there may be much.
        def find(code, label)
          seen, codes = { code => true }, [code]
          codes.each do |one| # grows meanwhile
            place = one.instance_variable_get(:@to_json_place) or next
            return place if place.label == label

            place.codes.each do |inner|
              next if seen[inner]

              seen[inner] = true
              codes << inner
            end
          end
          nil
        end
      end
    end
  end
end
