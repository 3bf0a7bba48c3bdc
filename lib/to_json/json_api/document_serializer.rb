# frozen_string_literal: true

# Layer: json_api. The serializer whose objects are whole documents. So these use the same Sinks,
# streams, Rules and errors with paths as all other documents.

module ToJson
  module JsonApi
    # Its objects are {Document}s and {Line}s, which write themselves.
    # @api private
    class DocumentSerializer < Serializer
      # One NDJSON line: a resource without anything around it.
      Line = Struct.new(:choice, :linking, :object) do
        include Envelope::Held

        def scope = object

        def write(w, s)
          form, group = choice.root_form, linking.group(w, s, choice.resource)
          if form.read.positive?
            w.give(linking.read(w, group, object, form))
          end
          w.one(form.plan, group.s, object, form.mask)
        end
      end

      # A Definition that names its own compiler.
      class Declared < Definition
        def compiler = Compiled
      end
      private_constant :Declared

      # Its compiler. It generates no code: the {Document}s and {Line}s call the Writer.
      class Compiled
        # The methods that generated code would have.
        module Methods
          def object(w, s, o) = o.write(w, s)
        end
        private_constant :Methods

        def initialize(handle, compilation, _from)
          @handle, @compilation = handle, compilation
        end

        # @return [Compiler::Handle]
        def compile
          @handle.code.extend(Methods)
          @handle.source, @handle.notes, @handle.strategies = "", [], {}
          @handle.plan =
            Plan.new(code: @handle.code, row: nil, root_one: nil, root_many: nil, meta: nil,
                     serializer_class: @handle.unit.serializer_class,
                     rules: PlanCache.rules(@handle.unit.serializer_class), serializer: true,
                     masked: false, imperative: false, epoch: @compilation.epoch)
          @handle.code.instance_variable_set(:@to_json_plan, @handle.plan)
          @handle
        end
      end
      private_constant :Compiled

      DEFINITION = Declared.new(label: "JSON:API", base: {})
      private_constant :DEFINITION

      class << self
        def definition = DEFINITION
        def declared? = true
      end

      layout = Compiler::PartLayout
      top = layout.new(true, :first)
      top.pair(:value, "jsonapi", flags: [:optional])
      top.pair(:value, "links", flags: [:optional])
      top.pair(:slot, "data")
      HEAD = top.part(false)
      list = layout.new(false, :some)
      list.pair(:list, "included")
      INCLUDED = list.part(false)
      tail = layout.new(false, :some)
      tail.pair(:value, "meta", flags: [:optional])
      TAIL = tail.part(true)
    end
  end
end
