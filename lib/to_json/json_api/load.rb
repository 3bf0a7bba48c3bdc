# frozen_string_literal: true

# Layer: json_api. Reads what writes and checks JSON:API, when something of it is first used.

ToJson::FirstUse.uninterrupted do
  ToJson::FirstUse.of(:DocumentSerializer, ToJson::JsonApi)
  require_relative "object_rules"
  require_relative "validator"
  require_relative "errors"
  require_relative "names"
  require_relative "resource"
  require_relative "resource_definition"
  require_relative "reader"
  require_relative "choice"
  require_relative "resource_group"
  require_relative "linking"
  require_relative "document"
  require_relative "call"
  require_relative "negotiation"
  require_relative "pagination"
  require_relative "query"
  require_relative "preload_selection"
end
