# frozen_string_literal: true

# Fuzz. What bin/fuzz can run: a target of a later issue joins here.

require_relative "values/target"
require_relative "scripts/target"

module Fuzz
  TARGETS = { "values" => ValuesTarget, "scripts" => ScriptsTarget }.freeze
end
