# frozen_string_literal: true

# Layer: json_api. Loads the files that write, check and read JSON:API, when one of their
# constants is first used.

ToJson::FirstUse.uninterrupted do
  # A serializer class. If Plans exist that found a serializer by name, they are compiled again once
  # it is loaded. So it is loaded before the first Plan of a document.
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
