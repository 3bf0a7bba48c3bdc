# frozen_string_literal: true

# Layer: hal. Reads what writes HAL, when something of it is first used.

ToJson::FirstUse.uninterrupted do
  ToJson::FirstUse.of(:DocumentSerializer, ToJson::JsonApi)
  require_relative "links"
  require_relative "resources"
  require_relative "document"
end
