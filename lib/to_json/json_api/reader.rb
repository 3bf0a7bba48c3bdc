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
          object, row = Compiler::Code::FORMS.map do |form|
            assignments(relationships, form, owner, constants)
          end
          by_form = Compiler::Code::FORMS.map { |form| reading(id, owner, constants).value(form) }
          source = <<~RUBY
            def self.id(w, s, o)
              Hash === o ? #{by_form.last} : #{by_form.first}
            end
            def self.related(w, s, o, v, m)
              if Hash === o
            #{row}
              else
            #{object}
              end
            end
          RUBY
          constants.install(code)
          GeneratedCode.define(code, source,
                               "(to_json #{serializer_class} JSON:API #{code.object_id})")
          code
        end

        private

        def assignments(relationships, form, owner, constants)
          relationships.each_with_index.flat_map do |field, index|
            [assignment(field, index, index, form, owner, constants),
             by_id(field, index, index + relationships.size, form, owner, constants)]
          end.compact.join("\n")
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
