# frozen_string_literal: true

# Layer: base. The version of the gem; no other file has it.

# See {file:README.md}.
module ToJson
  # The version of this gem, by semantic versioning.
  VERSION = "0.1.0"
end
