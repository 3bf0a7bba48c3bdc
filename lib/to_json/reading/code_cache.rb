# frozen_string_literal: true

# Layer: reading. Keeps the generated code with its class, for one epoch, like Plans.

module ToJson
  module Reading
    # There is no lock: what was compiled is published by one store. If two threads compile at once,
    # one of the results is kept.
    # @api private
    module CodeCache
      # How plain documents are read. `code`: see {Code}; nil if nothing is writable. `roots`: the
      # keys for one object and for many, or nil. `declared_keys`: the words of TELLING that are
      # keys or roots of the class.
      Plain = Struct.new(:code, :roots, :declared_keys)
      # Members that tell a document of JSON:API or HAL from a plain one.
      Plain::TELLING = %w[data _links _embedded].freeze

      MEMORY = :@to_json_reading
      VALUES = { plain: :values_plain, hal: :values_hal, json_api: :values_json_api }.freeze
      PARAMS = { plain: :params_plain, hal: :params_hal, json_api: :params_json_api }.freeze
      NONE = {}.freeze
      private_constant :MEMORY, :VALUES, :PARAMS, :NONE

      class << self
        # @param view [Symbol, String, Array, nil]
        # @param mode [Symbol] `:values` or `:params`
        # @param envelope [Symbol] `:plain`, `:hal` or `:json_api`
        # @return [Module, CodeOfType] a CodeOfType for `:json_api`
        # @raise [DefinitionError] if nothing is writable
        # @raise [UnknownViewError]
        def code(serializer_class, view, mode, envelope)
          form = (mode == :values ? VALUES : PARAMS).fetch(envelope)
          found = published(serializer_class)[form]
          found&.[](view) || made(serializer_class, view, mode, envelope, form)
        end

        # Finds or compiles the code that reads plain documents.
        # @return [Plain]
        def plain(serializer_class, view, mode)
          form = mode == :values ? :values : :params
          found = published(serializer_class)[form]
          found&.[](view) || made_plain(serializer_class, view, mode, form)
        end

        # Compiles the code that reads documents, for all views, and for parameters if Rails is
        # loaded. Compiles the code for JSON:API only if the class declares `type`, and for HAL only
        # if it declares a link. Works only in the main Ractor.
        # @raise [DefinitionError]
        def compile_all(serializer_class)
          Parser.choose_if_loaded
          modes = [:values, *(:params if Library.find(:ActionController, :Parameters))]
          [nil, *serializer_class.definition.view_names].product(modes) do |view, mode|
            next unless plain(serializer_class, view, mode).code

            enveloped(serializer_class).each do |envelope|
              code(serializer_class, view, mode, envelope)
            end
          end
        end

        private

        def enveloped(serializer_class)
          definition = serializer_class.definition
          [(:json_api if definition.resource.key?(:type)),
           (:hal if definition.resource.any? { |key, _| Array === key && key.first == :link })]
            .compact
        end

        def made_plain(serializer_class, view, mode, form)
          check_ractor(serializer_class)
          PlanCache.watch(serializer_class)
          epoch = PlanCache.epoch # before the Definition is read: it may change meanwhile
          definition = serializer_class.definition
          unit = unit(serializer_class, definition, definition.resolve_views(view), mode, :plain)
          code = code(serializer_class, view, mode, :plain) if unit.any?
          keys = definition.entries.map do |field|
            KeyCase.apply(definition.key_case, field.name.name)
          end
          roots = definition.root&.map(&:name)
          plain = Plain.new(code, roots, ([*roots, *keys] & Plain::TELLING)).freeze
          return plain unless view.nil? || Symbol === view

          codes = published(serializer_class)
          keep(serializer_class, epoch,
               { **codes, form => { **codes.fetch(form, NONE), view => plain } })
          plain
        end

        def published(serializer_class) = ClassMemory.recall(serializer_class, MEMORY) || NONE

        # Code is kept under the Symbol of a view, or under nil, and never under a text that a
        # client sends.
        def made(serializer_class, view, mode, envelope, form)
          check_ractor(serializer_class)
          PlanCache.watch(serializer_class)
          epoch = PlanCache.epoch
          definition = serializer_class.definition
          views = definition.resolve_views(view)
          check(serializer_class, definition, views)
          key = view.nil? ? nil : views
          key = views.first if key && views.size == 1
          kept = published(serializer_class)[form]&.fetch(key, nil)
          return kept if kept

          unit = unit(serializer_class, definition, views, mode, envelope)
          check_writable(unit)
          compile(unit, epoch, form, key)
        end

        def check_ractor(serializer_class)
          return if Ractor.current == Ractor.main

          raise Error,
                "#{serializer_class}: its code for reading is not compiled, and this Ractor " \
                "cannot compile. Call ToJson.compile! in the main Ractor first."
        end

        def compile(unit, epoch, form, key)
          serializer_class = unit.serializer_class
          code = Compilation.new(epoch).run(unit)
          code = of_type(unit, code, key) if unit.envelope == :json_api
          codes = published(serializer_class)
          keep(serializer_class, epoch,
               { **codes, form => { **codes.fetch(form, NONE), key => code } })
          code
        end

        def of_type(unit, code, key)
          id = unit.written.fields.find { |field| field.name == :id }&.source
          FirstUse.of(:Resource, JsonApi)
          type = JsonApi::Resource.of(unit.serializer_class, key).type
          CodeOfType.new(type, code, Symbol === id ? id : :id).freeze
        end

        def unit(serializer_class, definition, views, mode, envelope)
          ReadUnit.new(Compiler::Unit.new(serializer_class, definition, views, [], :object), mode,
                    envelope)
        end

        def check(serializer_class, definition, views)
          return if views.size < 2 || views == definition.default_views

          raise ArgumentError,
                "#{serializer_class}: view: reading takes one view. Declare one that is from: " \
                "#{views.map(&:inspect).join(", ")}."
        end

        def check_writable(unit)
          return if unit.any?

          raise DefinitionError,
                "#{unit}: no field is writable, so nothing is read. Declare what may be read: " \
                "attributes :title, writable: true."
        end

        # Makes the codes shareable, because other Ractors read them too.
        def keep(serializer_class, epoch, codes)
          ClassMemory.keep(serializer_class, MEMORY, epoch, Ractor.make_shareable(codes))
        end
      end
    end
  end
end
