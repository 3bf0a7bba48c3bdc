# frozen_string_literal: true

# Layer: base. The module ToJson::Hal. Its files stand in lib/to_json/hal and are loaded together
# when one of them is first needed.

module ToJson
  # Documents of HAL (application/hal+json), written by the serializers that write plain JSON.
  # docs/hal.md is the guide.
  module Hal
    %i[Links Resources Document].each { |name| autoload name, "#{__dir__}/hal/load" }

    # The media type of HAL.
    MEDIA_TYPE = "application/hal+json"
  end
end
