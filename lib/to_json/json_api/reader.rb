# frozen_string_literal: true

# Layer: json_api. Generates the Ruby that reads the id of an object and its related objects.

module ToJson
  module JsonApi
    # Makes a module with the methods
    #
    #   id(w, s, o)                the id as a field gives it, with its default; nil: there is none
    #   ids(w, s, c, ids)          appends the ids of the objects in the Array c; nil for nil
    #   lid(w, s, o)               the local id; nil if the class declares none
    #   related(w, s, o, into, m)  puts the values of the relationships into an Array; m: the bits
    #                              of those to read, and above them, bits of those to read by id
    #
    # The expression of a field may use the variable `v`.
    #
    # @api private
    module Reader
      class << self
        # @param unit [Compiler::Unit] the unit with the class, and with the fields for messages
        # @param made [ResourceDefinition]
        # @return [Compiler::Handle] without a Plan, because its code writes nothing
        def build(unit, made)
          serializer_class = unit.serializer_class
          code, constants = Compiler.new_code, Compiler::Constants.new
          owner = Compiler::Owner.new(serializer_class, "s")
          text = Compiler::Code::Listing.new
          identity(text, "id", made.id, owner, constants)
          ids(text, made.id, owner, constants)
          identity(text, "lid", made.lid, owner, constants)
          related(text, made.relationships, owner, constants)
          constants.install(code)
          label = "(to_json #{serializer_class} JSON:API #{code.object_id})"
          GeneratedCode.define(code, text.source, label)
          Compiler::FieldLines.keep(code, label, text.fields_by_line, constants)
          Compiler::Handle.new(unit, code).freeze
        end

        private

        def identity(text, name, field, owner, constants)
          text.add(0, "def self.#{name}(w, s, o)")
          text.add(1, by_form(field, owner, constants), name)
          text.add(0, "end")
        end

        def ids(text, field, owner, constants)
          ["def self.ids(w, s, c, ids)", "i = 0", "while i < c.size", "o = c[i]",
           "i += 1"].each { |line| text.add(0, line) }
          text.add(0, "ids << (nil == o ? nil : (#{by_form(field, owner, constants)}))", "id")
          ["end", "ids", "end"].each { |line| text.add(0, line) }
        end

        def by_form(field, owner, constants)
          object, row = Compiler::Code::FORMS.map do |form|
            field ? whole(field, form, owner, constants) : "nil"
          end
          "Hash === o ? #{row} : #{object}"
        end

        # The value as the Writer would write it: it does what `value` leaves to the Writer.
        def whole(field, form, owner, constants)
          value = reading(field, owner, constants).value(form)
          if Compiler::FieldAccess.native_default?(field)
            "(nil == (v = #{value}) ? #{constants.name("D", field.default)} : v)"
          elsif Compiler::FieldAccess.native_as?(field) then value
          else "(SKIP.equal?(v = #{value}) ? nil : v)"
          end
        end

        def related(text, relationships, owner, constants)
          object, row = Compiler::Code::FORMS
          text.add(0, "def self.related(w, s, o, into, m)")
          text.add(1, "if Hash === o")
          assign(text, relationships, row, owner, constants)
          text.add(1, "else")
          assign(text, relationships, object, owner, constants)
          text.add(1, "end")
          text.add(0, "end")
        end

        def assign(text, relationships, form, owner, constants)
          relationships.each_with_index do |field, index|
            [assignment(field, index, index, form, owner, constants),
             by_id(field, index, index + relationships.size, form, owner, constants)]
              .compact.each { |line| text.add(2, line, field.name.name) }
          end
        end

        def assignment(field, index, bit, *reading)
          form, owner, constants = reading
          value = reading(field, owner, constants).argument(form)
          "into[#{index}] = #{value} if m[#{bit}] == 1"
        end

        # Reads the id, if the field has a `linkage:` such as `:author_id`.
        def by_id(field, index, bit, *reading)
          return unless field.linkage.is_a?(Symbol)

          id = Field.new(:attribute, field.name, field.linkage,
                         { conditions: field.conditions }.freeze)
          assignment(id, index, bit, *reading)
        end

        def reading(field, owner, constants)
          Compiler::FieldAccess.new(field, Compiler::Source::OWN, owner, constants, nil)
        end
      end
    end
  end
end
