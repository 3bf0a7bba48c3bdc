# frozen_string_literal: true

# Layer: hal. Derives the Definition of HAL's resources from that of a serializer.

module ToJson
  module Hal
    # `{"_links": {…}, fields …, "_embedded": {…}}` as declared fields.
    # @api private
    module Resources
      # The serializers inside write HAL too.
      class Derived < Definition
        def derive(serializer_class, views) = Resources.of(serializer_class, views)
      end

      LINK = { as: Links, skip: :nil }.freeze
      private_constant :Derived, :LINK

      class << self
        # @param views [Array<Symbol>]
        # @return [Definition] kept by the class, for one epoch
        def of(serializer_class, views)
          owner, epoch, kept = serializer_class.instance_variable_get(:@to_json_hal)
          kept = nil unless owner.equal?(serializer_class) && epoch == PlanCache.epoch
          kept&.fetch(views, nil) || made(serializer_class, views, kept || {})
        end

        private

        def made(serializer_class, views, kept)
          PlanCache.watch(serializer_class)
          epoch = PlanCache.epoch
          found = derived(serializer_class.definition, views)
          keep(serializer_class, [serializer_class, epoch, { **kept, views => found }.freeze])
          found
        end

        def keep(serializer_class, kept)
          serializer_class.instance_variable_set(:@to_json_hal, kept.freeze)
        rescue FrozenError
          nil # made anew each time
        end

        def derived(definition, views)
          embedded, state = definition.fields(views).partition do |field|
            %i[one many any].include?(field.kind)
          end
          links = links(definition)
          definition_of(definition, [
            *(nested(definition, :_links, links, :always) if links.any?), *state,
            *(nested(definition, :_embedded, embedded.map { |one| embedded(one) }, :names) if
              embedded.any?)
          ], definition.settings.slice(:cache))
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

        # An object that is not there is not embedded.
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
