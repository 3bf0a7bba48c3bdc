# frozen_string_literal: true

# Layer: json_api. Where an attribute of a model stands in a document.

module ToJson
  module JsonApi
    # Makes the JSON pointer of an error of a model.
    # @api private
    class Pointers
      KINDS = { attribute: "attributes", nested: "attributes", one: "relationships",
                many: "relationships", any: "relationships" }.freeze
      private_constant :KINDS

      # @param serializer [Class, nil]
      # @param at [String] the pointer of the resource
      def initialize(serializer, at)
        @at = at
        @definition = serializer.definition if serializer
      end

      # @param error [#attribute, #base] of ActiveModel
      # @return [String]
      def of(error)
        # Errors of associated records: `comments.body`, `comments[0].body`.
        name = error.attribute.to_s[/\A[^.\[]+/].to_s
        return @at if name == "base" || name.empty?
        return "#{@at}/id" if name == "id"

        place, key = @definition ? declared(name) : told(name, error.base.class)
        "#{@at}/#{place}/#{key.gsub("~", "~0").gsub("/", "~1")}"
      end

      private

      def declared(name)
        field = entry(name) || association(name.delete_suffix("_id"))
        return ["attributes", cased(name)] unless field

        [KINDS.fetch(field.kind), cased(field.name.name)]
      end

      # What reads the attribute comes before what is only called like it.
      def entry(name)
        fields = @definition.entries.select { |field| KINDS.key?(field.kind) }
        fields.find { |field| field.source&.name == name } ||
          fields.find { |field| field.name.name == name }
      end

      # A belongs_to, by its foreign key.
      def association(name)
        field = entry(name)
        field if field && KINDS.fetch(field.kind) == "relationships"
      end

      def cased(name) = KeyCase.apply(@definition.key_case, name)

      def told(name, model)
        return ["attributes", name] unless model.respond_to?(:reflect_on_association)

        found = [name, name.delete_suffix("_id")].find { |one| model.reflect_on_association(one) }
        found ? ["relationships", found] : ["attributes", name]
      end
    end
  end
end
