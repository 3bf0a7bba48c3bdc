# frozen_string_literal: true

# A second judge of documents of JSON:API: its JSON Schemas in ../shared/data/json_api, by the gem
# json_schemer. Both may be absent. They describe version 1.0: {fits?} leaves out what 1.1 adds.

module JsonApiSchema
  DIRECTORY = File.join(SharedData::DIRECTORY, "json_api")
  FILES = { response: "schema.json", create: "schema_create_resource.json",
            update: "schema_update_resource.json",
            relationship: "schema_update_relationship.json" }.freeze

  class << self
    # @return [Boolean]
    def there? = Gem.loaded_specs.key?("json_schemer") && File.directory?(DIRECTORY)

    # @param document [Hash] parsed
    # @param relative [Boolean] whether links may be relative, as 1.1 allows
    # @return [Array<String>] what it says is wrong
    def problems(document, kind = :response, relative: false)
      schemas(!relative).fetch(kind).validate(document).map { |error| error["error"] }
    end

    private

    def schemas(format)
      (@schemas ||= {})[format] ||= begin
        require "json_schemer"
        parsed = FILES.transform_values do |file|
          ToJson::Tree.parse(File.read(File.join(DIRECTORY, file)))
        end
        resolve = ->(uri) { parsed.fetch(:response) if uri.to_s == parsed[:response]["$id"] }
        parsed.transform_values do |schema|
          JSONSchemer.schema(schema, ref_resolver: resolve, format: format)
        end
      end
    end
  end
end
