# frozen_string_literal: true

# Fuzz. What bin/fuzz can run: a target of a later issue joins here.

require_relative "values/target"
require_relative "scripts/target"
require_relative "definitions/target"

module Fuzz
  TARGETS = { "values" => ValuesTarget, "scripts" => ScriptsTarget, "definitions" => DefinitionsTarget }.freeze
end
