# frozen_string_literal: true

# Layer: hal. Derives the Definition of HAL's resources from that of a serializer.

module ToJson
  module Hal
    # `{"_links": {…}, fields …, "_embedded": {…}}` as declared fields.
    # @api private
    module Resources
      # A Definition with which the serializers inside write HAL too.
      class Derived < Definition
        def derives? = true

        # A class with its own `serialize` has no fields to derive: it writes itself.
        def derive(serializer_class, views, form)
          return if form != :pairs && PlanCache.imperative?(serializer_class)

          Resources.of(serializer_class, views, form == :pairs)
        end
      end

      LINK = { as: Links, skip: :nil }.freeze
      MEMORY = :@to_json_hal
      private_constant :Derived, :LINK, :MEMORY

      class << self
        # @param views [Array<Symbol>]
        # @param flat [Boolean] whether its fields are written among those of another resource,
        #   which writes its own links and embedded resources
        # @return [Definition] kept by the class, for one epoch
        def of(serializer_class, views, flat = false)
          epoch = PlanCache.epoch # first, because another thread may change the class meanwhile
          kept = ClassMemory.recall(serializer_class, MEMORY, epoch) || {}
          kept[[views, flat]] || made(serializer_class, views, flat, kept, epoch)
        end

        private

        def made(serializer_class, views, flat, kept, epoch)
          PlanCache.watch(serializer_class)
          definition = serializer_class.definition
          found = flat ? definition_of(definition, definition.fields(views))
                       : derived(definition, views)
          ClassMemory.keep(serializer_class, MEMORY, epoch,
                           { **kept, [views, flat] => found }.freeze)
          found
        end

        def derived(definition, views)
          embedded, state = definition.fields(views).partition do |field|
            %i[one many any].include?(field.kind)
          end
          links = links(definition)
          check(definition, state, "_links") if links.any?
          check(definition, state, "_embedded") if embedded.any?
          definition_of(definition, [
            *(nested(definition, :_links, links, :always) if links.any?), *state,
            *(nested(definition, :_embedded, embedded.map { |one| embedded(one) }, :names) if
              embedded.any?)
          ], definition.settings.slice(:cache))
        end

        def check(definition, fields, name)
          field = fields.find do |one|
            KeyCase.apply(definition.key_case, one.name.name) == name
          end
          return unless field

          raise DefinitionError,
                "#{definition.label}: the key #{name.inspect} of the field #{field.name.inspect} " \
                "is reserved by HAL. Give the field another name, or declare neither link nor " \
                "associations."
        end

        def links(definition)
          definition.resource.filter_map do |(word, name), field|
            next unless word == :link && field

            options = { **field.options, key: name.name }
            if field.supplied? then options[:constant] = Links.call(field.constant)
            else options.update(LINK)
            end
            Field.new(:attribute, name, field.source, options.freeze, reader: field.reader,
                      declared_at: field.declared_at)
          end
        end

        # A value of nil is not embedded.
        def embedded(field)
          return field if field.cache || field.options.key?(:default) || field.skip

          Field.new(field.kind, field.name, field.source, { **field.options, skip: :nil }.freeze,
                    reader: field.reader, definition: field.definition,
                    declared_at: field.declared_at)
        end

        def nested(definition, name, fields, through)
          Field.new(:nested, name, nil, { key: name.name, through: through }.freeze,
                    definition: definition_of(definition, fields))
        end

        def definition_of(definition, fields, settings = {})
          Derived.new(label: "#{definition.label} (HAL)", settings: settings,
                      base: fields.to_h { |field| [field.name, field] })
        end
      end
    end
  end
end
