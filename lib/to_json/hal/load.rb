# frozen_string_literal: true

# Layer: hal. Loads the files that write HAL, when one of their constants is first used.

ToJson::FirstUse.uninterrupted do
  # Before the first Plan of a document: see json_api/load.rb.
  ToJson::FirstUse.of(:DocumentSerializer, ToJson::JsonApi)
  require_relative "links"
  require_relative "resources"
  require_relative "document"
end
