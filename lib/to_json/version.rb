# frozen_string_literal: true

# Layer: base. The one place that holds the version of the gem.

# See {file:README.md}.
module ToJson
  # The version of this gem, by semantic versioning.
  VERSION = "0.1.0"
end
