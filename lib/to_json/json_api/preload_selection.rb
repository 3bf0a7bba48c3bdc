# frozen_string_literal: true

# Layer: json_api. Finds out which attributes and associations a document reads from records, for
# preloading.

module ToJson
  module JsonApi
    # The attributes of the resources that are written, and the relationships whose data is written,
    # to any depth. If only values tell a serializer (polymorphic associations, a lambda), the
    # objects inside are not known.
    # @api private
    class PreloadSelection
      # A Node of the Choice, the resources that are met there, and the Places inside.
      Place = Struct.new(:node, :resource, :inside)
      # What is read of resources, and inside them.
      class OfResources < Selection
        def alone? = true
      end
      private_constant :Place, :OfResources

      # @param choice [Choice]
      # @param model [Class, nil] the class of the records of the primary data
      def initialize(choice, model)
        @choice = choice
        @followed = Hash.new { |all, type| all[type] = [] }
        shown = choice.root_form.links.reject(&:by_id) # more than included, if values tell some
        @followed[choice.resource.type] = shown.map { |link| link.relationship.name }
        @root = place(choice.root, choice.resource, model)
      end

      # @return [Selection] as `only:` of {ToJson.preload}
      def selection = OfResources.parse(tree(@root))

      private

      def place(node, resource, model)
        inside = {}
        resource.relationships.each do |one|
          below = node.inside[one.name] || node.inside[one.key] or next
          @followed[resource.type] |= [one.name]
          klass = klass(model, one.field)
          found = below.resource || told(resource, one.field, klass)
          inside[one.name] = found && place(below, found, klass)
        end
        Place.new(node, resource, inside)
      end

      # @return [Class, nil] the class of the associated records, if the model tells it
      def klass(model, field)
        return unless field.reader.nil? && model.respond_to?(:reflect_on_association)

        reflection = model.reflect_on_association(field.source)
        reflection.klass if reflection && !reflection.polymorphic?
      end

      # @return [Resource, nil]
      def told(resource, field, klass)
        return if klass.nil? || field.serializer.is_a?(Proc)

        owner = resource.serializer_class
        Resource.of(Lookup.of_class(owner, field.serializer, klass), field.view)
      rescue SerializerNotFound
        nil # the document will raise it, with its path
      end

      # A resource that is met at several places has the data of the relationships of all these
      # places, also if their serializers or views differ: a document has each type and id once.
      def tree(place)
        resource = place.resource
        read = attributes(resource)
        resource.relationships.each do |one|
          next unless @followed[resource.type].include?(one.name) || one.field.linkage == true

          inside = place.inside[one.name]
          read[one.name] = inside ? tree(inside) : {}
        end
        read
      end

      # All fields of the fieldset that are no relationships, by the names that a Selection uses. In
      # place of a flatten these are the fields inside it. The id is always written.
      def attributes(resource)
        names = @choice.fields[resource.type]
        shown = resource.attributes.select do |one|
          names.nil? || names.include?(one.key) || names.include?(one.name)
        end
        fields = resource.serializer_class.definition.fields(resource.views)
        id = ["id"] if fields.any? { |field| field.name == :id }
        [*id, *shown.map(&:name)].to_h { |name| [name, nil] }
      end
    end
  end
end
