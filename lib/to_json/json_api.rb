# frozen_string_literal: true

# Layer: base. The module ToJson::JsonApi: its settings and errors. Its files stand in
# lib/to_json/json_api and are loaded when they are first needed.

module ToJson
  # Documents of JSON:API 1.1, written by the serializers that write plain JSON. docs/json_api.md is
  # the guide.
  module JsonApi
    autoload :ParameterError, "#{__dir__}/json_api/parameter_error"
  end
end
