# frozen_string_literal: true

# Layer: none below it. JSON:API documents, for the comparison of jsonapi-serializer's with the others'.

module Bench
  # https://jsonapi.org/format: a resource has its id as text, its attributes apart, and its relationships beside the data.
  module JsonApi
    class << self
      # What the same data is without JSON:API: each resource an object of its id, its attributes and its relationships.
      def plain(document)
        included = document.fetch("included", []).to_h { |resource| [resource.values_at("type", "id"), resource] }
        resolve(document.fetch("data"), included)
      end

      private

      def resolve(data, included)
        return data.map { |resource| resolve(resource, included) } if data.is_a?(Array)

        data = included.fetch(data.values_at("type", "id")) unless data.key?("attributes")
        related = data.fetch("relationships", {}).transform_values { |relationship| resolve(relationship.fetch("data"), included) }
        {"id" => Integer(data.fetch("id")), **data.fetch("attributes"), **related}
      end
    end
  end
end
