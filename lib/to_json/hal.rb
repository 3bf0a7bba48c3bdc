# frozen_string_literal: true

# Layer: base. The module ToJson::Hal. Its files stand in lib/to_json/hal and are loaded when they
# are first needed.

module ToJson
  # Documents of HAL (application/hal+json), written by the serializers that write plain JSON.
  # docs/hal.md is the guide.
  module Hal
    autoload :Links, "#{__dir__}/hal/links"
    autoload :Resources, "#{__dir__}/hal/resources"
    autoload :Document, "#{__dir__}/hal/document"

    # The media type of HAL.
    MEDIA_TYPE = "application/hal+json"
  end
end
