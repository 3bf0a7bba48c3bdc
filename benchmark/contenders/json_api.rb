# frozen_string_literal: true

module Bench
  # JSON:API documents (https://jsonapi.org/format): a resource has its id as text, its attributes
  # apart, and its relationships beside the data.
  module JsonApi
    # What the same data is without: each resource an object of id, attributes and relationships.
    def self.plain(document)
      included = document.fetch("included", []).to_h do |resource|
        [resource.values_at("type", "id"), resource]
      end
      resolve(document.fetch("data"), included)
    end

    def self.resolve(data, included)
      return data.map { |resource| resolve(resource, included) } if data.is_a?(Array)

      data = included.fetch(data.values_at("type", "id")) unless data.key?("attributes")
      related = data.fetch("relationships", {}).transform_values do |relationship|
        resolve(relationship.fetch("data"), included)
      end
      {"id" => Integer(data.fetch("id")), **data.fetch("attributes"), **related}
    end
    private_class_method :resolve
  end
end
