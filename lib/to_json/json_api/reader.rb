# frozen_string_literal: true

# Layer: json_api. Generates the Ruby that reads the id of an object, and the objects that it is
# related to.

module ToJson
  module JsonApi
    # A module with the methods
    #
    #   id(w, s, o)           the id as a field gives it
    #   related(w, s, o, v, m)  puts the values of the relationships into the Array v; m: bits of
    #                           those that are read, and above these of those of which only ids are
    #
    # @api private
    module Reader
      class << self
        # @param serializer_class [Class]
        # @param id [Field]
        # @param relationships [Array<Field>]
        # @return [Module]
        def build(serializer_class, id, relationships)
          code, constants = Compiler.new_code, Compiler::Constants.new
          owner = Compiler::Owner.new(serializer_class, "s")
          lines = Compiler::Code::FORMS.flat_map do |form|
            [method("#{form}_id(w, s, o)", [reading(id, owner, constants).value(form)]),
             method("#{form}_related(w, s, o, v, m)",
                    relationships.each_with_index.flat_map do |field, index|
                      [assignment(field, index, index, form, owner, constants),
                       by_id(field, index, index + relationships.size, form, owner, constants)]
                    end.compact)]
          end
          constants.install(code)
          GeneratedCode.define(code, (lines + BY_FORM).join("\n"),
                               "(to_json #{serializer_class} JSON:API #{code.object_id})")
          code
        end

        private

        BY_FORM = [
          "def self.id(w, s, o) = Hash === o ? row_id(w, s, o) : object_id_of(w, s, o)",
          "def self.related(w, s, o, v, m)",
          "  Hash === o ? row_related(w, s, o, v, m) : object_related(w, s, o, v, m)",
          "end"
        ].freeze
        private_constant :BY_FORM

        def method(head, lines)
          head = head.sub("object_id(", "object_id_of(")
          ["def self.#{head}", *lines.map { |line| "  #{line}" }, "end"].join("\n")
        end

        def assignment(field, index, bit, *reading)
          form, owner, constants = reading
          value = reading(field, owner, constants).argument(form)
          "v[#{index}] = #{value} if m[#{bit}] == 1"
        end

        # Of `linkage: :author_id`.
        def by_id(field, index, bit, *reading)
          return unless field.linkage.is_a?(Symbol)

          id = Field.new(:attribute, field.name, field.linkage,
                         { conditions: field.conditions }.freeze)
          assignment(id, index, bit, *reading)
        end

        def reading(field, owner, constants)
          Compiler::Reading.new(field, Compiler::Source::OWN, owner, constants, nil)
        end
      end
    end
  end
end
